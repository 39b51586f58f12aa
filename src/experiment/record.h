/* SPDX-License-Identifier: MIT */
/* The record of a run: a table with a row for each frame, and a few facts. */
#ifndef RILL_EXPERIMENT_RECORD_H
#define RILL_EXPERIMENT_RECORD_H

#include "experiment/experiment.h"
#include "run/gauge_columns.h"

/* An observer that fills `series` with time, gauges and statistics. Zero-initialised except for `series`. */
typedef struct record {
    series *series; /* set */
    gauge_columns gauges;
} record;
run_observer rill_record_observer(record *r);
/* Records the residuals of the step that `stats` describe. */
rill_status rill_record_residuals(series *s, const rill_stats *stats, rill_error *error);

/* Writes the run into `folder`: series.csv, residuals.csv if there are residuals, and run.txt with the key of the
   run. */
rill_status rill_record_write(const experiment_run *run, const char *folder, const char *key, rill_error *error);
/* Reads a stored run. False if there is none, or if its key is another. */
bool rill_record_read(experiment_run *run, const char *folder, const char *key);

#endif
