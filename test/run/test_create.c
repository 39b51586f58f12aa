/* SPDX-License-Identifier: MIT */
/* Runs made as hosts make them, with the public headers alone. */
#include "rill/io.h"
#include "rill/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after the headers that it needs */
#include <cmocka.h>

static const char tank[] = "{\"dim\": 2, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.05, \"workers\": 1},"
                           " \"run\": {\"time\": 0.05, \"fps\": 100}, \"fluids\": [{\"material\": \"water\"}],"
                           " \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.4, 0.4]}],"
                           " \"solids\": [{\"shape\": \"half_space\", \"normal\": [0, 1]}]}";

static rill_scene *parse(void) {
    rill_error error;
    rill_scene *scene = rill_scene_parse("tank", tank, sizeof tank - 1, &error);
    if (!scene) fail_msg("%s", error.text);
    return scene;
}

static rill_status count_frame(void *self, const rill_run *run, const rill_frame *frame, rill_error *error) {
    (void)error;
    int *count = self;
    assert_int_equal(rill_run_progress(run).frame, *count);
    assert_int_equal(frame->count, rill_world_particle_count(rill_run_world(run)));
    (*count)++;
    return RILL_OK;
}

/* More observers than Rill has itself, each called at each frame. */
static void test_hosts_observers_are_asked(void **state) {
    (void)state;
    enum { OBSERVERS = 20 };
    rill_error error = {0};
    rill_scene *scene = parse();
    int counts[OBSERVERS] = {0};
    rill_run_observer observers[OBSERVERS] = {0};
    for (int k = 0; k < OBSERVERS; k++) observers[k] = (rill_run_observer){.self = &counts[k], .frame = count_frame};
    const rill_run_def def = {.observers = observers, .observer_count = OBSERVERS};
    rill_run *run = rill_run_create(scene, &def, &error);
    assert_non_null(run);
    assert_int_equal(rill_run_progress(run).frame, -1);
    memset(observers, 0, sizeof observers); /* the run has its own copy */
    assert_int_equal(rill_run_all(run), RILL_RUN_DONE);
    for (int k = 0; k < OBSERVERS; k++) assert_int_equal(counts[k], 6);
    const rill_run_state progress = rill_run_progress(run);
    assert_true(progress.finished);
    assert_int_equal(progress.frame_count, 6);
    assert_true(progress.steps >= 5);
    assert_null(rill_run_snapshot(run));
    rill_run_destroy(run);
    rill_scene_free(scene);
}

static void test_nothing_is_nothing(void **state) {
    (void)state;
    rill_error error = {0};
    rill_scene *scene = parse();
    const rill_run_def def = {0}, negative = {.observer_count = -1};
    assert_null(rill_run_create(NULL, &def, &error));
    assert_int_equal(error.status, RILL_INVALID);
    assert_null(rill_run_create(scene, NULL, NULL));
    assert_null(rill_run_create(scene, &negative, &error));
    rill_run_destroy(NULL);
    rill_scene_free(NULL);
    rill_scene_list_free(NULL);
    rill_scene_free(scene);
}

/* A run folder with all its files, and a picture of the last frame. */
static void test_folder_is_written(void **state) {
    (void)state;
    static const char *const files[] = {"run.json",
                                        "scene.json",
                                        "shapes.json",
                                        "gauges.csv",
                                        "stats.csv",
                                        "snapshot.rill",
                                        "frames/frame_00005.vtp",
                                        "frames/frame_00005.ply",
                                        "surface/frame_00005.obj"};
    rill_error error = {0};
    rill_scene *scene = parse();
    char folder[] = "/tmp/rill_create_XXXXXX", path[200];
    assert_non_null(mkdtemp(folder));
    const rill_run_def def = {.folder = folder, .frames = "vtp,ply", .surfaces = "obj"};
    rill_run *run = rill_run_create(scene, &def, &error);
    assert_non_null(run);
    assert_int_equal(rill_run_all(run), RILL_RUN_DONE);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k]);
        if (access(path, F_OK) != 0) fail_msg("%s is missing", path);
    }
    rill_frame frame = {0};
    snprintf(path, sizeof path, "%s/frames/frame_00005.vtp", folder);
    assert_int_equal(rill_io_read_frame(path, NULL, &frame, &error), RILL_OK);
    assert_int_equal(frame.count, rill_world_particle_count(rill_run_world(run)));
    snprintf(path, sizeof path, "%s/last.png", folder);
    assert_int_equal(rill_scene_draw(scene, &frame, "ink", path, &error), RILL_INVALID);
    assert_int_equal(rill_scene_draw(scene, &frame, "particles", path, &error), RILL_OK);
    assert_int_equal(access(path, F_OK), 0);
    rill_frame_free(&frame);
    rill_run_destroy(run);
    rill_scene_free(scene);
    snprintf(path, sizeof path, "rm -rf %s", folder);
    assert_int_equal(system(path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts_observers_are_asked),
        cmocka_unit_test(test_nothing_is_nothing),
        cmocka_unit_test(test_folder_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
