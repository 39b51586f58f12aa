/* SPDX-License-Identifier: MIT */
/* The report at the end of a run: one JSON object, or a few lines. */
#ifndef RILL_CLI_RUN_REPORT_H
#define RILL_CLI_RUN_REPORT_H

#include "run/run.h"

#include <stdio.h>

typedef struct run_report {
    const char *scene;
    const run *run;    /* a finished run */
    const char *out;   /* folder, or NULL */
    const char *error; /* why it stopped early, or NULL */
} run_report;

void report_json(const run_report *report, FILE *out);
void report_text(const run_report *report, FILE *out);

#endif
