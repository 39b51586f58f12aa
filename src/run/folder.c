/* SPDX-License-Identifier: MIT */
/* A run's folder and the scene in it. Errors name the file; files written before an error stay. */
#include "run/folder.h"

#include "core/error.h"
#include "io/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Longest path of a folder, which leaves room for any file name below it in every path buffer. */
#define FOLDER_MAX 800

static const char *const parts[] = RUN_PARTS;
#define PART_COUNT (sizeof parts / sizeof *parts)

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
    snprintf(path, sizeof path, "%s/scene.json", folder->path);
    return rill_scene_save(folder->scene, path, error);
}

/* A frame number stands for the same time only if the frame rate is the same. */
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

/* Removes half-written files of a run that was killed. */
static void remove_stale(const char *folder) {
    rill_io_remove_stale(folder);
    for (size_t k = 0; k < PART_COUNT; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, parts[k]);
        rill_io_remove_stale(path);
    }
}

/* ---- the folder's present content ---- */

static bool is_there(const run_folder *folder, const char *file) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder->path, file);
    return access(path, F_OK) == 0;
}

/* Whether a part of the folder contains a numbered frame; `file` receives its name. */
static bool finds_frame(const run_folder *folder, const char *part, char file[320]) {
    char path[1024];
    bool found = false;
    snprintf(path, sizeof path, "%s/%s", folder->path, part);
    DIR *directory = opendir(path);
    for (const struct dirent *entry = directory ? readdir(directory) : NULL; entry && !found;
         entry = readdir(directory)) {
        found = rill_run_frame_number(entry->d_name) >= 0;
        if (found) snprintf(file, 320, "%s/%s", part, entry->d_name);
    }
    if (directory) closedir(directory);
    return found;
}

/* Refuses the folder if this run would replace a file that no run has written. `before` is the earlier run in the
   folder, or NULL. */
static rill_status refuse_foreign(const run_folder *folder, const run_manifest *before, rill_error *error) {
    const run_manifest *m = &folder->manifest;
    char file[320] = "";
    for (int k = 0; k < m->file_count && !file[0]; k++)
        if (is_there(folder, m->files[k]) && !(before && rill_run_manifest_has(before, m->files[k])))
            snprintf(file, sizeof file, "%s", m->files[k]);
    for (size_t k = 0; k < PART_COUNT && !file[0] && !before; k++) (void)finds_frame(folder, parts[k], file);
    if (!file[0]) return RILL_OK;
    return rill_fail(error, RILL_INVALID,
                     "%s/%s exists and is not listed in run.json: move it, or choose another --out", folder->path,
                     file);
}

static rill_status refuse_run(const run_folder *folder, const run_manifest *before, rill_error *error) {
    return rill_fail(error, RILL_INVALID,
                     "%s holds a run of %s by %s (%s, started %s): give --overwrite to replace it, --resume "
                     "%s/snapshot.rill to resume it, or another --out",
                     folder->path, before->scene, before->method,
                     strcmp(before->state, "running") == 0 ? "interrupted" : before->state, before->started,
                     folder->path);
}

/* Names of the meshes of bodies and shapes, such as 1_cork.obj and 0.ply. */
static bool is_numbered(const char *name, const char *ending) {
    const size_t digits = strspn(name, "0123456789"), length = strlen(name), tail = strlen(ending);
    return digits > 0 && length >= digits + tail && strcmp(name + length - tail, ending) == 0;
}

static void remove_meshes(const run_folder *folder, const char *part, const char *ending) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder->path, part);
    DIR *directory = opendir(path);
    if (!directory) return;
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
        if (is_numbered(entry->d_name, ending)) (void)unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
}

/* Fails while another process draws or meshes the frames that are to be removed. */
static rill_status check_not_in_use(const run_folder *folder, rill_error *error) {
    for (size_t k = 0; k < PART_COUNT; k++) {
        char path[1024];
        run_claim claim = {0};
        snprintf(path, sizeof path, "%s/%s", folder->path, parts[k]);
        if (!is_there(folder, parts[k])) continue;
        TRY(rill_run_claim_take(&claim, path, error));
        rill_run_claim_release(&claim);
    }
    return RILL_OK;
}

/* Removes the files of the earlier run and no others. Its frames are removed when this run's frames begin. */
static rill_status remove_run(const run_folder *folder, const run_manifest *before, rill_error *error) {
    TRY(check_not_in_use(folder, error));
    for (int k = 0; k < before->file_count; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder->path, before->files[k]);
        if (unlink(path) != 0 && errno != ENOENT) return rill_io_fail(error, errno, "remove", path);
    }
    remove_meshes(folder, "bodies", ".obj");
    remove_meshes(folder, "shapes", ".ply");
    return RILL_OK;
}

/* ---- resuming ---- */

/* Refuses to resume from an earlier time than that of the folder's snapshot, since later frames would be lost. */
static rill_status refuse_earlier(const run_folder *folder, const run *r, rill_error *error) {
    char path[1024];
    if (folder->overwrite || !is_there(folder, "snapshot.rill")) return RILL_OK;
    snprintf(path, sizeof path, "%s/snapshot.rill", folder->path);
    rill_world *last = rill_io_load_snapshot(path, NULL, NULL);
    if (!last) return RILL_OK;
    const double time = rill_world_stats(last)->time, now = rill_world_stats(r->world)->time;
    rill_world_destroy(last);
    if (time <= now) return RILL_OK;
    return rill_fail(error, RILL_INVALID,
                     "the run in %s has reached t = %g s; resuming from %g s would drop all later results: give "
                     "--overwrite, --resume %s, or another --out",
                     folder->path, time, now, path);
}

/* Versions that wrote no run.json are recognised by the files they always wrote. */
static bool is_old_run(const run_folder *folder) {
    return is_there(folder, "scene.json") && is_there(folder, "stats.csv") && is_there(folder, "snapshot.rill");
}

static rill_status go_on(run_folder *folder, const run *r, run_manifest *before, rill_error *error) {
    if (!before) {
        if (!is_old_run(folder)) TRY(refuse_foreign(folder, NULL, error));
    } else if (strcmp(before->scene, folder->manifest.scene) != 0 ||
               strcmp(before->method, folder->manifest.method) != 0) {
        return rill_fail(error, RILL_INVALID, "%s holds a run of %s by %s: give another --out", folder->path,
                         before->scene, before->method);
    } else {
        memcpy(folder->manifest.started, before->started, sizeof before->started);
    }
    TRY(check_same_fps(folder, error));
    return refuse_earlier(folder, r, error);
}

/* ---- the observers ---- */

static rill_status take_folder(run_folder *folder, const run *r, rill_error *error) {
    run_manifest there, *before = &there;
    rill_error unreadable;
    folder->manifest = rill_run_manifest_make(folder->scene);
    const rill_status found = rill_run_manifest_read(&there, folder->path, &unreadable);
    if (found == RILL_NOT_FOUND) before = NULL;
    if (found != RILL_OK && found != RILL_NOT_FOUND) return rill_fail(error, found, "%s", unreadable.text);
    if (r->resumed) return go_on(folder, r, before, error);
    if (before && !folder->overwrite) return refuse_run(folder, before, error);
    TRY(refuse_foreign(folder, before, error));
    return before ? remove_run(folder, before, error) : RILL_OK;
}

static rill_status begin_folder(void *self, const run *r, const rill_frame *now, rill_error *error) {
    (void)now;
    run_folder *folder = self;
    if (strlen(folder->path) > FOLDER_MAX)
        return rill_fail(error, RILL_INVALID, "--out: the path is longer than %d bytes", FOLDER_MAX);
    TRY(rill_run_claim_take(&folder->claim, folder->path, error));
    const rill_status taken = take_folder(folder, r, error);
    if (taken != RILL_OK) {
        rill_run_claim_release(&folder->claim);
        return taken;
    }
    remove_stale(folder->path);
    TRY(rill_run_manifest_write(&folder->manifest, folder->path, r, NULL, error));
    return write_scene(folder, error);
}

static rill_status end_folder(void *self, const run *r, run_outcome outcome, rill_error *error) {
    static const char *const states[] = {"finished", "stopped", "failed", "failed"};
    run_folder *folder = self;
    if (!folder->claim.held) return RILL_OK;
    snprintf(folder->manifest.state, sizeof folder->manifest.state, "%s", states[outcome]);
    const bool failed = outcome == RILL_RUN_FAILED || outcome == RILL_RUN_BLEW_UP;
    const rill_status status =
        rill_run_manifest_write(&folder->manifest, folder->path, r, failed ? r->error.text : NULL, error);
    rill_run_claim_release(&folder->claim);
    return status;
}

run_observer rill_run_folder_observer(run_folder *folder) {
    return (run_observer){.self = folder, .begin = begin_folder};
}

run_observer rill_run_folder_end_observer(run_folder *folder) {
    return (run_observer){.self = folder, .end = end_folder};
}
