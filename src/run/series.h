/* SPDX-License-Identifier: MIT */
/* A series of numbered VTP files below a run's folder, and the .pvd that lists them. */
#ifndef RILL_RUN_SERIES_H
#define RILL_RUN_SERIES_H

#include "io/io.h"
#include "run/plan.h"

/* Zero-initialised except for part, plan and the path of the list. The owner closes the list. */
typedef struct run_series {
    const char *part; /* subfolder of the files: "frames" */
    const run_plan *plan;
    io_series list;
} run_series;

/* Adds a frame whose file exists. */
rill_status rill_run_series_add(run_series *series, int64_t frame, rill_error *error);
/* Adds the existing files of frames before `next_frame`, when a run is resumed. */
rill_status rill_run_series_restore(run_series *series, const char *folder, int64_t next_frame, rill_error *error);

#endif
