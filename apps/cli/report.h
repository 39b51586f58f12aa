/* SPDX-License-Identifier: MIT */
/* What a run tells at its end: one JSON object, or a few lines. */
#ifndef RILL_CLI_REPORT_H
#define RILL_CLI_REPORT_H

#include "run_totals.h"

#include <stdio.h>

typedef struct run_report {
    const char *scene;
    rill_world *world;
    const run_totals *totals;
    double wall;       /* seconds that the steps and the output took */
    int64_t frames;    /* reached so far, those before a resume included */
    const char *out;   /* folder, or NULL */
    const char *error; /* why it stopped early, or NULL */
} run_report;

void report_json(const run_report *report, FILE *out);
void report_text(const run_report *report, FILE *out);

#endif
