/* SPDX-License-Identifier: MIT */
/* Frames as files, and their surface meshes. */
#include "core/error.h"
#include "run/folder.h"
#include "run/stored_run.h"

#include <dirent.h>
#include <inttypes.h>
#include <unistd.h>

/* Frame numbers have at least five digits and at most eight. */
#define FRAME_MAX 99999999

/* ---- frames of an earlier run ---- */

/* Removes the frames of an earlier run from number `first` on; they would mix with those of this run. */
static void remove_frames(const char *folder, const char *part, int64_t first) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, part);
    DIR *directory = opendir(path);
    if (!directory) return;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (rill_run_frame_number(entry->d_name) < first) continue;
        char file[1400];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        unlink(file);
    }
    closedir(directory);
}

/* ---- particles ---- */

static rill_status begin_frames(void *self, const run *r, const rill_frame *now, rill_error *error) {
    run_frames *frames = self;
    const char *folder = frames->folder->path;
    static const char *const parts[] = RUN_PARTS;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) remove_frames(folder, parts[k], r->next_frame);
    if (!frames->vtp && !frames->ply) return RILL_OK;
    char path[1024], name[RILL_NAME_SIZE];
    snprintf(path, sizeof path, "%s/frames", folder);
    TRY(rill_io_make_directory(path, error));
    /* if a solid has been removed since, keep the stored shapes: earlier frames still show it */
    if (r->next_frame == 0 || !rill_stored_run_knows_more(folder, now))
        TRY(rill_stored_run_write(folder, frames->folder->scene, now, error));
    if (!frames->vtp) return RILL_OK;
    frames->series = (run_series){.part = "frames", .plan = &r->plan};
    snprintf(frames->series.list.path, sizeof frames->series.list.path, "%s/%s.pvd", folder,
             rill_run_file_name(frames->folder->scene->name, name, sizeof name));
    return rill_run_series_restore(&frames->series, folder, r->next_frame, error);
}

static rill_status write_frame(void *self, const run *r, const rill_frame *frame, rill_error *error) {
    run_frames *frames = self;
    if (r->frame_number > FRAME_MAX) return rill_fail(error, RILL_LIMIT, "more than %d frames; lower --fps", FRAME_MAX);
    char path[1024];
    if (frames->vtp) {
        snprintf(path, sizeof path, "%s/frames/frame_%05" PRId64 ".vtp", frames->folder->path, r->frame_number);
        TRY(rill_io_write_vtp(frame, path, error));
        TRY(rill_run_series_add(&frames->series, r->frame_number, error));
    }
    if (!frames->ply) return RILL_OK;
    snprintf(path, sizeof path, "%s/frames/frame_%05" PRId64 ".ply", frames->folder->path, r->frame_number);
    return rill_io_write_ply(frame, path, error);
}

static rill_status end_frames(void *self, const run *r, run_outcome outcome, rill_error *error) {
    (void)r, (void)outcome;
    return rill_io_series_close(&((run_frames *)self)->series.list, error);
}

run_observer rill_run_frames_observer(run_frames *frames) {
    return (run_observer){.self = frames, .begin = begin_frames, .frame = write_frame, .end = end_frames};
}

/* ---- surfaces ---- */

static rill_status begin_surfaces(void *self, const run *r, const rill_frame *now, rill_error *error) {
    (void)r, (void)now;
    run_surfaces *surfaces = self;
    char path[1024];
    snprintf(path, sizeof path, "%s/surface", surfaces->folder->path);
    return rill_surface_output_open(&surfaces->output, path, &surfaces->folder->scene->surface, error);
}

static rill_status write_surface(void *self, const run *r, const rill_frame *frame, rill_error *error) {
    surface_output *output = &((run_surfaces *)self)->output;
    char name[64];
    TRY(rill_surface_of_frame(output->surface, frame, NULL, &output->mesh, error));
    snprintf(name, sizeof name, "frame_%05" PRId64, r->frame_number);
    return rill_surface_output_write(output, name, rill_run_plan_frame_time(&r->plan, r->frame_number), error);
}

static rill_status end_surfaces(void *self, const run *r, run_outcome outcome, rill_error *error) {
    (void)r, (void)outcome;
    return rill_surface_output_close(&((run_surfaces *)self)->output, error);
}

run_observer rill_run_surfaces_observer(run_surfaces *surfaces) {
    return (run_observer){.self = surfaces, .begin = begin_surfaces, .frame = write_surface, .end = end_surfaces};
}
