/* SPDX-License-Identifier: MIT */
/* The command that continues a run. */
#ifndef RILL_CLI_RUN_RESUME_H
#define RILL_CLI_RUN_RESUME_H

#include <stdio.h>

/* A word for a shell, in quotes if it needs them. */
void resume_print_word(FILE *out, const char *word);

/* The command that continues a run, quoted for a shell: the words of the original command, and --resume. */
void resume_print_command(FILE *out, int argc, char **argv, const char *snapshot);

#endif
