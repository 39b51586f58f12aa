/* SPDX-License-Identifier: MIT */
/* A growing list of findings. */
#include "apps/cli/check/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* An error is counted even if there is no memory for its text. */
static void add(findings *f, finding_kind kind, const char *format, va_list arguments) {
    f->errors += kind == FINDING_ERROR, f->warnings += kind == FINDING_WARNING;
    if (f->count == f->capacity) {
        int capacity = f->capacity ? 2 * f->capacity : 16;
        finding *items = realloc(f->items, (size_t)capacity * sizeof *items);
        if (!items) return;
        f->items = items;
        f->capacity = capacity;
    }
    finding *item = &f->items[f->count++];
    item->kind = kind;
    vsnprintf(item->text, sizeof item->text, format, arguments);
}

void findings_error(findings *f, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(f, FINDING_ERROR, format, arguments);
    va_end(arguments);
}

void findings_warn(findings *f, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(f, FINDING_WARNING, format, arguments);
    va_end(arguments);
}

void findings_note(findings *f, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(f, FINDING_NOTE, format, arguments);
    va_end(arguments);
}

void findings_free(findings *f) {
    free(f->items);
    *f = (findings){0};
}
