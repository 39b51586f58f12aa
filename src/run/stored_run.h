/* SPDX-License-Identifier: MIT */
/* Data that a run keeps beside its frames, so that they can be drawn and meshed from its folder alone:
   FOLDER/shapes.json, a scene with shapes, fluids, gauges and the settings of pictures and surfaces. Triangles that the
   scene read from files are in FOLDER/shapes. */
#ifndef RILL_RUN_STORED_RUN_H
#define RILL_RUN_STORED_RUN_H

#include "io/io.h"
#include "scene/scene.h"

/* Zero-initialised: nothing is known about the run. */
typedef struct stored_run {
    scene *scene; /* has the name of the scene that was run */
    rill_shape_set *shapes;
    io_run common; /* data common to all frames, for rill_io_read_frame */
} stored_run;

/* Whether the folder has shapes that the frame lacks, because an event removed their solids. */
bool rill_stored_run_knows_more(const char *folder, const rill_frame *frame);
/* `frame` may be any frame of the run that has all its solids. */
rill_status rill_stored_run_write(const char *folder, const scene *s, const rill_frame *frame, rill_error *error);
/* RILL_NOT_FOUND if the folder has none. Free it whatever the result is. */
rill_status rill_stored_run_read(stored_run *run, const char *folder, rill_error *error);
void rill_stored_run_free(stored_run *run);

#endif
