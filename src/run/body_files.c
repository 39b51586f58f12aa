/* SPDX-License-Identifier: MIT */
/* Files that a run writes about its bodies: a table of their motion, surfaces for ParaView, and meshes for other
   programs. */
#include "core/error.h"
#include "io/bodies.h"
#include "run/folder.h"

#include <inttypes.h>

/* File names such as bodies/1_cork.obj. A body's name may contain characters that a file name should not. */
static rill_status write_meshes(const rill_frame *frame, const char *folder, rill_error *error) {
    for (int k = 0; k < frame->body_count; k++) {
        char name[RILL_NAME_SIZE], path[1024];
        snprintf(path, sizeof path, "%s/bodies/%d_%s.obj", folder, k + 1,
                 rill_run_file_name(frame->body[k].name, name, sizeof name));
        TRY(rill_io_write_body_obj(frame, k, path, error));
    }
    return RILL_OK;
}

static rill_status begin_bodies(void *self, const run *r, const rill_frame *now, rill_error *error) {
    run_bodies *bodies = self;
    const char *folder = bodies->folder->path;
    char path[1024];
    /* Events may have removed all of them before the run was resumed. */
    const bool any = now->body_count > 0 || (r->scene && r->scene->body_count > 0);
    if (!any) bodies->csv = bodies->vtp = bodies->obj = false;
    snprintf(path, sizeof path, "%s/bodies", folder);
    if (bodies->vtp || bodies->obj) TRY(rill_io_make_directory(path, error));
    if (bodies->obj) TRY(write_meshes(now, folder, error));
    if (bodies->csv) {
        snprintf(path, sizeof path, "%s/bodies.csv", folder);
        bodies->motion = rill_io_motion_open(path, now->dim, rill_run_keep_until(r), error);
        if (!bodies->motion) return RILL_IO;
    }
    bodies->series = (run_series){.part = "bodies", .plan = &r->plan};
    snprintf(bodies->series.list.path, sizeof bodies->series.list.path, "%s/bodies.pvd", folder);
    return bodies->vtp ? rill_run_series_restore(&bodies->series, folder, r->next_frame, error) : RILL_OK;
}

static rill_status write_bodies(void *self, const run *r, const rill_frame *frame, rill_error *error) {
    run_bodies *bodies = self;
    if (bodies->vtp) {
        char path[1024];
        snprintf(path, sizeof path, "%s/bodies/frame_%05" PRId64 ".vtp", bodies->folder->path, r->frame_number);
        TRY(rill_io_write_surfaces_vtp(frame, path, error));
        TRY(rill_run_series_add(&bodies->series, r->frame_number, error));
    }
    return bodies->motion ? rill_io_motion_rows(bodies->motion, frame, error) : RILL_OK;
}

static rill_status end_bodies(void *self, const run *r, run_outcome outcome, rill_error *error) {
    (void)r, (void)outcome;
    run_bodies *bodies = self;
    const rill_status status = rill_io_csv_close(bodies->motion, error);
    const rill_status listed = rill_io_series_close(&bodies->series.list, status == RILL_OK ? error : NULL);
    bodies->motion = NULL;
    return status == RILL_OK ? listed : status;
}

run_observer rill_run_bodies_observer(run_bodies *bodies) {
    return (run_observer){.self = bodies, .begin = begin_bodies, .frame = write_bodies, .end = end_bodies};
}
