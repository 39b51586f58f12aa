/* SPDX-License-Identifier: MIT */
/* What `rill check` has found, in the order it was found. */
#ifndef RILL_CLI_CHECK_FINDINGS_H
#define RILL_CLI_CHECK_FINDINGS_H

typedef enum finding_kind {
    FINDING_NOTE,    /* what was made of a value, as it is meant to be */
    FINDING_WARNING, /* it will run, but perhaps not as meant */
    FINDING_ERROR    /* it will not run */
} finding_kind;

typedef struct finding {
    finding_kind kind;
    char text[400];
} finding;

typedef struct findings {
    finding *items;
    int count, capacity;
    int errors, warnings;
} findings;

void findings_error(findings *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findings_warn(findings *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findings_note(findings *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findings_free(findings *f);

#endif
