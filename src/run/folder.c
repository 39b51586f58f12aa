/* SPDX-License-Identifier: MIT */
/* The folder itself and the scene in it. Whatever fails is reported with the file's name; what was written before
   stays. */
#include "run/folder.h"

#include "core/error.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

/* Leaves room in every path buffer for the longest file name below it. */
#define FOLDER_MAX 800

double rill_run_keep_until(const run *r) {
    return r->next_frame > 0 ? rill_world_stats(r->world)->time + 0.5 * r->plan.tolerance : -1.0;
}

const char *rill_run_file_name(const char *name, char *buffer, size_t size) {
    snprintf(buffer, size, "%s", name);
    for (char *c = buffer; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_-.", *c)) *c = '_';
    return buffer;
}

static rill_status write_scene(const run_folder *folder, rill_error *error) {
    char path[1024];
    io_file file;
    snprintf(path, sizeof path, "%s/scene.json", folder->path);
    TRY(rill_io_open(&file, path, error));
    const rill_status status = rill_scene_write(folder->scene, file.stream, error);
    if (status == RILL_OK) return rill_io_commit(&file, error);
    rill_io_abandon(&file);
    return rill_fail(error, status, "%s: could not be written: is the disk full?", path);
}

/* Frame numbers stand for times only as long as the frame rate stays. */
static rill_status check_same_fps(const run_folder *folder, rill_error *error) {
    char path[1024];
    snprintf(path, sizeof path, "%s/scene.json", folder->path);
    if (access(path, F_OK) != 0) return RILL_OK;
    scene *before = rill_scene_load(path, error);
    if (!before) return RILL_FORMAT;
    const float fps = before->run.fps;
    rill_scene_free(before);
    if (fps == folder->scene->run.fps) return RILL_OK;
    return rill_fail(error, RILL_INVALID,
                     "%s was written with %g frames per second, this run has %g: give --fps %g, or another --out",
                     folder->path, (double)fps, (double)folder->scene->run.fps, (double)fps);
}

/* What a run that was killed left half-written. */
static void remove_stale(const char *folder) {
    static const char *const parts[] = {"", "/frames", "/pictures", "/bodies", "/surface"};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s%s", folder, parts[k]);
        rill_io_remove_stale(path);
    }
}

static rill_status begin_folder(void *self, const run *r, const rill_frame *now, rill_error *error) {
    (void)now;
    const run_folder *folder = self;
    if (strlen(folder->path) > FOLDER_MAX)
        return rill_fail(error, RILL_INVALID, "--out: the path is longer than %d bytes", FOLDER_MAX);
    if (r->next_frame > 0) TRY(check_same_fps(folder, error));
    remove_stale(folder->path);
    TRY(rill_io_make_directory(folder->path, error));
    return write_scene(folder, error);
}

run_observer rill_run_folder_observer(run_folder *folder) {
    return (run_observer){.self = folder, .begin = begin_folder};
}
