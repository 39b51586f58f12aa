/* SPDX-License-Identifier: MIT */
/* What `rill check` has found, in the order it was found. */
#ifndef RILL_CLI_CHECK_FINDINGS_H
#define RILL_CLI_CHECK_FINDINGS_H

#include <stdbool.h>

typedef struct finding {
    bool is_error; /* it will not run; otherwise it will, but perhaps not as meant */
    char text[400];
} finding;

typedef struct findings {
    finding *items;
    int count, capacity;
    int errors;
} findings;

void findings_error(findings *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findings_warn(findings *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findings_free(findings *f);

#endif
