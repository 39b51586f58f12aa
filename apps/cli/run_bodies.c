/* SPDX-License-Identifier: MIT */
/* What a run writes of its bodies: a table of their motion, surfaces for ParaView, meshes for others. */
#include "run_bodies.h"

#include "core/error.h"
#include "io/bodies.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

bool run_bodies_choose(run_bodies *bodies, const char *text) {
    if (!text) text = "csv,vtp,obj";
    if (strcmp(text, "none") == 0) return true;
    for (;;) {
        const size_t length = strcspn(text, ",");
        const struct {
            const char *word;
            bool *chosen;
        } formats[] = {{"csv", &bodies->csv}, {"vtp", &bodies->vtp}, {"obj", &bodies->obj}};
        bool known = false;
        for (int k = 0; k < 3; k++) {
            if (strlen(formats[k].word) != length || strncmp(formats[k].word, text, length) != 0) continue;
            *formats[k].chosen = known = true;
        }
        if (!known) {
            fprintf(stderr, "rill run: --bodies: '%.*s' is not one of csv, vtp, obj, none\n", (int)length, text);
            return false;
        }
        if (!text[length]) return true;
        text += length + 1;
    }
}

/* bodies/1_cork.obj: names may hold anything, file names should not. */
static rill_status write_meshes(const rill_frame *frame, const char *folder, rill_error *error) {
    rill_status status = RILL_OK;
    for (int k = 0; status == RILL_OK && k < frame->body_count; k++) {
        char name[RILL_NAME_SIZE], path[1024];
        snprintf(name, sizeof name, "%s", frame->body[k].name);
        for (char *c = name; *c; c++)
            if (!isalnum((unsigned char)*c) && !strchr("_-.", *c)) *c = '_';
        snprintf(path, sizeof path, "%s/bodies/%d_%s.obj", folder, k + 1, name);
        status = io_write_body_obj(frame, k, path, error);
    }
    return status;
}

rill_status run_bodies_open(run_bodies *bodies, const rill_frame *frame, const char *folder, const run_plan *plan,
                            int64_t next_frame, double keep_until, rill_error *error) {
    if (frame->body_count == 0) bodies->csv = bodies->vtp = bodies->obj = false;
    char path[1024];
    rill_status status = RILL_OK;
    snprintf(path, sizeof path, "%s/bodies", folder);
    if (bodies->vtp || bodies->obj) status = io_make_directory(path, error);
    if (status == RILL_OK && bodies->obj) status = write_meshes(frame, folder, error);
    if (status == RILL_OK && bodies->csv) {
        snprintf(path, sizeof path, "%s/bodies.csv", folder);
        bodies->motion = io_motion_open(path, frame->dim, keep_until, error);
        if (!bodies->motion) status = RILL_IO;
    }
    bodies->series = (run_series){.part = "bodies", .plan = plan};
    snprintf(bodies->series.list.path, sizeof bodies->series.list.path, "%s/bodies.pvd", folder);
    if (status == RILL_OK && bodies->vtp) status = run_series_restore(&bodies->series, folder, next_frame, error);
    return status;
}

rill_status run_bodies_frame(run_bodies *bodies, const rill_frame *frame, const char *folder, int64_t number,
                             rill_error *error) {
    rill_status status = RILL_OK;
    if (bodies->vtp) {
        char path[1024];
        snprintf(path, sizeof path, "%s/bodies/frame_%05" PRId64 ".vtp", folder, number);
        status = io_write_surfaces_vtp(frame, path, error);
        if (status == RILL_OK) status = run_series_add(&bodies->series, number, error);
    }
    if (status == RILL_OK && bodies->motion) status = io_motion_rows(bodies->motion, frame, error);
    return status;
}

rill_status run_bodies_close(run_bodies *bodies, rill_error *error) {
    const rill_status status = io_csv_close(bodies->motion, error);
    const rill_status listed = io_series_close(&bodies->series.list, status == RILL_OK ? error : NULL);
    bodies->motion = NULL;
    return status == RILL_OK ? listed : status;
}
