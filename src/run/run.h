/* SPDX-License-Identifier: MIT */
/* The run behind the opaque pointer of rill/run.h. Observers of this folder and of the tool use its members. */
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
    const scene *scene; /* its events change the world; NULL: no events */
    run_plan plan;
    const run_observer *observers;
    int observer_count;
    bool resumed;                         /* frames up to the world's present time were written by an earlier run */
    bool (*asked_to_stop)(void *context); /* called between steps; NULL: never stop */
    void *stop_context;

    /* Kept by the run: */
    rill_stats before;      /* of the world when its last step began */
    rill_stats shown;       /* at the time of the last frame, or of the plan's end once the run has reached it */
    int64_t next_frame;     /* the first frame that has not been reached */
    int64_t frame_number;   /* the last frame that was reached */
    bool frame_done;        /* the last step reached a frame */
    statistic_window all;   /* all steps since the run began or was resumed */
    statistic_window frame; /* steps of the last frame, beginning with the step that passed the frame before it */
    bool frame_ended;       /* the next step begins another frame */
    double wall;            /* elapsed seconds, once the run has ended */
    double processor;       /* seconds of processor time, once the run has ended */
    rill_error error;       /* the reason why the run did not end as planned */
    rill_frame moment;      /* the frame that observers are given */
    double start_wall, start_processor;
};

/* The warning about a run that did not fail; false if there is none. */
#define RUN_WARNING_SIZE 320
bool rill_run_warning(const run *r, char text[RUN_WARNING_SIZE]);

#endif
