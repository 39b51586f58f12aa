/* SPDX-License-Identifier: MIT */
/* What a run writes of its bodies: a table of their motion, surfaces for ParaView, meshes for others. */
#ifndef RILL_CLI_RUN_BODIES_H
#define RILL_CLI_RUN_BODIES_H

#include "run_series.h"

/* Zero-initialised: nothing is written. */
typedef struct run_bodies {
    bool csv, vtp, obj;
    io_csv *motion;
    run_series series;
} run_bodies;

/* "csv,vtp,obj", "none", or NULL for all; says what is wrong on stderr and returns false. */
bool run_bodies_choose(run_bodies *bodies, const char *formats);
/* A run without bodies writes nothing. `frame` is where it begins. `keep_until` as for io_csv_open. */
rill_status run_bodies_open(run_bodies *bodies, const rill_frame *frame, const char *folder, const run_plan *plan,
                            int64_t next_frame, double keep_until, rill_error *error);
rill_status run_bodies_frame(run_bodies *bodies, const rill_frame *frame, const char *folder, int64_t number,
                             rill_error *error);
rill_status run_bodies_close(run_bodies *bodies, rill_error *error);

#endif
