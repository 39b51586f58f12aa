/* SPDX-License-Identifier: MIT */
/* Previews: a run of the same scene with a larger spacing, to predict how the pace of the run will change. Water that
   has begun to move takes shorter steps and more iterations, which the beginning of a run does not show. */
#ifndef RILL_CLI_CHECK_PREVIEW_H
#define RILL_CLI_CHECK_PREVIEW_H

#include "run/run.h"

#include <math.h>

/* The program's own time within a stretch of real time. On a busy machine that is its processor time, so that a trial
   covers as much of a scene as on an idle one; but the user waits at most four times as long as asked for. */
static inline double check_own_time(double clock, double processor) {
    return fmax(fmin(clock, processor), 0.25 * clock);
}

typedef struct preview_step {
    double time; /* at the end of the step */
    double dt;
    double rate; /* steps per simulated second at the scene's own spacing */
    double particles;
    double fluid;  /* processor time of everything but bodies [s] */
    double bodies; /* processor time of bodies [s] */
} preview_step;

/* Share of bodies in the last step's time; their cost does not depend on the spacing. */
double preview_bodies_share(const rill_stats *stats);

/* To be zero-initialised. */
typedef struct preview {
    preview_step *steps;
    int count, capacity;
    double coarser;   /* spacing, as a multiple of the scene's */
    double spent;     /* own time [s] */
    bool is_complete; /* reached the end of the plan */
} preview;

/* Runs the scene with `coarser` times its spacing to the end of the plan, or for `limit` seconds of own time. If the
   scene cannot be built so coarse or fails, the preview stays empty or ends there. */
void preview_run(preview *p, const scene *s, const run_plan *plan, double coarser, double limit);
/* Means between two times; 0: unknown. */
double preview_rate(const preview *p, double from, double to);
double preview_particles(const preview *p, double from, double to);
double preview_fluid(const preview *p, double from, double to);
double preview_bodies(const preview *p, double from, double to);
/* The time that the preview reached. */
double preview_end(const preview *p);
void preview_free(preview *p);

#endif
