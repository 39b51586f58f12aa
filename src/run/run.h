/* SPDX-License-Identifier: MIT */
/* A run: a world stepped through a plan while observers look on. Whatever becomes of a run (files, tables, pictures,
   meshes, snapshots, progress, a movie) is an observer; the run itself writes nothing.

   Observers are asked in the order in which they are listed. After every step all `frame` hooks are called before any
   `step` hook, so what a `step` hook saves never lies behind a frame that is missing. */
#ifndef RILL_RUN_RUN_H
#define RILL_RUN_RUN_H

#include "model/statistic.h"
#include "run/plan.h"

/* How a run came to its end. */
typedef enum run_outcome { RUN_DONE, RUN_INTERRUPTED, RUN_FAILED, RUN_BLEW_UP } run_outcome;

typedef struct run run;

/* Hooks may be NULL. A hook that fails leaves its reason in `error` and ends the run. Frames are borrowed, in the order
   of ids, and valid during the call. */
typedef struct run_observer {
    void *self;
    /* Before anything else; `now` is where the run begins or goes on. */
    rill_status (*begin)(void *self, const run *r, const rill_frame *now, rill_error *error);
    /* Frame `r->frame_number` is reached. A step longer than a frame passes several and gives the last of them. */
    rill_status (*frame)(void *self, const run *r, const rill_frame *frame, rill_error *error);
    /* When the run has begun, and after every step. */
    rill_status (*step)(void *self, const run *r, rill_error *error);
    /* Once and in any case, also if `begin` failed or was not reached. */
    rill_status (*end)(void *self, const run *r, run_outcome outcome, rill_error *error);
} run_observer;

struct run {
    /* Set before the run begins: */
    rill_world *world;
    run_plan plan;
    const run_observer *observers;
    int observer_count;
    bool resumed;                         /* frames that the world has passed were given by an earlier run */
    bool (*asked_to_stop)(void *context); /* between steps; NULL: never */
    void *stop_context;

    /* Kept by the run: */
    int64_t next_frame;          /* the first that is not reached */
    int64_t frame_number;        /* that was reached last */
    bool frame_done;             /* by the last step */
    statistic_window all;        /* steps since the run began or was resumed */
    statistic_window frame;      /* steps since the last frame */
    statistic_window last_frame; /* steps of the last frame that had any */
    double wall;                 /* seconds of the clock that it took, once it has ended */
    rill_error error;            /* why it did not end as planned */
    rill_frame moment;           /* that observers are given */
    double start_wall;
};

/* All of it, from the first frame to the end of the plan. */
run_outcome rill_run_all(run *r);

/* Or piece by piece. A run that was begun must be ended. */
rill_status rill_run_begin(run *r);
rill_status rill_run_step(run *r);
/* Steps until this frame is reached, or the end of the plan. RUN_DONE: it is. */
run_outcome rill_run_until(run *r, int64_t frame);
/* Tells the observers; an observer that fails turns RUN_DONE and RUN_INTERRUPTED into RUN_FAILED. */
run_outcome rill_run_end(run *r, run_outcome outcome);

/* Steps of the last frame, whole or as far as it came. */
const statistic_window *rill_run_last_frame(const run *r);

#endif
