/* SPDX-License-Identifier: MIT */
/* A series of numbered VTP files below a run's folder, and the .pvd that lists them. */
#include "run_series.h"

#include "core/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static rill_status add_entry(run_series *series, int64_t frame, rill_error *error) {
    if (series->count == series->capacity) {
        int capacity = series->capacity ? 2 * series->capacity : 64;
        io_series_entry *entries = realloc(series->entries, (size_t)capacity * sizeof *entries);
        if (!entries) return rill_fail(error, RILL_MEMORY, "out of memory for the list of frames");
        series->entries = entries;
        series->capacity = capacity;
    }
    io_series_entry *entry = &series->entries[series->count++];
    entry->time = run_plan_frame_time(series->plan, frame);
    snprintf(entry->file, sizeof entry->file, "%s/frame_%05" PRId64 ".vtp", series->part, frame);
    return RILL_OK;
}

rill_status run_series_add(run_series *series, int64_t frame, rill_error *error) {
    rill_status status = add_entry(series, frame, error);
    return status == RILL_OK ? io_write_pvd(series->path, series->entries, series->count, error) : status;
}

rill_status run_series_restore(run_series *series, const char *folder, int64_t next_frame, rill_error *error) {
    for (int64_t frame = 0; frame < next_frame; frame++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s/frame_%05" PRId64 ".vtp", folder, series->part, frame);
        if (access(path, F_OK) != 0) continue;
        rill_status status = add_entry(series, frame, error);
        if (status != RILL_OK) return status;
    }
    return RILL_OK;
}

void run_series_free(run_series *series) {
    free(series->entries);
    series->entries = NULL;
    series->count = series->capacity = 0;
}
