/* SPDX-License-Identifier: MIT */
/* Runs: a scene's world, stepped to the scene's end, with observers that are called on the way. Observers make all
   output of a run: files, tables, pictures, meshes, snapshots, progress. Rill has observers that write a folder; a host
   may add its own. This header belongs to the shared library and the tool, not to the engine alone.

   Observers are called in the order in which they are listed. After each step, all `frame` hooks are called before any
   `step` hook, so that a snapshot saved in a `step` hook is never later than a frame that has not been written. */
#ifndef RILL_RUN_H
#define RILL_RUN_H

#include "rill/scene.h"

typedef struct rill_run rill_run;

/* How a run ended. */
typedef enum rill_run_outcome {
    RILL_RUN_DONE,
    RILL_RUN_INTERRUPTED, /* it was asked to stop */
    RILL_RUN_FAILED,      /* an observer failed */
    RILL_RUN_BLEW_UP
} rill_run_outcome;

/* Hooks of an observer; each may be NULL. A hook that fails writes the reason to `error`, returns a status other than
   RILL_OK, and so ends the run. Frames that hooks receive are borrowed: they are valid during the call, their particles
   in the order of ids. A `step` hook may change the world. */
typedef struct rill_run_observer {
    void *self; /* the observer's own data: first argument of its hooks */
    /* Called before the first step; `now` is the frame from which the run starts or continues. */
    rill_status (*begin)(void *self, const rill_run *run, const rill_frame *now, rill_error *error);
    /* Called when a frame has been reached; rill_run_progress has its number. If a step is longer than a frame, it
       passes several frames and the hook gets the last of them. */
    rill_status (*frame)(void *self, const rill_run *run, const rill_frame *frame, rill_error *error);
    /* Called once after all `begin` hooks, and after every step. */
    rill_status (*step)(void *self, const rill_run *run, rill_error *error);
    /* Called once in any case, even if `begin` failed or was not called. `error` is NULL if a failure has been reported
       before. */
    rill_status (*end)(void *self, const rill_run *run, rill_run_outcome outcome, rill_error *error);
} rill_run_observer;

/* The definition of a run. All zero: nothing is written, and there are no observers. */
typedef struct rill_run_def {
    const char *folder;   /* folder for files, laid out as by `rill run --out`; NULL: none are written */
    bool overwrite;       /* whether a run that is in the folder may be replaced */
    const char *resume;   /* a snapshot from which the run continues bit for bit; NULL: from the beginning */
    const char *frames;   /* formats of frames: some of "vtp,ply", or "none"; NULL: "vtp" */
    const char *bodies;   /* formats of bodies: some of "csv,vtp,obj", or "none"; NULL: all */
    const char *surfaces; /* formats of surface meshes: some of "ply,obj,vtp,glb"; NULL: none */
    bool pictures;        /* whether to write a PNG of each frame */
    const rill_run_observer *observers; /* of the host; called after those that write files */
    int observer_count;
    bool (*asked_to_stop)(void *context); /* asked between steps; true ends the run. NULL: never */
    void *stop_context;                   /* its argument */
} rill_run_def;

/* Builds the scene's world, or loads it from the snapshot. The caller owns the run. The list of observers is copied;
   scene, texts and the data of observers must outlive the run. NULL on error (RILL_INVALID: the definition). */
RILL_API rill_run *rill_run_create(const rill_scene *scene, const rill_run_def *def, rill_error *error);
RILL_API void rill_run_destroy(rill_run *run); /* and its world; accepts NULL */

/* Runs from the first frame to the end of the scene, and calls all hooks. */
RILL_API rill_run_outcome rill_run_all(rill_run *run);
/* The same in pieces: begin, step until rill_run_progress says `finished`, end. A run that was begun, or failed to
   begin, must be ended. The world may be changed between the calls. */
RILL_API rill_status rill_run_begin(rill_run *run);
RILL_API rill_status rill_run_step(rill_run *run);
/* Steps until a frame, by number, or the end of the scene is reached: RILL_RUN_DONE. Other outcomes say why it stopped
   earlier. */
RILL_API rill_run_outcome rill_run_until(rill_run *run, int64_t frame);
/* Calls the `end` hooks with an outcome, and returns it. If a hook fails, RILL_RUN_DONE and RILL_RUN_INTERRUPTED become
   RILL_RUN_FAILED. */
RILL_API rill_run_outcome rill_run_end(rill_run *run, rill_run_outcome outcome);

RILL_API rill_world *rill_run_world(const rill_run *run);    /* owned by the run */
RILL_API const char *rill_run_message(const rill_run *run);  /* reason of the last failure */
RILL_API const char *rill_run_snapshot(const rill_run *run); /* file name of the last snapshot, or NULL */

/* How far a run is. */
typedef struct rill_run_state {
    double time, end;    /* simulated time now and at the end of the scene [s] */
    int64_t frame;       /* number of the last frame reached; -1: none */
    int64_t frame_count; /* frames of the whole run */
    int64_t steps;       /* steps since the run began or was resumed */
    bool finished;       /* the end has been reached */
} rill_run_state;
RILL_API rill_run_state rill_run_progress(const rill_run *run);

#endif
