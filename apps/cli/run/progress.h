/* SPDX-License-Identifier: MIT */
/* Progress of a run on standard error: one line that is redrawn on a terminal, plain lines elsewhere. */
#ifndef RILL_CLI_RUN_PROGRESS_H
#define RILL_CLI_RUN_PROGRESS_H

#include "run/run.h"

typedef struct progress {
    bool quiet, terminal, drawn;
    double start_wall, last_wall;
    double end_time;     /* simulated */
    const scene *scene;  /* whose emitters tell how much there is to do; NULL: work that is counted */
    double time, worked; /* simulated time that is seen, and particles times time up to it */
} progress;

/* For a run of `s` that begins or goes on at `time`. */
progress progress_of_run(bool quiet, const scene *s, double time, double end_time);
progress progress_start(bool quiet);
/* Shows how far a run is, when it is time to. */
run_observer progress_observer(progress *p);
/* For work that is counted instead: "surface 3 of 20, 81234 triangles, 5 s left". */
void progress_work(progress *p, const char *what, int done, int total, const char *detail);
/* The same where the caller knows better how many seconds are left; NaN: not known yet. */
void progress_work_left(progress *p, const char *what, int done, int total, const char *detail, double seconds);
/* Leaves the cursor on a fresh line. Call before anything else is printed. */
void progress_stop(progress *p);

#endif
