/* SPDX-License-Identifier: MIT */
/* Creates runs for a host: a scene, the observers that write its folder, and the host's own observers. */
#include "core/error.h"
#include "run/folder.h"
#include "run/formats.h"
#include "run/pictures.h"
#include "run/resume.h"

#include <stdlib.h>
#include <string.h>

/* Most observers that write a folder. */
enum { WRITERS_MAX = 8 };

typedef struct run_job {
    run run; /* must be first: the host holds a pointer to it */
    run_folder folder;
    run_tables tables;
    run_frames frames;
    run_bodies bodies;
    run_surfaces surfaces;
    run_pictures pictures;
    run_snapshots snapshots;
    run_observer observers[];
} run_job;

/* ---- arguments ---- */

static rill_status read_formats(run_job *job, const rill_run_def *def, rill_error *error) {
    bool frames[RUN_FORMATS_MAX] = {0}, bodies[RUN_FORMATS_MAX] = {0};
    rill_error reason;
    const char *key = "frames";
    rill_status status = rill_run_read_formats(def->frames ? def->frames : "vtp", RUN_FRAME_FORMATS, frames, &reason);
    if (status == RILL_OK) {
        key = "bodies";
        status = rill_run_read_formats(def->bodies ? def->bodies : "csv,vtp,obj", RUN_BODY_FORMATS, bodies, &reason);
    }
    if (status == RILL_OK && def->surfaces) {
        key = "surfaces";
        status = rill_surface_output_formats(&job->surfaces.output, def->surfaces, &reason);
    }
    if (status != RILL_OK) return rill_fail(error, status, "%s: %s", key, reason.text);
    job->frames.vtp = frames[0], job->frames.ply = frames[1];
    job->bodies.csv = bodies[0], job->bodies.vtp = bodies[1], job->bodies.obj = bodies[2];
    return RILL_OK;
}

static rill_status check_folder(const rill_run_def *def, rill_error *error) {
    const char *key = def->overwrite ? "overwrite" : def->surfaces ? "surfaces" : def->pictures ? "pictures" : NULL;
    if (def->folder || !key) return RILL_OK;
    return rill_fail(error, RILL_INVALID, "%s: the run has no folder to write to", key);
}

/* ---- observers ---- */

static void add(run_job *job, run_observer observer) {
    job->observers[job->run.observer_count++] = observer;
}

/* Adds the observers of a folder in the order that run/folder.h requires. */
static void add_writers(run_job *job, const scene *s, const rill_run_def *def) {
    const run_folder *folder = &job->folder;
    job->folder = (run_folder){def->folder, s, .overwrite = def->overwrite};
    job->tables.folder = job->frames.folder = job->bodies.folder = folder;
    job->surfaces.folder = job->pictures.folder = job->snapshots.folder = folder;
    add(job, rill_run_folder_observer(&job->folder));
    add(job, rill_run_tables_observer(&job->tables));
    add(job, rill_run_frames_observer(&job->frames));
    add(job, rill_run_bodies_observer(&job->bodies));
    if (def->surfaces) add(job, rill_run_surfaces_observer(&job->surfaces));
    if (def->pictures) add(job, rill_run_pictures_observer(&job->pictures));
    add(job, rill_run_snapshots_observer(&job->snapshots));
    add(job, rill_run_folder_end_observer(&job->folder));
}

static rill_status prepare(run_job *job, const scene *s, const rill_run_def *def, rill_error *error) {
    run *r = &job->run;
    TRY(check_folder(def, error));
    TRY(read_formats(job, def, error));
    r->plan = rill_run_plan_make(&s->run);
    r->scene = s;
    r->asked_to_stop = def->asked_to_stop, r->stop_context = def->stop_context;
    r->resumed = def->resume != NULL;
    r->frame_number = -1;
    r->observers = job->observers;
    if (def->folder) add_writers(job, s, def);
    for (int k = 0; k < def->observer_count; k++) add(job, def->observers[k]);
    rill_error reason = {0};
    r->world = def->resume ? rill_run_resume(def->resume, s, &reason) : rill_scene_build(s, -1, -1, &reason);
    return r->world ? RILL_OK : rill_fail(error, reason.status, "%s", reason.text);
}

rill_run *rill_run_create(const rill_scene *s, const rill_run_def *def, rill_error *error) {
    if (!s || !def || def->observer_count < 0) {
        rill_fail(error, RILL_INVALID,
                  "a run needs a scene, a definition and a list of observers (which may be empty)");
        return NULL;
    }
    const size_t observers = (size_t)def->observer_count + WRITERS_MAX;
    run_job *job = calloc(1, sizeof *job + observers * sizeof *job->observers);
    if (!job) {
        rill_fail(error, RILL_MEMORY, "out of memory for a run with %d observers", def->observer_count);
        return NULL;
    }
    if (prepare(job, s, def, error) == RILL_OK) return &job->run;
    free(job);
    return NULL;
}

void rill_run_destroy(rill_run *r) {
    if (!r) return;
    rill_frame_free(&r->moment); /* in case the run was not ended */
    rill_world_destroy(r->world);
    free(r);
}

const char *rill_run_snapshot(const rill_run *r) {
    const run_snapshots *snapshots = &((const run_job *)r)->snapshots;
    return snapshots->saved ? snapshots->path : NULL;
}
