/* SPDX-License-Identifier: MIT */
/* The record of a run: a table with a row for each frame, and a few facts. */
#ifndef RILL_EXPERIMENT_RECORD_H
#define RILL_EXPERIMENT_RECORD_H

#include "experiment/experiment.h"
#include "run/run.h"

/* A run's observer that fills `series` with time, gauges and statistics; zero-initialised but for it. */
typedef struct record {
    series *series; /* set */
} record;
run_observer rill_record_observer(record *r);
/* Residuals of the step that `stats` are of. */
rill_status rill_record_residuals(series *s, const rill_stats *stats, rill_error *error);

/* The run as files in `folder`: series.csv, residuals.csv if there are any, and run.txt, under the key of what was run.
 */
rill_status rill_record_write(const experiment_run *run, const char *folder, const char *key, rill_error *error);
/* False: nothing is there, or something else was run. */
bool rill_record_read(experiment_run *run, const char *folder, const char *key);

#endif
