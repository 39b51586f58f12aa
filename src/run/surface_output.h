/* SPDX-License-Identifier: MIT */
/* The folder of surface meshes that `rill surface` and `rill run --surface` write: one for each frame and format. */
#ifndef RILL_RUN_SURFACE_OUTPUT_H
#define RILL_RUN_SURFACE_OUTPUT_H

#include "io/io.h"
#include "io/surface_file.h"
#include "run/claim.h"

typedef struct surface_output {
    char folder[1024]; /* folder of the meshes; empty: none */
    bool formats[RILL_SURFACE_FORMATS];
    rill_surface *surface;
    rill_surface_mesh mesh; /* of the last frame */
    io_series series;       /* list of the .vtp files */
    run_claim claim;
} surface_output;

/* Reads a list of formats such as "ply,obj,vtp,glb". */
rill_status rill_surface_output_formats(surface_output *output, const char *list, rill_error *error);
rill_status rill_surface_output_open(surface_output *output, const char *folder, const rill_surface_def *def,
                                     rill_error *error);
/* Writes FOLDER/NAME.ply and so on; `name` is the frame's name without an ending. */
rill_status rill_surface_output_write(surface_output *output, const char *name, double time, rill_error *error);
rill_status rill_surface_output_close(surface_output *output, rill_error *error);

#endif
