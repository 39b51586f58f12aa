/* SPDX-License-Identifier: MIT */
/* The folder of surface meshes that `rill surface` and `rill run --surface` write: one for each frame and format. */
#ifndef RILL_RUN_SURFACE_OUTPUT_H
#define RILL_RUN_SURFACE_OUTPUT_H

#include "io/io.h"
#include "io/surface_file.h"
#include "run/claim.h"

typedef struct surface_output {
    char folder[1024]; /* where the meshes go; empty: nowhere */
    bool formats[RILL_SURFACE_FORMATS];
    rill_surface *surface;
    rill_surface_mesh mesh; /* of the last frame */
    io_series series;       /* of the .vtp ones */
    run_claim claim;
} surface_output;

/* "ply,obj,vtp,glb" */
rill_status rill_surface_output_formats(surface_output *output, const char *list, rill_error *error);
rill_status rill_surface_output_open(surface_output *output, const char *folder, const rill_surface_def *def,
                                     rill_error *error);
/* Writes FOLDER/NAME.ply and so on; `name` is that of the frame, without an ending. */
rill_status rill_surface_output_write(surface_output *output, const char *name, double time, rill_error *error);
rill_status rill_surface_output_close(surface_output *output, rill_error *error);

#endif
