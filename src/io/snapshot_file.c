/* SPDX-License-Identifier: MIT */
/* Snapshots as files. */
#include "core/error.h"
#include "io/io.h"

#include <stdlib.h>

static bool write_to_stream(const void *data, size_t size, void *context) {
    return fwrite(data, 1, size, context) == size;
}

rill_status rill_io_save_snapshot(rill_world *world, const char *path, rill_error *error) {
    io_file file;
    rill_status status = rill_io_open(&file, path, error);
    if (status != RILL_OK) return status;
    status = rill_world_save(world, write_to_stream, file.stream);
    if (status == RILL_OK || ferror(file.stream)) return rill_io_commit(&file, error); /* it reports a failed write */
    rill_io_abandon(&file);
    return rill_fail(error, status, "%s: cannot save the snapshot: %s", path, rill_world_message(world));
}

rill_world *rill_io_load_snapshot(const char *path, const rill_world_def *hooks, rill_error *error) {
    void *data;
    size_t size;
    if (rill_io_read_whole(path, &data, &size, error) != RILL_OK) return NULL;
    rill_error reason = {RILL_OK, ""};
    rill_world *world = rill_world_load(data, size, hooks, &reason);
    free(data);
    if (!world) rill_fail(error, reason.status, "%s: cannot load the snapshot: %s", path, reason.text);
    return world;
}
