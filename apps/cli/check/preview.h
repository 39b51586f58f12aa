/* SPDX-License-Identifier: MIT */
/* How the pace of a run will change: the same scene with a coarser spacing, run ahead. Water that begins to move takes
   shorter steps and more iterations, and the beginning of a run does not know it. */
#ifndef RILL_CLI_CHECK_PREVIEW_H
#define RILL_CLI_CHECK_PREVIEW_H

#include "run/run.h"

#include <math.h>

/* Time that the program had of a stretch of the clock. On a busy machine that is the time of its processors, so that a
   trial sees as much of a scene as on a quiet one; but the user waits no longer than four times the time asked for. */
static inline double check_own_time(double clock, double processor) {
    return fmax(fmin(clock, processor), 0.25 * clock);
}

typedef struct preview_step {
    double time; /* at its end */
    double dt;
    double rate; /* steps for each simulated second that the scene's own spacing would take */
    double particles;
    double fluid;  /* processor time of all but bodies [s] */
    double bodies; /* processor time of bodies [s] */
} preview_step;

/* Share of the last step's time that went into bodies, whose price does not depend on the spacing. */
double preview_bodies_share(const rill_stats *stats);

/* Zero-initialised. */
typedef struct preview {
    preview_step *steps;
    int count, capacity;
    double coarser;   /* than the scene, as a ratio of spacings */
    double spent;     /* its own time [s] */
    bool is_complete; /* it came to the end of the plan */
} preview;

/* Runs the scene with `coarser` times its spacing to the end of the plan, or for `limit` seconds of its own time. A
   scene that cannot be so coarse leaves the preview empty, or ends it. */
void preview_run(preview *p, const scene *s, const run_plan *plan, double coarser, double limit);
/* Means between two times; 0: not known. */
double preview_rate(const preview *p, double from, double to);
double preview_particles(const preview *p, double from, double to);
double preview_fluid(const preview *p, double from, double to);
double preview_bodies(const preview *p, double from, double to);
/* The last time it came to. */
double preview_end(const preview *p);
void preview_free(preview *p);

#endif
