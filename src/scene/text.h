/* SPDX-License-Identifier: MIT */
/* Text as a JSON string. */
#ifndef RILL_SCENE_TEXT_H
#define RILL_SCENE_TEXT_H

#include <stdio.h>

static inline void text_write_json(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n')
            fputs("\\n", file);
        else if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

#endif
