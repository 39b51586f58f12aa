/* SPDX-License-Identifier: MIT */
/* Telling kinds of input apart, and finding what belongs to them. */
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

rill_status source_scene(source *s, const char *name, const scene_options *options, int *code, rill_error *error) {
    s->scene = scene_options_load(s->command, name, options, code);
    if (!s->scene) return RILL_INVALID;
    *code = EXIT_FAILED;
    s->world = rill_scene_build(s->scene, -1, -1, error);
    return s->world ? RILL_OK : RILL_INVALID;
}

static rill_status run_scene(source *s, const char *name, const scene_options *options, bool quiet, int *code,
                             rill_error *error) {
    const rill_status status = source_scene(s, name, options, code, error);
    if (status != RILL_OK || !options->time) return status;
    const run_plan plan = rill_run_plan_make(&s->scene->run);
    progress shown = progress_start(quiet, 0.0, plan.end);
    const run_observer observer = progress_observer(&shown);
    run r = {.world = s->world,
             .plan = rill_run_plan_without_frames(&plan),
             .observers = &observer,
             .observer_count = 1,
             .asked_to_stop = interrupt_stops_run};
    if (rill_run_all(&r) == RUN_DONE) return RILL_OK;
    *error = r.error;
    return r.error.status;
}

/* A folder that a run wrote: the scene lies in every one of them. */
static bool is_run(const char *folder) {
    char path[1300];
    snprintf(path, sizeof path, "%s/scene.json", folder);
    return access(path, R_OK) == 0;
}

void source_find(source *s, const char *folder, const char *loss) {
    rill_error error = {RILL_OK, ""};
    if (s->scene) return;
    const rill_status status = rill_stored_run_read(&s->run, folder, &error);
    s->scene = s->run.scene;
    if (status == RILL_NOT_FOUND && !s->scene && !is_run(folder)) return;
    if (status != RILL_OK) fprintf(stderr, "rill %s: %s: %s\n", s->command, loss, error.text);
}

void source_find_near(source *s, const char *frame, const char *loss) {
    char folder[PATH_MOST + 8];
    const int length = (int)(frames_file_name(frame) - frame);
    snprintf(folder, sizeof folder, "%.*s..", length, frame);
    source_find(s, folder, loss);
    snprintf(folder, sizeof folder, "%.*s.", length, frame);
    source_find(s, folder, loss);
}

rill_status source_frame(const source *s, rill_frame *frame, rill_error *error) {
    const rill_status status = rill_frame_of_world(frame, s->world, error);
    return status == RILL_OK ? rill_frame_order_by_id(frame, error) : status;
}

void source_close(source *s) {
    rill_world_destroy(s->world);
    if (s->scene && s->scene != s->run.scene) rill_scene_free(s->scene);
    rill_stored_run_free(&s->run);
}

static rill_status work_on(source *s, const char *what, const scene_options *options, bool quiet,
                           const source_work *work, int *code, rill_error *error) {
    rill_status status;
    switch (file_kind_of(what)) {
    case FILE_FOLDER:
        return work->folder(work->self, what);
    case FILE_VTP:
    case FILE_PLY:
        return work->frame(work->self, what);
    case FILE_SNAPSHOT:
        s->world = rill_io_load_snapshot(what, NULL, error);
        return s->world ? work->world(work->self, what) : RILL_FORMAT;
    case FILE_NONE:
    case FILE_SCENE:
    default:
        status = run_scene(s, what, options, quiet, code, error);
        return status == RILL_OK ? work->world(work->self, frames_file_name(what)) : status;
    }
}

int source_use(source *s, const char *what, const scene_options *options, bool quiet, const source_work *work,
               rill_error *error) {
    int code = EXIT_FAILED;
    if (strlen(what) > PATH_MOST) {
        fprintf(stderr, "rill %s: paths may have at most %d bytes\n", s->command, PATH_MOST);
        return EXIT_USAGE;
    }
    interrupt_watch();
    const rill_status status = work_on(s, what, options, quiet, work, &code, error);
    if (status == RILL_OK) return EXIT_FINE;
    if (error->text[0]) fprintf(stderr, "rill %s: %s\n", s->command, error->text);
    return interrupt_asked() ? EXIT_INTERRUPTED : code;
}
