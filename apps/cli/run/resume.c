/* SPDX-License-Identifier: MIT */
/* Prints the words of a command line, quoted for a shell. */
#include "apps/cli/run/resume.h"

#include <string.h>

void resume_print_word(FILE *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
    if (word[0] && word[strspn(word, plain)] == 0) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (const char *c = word; *c; c++) {
        if (*c == '\'') {
            fputs("'\\''", out);
        } else {
            fputc(*c, out);
        }
    }
    fputc('\'', out);
}

void resume_print_command(FILE *out, int argc, char **argv, const char *snapshot) {
    fputs("  rill", out);
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--resume=", 9) == 0 || strcmp(argv[i], "--overwrite") == 0) continue;
        if (strcmp(argv[i], "--resume") == 0) {
            i++;
            continue;
        }
        fputc(' ', out);
        resume_print_word(out, argv[i]);
    }
    fputs(" --resume ", out);
    resume_print_word(out, snapshot);
    fputc('\n', out);
}
