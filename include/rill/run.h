/* SPDX-License-Identifier: MIT */
/* Runs: the world of a scene stepped to the scene's end, with observers that are called on the way. All output of a run
   (files, tables, pictures, meshes, snapshots, progress) is made by observers: those that write a folder come with
   Rill, others belong to the host. Part of the shared library and of the tool, not of the engine alone.

   Observers are called in the order in which they are listed. After every step all `frame` hooks are called before any
   `step` hook, so a snapshot that a `step` hook saves is never later than a frame that is missing. */
#ifndef RILL_RUN_H
#define RILL_RUN_H

#include "rill/scene.h"

typedef struct rill_run rill_run;

/* How a run came to its end. */
typedef enum rill_run_outcome {
    RILL_RUN_DONE,
    RILL_RUN_INTERRUPTED, /* it was asked to stop */
    RILL_RUN_FAILED,      /* an observer failed */
    RILL_RUN_BLEW_UP
} rill_run_outcome;

/* Hooks may be NULL. A hook that fails leaves its reason in `error` and ends the run. Frames are borrowed, in the order
   of ids, and valid during the call. A `step` hook may change the world. */
typedef struct rill_run_observer {
    void *self;
    /* Before the first step; `now` is the frame from which the run begins or continues. */
    rill_status (*begin)(void *self, const rill_run *run, const rill_frame *now, rill_error *error);
    /* A frame is reached (rill_run_progress has its number). A step longer than a frame passes several and gives the
       last of them. */
    rill_status (*frame)(void *self, const rill_run *run, const rill_frame *frame, rill_error *error);
    /* After all `begin` hooks, and after every step. */
    rill_status (*step)(void *self, const rill_run *run, rill_error *error);
    /* Once and in any case, even if `begin` failed or was not reached. `error` is NULL if a failure was reported
     * before.
     */
    rill_status (*end)(void *self, const rill_run *run, rill_run_outcome outcome, rill_error *error);
} rill_run_observer;

/* The definition of a run. Zero-initialised: nothing is written, and there are no observers. */
typedef struct rill_run_def {
    const char *folder;   /* where files go, laid out as `rill run --out` does; NULL: none are written */
    bool overwrite;       /* may replace a run that the folder holds */
    const char *resume;   /* a snapshot from which the run continues bit for bit; NULL: from the beginning */
    const char *frames;   /* formats of frames, of "vtp,ply", or "none"; NULL: "vtp" */
    const char *bodies;   /* formats of bodies, of "csv,vtp,obj", or "none"; NULL: all */
    const char *surfaces; /* formats of surface meshes, of "ply,obj,vtp,glb"; NULL: none */
    bool pictures;        /* a PNG of each frame */
    const rill_run_observer *observers; /* of the host: called after those that write files */
    int observer_count;
    bool (*asked_to_stop)(void *context); /* between steps; NULL: never */
    void *stop_context;
} rill_run_def;

/* Builds the world, or loads it from the snapshot. Scene, texts and the data of observers must outlive the run; the
   list of observers itself is copied. NULL on error: RILL_INVALID if the definition makes no sense. */
RILL_API rill_run *rill_run_create(const rill_scene *scene, const rill_run_def *def, rill_error *error);
RILL_API void rill_run_destroy(rill_run *run); /* with its world; NULL is fine */

/* All of it, from the first frame to the end of the scene. */
RILL_API rill_run_outcome rill_run_all(rill_run *run);
/* Piece by piece. A run that was begun, or failed to begin, must be ended. Between the calls the world may be changed.
 */
RILL_API rill_status rill_run_begin(rill_run *run);
RILL_API rill_status rill_run_step(rill_run *run);
/* Steps until this frame or the end of the scene is reached (RILL_RUN_DONE). */
RILL_API rill_run_outcome rill_run_until(rill_run *run, int64_t frame);
/* Calls the `end` hooks; one that fails turns RILL_RUN_DONE and RILL_RUN_INTERRUPTED into RILL_RUN_FAILED. */
RILL_API rill_run_outcome rill_run_end(rill_run *run, rill_run_outcome outcome);

RILL_API rill_world *rill_run_world(const rill_run *run);
RILL_API const char *rill_run_message(const rill_run *run);  /* reason for a failure */
RILL_API const char *rill_run_snapshot(const rill_run *run); /* file of the last saved snapshot, or NULL */

/* How far a run is. */
typedef struct rill_run_state {
    double time, end;    /* simulated [s] */
    int64_t frame;       /* number of the last frame that was reached; -1: none */
    int64_t frame_count; /* of the whole run */
    int64_t steps;       /* since it began or was resumed */
    bool finished;       /* the end is reached */
} rill_run_state;
RILL_API rill_run_state rill_run_progress(const rill_run *run);

#endif
