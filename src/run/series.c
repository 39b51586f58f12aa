/* SPDX-License-Identifier: MIT */
/* A series of numbered VTP files below a run's folder, and the .pvd that lists them. */
#include "run/series.h"

#include <inttypes.h>
#include <unistd.h>

static const char *name_of(const run_series *series, int64_t frame, char name[64]) {
    snprintf(name, 64, "%s/frame_%05" PRId64 ".vtp", series->part, frame);
    return name;
}

rill_status rill_run_series_add(run_series *series, int64_t frame, rill_error *error) {
    char name[64];
    return rill_io_series_add(&series->list, rill_run_plan_frame_time(series->plan, frame),
                              name_of(series, frame, name), error);
}

rill_status rill_run_series_restore(run_series *series, const char *folder, int64_t next_frame, rill_error *error) {
    rill_status status = RILL_OK;
    for (int64_t frame = 0; status == RILL_OK && frame < next_frame; frame++) {
        char path[1024], name[64];
        snprintf(path, sizeof path, "%s/%s", folder, name_of(series, frame, name));
        if (access(path, F_OK) != 0) continue;
        status = rill_io_series_restore(&series->list, rill_run_plan_frame_time(series->plan, frame), name, error);
    }
    return status;
}
