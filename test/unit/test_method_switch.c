/* SPDX-License-Identifier: MIT */
/* Changing the method of a running world. */
#include "unit/worlds.h"

static const char *const methods[] = {"muller", "wcsph", "pbf", "dfsph", "pcisph", "constraint"};
#define METHODS (int)(sizeof methods / sizeof *methods)

/* A switch before the first step leaves no trace: the world equals one that was created with the method. */
static void at_the_start_nothing_is_left_of_the_other(void **state) {
    (void)state;
    const scene scenes[] = {SCENE_JET, SCENE_PERIODIC, SCENE_STIRRED, SCENE_BODIES};
    for (int m = 0; m < METHODS; m++) {
        const int dim = 2 + m % 2;
        const scene s = scenes[m % 4];
        rill_world *created = make_scene(s, dim, methods[m], 1, RILL_SIMD_AUTO);
        rill_world *switched = make_scene(s, dim, methods[(m + 5) % METHODS], 1, RILL_SIMD_AUTO);
        ok(switched, rill_world_set_method(switched, methods[m]));
        assert_string_equal(rill_world_get_def(switched)->method, methods[m]);
        assert_ptr_equal(rill_world_method(switched), rill_world_method(created));
        assert_int_equal(rill_world_view_count(switched), rill_world_view_count(created));
        assert_false(rill_world_differs(created, switched, NULL));
        take_steps(created, 6), take_steps(switched, 6);
        if (rill_world_hash(created) != rill_world_hash(switched))
            fail_msg("%s in %dD, %s: switched at the start it gives another state", methods[m], dim, scene_name(s));
        rill_world_destroy(created), rill_world_destroy(switched);
    }
}

/* The same particles at the same time and places, whatever method moves them. */
static void there_and_back(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        rill_world *w = make_scene(SCENE_BODIES, 2, methods[m], 1, RILL_SIMD_AUTO);
        take_steps(w, 5);
        const int count = rill_world_particle_count(w);
        const double time = rill_world_stats(w)->time;
        rill_body_state before, after;
        const rill_body_id ball = rill_world_find_body(w, "ball");
        ok(w, rill_world_body_state(w, ball, &before));
        const rill_particle_id middle = rill_world_particle_at(w, count / 2);
        for (int other = 0; other < METHODS; other++) {
            ok(w, rill_world_set_method(w, methods[other]));
            ok(w, rill_world_set_method(w, methods[m]));
        }
        ok(w, rill_world_body_state(w, ball, &after));
        assert_memory_equal(&before.position, &after.position, sizeof before.position);
        assert_true(rill_world_stats(w)->time == time && rill_world_particle_at(w, count / 2) == middle);
        ok(w, rill_world_set_method(w, methods[(m + 1) % METHODS]));
        take_steps(w, 5);
        ok(w, rill_world_set_method(w, methods[m]));
        take_steps(w, 5);
        assert_int_equal(rill_world_particle_count(w), count);
        assert_at_most(rill_world_stats(w)->max_speed, 10);
        rill_world_destroy(w);
    }
}

/* A method that cannot hold walls made of particles does not take over, because no step would succeed. */
static void walls_of_particles_are_asked_for(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        rill_world *w = make_scene(SCENE_DAM, 2, "pbf", 1, RILL_SIMD_AUTO);
        rill_group_def wall = rill_group_def_default();
        wall.kind = RILL_GROUP_WALL;
        ok(w, rill_world_add_group(w, &wall, NULL));
        if (rill_world_set_method(w, methods[m]) != RILL_OK) {
            assert_non_null(strstr(rill_world_message(w), "seeps through walls made of particles"));
            assert_string_equal(rill_world_get_def(w)->method, "pbf");
        }
        ok(w, rill_world_step_adaptive(w, 0.01));
        rill_world_destroy(w);
    }
}

/* The new method begins with its defaults. */
static void parameters_begin_anew(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_JET, 2, "pbf", 1, RILL_SIMD_AUTO);
    char text[64], usual[64];
    ok(w, rill_world_get_text(w, rill_ref_method(), "epsilon", usual, sizeof usual));
    ok(w, rill_world_set_number(w, rill_ref_method(), "epsilon", 0.5));
    ok(w, rill_world_set_method(w, "wcsph"));
    assert_int_equal(rill_world_set_number(w, rill_ref_method(), "epsilon", 0.5), RILL_NOT_FOUND);
    ok(w, rill_world_set_method(w, "pbf"));
    ok(w, rill_world_get_text(w, rill_ref_method(), "epsilon", text, sizeof text));
    assert_string_equal(text, usual);
    rill_world_destroy(w);
}

static void a_method_that_does_not_fit_is_refused(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "muller");
    def.scp = 0.05f;
    rill_world *probe = create(&def);
    add_water(probe);
    const float h = rill_world_support(probe);
    rill_world_destroy(probe);
    /* A box as wide as the kernel of one method needs, and too narrow for that of another. */
    def.periodic.x = 2.02f * h;
    rill_world *w = create(&def);
    add_water(w);
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){def.periodic.x, 0.5f, 0});
    take_steps(w, 2);
    const uint64_t hash = rill_world_hash(w);
    int refused = 0;
    for (int m = 0; m < METHODS; m++) {
        const rill_status status = rill_world_set_method(w, methods[m]);
        if (status == RILL_OK) {
            ok(w, rill_world_set_method(w, "muller"));
            continue;
        }
        refused++;
        assert_non_null(strstr(rill_world_message(w), "periodic"));
        assert_string_equal(rill_world_get_def(w)->method, "muller");
        assert_true(rill_world_support(w) == h);
    }
    assert_true(refused > 0);
    assert_int_equal(rill_world_set_method(w, "pfb"), RILL_NOT_FOUND);
    assert_non_null(strstr(rill_world_message(w), "did you mean 'pbf'"));
    assert_int_equal(rill_world_set_method(w, NULL), RILL_INVALID);
    assert_int_equal(rill_world_set_method(NULL, "pbf"), RILL_INVALID);
    assert_true(rill_world_hash(w) == hash);
    take_steps(w, 2);
    rill_world_destroy(w);
}

/* A snapshot knows since when a method is in use. */
static void a_switched_world_is_saved(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        rill_world *w = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
        take_steps(w, 4);
        ok(w, rill_world_set_method(w, methods[m]));
        bytes saved = save(w);
        rill_world *copy = rill_world_load(saved.data, saved.size, NULL, NULL);
        assert_non_null(copy);
        take_steps(w, 4), take_steps(copy, 4);
        if (rill_world_hash(w) != rill_world_hash(copy)) fail_msg("%s goes on otherwise when loaded", methods[m]);
        rill_world_destroy(w), rill_world_destroy(copy);
        free(saved.data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_the_start_nothing_is_left_of_the_other), cmocka_unit_test(there_and_back),
        cmocka_unit_test(walls_of_particles_are_asked_for),          cmocka_unit_test(parameters_begin_anew),
        cmocka_unit_test(a_method_that_does_not_fit_is_refused),     cmocka_unit_test(a_switched_world_is_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
