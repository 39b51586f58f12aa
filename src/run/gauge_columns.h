/* SPDX-License-Identifier: MIT */
/* The gauges of a run as columns of a table. An event may remove a gauge: its columns stay, and their cells are empty
   from then on. */
#ifndef RILL_RUN_GAUGE_COLUMNS_H
#define RILL_RUN_GAUGE_COLUMNS_H

#include "run/run.h"

/* Zero-initialised before it begins; rill_run_gauge_columns_free frees it, also after an error. */
typedef struct gauge_columns {
    rill_gauge_def *gauges;
    int gauge_count, dim;
    int count; /* of columns: a gauge with several values has one for each */
} gauge_columns;

/* Takes the gauges of the world as it is `now`, and those of the scene that events have removed before a run was
   resumed. */
rill_status rill_run_gauge_columns_begin(gauge_columns *columns, const run *r, const rill_frame *now,
                                         rill_error *error);
/* The label of a column, such as force_x. Returns `buffer`. */
const char *rill_run_gauge_columns_label(const gauge_columns *columns, int column, char *buffer, size_t size);
/* Reads all columns at the time that the run shows; NAN: blank. */
rill_status rill_run_gauge_columns_read(const gauge_columns *columns, const run *r, double *values, rill_error *error);
void rill_run_gauge_columns_free(gauge_columns *columns);

#endif
