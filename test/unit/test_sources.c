/* SPDX-License-Identifier: MIT */
/* Emitters emit what they promise; sinks remove and count. */
#include "unit/worlds.h"

/* A world without gravity, in which a jet flies straight. */
static rill_world *still_air(int dim) {
    rill_world_def def = small_def(dim, "wcsph");
    def.gravity = (rill_vec){0};
    rill_world *w = create(&def);
    add_water(w);
    return w;
}

static rill_emitter_def a_jet(int dim) {
    rill_emitter_def jet = rill_emitter_def_default();
    jet.radius = 0.125f; /* five particles across */
    jet.speed = 2.0f;
    jet.direction = dim == 2 ? (rill_vec){3, 4, 0} : (rill_vec){0, 3, 4};
    return jet;
}

static int run_to(rill_world *w, double time, double dt) {
    while (rill_world_stats(w)->time < time - 1e-9) ok(w, rill_world_step(w, dt));
    return rill_world_particle_count(w);
}

/* By the time t a full nozzle has emitted the sheets due at 0, dx/v, 2 dx/v, ... */
static void full_nozzle(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = still_air(dim);
        const rill_emitter_def jet = a_jet(dim);
        ok(w, rill_world_add_emitter(w, &jet, NULL));
        ok(w, rill_world_step(w, 1e-4));
        const int sheet = rill_world_particle_count(w);
        /* five across; in 3D the 21 of 25 that are within the circle */
        assert_int_equal(sheet, dim == 2 ? 5 : 21);
        run_to(w, 0.2005, 0.001);
        /* steps begin at 0, 1e-4, ...: the last one that emitted began before 0.2005 */
        assert_int_equal(rill_world_particle_count(w), sheet * (1 + (int)(0.2 / (0.05 / 2))));
        assert_int_equal(rill_world_stats(w)->emitted, rill_world_particle_count(w));
        rill_world_destroy(w);
    }
}

static void the_rate_is_kept(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = still_air(dim);
        rill_emitter_def jet = a_jet(dim);
        jet.rate = dim == 2 ? 0.2f : 0.02f;
        ok(w, rill_world_add_emitter(w, &jet, NULL));
        double volume = 0;
        for (int k = 1; k <= 4; k++) {
            const double t = 0.25 * k;
            volume = run_to(w, t, 0.002) * pow(0.05, dim);
            const double sheet = (dim == 2 ? 5 : 21) * pow(0.05, dim);
            assert_near(volume, (double)jet.rate * t, sheet); /* up to one sheet, at all times */
        }
        rill_world_destroy(w);
    }
}

/* The number of particles does not depend on how time is cut into steps. */
static void steps_do_not_matter(void **state) {
    (void)state;
    int counts[3];
    const double dt[] = {0.0005, 0.003, 0.01};
    for (int k = 0; k < 3; k++) {
        rill_world *w = still_air(2);
        const rill_emitter_def jet = a_jet(2);
        ok(w, rill_world_add_emitter(w, &jet, NULL));
        run_to(w, 0.3, dt[k]);
        ok(w, rill_world_step(w, 1e-6));
        counts[k] = rill_world_particle_count(w);
        rill_world_destroy(w);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_int_equal(counts[0], counts[2]);
}

/* The jet leaves as a lattice: sheets one spacing apart along it, particles one spacing apart across it. */
static void spacing_of_the_jet(void **state) {
    (void)state;
    rill_world *w = still_air(2);
    rill_emitter_def jet = a_jet(2);
    jet.position = (rill_vec){1, 2, 0};
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    ok(w, rill_world_set_number(w, rill_ref_method(), "compression", 0.5)); /* soft, so that it keeps its shape */
    ok(w, rill_world_step(w, 0.0777));
    ok(w, rill_world_step(w, 1e-7));
    rill_view x, v;
    ok(w, rill_world_view(w, "position", &x));
    ok(w, rill_world_view(w, "velocity", &v));
    assert_int_equal(x.count, 20); /* due at 0, 0.025, 0.05, 0.075 */
    for (int i = 0; i < x.count; i++) {
        const float *p = (const float *)x.data + i * x.stride, *u = (const float *)v.data + i * v.stride;
        const double along = ((double)p[0] - 1) * 0.6 + ((double)p[1] - 2) * 0.8;
        const double across = ((double)p[1] - 2) * 0.6 - ((double)p[0] - 1) * 0.8;
        const double sheet = along / 0.05, row = across / 0.05;
        assert_near(sheet - floor(sheet), 2 * 0.0777 / 0.05 - 3, 0.02);
        assert_near(row, round(row), 0.02);
        assert_true(fabs(row) < 2.1);
        assert_near(hypot((double)u[0], (double)u[1]), 2, 0.05);
    }
    rill_world_destroy(w);
}

static void limit_start_and_end(void **state) {
    (void)state;
    rill_world *w = still_air(2);
    rill_emitter_def jet = a_jet(2);
    jet.limit = 13;
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    run_to(w, 0.4, 0.005);
    assert_int_equal(rill_world_particle_count(w), 13); /* exact to the particle, not to the sheet */
    rill_world_destroy(w);

    w = still_air(2);
    jet = a_jet(2), jet.start_time = 0.1f, jet.end_time = 0.2f;
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    run_to(w, 0.095, 0.005);
    assert_int_equal(rill_world_particle_count(w), 0);
    run_to(w, 0.4, 0.005);
    assert_int_equal(rill_world_particle_count(w), 5 * 4); /* due at 0.1, 0.125, 0.15, 0.175 */
    rill_world_destroy(w);
}

static void a_removed_emitter_is_silent(void **state) {
    (void)state;
    rill_world *w = still_air(2);
    const rill_emitter_def jet = a_jet(2);
    rill_emitter_id id;
    ok(w, rill_world_add_emitter(w, &jet, &id));
    const int before = run_to(w, 0.1, 0.005);
    ok(w, rill_world_remove_emitter(w, id));
    assert_int_equal(run_to(w, 0.2, 0.005), before);
    rill_world_destroy(w);
}

/* An emitter that is added late does not make up for earlier times. */
static void a_late_emitter(void **state) {
    (void)state;
    rill_world *w = still_air(2);
    run_to(w, 1.0, 0.01);
    const rill_emitter_def jet = a_jet(2);
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    ok(w, rill_world_step(w, 0.001));
    assert_in_range(rill_world_particle_count(w), 0, 5);
    run_to(w, 1.5, 0.01);
    assert_near(rill_world_particle_count(w), 5 * 0.5 / 0.025, 5.1);
    rill_world_destroy(w);
}

static void rectangular_nozzle(void **state) {
    (void)state;
    rill_world *w = still_air(3);
    rill_emitter_def jet = a_jet(3);
    jet.nozzle = RILL_NOZZLE_RECTANGLE, jet.width = 0.2f, jet.height = 0.1f;
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    ok(w, rill_world_step(w, 1e-4));
    assert_int_equal(rill_world_particle_count(w), 8);
    rill_world_destroy(w);
}

/* The flow that a host is told agrees with what is counted. */
static void the_flow_is_told(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int limited = 0; limited < 2; limited++) {
            rill_world *w = still_air(dim);
            rill_emitter_def jet = a_jet(dim);
            if (limited) jet.rate = dim == 2 ? 0.2f : 0.02f;
            rill_emitter_id id;
            double flow = 0;
            ok(w, rill_world_add_emitter(w, &jet, &id));
            ok(w, rill_world_emitter_flow(w, id, &flow));
            const double volume = pow(0.05, dim), sheet = (dim == 2 ? 5 : 21) * volume;
            assert_near(run_to(w, 1, 0.002) * volume, flow, sheet);
            assert_near(flow, limited ? (double)jet.rate : sheet * 2 / 0.05, 1e-6);
            ok(w, rill_world_remove_emitter(w, id));
            assert_int_equal(rill_world_emitter_flow(w, id, &flow), RILL_NOT_FOUND);
            rill_world_destroy(w);
        }
}

static void the_named_fluid_comes_out(void **state) {
    (void)state;
    rill_world *w = still_air(2);
    rill_fluid_def oil = rill_fluid_def_default();
    snprintf(oil.name, sizeof oil.name, "oil");
    ok(w, rill_world_add_fluid(w, &oil, NULL));
    rill_emitter_def jet = a_jet(2);
    snprintf(jet.fluid_name, sizeof jet.fluid_name, "oil");
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    ok(w, rill_world_step(w, 1e-4));
    rill_view fluid;
    ok(w, rill_world_view(w, "fluid", &fluid));
    for (int i = 0; i < fluid.count; i++) assert_int_equal(((const uint32_t *)fluid.data)[i], 1);
    rill_world_destroy(w);
}

static void sinks(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = still_air(dim);
        const int all = add_box(w, (rill_vec){0, 0, 0}, (rill_vec){0.5f, 0.5f, 0.5f});
        rill_sink_def sink = rill_sink_def_default();
        sink.shape.max = (rill_vec){0.2f, 1, 1};
        sink.start_time = 0.01f, sink.end_time = 0.02f;
        rill_sink_id id;
        ok(w, rill_world_add_sink(w, &sink, &id));
        ok(w, rill_world_step(w, 1e-5));
        assert_int_equal(rill_world_particle_count(w), all); /* not open yet */
        ok(w, rill_world_step(w, 0.01 - 1e-5 + 1e-9));
        ok(w, rill_world_step(w, 1e-6));
        const int left = rill_world_particle_count(w);
        assert_near(left, 0.6 * all, 1); /* four of ten columns */
        assert_int_equal(rill_world_stats(w)->removed, all - left);
        assert_int_equal(rill_world_stats(w)->particles, left);
        rill_view x;
        ok(w, rill_world_view(w, "position", &x));
        for (int i = 0; i < x.count; i++) assert_true(((const float *)x.data)[i * x.stride] > 0.19f);
        rill_world_destroy(w);
    }
}

static void remove_inside(void **state) {
    (void)state;
    rill_world *w = still_air(2);
    const int all = add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1, 1, 0});
    rill_shape hole = rill_shape_default();
    hole.kind = RILL_SPHERE, hole.position = (rill_vec){0.5f, 0.5f, 0}, hole.radius = 0.31f;
    int removed = 0;
    ok(w, rill_world_remove_inside(w, &hole, &removed));
    assert_near(removed * 0.0025, 3.14159 * 0.31 * 0.31, 0.01);
    assert_int_equal(rill_world_particle_count(w), all - removed);
    hole.inside = true; /* everything outside the sphere */
    ok(w, rill_world_remove_inside(w, &hole, &removed));
    assert_int_equal(rill_world_particle_count(w), 0);
    take_steps(w, 2);
    rill_world_destroy(w);
}

static void push_inside(void **state) {
    (void)state;
    rill_world *w = still_air(2);
    const int all = add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1, 1, 0});
    rill_shape hand = rill_shape_default();
    hand.kind = RILL_SPHERE, hand.position = (rill_vec){0.5f, 0.5f, 0}, hand.radius = 0.31f;
    int pushed = 0;
    ok(w, rill_world_push_inside(w, &hand, (rill_vec){2, -4, 0}, 0.5f, &pushed));
    ok(w, rill_world_push_inside(w, &hand, (rill_vec){2, -4, 0}, 0.5f, NULL));
    assert_near(pushed * 0.0025, 3.14159 * 0.31 * 0.31, 0.01);
    rill_view velocity;
    ok(w, rill_world_view(w, "velocity", &velocity));
    int moving = 0;
    for (int k = 0; k < all; k++) {
        const float *v = (const float *)velocity.data + (size_t)k * (size_t)velocity.stride;
        if (v[0] == 0 && v[1] == 0) continue;
        assert_true(v[0] == 1.5f && v[1] == -3);
        moving++;
    }
    assert_int_equal(moving, pushed);
    assert_int_equal(rill_world_push_inside(w, &hand, (rill_vec){0, NAN, 0}, 0.5f, NULL), RILL_INVALID);
    assert_int_equal(rill_world_push_inside(w, &hand, (rill_vec){0}, 1.5f, NULL), RILL_INVALID);
    assert_int_equal(rill_world_push_inside(w, NULL, (rill_vec){0}, 1, NULL), RILL_INVALID);
    assert_int_equal(rill_world_push_inside(NULL, &hand, (rill_vec){0}, 1, NULL), RILL_INVALID);
    rill_world_destroy(w);
}

/* A nozzle that points at a surface nearby: the fluid leaves to the sides, instead of being pressed into the surface.
 */
static void a_jet_against_a_wall_spreads(void **state) {
    (void)state;
    static const char *const methods[] = {"pbf", "constraint", "projective", "clavet"};
    static const float gaps[] = {1.5f, 2}; /* in spacings */
    for (int m = 0; m < 4; m++)
        for (int dim = 2; dim <= 3; dim++)
            for (int k = 0; k < 2; k++) {
                rill_world_def def = small_def(dim, methods[m]);
                def.failure = RILL_FAILURE_CLAMP;
                rill_world *w = create(&def);
                add_water(w);
                add_container(w, up2(w, 0, 0, 0), up2(w, 1, 2, 1));
                rill_emitter_def tap = rill_emitter_def_default();
                tap.position = up2(w, 0.5f, gaps[k] * def.spacing, 0.5f), tap.direction = up2(w, 0, -1, 0);
                tap.radius = 2 * def.spacing;
                ok(w, rill_world_add_emitter(w, &tap, NULL));
                double most = 0, fastest = 0;
                while (rill_world_stats(w)->time < 0.5) {
                    ok(w, rill_world_advance(w, 0.02));
                    most = fmax(most, rill_world_stats(w)->density_error_mean);
                    fastest = fmax(fastest, rill_world_stats(w)->max_speed);
                }
                if (!(most < 0.3 && fastest < 20))
                    fail_msg("%s in %dD, %g spacings from the floor: density %g too high, %g m/s", methods[m], dim,
                             (double)gaps[k], most, fastest);
                assert_int_equal(rill_world_particle_count(w), rill_world_stats(w)->emitted);
                rill_world_destroy(w);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(push_inside),
        cmocka_unit_test(a_jet_against_a_wall_spreads),
        cmocka_unit_test(full_nozzle),
        cmocka_unit_test(the_rate_is_kept),
        cmocka_unit_test(steps_do_not_matter),
        cmocka_unit_test(spacing_of_the_jet),
        cmocka_unit_test(limit_start_and_end),
        cmocka_unit_test(a_removed_emitter_is_silent),
        cmocka_unit_test(a_late_emitter),
        cmocka_unit_test(rectangular_nozzle),
        cmocka_unit_test(the_flow_is_told),
        cmocka_unit_test(the_named_fluid_comes_out),
        cmocka_unit_test(sinks),
        cmocka_unit_test(remove_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
