/* SPDX-License-Identifier: MIT */
/* Data that a run keeps beside its frames so that they can be drawn and meshed from its folder alone:
   FOLDER/shapes.json, a scene of nothing but shapes, fluids, gauges and how pictures and surfaces are made. Triangles
   that the scene took from files lie in FOLDER/shapes. */
#ifndef RILL_RUN_STORED_RUN_H
#define RILL_RUN_STORED_RUN_H

#include "io/io.h"
#include "scene/scene.h"

/* Zero-initialised: nothing is known of the run. */
typedef struct stored_run {
    scene *scene; /* its name is that of the scene that was run */
    rill_shape_set *shapes;
    io_run common; /* for rill_io_read_frame */
} stored_run;

/* The folder has shapes that the frame lacks, because an event removed their solids. */
bool rill_stored_run_knows_more(const char *folder, const rill_frame *frame);
/* `frame` is any frame of the run that has all its solids. */
rill_status rill_stored_run_write(const char *folder, const scene *s, const rill_frame *frame, rill_error *error);
/* RILL_NOT_FOUND if the folder has none. Free it whatever the result. */
rill_status rill_stored_run_read(stored_run *run, const char *folder, rill_error *error);
void rill_stored_run_free(stored_run *run);

#endif
