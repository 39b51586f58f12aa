/* SPDX-License-Identifier: MIT */
/* Pictures as an observer of a run. */
#include "apps/cli/run/run_pictures.h"

#include "apps/cli/show/scene_picture.h"
#include "core/error.h"

#include <inttypes.h>

static rill_status begin_pictures(void *self, const run *r, const rill_frame *now, rill_error *error) {
    (void)r, (void)now;
    char path[1024];
    snprintf(path, sizeof path, "%s/pictures", ((const run_pictures *)self)->folder->path);
    return rill_io_make_directory(path, error);
}

static rill_status draw_frame(void *self, const run *r, const rill_frame *frame, rill_error *error) {
    const run_folder *folder = ((const run_pictures *)self)->folder;
    const picture_options words = {0};
    picture_def def;
    char path[1024];
    TRY(scene_picture_make(&def, folder->scene, &words, folder->scene->name, error));
    snprintf(path, sizeof path, "%s/pictures/frame_%05" PRId64 ".png", folder->path, r->frame_number);
    return rill_picture_write(frame, &def, path, error);
}

run_observer run_pictures_observer(run_pictures *pictures) {
    return (run_observer){.self = pictures, .begin = begin_pictures, .frame = draw_frame};
}
