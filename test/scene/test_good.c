/* SPDX-License-Identifier: MIT */
/* Every scene of the project loads, builds with any method, and is the same after it is written and read again. */
#include "rill/io.h"
#include "scene/scene_test.h"

#include <math.h>

static rill_scene_entry *entries;
static int entry_count;

static int list_scenes(void **state) {
    (void)state;
    setenv("RILL_SCENES", RILL_SOURCE_DIR "/scenes", 1);
    return rill_scene_list(&entries, &entry_count, NULL) == RILL_OK ? 0 : -1;
}

static int free_scenes(void **state) {
    (void)state;
    free(entries);
    return 0;
}

/* Scenes of 100,000 particles are meant for pictures; coarser ones can be tested in seconds. */
static scene *load(int k) {
    rill_error error = {0};
    scene *s = rill_scene_load(entries[k].path, &error);
    if (!s) fail_msg("%s", error.text);
    s->world.cache = rill_io_cache(RILL_BINARY_DIR "/test-cache"); /* distances to meshes take most of the time */
    static const char *const large[] = {"pillar_3d", "bath_3d", "bunny_drop_3d"};
    for (size_t n = 0; n < sizeof large / sizeof *large; n++)
        if (strcmp(s->name, large[n]) == 0 && rill_scene_set(s, "world.spacing=6 cm", &error) != RILL_OK)
            fail_msg("%s", error.text);
    return s;
}

/* Rough estimate of the volume of a shape, from above. */
static double volume(const rill_shape *shape, int dim) {
    const double r = (double)shape->radius, side = 2 * (double)shape->scale;
    const double x = (double)shape->max.x - (double)shape->min.x, y = (double)shape->max.y - (double)shape->min.y;
    const double z = dim == 3 ? (double)shape->max.z - (double)shape->min.z : 1;
    if (shape->kind == RILL_BOX) return x * y * z;
    if (shape->kind == RILL_MESH) return side * side * side;
    const double ball = dim == 3 ? 4.2 * r * r * r : 3.2 * r * r, across = dim == 3 ? 3.2 * r * r : 2 * r;
    if (shape->kind == RILL_CAPSULE)
        return ball + across * hypot(hypot((double)shape->end.x - (double)shape->position.x,
                                           (double)shape->end.y - (double)shape->position.y),
                                     (double)shape->end.z - (double)shape->position.z);
    return shape->kind == RILL_SPHERE ? ball : 0;
}

#ifdef RILL_SANITIZED
#define MOST_PARTICLES 1000
#else
#define MOST_PARTICLES 1500
#endif

/* Makes a scene coarser, to about MOST_PARTICLES, so that this test takes seconds, not minutes. */
static scene *load_coarse(int k) {
    scene *s = load(k);
    double all = 0;
    for (int b = 0; b < s->block_count; b++) all += volume(&s->blocks[b].shape, s->world.dim);
    const double least = pow(all / MOST_PARTICLES, 1.0 / s->world.dim);
    if ((double)s->world.spacing < least) s->world.spacing = (float)least;
    return s;
}

static void there_are_scenes(void **state) {
    (void)state;
    assert_true(entry_count >= 12);
    for (int k = 0; k < entry_count; k++) {
        scene *s = load(k);
        assert_string_equal(s->name, entries[k].name);
        assert_true(strlen(s->about) > 20);
        assert_true(s->gauge_count > 0);
        assert_true(s->run.time > 0);
        /* The name ends with the dimension. */
        const char *tail = s->name + strlen(s->name) - 3;
        assert_string_equal(tail, s->world.dim == 2 ? "_2d" : "_3d");
        rill_scene_free(s);
    }
}

/* Each scene builds with one of the methods, or with RILL_LONG in the environment with all of them. */
static void every_scene_builds(void **state) {
    (void)state;
    const int methods = rill_method_count(), turns = getenv("RILL_LONG") ? methods : 1;
    for (int k = 0; k < entry_count; k++) {
        scene *s = load_coarse(k);
        for (int turn = 0; turn < turns; turn++) {
            if (s->cloth_count == 0) /* cloth needs its own method */
                assert_int_equal(rill_scene_use_method(s, rill_method((k + turn) % methods)->name, NULL), RILL_OK);
            rill_world *world = build(s);
            int particles = rill_world_particle_count(world);
            /* Only scenes with emitters may begin without particles. */
            if (particles > 2 * MOST_PARTICLES || (particles == 0 && s->emitter_count == 0))
                fail_msg("%s has %d particles", s->name, particles);
            rill_world_destroy(world);
        }
        rill_scene_free(s);
    }
}

/* Every scene takes three steps without an error, and its gauges can be read. */
static void every_scene_steps(void **state) {
    (void)state;
    for (int k = 0; k < entry_count; k++) {
        scene *s = load_coarse(k);
        rill_world *world = build(s);
        for (int step = 0; step < 3; step++) {
            double dt = (double)s->run.dt;
            rill_status status =
                dt > 0 ? rill_world_step(world, dt) : rill_world_step_adaptive(world, 1.0 / (double)s->run.fps);
            if (status) fail_msg("%s: %s", s->name, rill_world_message(world));
        }
        rill_reading reading;
        for (int gauge = 0; gauge < rill_world_gauge_count(world); gauge++)
            assert_int_equal(rill_world_read_gauge(world, rill_world_gauge_at(world, gauge), &reading), RILL_OK);
        rill_world_destroy(world);
        rill_scene_free(s);
    }
}

/* In 2D a body turns about z, the third component, and the written scene keeps it. */
static void bodies_turn_in_2d(void **state) {
    (void)state;
    scene *s = parse(
        "{\"dim\": 2, \"fluids\": [{}], \"bodies\": [{\"shape\": \"sphere\", \"position\": [0, 0], \"radius\": 1, "
        "\"angular_velocity\": [0, 0, \"3 rad/s\"]}]}");
    assert_true(s->bodies[0].angular_velocity.z == 3);
    char *text = written(s);
    scene *again = parse(text);
    assert_true(again->bodies[0].angular_velocity.z == 3);
    rill_scene_free(again);
    free(text);
    rill_scene_free(s);
}

static void written_scene_is_the_same(void **state) {
    (void)state;
    for (int k = 0; k < entry_count; k++) {
        scene *first = load_coarse(k);
        char *text = written(first);
        scene *second = parse(text);
        second->world.cache = first->world.cache;
        char *again = written(second);
        assert_string_equal(text, again);
#ifndef RILL_SANITIZED /* such worlds were built and stepped above */
        rill_world *one = build(first), *other = build_for(second, RILL_SIMD_SCALAR); /* the width does not matter */
        assert_int_equal(rill_world_particle_count(one), rill_world_particle_count(other));
        assert_true(rill_world_hash(one) == rill_world_hash(other));
        for (int step = 0; step < 2; step++) {
            assert_int_equal(rill_world_step_adaptive(one, 0.01), RILL_OK);
            assert_int_equal(rill_world_step_adaptive(other, 0.01), RILL_OK);
        }
        assert_true(rill_world_hash(one) == rill_world_hash(other));
        rill_world_destroy(one), rill_world_destroy(other);
#endif
        free(text), free(again);
        rill_scene_free(first), rill_scene_free(second);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_scenes),          cmocka_unit_test(every_scene_builds),
        cmocka_unit_test(every_scene_steps),         cmocka_unit_test(bodies_turn_in_2d),
        cmocka_unit_test(written_scene_is_the_same),
    };
    return cmocka_run_group_tests(tests, list_scenes, free_scenes);
}
