/* SPDX-License-Identifier: MIT */
/* A host of a scene: changes gravity, moves a body, reads frames and saves a snapshot. Needs the shared library. */
#include "rill/io.h"
#include "rill/run.h"

#include <math.h>
#include <stdio.h>

/* Asked at every frame: where the front of the water is. */
static rill_status show_front(void *self, const rill_run *run, const rill_frame *frame, rill_error *error) {
    const rill_view *position = rill_frame_field(frame, "position");
    float *front = self;
    (void)error;
    *front = 0.0f;
    for (int k = 0; k < frame->count; k++) *front = fmaxf(*front, rill_frame_vec(frame, position, k).x);
    printf("frame %d: %d particles, front at %.2f m\n", (int)rill_run_progress(run).frame, frame->count, *front);
    return RILL_OK;
}

static int fail(const char *message) {
    fprintf(stderr, "host: %s\n", message);
    return 1;
}

int main(int argc, char **argv) {
    rill_error error;
    float front;
    rill_scene *scene = rill_scene_load(argc > 1 ? argv[1] : "piston.json", &error);
    if (!scene || rill_scene_set(scene, "run.fps=10", &error) != RILL_OK) return fail(error.text);

    const rill_run_observer observer = {.self = &front, .frame = show_front};
    const rill_run_def def = {.observers = &observer, .observer_count = 1};
    rill_run *run = rill_run_create(scene, &def, &error);
    if (!run) return fail(error.text);
    rill_world *world = rill_run_world(run);
    const rill_vec moon = {0.0f, -1.62f, 0.0f};
    if (rill_world_set_vec(world, rill_ref_world(), "gravity", moon) != RILL_OK) return fail(rill_world_message(world));

    /* A tenth of a second for each frame: where the piston is to be then. */
    const rill_body_id piston = rill_world_find_body(world, "piston");
    rill_run_outcome outcome = rill_run_begin(run) == RILL_OK ? RILL_RUN_DONE : RILL_RUN_FAILED;
    for (int frame = 1; outcome == RILL_RUN_DONE && !rill_run_progress(run).finished; frame++) {
        const rill_pose pose = {.position = {0.12f + 0.04f * (float)frame, 0.51f, 0.0f}};
        if (rill_world_body_move_to(world, piston, &pose) != RILL_OK) return fail(rill_world_message(world));
        outcome = rill_run_until(run, frame);
    }
    if (rill_run_end(run, outcome) != RILL_RUN_DONE) return fail(rill_run_message(run));

    rill_body_state state;
    rill_world_body_state(world, piston, &state);
    printf("the piston is at x = %.2f m\n", state.position.x);
    if (argc > 2 && rill_io_save_snapshot(world, argv[2], &error) != RILL_OK) return fail(error.text);
    rill_run_destroy(run);
    rill_scene_free(scene);
    return 0;
}
