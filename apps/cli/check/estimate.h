/* SPDX-License-Identifier: MIT */
/* The cost of a run, estimated from a trial of its beginning. */
#ifndef RILL_CLI_CHECK_ESTIMATE_H
#define RILL_CLI_CHECK_ESTIMATE_H

#include "apps/cli/check/rules.h"

typedef struct check_estimate {
    int particles;
    double particles_end; /* at the end, with those that the emitters will add */
    int64_t frames;
    double support, bytes;
    double dt;       /* mean of the steps of the trial */
    double dt_bound; /* longest stable step, with all its substeps: the mean, or the least if steps are fixed */
    double steps, seconds;
    double processor; /* processor time of all threads [s] */
    double tried;     /* simulated time of the trial [s] */
    int threads;
} check_estimate;

/* Runs the scene's world for about `limit` seconds of the program's own time (check_own_time), and estimates the cost
   of the whole run. */
void estimate_run(const check_world *check, double limit, check_estimate *estimate, findings *f);

#endif
