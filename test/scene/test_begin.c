/* SPDX-License-Identifier: MIT */
/* How the fluid of a scene begins: settled, or as an earlier run left it. */
#include "rill/io.h"
#include "scene/scene_test.h"

#include <math.h>
#include <unistd.h>

/* A tank, filled as a lattice, with a gate that opens at t = 0, a tap, a drain, and a ball above the water. */
#define TANK(run, block)                                                                                             \
    "{\"dim\": 2, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.04}, \"run\": {\"time\": 1" run "},"             \
    " \"methods\": {\"wcsph\": {\"expected_speed\": 2, \"expected_depth\": 0.4}},"                                   \
    " \"fluids\": [{\"name\": \"water\", \"material\": \"water\", \"surface_tension\": 0}],"                         \
    " \"blocks\": [{" block "\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.4, 0.4]}],"                            \
    " \"solids\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1], \"inside\": true},"                        \
    "   {\"name\": \"gate\", \"shape\": \"box\", \"min\": [0.4, 0], \"max\": [0.5, 0.9],"                            \
    "    \"motion\": {\"velocity\": [0, 20]}}],"                                                                     \
    " \"bodies\": [{\"name\": \"ball\", \"shape\": \"sphere\", \"position\": [0.2, 0.7], \"radius\": 0.08}],"        \
    " \"emitters\": [{\"position\": [0.8, 0.9], \"direction\": [0, -1], \"nozzle\": \"rectangle\", \"width\": 0.1, " \
    "\"speed\": 1}],"                                                                                                \
    " \"sinks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.2, 0.05], \"start_time\": 0}]}"

static double kinetic_energy_after(rill_world *world, double seconds) {
    assert_int_equal(rill_world_advance(world, seconds), RILL_OK);
    return rill_world_stats(world)->kinetic_energy;
}

/* Leaves out what opens at t = 0, so that only the fluid falls into place. */
static void drop_what_opens(scene *s) {
    s->emitter_count = s->sink_count = s->body_count = 0;
    s->solids[1].motion.velocity = (rill_vec){0};
}

static void settled_fluid_is_at_rest(void **state) {
    (void)state;
    scene *fresh = parse(TANK("", "")), *settled = parse(TANK(", \"settle\": \"1 s\"", ""));
    drop_what_opens(fresh);
    drop_what_opens(settled);
    rill_world *a = build(fresh), *b = build(settled);
    assert_int_equal(rill_world_particle_count(a), rill_world_particle_count(b));
    assert_true(rill_world_stats(b)->time == 0 && rill_world_stats(b)->step == 0);
    assert_true(rill_world_hash(a) != rill_world_hash(b));
    assert_true(rill_world_stats(b)->potential_energy < rill_world_stats(a)->potential_energy);
    const double falling = kinetic_energy_after(a, 0.05), resting = kinetic_energy_after(b, 0.05);
    if (!(resting < 0.05 * falling)) fail_msg("%g J in the settled tank, %g J in the other", resting, falling);
    rill_world_destroy(a);
    rill_world_destroy(b);
    rill_scene_free(fresh);
    rill_scene_free(settled);
}

/* Neither the gate nor ball, tap or drain have moved when the run begins; blocks have their velocities. */
static void all_else_begins_at_zero(void **state) {
    (void)state;
    scene *s = parse(TANK(", \"settle\": \"0.2 s\"", "\"velocity\": [0.5, 0], "));
    rill_world *w = build(s);
    assert_int_equal(rill_world_particle_count(w), 100);
    rill_body_state ball;
    rill_vec offset;
    float angle;
    assert_int_equal(rill_world_body_state(w, rill_world_find_body(w, "ball"), &ball), RILL_OK);
    assert_true(fabsf(ball.position.y - 0.7f) < 1e-6f && ball.velocity.y == 0);
    assert_int_equal(rill_world_solid_pose(w, rill_world_find_solid(w, "gate"), &offset, &angle), RILL_OK);
    assert_true(offset.y == 0);
    rill_frame frame = {0};
    assert_int_equal(rill_frame_of_world(&frame, w, NULL), RILL_OK);
    for (int k = 0; k < frame.count; k++) {
        assert_true(rill_frame_vec(&frame, rill_frame_field(&frame, "velocity"), k).x == 0.5f);
        assert_true(rill_frame_vec(&frame, rill_frame_field(&frame, "position"), k).x < 0.4f);
    }
    rill_frame_free(&frame);
    assert_int_equal(rill_world_advance(w, 0.05), RILL_OK);
    assert_int_equal(rill_world_solid_pose(w, rill_world_find_solid(w, "gate"), &offset, &angle), RILL_OK);
    assert_true(offset.y > 0.9f && rill_world_stats(w)->emitted > 0 && rill_world_stats(w)->removed > 0);
    rill_world_destroy(w);
    rill_scene_free(s);
}

static void settling_repeats_and_is_written(void **state) {
    (void)state;
    scene *s = parse(TANK(", \"settle\": \"0.1 s\"", ""));
    char *text = written(s);
    scene *again = parse(text);
    rill_world *a = build(s), *b = build_for(again, RILL_SIMD_SCALAR);
    assert_true(rill_world_hash(a) == rill_world_hash(b));
    rill_world_destroy(a);
    rill_world_destroy(b);
    rill_scene_free(s);
    rill_scene_free(again);
    free(text);
}

/* The fluid settles at rest whatever velocity it begins the run with, and begins the run with all of it. */
static void flows_do_not_move_what_settles(void **state) {
    (void)state;
    static const char *const flows[] = {"", "\"velocity_x\": \"0.5\", ", "\"velocity\": [0.5, 0], "};
    rill_vec places[3];
    for (int k = 0; k < 3; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "{\"dim\": 2, \"method\": \"pbf\", \"world\": {\"spacing\": 0.1, \"gravity\": [0, 0], \"bounds\": "
                 "\"open\"}, \"run\": {\"settle\": 0.1}, \"fluids\": [{\"name\": \"water\"}], "
                 "\"blocks\": [{%s\"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1]}]}",
                 flows[k]);
        scene *s = parse(text);
        rill_world *w = build(s);
        rill_frame frame = {0};
        assert_int_equal(rill_frame_of_world(&frame, w, NULL), RILL_OK);
        places[k] = rill_frame_vec(&frame, rill_frame_field(&frame, "position"), 0);
        assert_true(rill_frame_vec(&frame, rill_frame_field(&frame, "velocity"), 0).x == (k > 0 ? 0.5f : 0));
        assert_true(places[k].x == places[0].x && places[k].y == places[0].y);
        rill_frame_free(&frame);
        rill_world_destroy(w);
        rill_scene_free(s);
    }
}

/* ---- stored fills ---- */

static void write_frame(rill_world *w, const char *path) {
    rill_frame frame = {0};
    assert_int_equal(rill_frame_of_world(&frame, w, NULL), RILL_OK);
    assert_int_equal(rill_frame_order_by_id(&frame, NULL), RILL_OK);
    assert_int_equal(rill_io_write_vtp(&frame, path, NULL), RILL_OK);
    rill_frame_free(&frame);
}

static rill_world *build_stored(const char *text, const char *path, rill_error *error) {
    char changed[4096];
    snprintf(changed, sizeof changed, text, path);
    scene *s = parse(changed);
    rill_world *w = rill_scene_build(s, 1, -1, error);
    rill_scene_free(s);
    return w;
}

static void stored_frames_are_taken_up(void **state) {
    (void)state;
    char path[] = "/tmp/rill_begin_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    scene *s = parse(TANK("", ""));
    drop_what_opens(s);
    rill_world *first = build(s);
    assert_int_equal(rill_world_advance(first, 0.1), RILL_OK);
    write_frame(first, path);
    const double energy = rill_world_stats(first)->kinetic_energy;
    rill_error error = {0};
    rill_world *w = build_stored(TANK("", "\"fill\": \"stored\", \"frame\": \"%s\", "), path, &error);
    if (!w) fail_msg("%s", error.text);
    assert_int_equal(rill_world_particle_count(w), rill_world_particle_count(first));
    assert_true(fabs(rill_world_stats(w)->kinetic_energy - energy) < 1e-5 * energy);
    rill_world_destroy(w);
    /* only the particles inside the shape */
    w = build_stored(
        "{\"dim\": 2, \"world\": {\"spacing\": 0.04}, \"fluids\": [{\"material\": \"water\"}], \"blocks\": "
        "[{\"fill\": \"stored\", \"frame\": \"%s\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [0.2, 1]}]}",
        path, &error);
    if (!w) fail_msg("%s", error.text);
    assert_in_range(rill_world_particle_count(w), 40, 60);
    rill_world_destroy(w);
    /* a frame of another spacing is refused by name */
    w = build_stored(
        "{\"dim\": 2, \"world\": {\"spacing\": 0.05}, \"fluids\": [{\"material\": \"water\"}], \"blocks\": "
        "[{\"fill\": \"stored\", \"frame\": \"%s\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1]}]}",
        path, &error);
    assert_null(w);
    assert_non_null(strstr(error.text, "blocks[0].frame"));
    assert_non_null(strstr(error.text, "0.04 m apart; expected the spacing of this world, 0.05 m"));
    unlink(path);
    w = build_stored(TANK("", "\"fill\": \"stored\", \"frame\": \"%s\", "), path, &error);
    assert_null(w);
    assert_non_null(strstr(error.text, "no file"));
    rill_world_destroy(first);
    rill_scene_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settled_fluid_is_at_rest),        cmocka_unit_test(all_else_begins_at_zero),
        cmocka_unit_test(settling_repeats_and_is_written), cmocka_unit_test(flows_do_not_move_what_settles),
        cmocka_unit_test(stored_frames_are_taken_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
