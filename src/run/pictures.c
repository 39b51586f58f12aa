/* SPDX-License-Identifier: MIT */
/* An observer that draws pictures of a run. */
#include "run/pictures.h"

#include "core/error.h"
#include "run/scene_picture.h"

#include <inttypes.h>

static rill_status begin_pictures(void *self, const run *r, const rill_frame *now, rill_error *error) {
    (void)r;
    run_pictures *pictures = self;
    const scene *scene = pictures->folder->scene;
    char path[1024];
    TRY(rill_scene_picture_make(&pictures->def, scene, &scene->picture, scene->name, error));
    TRY(rill_picture_settle(now, &pictures->def, error));
    snprintf(path, sizeof path, "%s/pictures", pictures->folder->path);
    return rill_run_claim_take(&pictures->claim, path, error);
}

static rill_status end_pictures(void *self, const run *r, run_outcome outcome, rill_error *error) {
    (void)r, (void)outcome, (void)error;
    rill_run_claim_release(&((run_pictures *)self)->claim);
    return RILL_OK;
}

static rill_status draw_frame(void *self, const run *r, const rill_frame *frame, rill_error *error) {
    run_pictures *pictures = self;
    char path[1024];
    rill_scene_picture_move(&pictures->def, pictures->folder->scene, frame->time);
    snprintf(path, sizeof path, "%s/pictures/frame_%05" PRId64 ".png", pictures->folder->path, r->frame_number);
    return rill_picture_write(frame, &pictures->def, path, error);
}

run_observer rill_run_pictures_observer(run_pictures *pictures) {
    return (run_observer){.self = pictures, .begin = begin_pictures, .frame = draw_frame, .end = end_pictures};
}
