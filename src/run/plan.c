/* SPDX-License-Identifier: MIT */
/* Frame times are computed as frame / fps, so that rounding errors do not accumulate. */
#include "run/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Share of a frame, or of a fixed step, by which a run may miss a frame's time: far more than the rounding error of a
   sum of steps, far less than a step. */
#define FRAME_TOLERANCE 1e-6

/* Scenes store floats; "0.7" must mean 0.7 and not 0.699999988. */
static double decimal(float value) {
    char text[32];
    snprintf(text, sizeof text, "%.7g", (double)value);
    return strtod(text, NULL);
}

run_plan rill_run_plan_make(const scene_run *run) {
    run_plan plan = {.end = decimal(run->time),
                     .fps = decimal(run->fps),
                     .dt = decimal(run->dt),
                     .snapshot_every = decimal(run->snapshot_every)};
    double frame = plan.fps > 0 ? 1.0 / plan.fps : plan.end;
    frame = fmin(frame, plan.end);
    plan.tolerance = FRAME_TOLERANCE * (plan.dt > 0 ? fmin(plan.dt, frame) : frame);
    return plan;
}

double rill_run_plan_frame_time(const run_plan *plan, int64_t frame) {
    return plan->fps > 0 ? (double)frame / plan->fps : (frame > 0 ? HUGE_VAL : 0.0);
}

static bool reached(const run_plan *plan, double time, int64_t frame) {
    return time >= rill_run_plan_frame_time(plan, frame) - plan->tolerance;
}

int64_t rill_run_plan_next_frame(const run_plan *plan, double time) {
    int64_t frame = plan->fps > 0 ? (int64_t)floor(time * plan->fps) : 0;
    while (frame > 0 && !reached(plan, time, frame - 1)) frame--;
    while (reached(plan, time, frame)) frame++;
    return frame;
}

bool rill_run_plan_finished(const run_plan *plan, double time) {
    return time >= plan->end - plan->tolerance;
}

int64_t rill_run_plan_frame_count(const run_plan *plan) {
    return rill_run_plan_next_frame(plan, plan->end);
}

run_plan rill_run_plan_without_frames(const run_plan *plan) {
    run_plan still = *plan;
    still.fps = 0;
    return still;
}
