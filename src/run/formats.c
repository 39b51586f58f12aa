/* SPDX-License-Identifier: MIT */
/* Looks up comma-separated words in a list of choices. */
#include "run/formats.h"

#include "core/error.h"
#include "rill/param.h"

#include <stdio.h>
#include <string.h>

/* Writes "vtp|ply|none" as "vtp, ply, none". Returns `buffer`. */
static const char *spell(const char *known, char *buffer, size_t size) {
    size_t length = 0;
    for (; *known && length + 3 < size; known++) {
        if (*known == '|') buffer[length++] = ',';
        buffer[length++] = *known == '|' ? ' ' : *known;
    }
    buffer[length] = '\0';
    return buffer;
}

rill_status rill_run_read_formats(const char *list, const char *known, bool chosen[RUN_FORMATS_MAX],
                                  rill_error *error) {
    for (;;) {
        const size_t length = strcspn(list, ",");
        char word[32], words[64];
        snprintf(word, sizeof word, "%.*s", (int)length, list);
        const int index = length < sizeof word ? rill_choice_index(known, word) : -1;
        if (index < 0)
            return rill_fail(error, RILL_INVALID, "'%s' is not one of %s", word, spell(known, words, sizeof words));
        chosen[index] = true;
        if (!list[length]) return RILL_OK;
        list += length + 1;
    }
}
