/* SPDX-License-Identifier: MIT */
/* When a run writes frames and ends. Everything here depends on the scene and on simulated time alone, never on
   when a run was started or resumed: that is what makes a resumed run equal the unbroken one. */
#ifndef RILL_RUN_PLAN_H
#define RILL_RUN_PLAN_H

#include "scene/scene.h"

typedef struct run_plan {
    double end;            /* [s] */
    double fps;            /* 0: no frames but the first */
    double dt;             /* fixed step [s]; 0: adaptive */
    double snapshot_every; /* [s]; 0: the tool chooses */
    double tolerance;      /* a frame counts as reached this much before its time, and so does the end [s] */
} run_plan;

run_plan rill_run_plan_make(const scene_run *run);
double rill_run_plan_frame_time(const run_plan *plan, int64_t frame);
/* The first frame that is not reached at `time`. */
int64_t rill_run_plan_next_frame(const run_plan *plan, double time);
bool rill_run_plan_finished(const run_plan *plan, double time);
/* The same for a run that is only of interest at its end. */
run_plan rill_run_plan_without_frames(const run_plan *plan);
/* Frames of a whole run from time 0. */
int64_t rill_run_plan_frame_count(const run_plan *plan);

#endif
