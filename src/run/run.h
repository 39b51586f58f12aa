/* SPDX-License-Identifier: MIT */
/* The run behind the pointer of rill/run.h. Observers of this folder and of the tool read the members of a run. */
#ifndef RILL_RUN_RUN_H
#define RILL_RUN_RUN_H

#include "model/statistic.h"
#include "rill/run.h"
#include "run/plan.h"

typedef struct rill_run run;
typedef rill_run_observer run_observer;
typedef rill_run_outcome run_outcome;

struct rill_run {
    /* Set before the run begins: */
    rill_world *world;
    const scene *scene; /* whose events happen to the world; NULL: none do */
    run_plan plan;
    const run_observer *observers;
    int observer_count;
    bool resumed;                         /* frames that the world has passed were given by an earlier run */
    bool (*asked_to_stop)(void *context); /* between steps; NULL: never */
    void *stop_context;

    /* Kept by the run: */
    rill_stats before;      /* of the world as its last step began */
    rill_stats shown;       /* of the moment of the last frame; of the plan's end once the run has reached it */
    int64_t next_frame;     /* the first that is not reached */
    int64_t frame_number;   /* that was reached last */
    bool frame_done;        /* by the last step */
    statistic_window all;   /* steps since the run began or was resumed */
    statistic_window frame; /* steps of the last frame: from the one that passed the frame before it */
    bool frame_ended;       /* the next step begins another */
    double wall;            /* seconds of the clock that it took, once it has ended */
    double processor;       /* seconds of the processors that it took, once it has ended */
    rill_error error;       /* why it did not end as planned */
    rill_frame moment;      /* that observers are given */
    double start_wall, start_processor;
};

/* A warning of a run that did not fail; false: there is none. */
#define RUN_WARNING_SIZE 320
bool rill_run_warning(const run *r, char text[RUN_WARNING_SIZE]);

#endif
