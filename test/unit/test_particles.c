/* SPDX-License-Identifier: MIT */
/* Particles as users see them: lasting ids, views without copies, removal. */
#include "model/world_state.h"
#include "unit/worlds.h"

static const float *position_of(rill_world *w, rill_particle_id id) {
    const int index = rill_world_particle_index(w, id);
    if (index < 0) fail_msg("particle %llu is gone", (unsigned long long)id);
    rill_view x;
    ok(w, rill_world_view(w, "position", &x));
    return (const float *)x.data + (size_t)index * (size_t)x.stride;
}

/* Particles are sorted in every step; followed by id, none moves farther than its speed allows. */
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
    /* an id is never used twice */
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

/* Ids that do not fit into 32 bits are kept, found, removed, ordered and saved like others. */
static void ids_beyond_32_bits(void **state) {
    (void)state;
    const rill_particle_id start = (UINT64_C(1) << 32) - 50;
    rill_world *w = make_scene(SCENE_JET, 2, "wcsph", 2, RILL_SIMD_AUTO);
    const int before = rill_world_particle_count(w);
    w->particles.next_id = start;
    rill_vec places[100];
    for (int k = 0; k < 100; k++)
        places[k] = (rill_vec){-0.3f + 0.05f * (float)(k % 10), 0.8f + 0.05f * (float)(k / 10), 0};
    rill_particle_id first;
    ok(w, rill_world_add_particles(w, (rill_fluid_id){1, 1}, places, NULL, 100, &first));
    assert_true(first == start);
    take_steps(w, 20);
    assert_true(rill_world_stats(w)->emitted > 0 && w->particles.next_id > start + 100);
    for (rill_particle_id id = start; id < start + 100; id++)
        assert_true(rill_world_particle_at(w, rill_world_particle_index(w, id)) == id);
    ok(w, rill_world_remove_particle(w, start + 80));
    const rill_particle_id more[] = {start + 81, start + 49, start + 50, start + 50 + (UINT64_C(1) << 32)};
    int removed;
    ok(w, rill_world_remove_particles(w, more, 4, &removed));
    assert_int_equal(removed, 3);
    assert_int_equal(rill_world_particle_index(w, start + 50), -1);
    const rill_stats *stats = rill_world_stats(w);
    assert_int_equal(rill_world_particle_count(w), before + 100 + stats->emitted - stats->removed);
    rill_frame frame = {0}, copy = {0};
    ok(w, rill_frame_of_world(&frame, w, NULL));
    ok(w, rill_frame_order_by_id(&frame, NULL));
    ok(w, rill_frame_copy(&copy, &frame, NULL, NULL));
    for (int k = 1; k < copy.count; k++)
        assert_true(rill_frame_uint(&copy, rill_frame_field(&copy, "id"), k - 1) <
                    rill_frame_uint(&copy, rill_frame_field(&copy, "id"), k));
    assert_true(rill_frame_uint(&copy, rill_frame_field(&copy, "id"), copy.count - 1) > start + 99);
    rill_frame_free(&frame), rill_frame_free(&copy);
    bytes saved = save(w);
    rill_world *loaded = rill_world_load(saved.data, saved.size, NULL, NULL);
    assert_non_null(loaded);
    assert_true(rill_world_hash(loaded) == rill_world_hash(w));
    take_steps(w, 5), take_steps(loaded, 5);
    assert_true(rill_world_hash(loaded) == rill_world_hash(w));
    assert_true(loaded->particles.next_id == w->particles.next_id);
    rill_world_destroy(w), rill_world_destroy(loaded);
    free(saved.data);
}

/* The hash tells apart ids that differ in their upper half alone. */
static void the_hash_sees_all_bits_of_an_id(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        rill_world_def def = small_def(2, "wcsph");
        rill_world *w = create(&def);
        const rill_fluid_id water = add_water(w);
        w->particles.next_id = (UINT64_C(1) << 32) * (unsigned)k + 7;
        ok(w, rill_world_add_particle(w, water, (rill_vec){0}, (rill_vec){0}, NULL));
        hashes[k] = rill_world_hash(w);
        rill_world_destroy(w);
    }
    assert_true(hashes[0] != hashes[1]);
}

/* Adding many particles at once equals adding one after the other. */
static void many_are_added_at_once(void **state) {
    (void)state;
    const rill_world_def def = small_def(3, "pbf");
    rill_world *one = create(&def), *all = create(&def);
    const rill_fluid_id water = add_water(one);
    add_water(all);
    rill_vec x[200], v[200];
    for (int k = 0; k < 200; k++) {
        x[k] = (rill_vec){0.05f * (float)(k % 10), 0.05f * (float)(k / 10 % 10), 0.05f * (float)(k / 100)};
        v[k] = (rill_vec){(float)k, 1, -1};
        ok(one, rill_world_add_particle(one, water, x[k], v[k], NULL));
    }
    rill_particle_id first = RILL_NO_PARTICLE;
    ok(all, rill_world_add_particles(all, water, x, v, 120, &first));
    assert_true(first == 0);
    ok(all, rill_world_add_particles(all, water, x + 120, v + 120, 80, &first));
    assert_true(first == 120);
    assert_true(rill_world_hash(one) == rill_world_hash(all));
    assert_true(rill_world_particle_at(all, 199) == 199);
    assert_true(rill_world_particle_at(all, 200) == RILL_NO_PARTICLE);
    assert_true(rill_world_particle_at(all, -1) == RILL_NO_PARTICLE);
    x[7].y = NAN;
    assert_int_equal(rill_world_add_particles(all, water, x, v, 200, NULL), RILL_INVALID);
    assert_int_equal(rill_world_add_particles(all, water, NULL, NULL, 3, NULL), RILL_INVALID);
    assert_int_equal(rill_world_add_particles(all, water, x, v, -1, NULL), RILL_INVALID);
    ok(all, rill_world_add_particles(all, water, NULL, NULL, 0, NULL));
    assert_true(rill_world_hash(one) == rill_world_hash(all));
    rill_world_destroy(one), rill_world_destroy(all);
}

/* Ids in any order, repeated or unknown: those that exist are removed once, and the result is the same. */
static void many_are_removed_at_once(void **state) {
    (void)state;
    const rill_particle_id ids[2][8] = {{3, 17, 17, 1000000, 5, 40, 41, RILL_NO_PARTICLE},
                                        {1000000, 41, 40, 5, 17, RILL_NO_PARTICLE, 3, 3}};
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        rill_world *w = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
        take_steps(w, 3);
        const int n = rill_world_particle_count(w);
        if (k == 1) assert_true(rill_world_particle_index(w, 0) >= 0); /* with a look-up table, and without */
        int removed = -1;
        ok(w, rill_world_remove_particles(w, ids[k], 8, &removed));
        assert_int_equal(removed, 5);
        assert_int_equal(rill_world_particle_count(w), n - 5);
        assert_int_equal(rill_world_stats(w)->removed, 5);
        for (rill_particle_id id = 0; id < (rill_particle_id)n; id++) {
            const bool gone = id == 3 || id == 17 || id == 5 || id == 40 || id == 41;
            assert_int_equal(rill_world_particle_index(w, id) < 0, gone);
        }
        assert_int_equal(rill_world_remove_particles(w, NULL, 1, NULL), RILL_INVALID);
        ok(w, rill_world_remove_particles(w, ids[k], 8, &removed));
        assert_int_equal(removed, 0);
        hashes[k] = rill_world_hash(w);
        rill_world_destroy(w);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* Particles are moved and given velocities by id; a list with an unknown id changes nothing. */
static void particles_are_set(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
    take_steps(w, 3);
    const rill_particle_id ids[2] = {17, 3}, strange[2] = {17, 1000000};
    const rill_vec places[2] = {{0.3f, 0.4f, 0}, {0.5f, 0.6f, 0}}, velocities[2] = {{1, 2, 0}, {3, 4, 0}};
    const rill_vec broken[2] = {{0}, {NAN, 0, 0}};
    const uint64_t before = rill_world_hash(w);
    assert_int_equal(rill_world_set_particles(w, strange, places, velocities, 2), RILL_NOT_FOUND);
    assert_int_equal(rill_world_set_particles(w, ids, broken, NULL, 2), RILL_INVALID);
    assert_int_equal(rill_world_set_particles(w, ids, NULL, broken, 2), RILL_INVALID);
    assert_int_equal(rill_world_set_particles(w, NULL, places, NULL, 2), RILL_INVALID);
    assert_int_equal(rill_world_set_particles(NULL, ids, places, NULL, 2), RILL_INVALID);
    ok(w, rill_world_set_particles(w, ids, NULL, NULL, 2));
    assert_true(rill_world_hash(w) == before);
    ok(w, rill_world_set_particles(w, ids, places, NULL, 2));
    ok(w, rill_world_set_particles(w, ids, NULL, velocities, 2));
    rill_view x, v;
    ok(w, rill_world_view(w, "position", &x));
    ok(w, rill_world_view(w, "velocity", &v));
    for (int k = 0; k < 2; k++) {
        const int i = rill_world_particle_index(w, ids[k]);
        const float *place = (const float *)x.data + i * x.stride, *velocity = (const float *)v.data + i * v.stride;
        assert_true(place[0] == places[k].x && place[1] == places[k].y);
        assert_true(velocity[0] == velocities[k].x && velocity[1] == velocities[k].y);
    }
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
        cmocka_unit_test(ids_follow_particles),      cmocka_unit_test(views_describe_memory),
        cmocka_unit_test(what_is_added_can_be_read), cmocka_unit_test(removal_keeps_the_others),
        cmocka_unit_test(ids_beyond_32_bits),        cmocka_unit_test(the_hash_sees_all_bits_of_an_id),
        cmocka_unit_test(many_are_added_at_once),    cmocka_unit_test(many_are_removed_at_once),
        cmocka_unit_test(particles_are_set),         cmocka_unit_test(two_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
