/* SPDX-License-Identifier: MIT */
/* Progress of a run on standard error: one line that is redrawn on a terminal, plain lines elsewhere. */
#ifndef RILL_CLI_RUN_PROGRESS_H
#define RILL_CLI_RUN_PROGRESS_H

#include "run/run.h"

typedef struct progress {
    bool quiet, terminal, drawn;
    double start_wall, last_wall;
    double end_time;     /* simulated time [s] */
    const scene *scene;  /* its emitters predict the amount of work; NULL: the work is counted */
    double time, worked; /* simulated time reached, and the integral of particles over time up to it */
} progress;

/* For a run of `s` that begins or continues at `time`. */
progress progress_of_run(bool quiet, const scene *s, double time, double end_time);
progress progress_start(bool quiet);
/* Shows the progress of a run, at intervals. */
run_observer progress_observer(progress *p);
/* For counted work: "surface 3 of 20, 81234 triangles, 5 s left". */
void progress_work(progress *p, const char *what, int done, int total, const char *detail);
/* For counted work whose remaining seconds the caller can estimate better; NaN: not known yet. */
void progress_work_left(progress *p, const char *what, int done, int total, const char *detail, double seconds);
/* Moves the cursor to a new line. Call before anything else is printed. */
void progress_stop(progress *p);

#endif
