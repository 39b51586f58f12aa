/* SPDX-License-Identifier: MIT */
/* The folder that a run writes: frames, series, tables, effective scene, snapshot, pictures. */
#ifndef RILL_CLI_RUN_OUTPUT_H
#define RILL_CLI_RUN_OUTPUT_H

#include "io/io.h"
#include "run_bodies.h"
#include "run_plan.h"
#include "run_totals.h"
#include "surface_output.h"

/* Zero-initialised: a run without output, for which every function below does nothing. */
typedef struct run_output {
    const char *folder; /* or NULL */
    bool vtp, ply, pictures, surfaces;
    surface_output surface; /* formats are set before it is opened */
    const scene *scene;
    const run_plan *plan;
    rill_frame frame; /* that is written */
    char snapshot[1024];
    run_series series;
    run_bodies bodies;
    bool has_snapshot; /* the snapshot is there and good */
    io_csv *gauges, *stats, *residuals;
} run_output;

/* `next_frame`: 0 starts anew; otherwise a resumed run's next frame, and what lies in the folder from there on is
   dropped. */
rill_status run_output_open(run_output *output, rill_world *world, int64_t next_frame, rill_error *error);
rill_status run_output_frame(run_output *output, rill_world *world, int64_t frame, const run_window *window,
                             rill_error *error);
/* Replaces the last good snapshot, or leaves it alone on error. */
rill_status run_output_snapshot(run_output *output, rill_world *world, rill_error *error);
rill_status run_output_close(run_output *output, rill_error *error);

#endif
