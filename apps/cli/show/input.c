/* SPDX-License-Identifier: MIT */
/* Tells kinds of input apart, and finds what belongs to them. */
#include "apps/cli/show/input.h"

#include "apps/cli/commands/command.h"
#include "apps/cli/run/interrupt.h"
#include "apps/cli/run/progress.h"
#include "apps/cli/show/file_kind.h"
#include "apps/cli/show/frames.h"
#include "core/error.h"

#include <string.h>
#include <unistd.h>

#define PATH_MOST 900

rill_status input_scene(input *in, const char *name, const scene_options *options, int *code, rill_error *error) {
    in->scene = scene_options_load(in->command, name, options, code);
    if (!in->scene) return RILL_INVALID;
    *code = EXIT_FAILED;
    in->world = rill_scene_build(in->scene, -1, -1, error);
    if (!in->world) return RILL_INVALID;
    in->time = rill_world_stats(in->world)->time;
    return RILL_OK;
}

static rill_status run_scene(input *in, const char *name, const scene_options *options, bool quiet, int *code,
                             rill_error *error) {
    const rill_status status = input_scene(in, name, options, code, error);
    if (status != RILL_OK || !options->time) return status;
    const run_plan plan = rill_run_plan_make(&in->scene->run);
    progress shown = progress_of_run(quiet, in->scene, 0.0, plan.end);
    const run_observer observer = progress_observer(&shown);
    run r = {.world = in->world,
             .scene = in->scene,
             .plan = rill_run_plan_without_frames(&plan),
             .observers = &observer,
             .observer_count = 1,
             .asked_to_stop = interrupt_stops_run};
    const run_outcome outcome = rill_run_all(&r);
    in->time = r.shown.time;
    if (outcome == RILL_RUN_DONE) return RILL_OK;
    *error = r.error;
    return r.error.status;
}

/* Whether a run wrote this folder: such a folder contains the scene. */
static bool is_run(const char *folder) {
    char path[1300];
    snprintf(path, sizeof path, "%s/scene.json", folder);
    return access(path, R_OK) == 0;
}

void input_find(input *in, const char *folder, const char *loss) {
    rill_error error = {RILL_OK, ""};
    if (in->scene) return;
    const rill_status status = rill_stored_run_read(&in->run, folder, &error);
    in->scene = in->run.scene;
    if (status == RILL_NOT_FOUND && !in->scene && !is_run(folder)) return;
    if (status != RILL_OK) fprintf(stderr, "rill %s: %s: %s\n", in->command, loss, error.text);
}

void input_find_near(input *in, const char *frame, const char *loss) {
    char folder[PATH_MOST + 8];
    const int length = (int)(frames_file_name(frame) - frame);
    snprintf(folder, sizeof folder, "%.*s..", length, frame);
    input_find(in, folder, loss);
    snprintf(folder, sizeof folder, "%.*s.", length, frame);
    input_find(in, folder, loss);
}

rill_status input_frame(const input *in, rill_frame *frame, rill_error *error) {
    TRY(rill_frame_of_world_at(frame, in->world, in->time, error));
    frame->time = in->time;
    return rill_frame_order_by_id(frame, error);
}

void input_close(input *in) {
    rill_world_destroy(in->world);
    if (in->scene && in->scene != in->run.scene) rill_scene_free(in->scene);
    rill_stored_run_free(&in->run);
}

static rill_status work_on(input *in, const char *what, const scene_options *options, bool quiet,
                           const input_work *work, int *code, rill_error *error) {
    rill_status status;
    const file_kind kind = file_kind_of(what);
    if (kind != FILE_NONE && kind != FILE_SCENE && !scene_options_unused(in->command, what, options)) {
        *code = EXIT_USAGE;
        return RILL_INVALID;
    }
    switch (kind) {
    case FILE_FOLDER:
        return work->folder(work->self, what);
    case FILE_VTP:
    case FILE_PLY:
        return work->frame(work->self, what);
    case FILE_SNAPSHOT:
        in->world = rill_io_load_snapshot(what, NULL, error);
        if (!in->world) return RILL_FORMAT;
        in->time = rill_world_stats(in->world)->time;
        return work->world(work->self, what);
    case FILE_NONE:
    case FILE_SCENE:
    default:
        status = run_scene(in, what, options, quiet, code, error);
        return status == RILL_OK ? work->world(work->self, frames_file_name(what)) : status;
    }
}

int input_use(input *in, const char *what, const scene_options *options, bool quiet, const input_work *work,
              rill_error *error) {
    int code = EXIT_FAILED;
    if (strlen(what) > PATH_MOST) {
        fprintf(stderr, "rill %s: paths may have at most %d bytes\n", in->command, PATH_MOST);
        return EXIT_USAGE;
    }
    interrupt_watch();
    const rill_status status = work_on(in, what, options, quiet, work, &code, error);
    if (status == RILL_OK) return EXIT_FINE;
    if (error->text[0]) fprintf(stderr, "rill %s: %s\n", in->command, error->text);
    return interrupt_asked() ? EXIT_INTERRUPTED : code;
}
