/* SPDX-License-Identifier: MIT */
/* When a run writes frames and when it ends. Both depend only on the scene and on simulated time, never on when the run
   was started or resumed, so that a resumed run equals an unbroken one. */
#ifndef RILL_RUN_PLAN_H
#define RILL_RUN_PLAN_H

#include "scene/scene.h"

typedef struct run_plan {
    double end;            /* [s] */
    double fps;            /* 0: only the first frame */
    double dt;             /* fixed step [s]; 0: adaptive */
    double snapshot_every; /* [s]; 0: see SNAPSHOT_AGE */
    double tolerance;      /* frames and the end count as reached this long before their time [s] */
} run_plan;

run_plan rill_run_plan_make(const scene_run *run);
double rill_run_plan_frame_time(const run_plan *plan, int64_t frame);
/* The first frame that has not been reached at `time`. */
int64_t rill_run_plan_next_frame(const run_plan *plan, double time);
bool rill_run_plan_finished(const run_plan *plan, double time);
/* The plan of a run of which only the end matters. */
run_plan rill_run_plan_without_frames(const run_plan *plan);
/* Number of frames in a whole run from time 0. */
int64_t rill_run_plan_frame_count(const run_plan *plan);

#endif
