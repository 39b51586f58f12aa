/* SPDX-License-Identifier: MIT */
/* Statistics of many steps: over the run, and over the last frame. */
#ifndef RILL_CLI_RUN_TOTALS_H
#define RILL_CLI_RUN_TOTALS_H

#include "rill/rill.h"

typedef struct run_window {
    int64_t steps;
    double dt, substeps, iterations, neighbours, density_error; /* sums over the steps */
    double density_error_max, max_speed;
    double seconds[RILL_PHASE_COUNT];
} run_window;

typedef struct run_totals {
    run_window all;   /* since this run began or was resumed */
    run_window frame; /* since the last frame */
    run_window last;  /* the last frame that had steps in it, for the report */
} run_totals;

void run_totals_add(run_totals *totals, const rill_stats *stats);
void run_totals_end_frame(run_totals *totals);
/* The last frame, whole or as far as it came. */
const run_window *run_totals_last(const run_totals *totals);
/* Mean of a sum; not a number without steps. */
double run_window_mean(const run_window *window, double sum);

#endif
