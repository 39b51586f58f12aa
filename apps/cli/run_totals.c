/* SPDX-License-Identifier: MIT */
/* Adding up what the steps report. */
#include "run_totals.h"

#include <math.h>

static void add(run_window *window, const rill_stats *stats) {
    window->steps++;
    window->dt += stats->dt;
    window->substeps += stats->substeps;
    window->iterations += stats->iterations;
    window->neighbours += stats->neighbours_mean;
    window->density_error += stats->density_error_mean;
    window->density_error_max = fmax(window->density_error_max, stats->density_error_max);
    window->max_speed = fmax(window->max_speed, stats->max_speed);
    for (int phase = 0; phase < RILL_PHASE_COUNT; phase++) window->seconds[phase] += stats->seconds[phase];
}

void run_totals_add(run_totals *totals, const rill_stats *stats) {
    add(&totals->all, stats);
    add(&totals->frame, stats);
}

void run_totals_end_frame(run_totals *totals) {
    if (totals->frame.steps) totals->last = totals->frame;
    totals->frame = (run_window){0};
}

const run_window *run_totals_last(const run_totals *totals) {
    return totals->frame.steps ? &totals->frame : &totals->last;
}

double run_window_mean(const run_window *window, double sum) {
    return window->steps ? sum / (double)window->steps : (double)NAN;
}
