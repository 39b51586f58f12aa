/* SPDX-License-Identifier: MIT */
/* Particles as users see them: ids that last, views without copies, removal. */
#include "unit/worlds.h"

static const float *position_of(rill_world *w, rill_particle_id id) {
    const int index = rill_world_particle_index(w, id);
    if (index < 0) fail_msg("particle %llu is gone", (unsigned long long)id);
    rill_view x;
    ok(w, rill_world_view(w, "position", &x));
    return (const float *)x.data + (size_t)index * (size_t)x.stride;
}

/* Particles are sorted in every step; followed by id each moves no farther than its speed allows. */
static void ids_follow_particles(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def def = small_def(dim, "wcsph");
        def.spacing = dim == 2 ? 0.04f : 0.1f;
        rill_world *w = create(&def);
        add_water(w);
        add_container(w, up2(w, 0, 0, 0), up2(w, 2, 2, 0.6f));
        const int n = add_box(w, up2(w, 0, 0, 0), up2(w, 0.8f, 1.0f, 0.6f));
        float(*last)[3] = calloc((size_t)n, sizeof *last);
        for (int i = 0; i < n; i++) memcpy(last[i], position_of(w, (rill_particle_id)i), sizeof(float) * (size_t)dim);
        bool resorted = false;
        for (int step = 0; step < 200; step++) {
            take_steps(w, 1);
            const double reach =
                1.5 * rill_world_stats(w)->max_speed * rill_world_stats(w)->dt + 1e-3 * (double)def.spacing;
            for (int i = 0; i < n; i++) {
                const float *x = position_of(w, (rill_particle_id)i);
                double moved = 0;
                for (int axis = 0; axis < dim; axis++) moved = fmax(moved, fabs((double)(x[axis] - last[i][axis])));
                assert_at_most(moved, reach);
                memcpy(last[i], x, sizeof(float) * (size_t)dim);
                resorted = resorted || rill_world_particle_index(w, (rill_particle_id)i) != i;
            }
        }
        assert_true(resorted);
        free(last);
        rill_world_destroy(w);
    }
}

static void views_describe_memory(void **state) {
    (void)state;
    static const struct {
        const char *name, *unit;
        rill_scalar scalar;
        bool vector;
    } wanted[] = {{"position", "m", RILL_SCALAR_FLOAT, true},      {"velocity", "m/s", RILL_SCALAR_FLOAT, true},
                  {"density", "kg/m^3", RILL_SCALAR_FLOAT, false}, {"pressure", "Pa", RILL_SCALAR_FLOAT, false},
                  {"id", "", RILL_SCALAR_UINT64, false},           {"fluid", "", RILL_SCALAR_UINT32, false}};
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make_scene(SCENE_STIRRED, dim, "muller", 1, RILL_SIMD_AUTO);
        take_steps(w, 2);
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
            rill_view view, again;
            ok(w, rill_world_view(w, wanted[k].name, &view));
            assert_string_equal(view.name, wanted[k].name);
            assert_string_equal(view.unit, wanted[k].unit);
            assert_int_equal(view.scalar, wanted[k].scalar);
            assert_int_equal(view.components, wanted[k].vector ? dim : 1);
            assert_true(view.stride >= view.components);
            assert_int_equal(view.count, rill_world_particle_count(w));
            /* no copies: asking twice gives the same memory */
            ok(w, rill_world_view(w, wanted[k].name, &again));
            assert_ptr_equal(view.data, again.data);
        }
        int found = 0;
        for (int k = 0; k < rill_world_view_count(w); k++) {
            const rill_view view = rill_world_view_at(w, k);
            assert_non_null(view.data);
            assert_non_null(view.doc);
            for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) found += strcmp(view.name, wanted[n].name) == 0;
        }
        assert_int_equal(found, sizeof wanted / sizeof *wanted);
        rill_world_destroy(w);
    }
}

/* A particle is where it was put, with everything it was given. */
static void what_is_added_can_be_read(void **state) {
    (void)state;
    const rill_world_def def = small_def(3, "wcsph");
    rill_world *w = create(&def);
    const rill_fluid_id water = add_water(w);
    for (int k = 0; k < 300; k++) {
        rill_particle_id id;
        ok(w, rill_world_add_particle(w, water, (rill_vec){(float)k, 2, -3}, (rill_vec){4, (float)-k, 6}, &id));
        assert_int_equal(id, k);
    }
    for (int k = 0; k < 300; k += 7) {
        const int index = rill_world_particle_index(w, (rill_particle_id)k);
        rill_view x, v, fluid;
        ok(w, rill_world_view(w, "position", &x));
        ok(w, rill_world_view(w, "velocity", &v));
        ok(w, rill_world_view(w, "fluid", &fluid));
        const float *p = (const float *)x.data + index * x.stride, *u = (const float *)v.data + index * v.stride;
        assert_true(p[0] == (float)k && p[1] == 2.0f && p[2] == -3.0f);
        assert_true(u[0] == 4.0f && u[1] == (float)-k && u[2] == 6.0f);
        assert_int_equal(((const uint32_t *)fluid.data)[index], 0);
    }
    rill_world_destroy(w);
}

static void removal_keeps_the_others(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_STIRRED, 2, "wcsph", 2, RILL_SIMD_AUTO);
    take_steps(w, 5);
    const int n = rill_world_particle_count(w);
    const float *x = position_of(w, 40);
    const float kept[2] = {x[0], x[1]};
    for (rill_particle_id id = 0; id < 40; id += 2) ok(w, rill_world_remove_particle(w, id));
    assert_int_equal(rill_world_particle_count(w), n - 20);
    assert_int_equal(rill_world_stats(w)->removed, 20);
    x = position_of(w, 40);
    assert_true(x[0] == kept[0] && x[1] == kept[1]);
    for (rill_particle_id id = 0; id < 40; id++) assert_int_equal(rill_world_particle_index(w, id) < 0, id % 2 == 0);
    /* ids are never given twice */
    rill_particle_id fresh;
    ok(w, rill_world_add_particle(w, (rill_fluid_id){1, 1}, (rill_vec){0.6f, 1.1f, 0}, (rill_vec){0}, &fresh));
    assert_int_equal(fresh, n);
    take_steps(w, 5);
    assert_int_equal(rill_world_particle_count(w), n - 19);
    for (int k = rill_world_particle_count(w); k > 0; k--) {
        ok(w, rill_world_remove_particle(w, rill_world_particle_at(w, k / 2)));
    }
    assert_int_equal(rill_world_particle_count(w), 0);
    take_steps(w, 2);
    rill_world_destroy(w);
}

/* Two worlds share nothing. */
static void two_worlds(void **state) {
    (void)state;
    rill_world *alone = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
    take_steps(alone, 12);
    rill_world *a = make_scene(SCENE_STIRRED, 2, "wcsph", 2, RILL_SIMD_AUTO);
    rill_world *b = make_scene(SCENE_JET, 3, "muller", 2, RILL_SIMD_AUTO);
    for (int k = 0; k < 12; k++) {
        take_steps(a, 1), take_steps(b, 1);
        assert_int_not_equal(rill_world_add_fluid(b, NULL, NULL), RILL_OK);
    }
    assert_true(rill_world_hash(a) == rill_world_hash(alone));
    assert_string_equal(rill_world_message(a), "");
    rill_world_destroy(b);
    take_steps(a, 1), take_steps(alone, 1);
    assert_true(rill_world_hash(a) == rill_world_hash(alone));
    rill_world_destroy(a);
    rill_world_destroy(alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_follow_particles),
        cmocka_unit_test(views_describe_memory),
        cmocka_unit_test(what_is_added_can_be_read),
        cmocka_unit_test(removal_keeps_the_others),
        cmocka_unit_test(two_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
