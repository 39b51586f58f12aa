/* SPDX-License-Identifier: MIT */
/* The findings of `rill check`, in the order in which they were made. */
#ifndef RILL_CLI_CHECK_FINDINGS_H
#define RILL_CLI_CHECK_FINDINGS_H

typedef enum finding_kind {
    FINDING_NOTE,    /* how a value was understood */
    FINDING_WARNING, /* the scene runs, but perhaps not as meant */
    FINDING_ERROR    /* the scene does not run */
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
