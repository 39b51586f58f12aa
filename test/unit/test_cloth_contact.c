/* SPDX-License-Identifier: MIT */
/* Cloth in contact with air, water that seeps or is held, itself, slopes and bodies; and torn cloth. Each test has a
   counterpart in which the opposite is right. With RILL_LONG in the environment the two long tests run instead. */
#include "unit/cloths.h"

static int count_below(rill_world *w, float height) {
    return count_inside(w, (rill_vec){-99, -99, -99}, up2(w, 99, height, 99));
}

/* ---- air ---- */

/* A sheet that falls flat reaches the speed u at which drag/2 rho u^2 is its weight. */
static void a_sheet_falls_as_fast_as_air_lets_it(void **state) {
    (void)state;
    const double steps[] = {0.002, 0.008};
    for (int k = 0; k < 4; k++) {
        const int dim = 2 + k / 2;
        rill_world *w = make_world(dim, 0.1f, 1);
        rill_cloth_def def = sheet_def((rill_vec){0}, (rill_vec){0.5f, 0, 0}, (rill_vec){0, 0.5f, 0});
        def.mass = 0.2f, def.drag = 1.2f, def.bend = 1;
        const rill_cloth_id cloth = add_cloth(w, &def);
        run(w, steps[k % 2], (int)(0.8 / steps[k % 2]));
        const double mass = dim == 2 ? 0.1 : 0.05;
        const double fell = -read_cloth(w, RILL_GAUGE_CLOTH_MOMENTUM, cloth, (rill_pin_id){0}).value[dim - 1] / mass;
        const double expected = sqrt(2 * 0.2 * GRAVITY / (1.2 * 1.2));
        assert_near(fell, expected, 0.02 * expected);
        rill_world_destroy(w);
    }
}

/* Wind across a sheet that is held everywhere acts on its pin, from either side. */
static void wind_presses_on_pins(void **state) {
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        rill_world *w = make_world(3, 0.1f, 1);
        rill_cloth_def def = sheet_def((rill_vec){0}, (rill_vec){1, 0, 0}, (rill_vec){0, 0, 1});
        def.drag = 1.3f, def.wind = (rill_vec){3, 8.0f * (float)side, 0};
        const rill_cloth_id cloth = add_cloth(w, &def);
        const rill_pin_id pin = add_pin(w, (rill_vec){-1, -1, -1}, (rill_vec){2, 2, 2});
        run(w, 0.004, 10);
        const rill_reading force = read_cloth(w, RILL_GAUGE_PIN_FORCE, cloth, pin);
        const double expected = side * 0.5 * 1.3 * 1.2 * 8 * 8;
        assert_near(force.value[1], expected, 1e-3 * fabs(expected));
        assert_near(force.value[0], 0, 1e-3);
        rill_world_destroy(w);
    }
}

/* ---- water ---- */

/* A tube with a sheet across it and water on the sheet. */
static rill_world *make_tube(int dim, float permeability, int *added) {
    rill_world *w = make_world(dim, 0.03f, 1);
    const rill_fluid_id water = add_water(w);
    ok(w, rill_world_set_number(w, rill_ref_fluid(water), "surface_tension", 0));
    ok(w, rill_world_set_number(w, rill_ref_fluid(water), "viscosity", 0.001));
    const float wide = dim == 2 ? 0.3f : 0.21f;
    add_container(w, up2(w, 0, -0.4f, 0), up2(w, wide, 0.5f, wide));
    /* drag that is found in rounds needs all of them: docs/cloth.md */
    if (permeability > 0 && strcmp(cloth_method, "projective") == 0)
        ok(w, rill_world_set_number(w, rill_ref_method(), "rounds", 100));
    rill_cloth_def def = sheet_def((rill_vec){0}, (rill_vec){wide, 0, 0}, (rill_vec){0, wide, 0});
    def.thickness = 0.003f, def.permeability = permeability;
    add_cloth(w, &def);
    add_pin(w, (rill_vec){-1, -1, -1}, (rill_vec){2, 2, 2});
    *added = add_box(w, up2(w, 0, 0.0165f, 0), up2(w, wide, 0.3165f, wide));
    return w;
}

/* Darcy: dH/dt = -k rho g H / (mu t), so that the height of the water falls exponentially. */
static void water_seeps_by_darcys_law(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        int all;
        const double rate = 0.4; /* 1/s */
        rill_world *w = make_tube(dim, (float)(rate * 0.001 * 0.003 / (1000 * GRAVITY)), &all);
        run(w, 0.004, 250);
        const double left = 1 - (double)count_below(w, 0) / all;
        print_message("seeped: left %g of %d, expected %g\n", left, all, exp(-rate));
        assert_near(left, exp(-rate), 0.05);
        rill_world_destroy(w);
    }
}

static void a_tight_sheet_holds_all(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        int all;
        rill_world *w = make_tube(dim, 0, &all);
        run(w, 0.004, 250);
        assert_int_equal(count_below(w, 0), 0);
        const rill_reading force =
            read_cloth(w, RILL_GAUGE_PIN_FORCE, rill_world_cloth_at(w, 0), rill_world_pin_at(w, 0));
        double sum = 0;
        for (int k = 0; k < 50; k++)
            sum +=
                read_cloth(w, RILL_GAUGE_PIN_FORCE, rill_world_cloth_at(w, 0), rill_world_pin_at(w, 0)).value[dim - 1] /
                50;
        const double mass = (dim == 2 ? 0.3 * 0.2 : 0.21 * 0.21 * 0.2) + all * 1000 * pow(0.03, dim);
        print_message("held: %g N of %g N (first %g)\n", -sum, mass * GRAVITY, -force.value[dim - 1]);
        assert_near(-sum, mass * GRAVITY, 0.05 * mass * GRAVITY);
        rill_world_destroy(w);
    }
}

/* Water in a hanging sheet, in 3D: none comes through, and the pins carry the weight of both. */
static void a_hanging_sheet_holds_water(void **state) {
    (void)state;
    rill_world *w = make_world(3, 0.04f, 1);
    ok(w, rill_world_set_text(w, rill_ref_method(), "substeps", "0"));
    const rill_fluid_id water = add_water(w);
    ok(w, rill_world_set_number(w, rill_ref_fluid(water), "surface_tension", 0));
    rill_cloth_def def = sheet_def((rill_vec){0}, (rill_vec){0.8f, 0, 0}, (rill_vec){0, 0.8f, 0});
    def.mass = 0.5f, def.stretch = 2000, def.thickness = 0.004f, def.damping = 1;
    const rill_cloth_id cloth = add_cloth(w, &def);
    rill_pin_id pins[4];
    pins[0] = add_pin(w, (rill_vec){0}, (rill_vec){0.8f, 0, 0});
    pins[1] = add_pin(w, (rill_vec){0, 0.8f, 0}, (rill_vec){0.8f, 0.8f, 0});
    pins[2] = add_pin(w, (rill_vec){0}, (rill_vec){0, 0.8f, 0});
    pins[3] = add_pin(w, (rill_vec){0.8f, 0, 0}, (rill_vec){0.8f, 0.8f, 0});
    const int all = add_box(w, (rill_vec){0.24f, 0.24f, 0.024f}, (rill_vec){0.56f, 0.56f, 0.344f});
    rill_gauge_id gauges[4];
    for (int k = 0; k < 4; k++) {
        rill_gauge_def gauge = rill_gauge_def_default();
        gauge.kind = RILL_GAUGE_PIN_FORCE, gauge.pin = pins[k], gauge.window = 1.0f;
        ok(w, rill_world_add_gauge(w, &gauge, &gauges[k]));
    }
    run(w, 0.01, 200);
    const float low = -(float)read_one(w, RILL_GAUGE_CLOTH_LOWEST, cloth);
    assert_true(low < -0.02f);
    assert_int_equal(count_inside(w, (rill_vec){0.02f, 0.02f, -99}, (rill_vec){0.78f, 0.78f, low}), 0);
    double down = 0;
    for (int k = 0; k < 4; k++) {
        rill_reading force;
        ok(w, rill_world_read_gauge(w, gauges[k], &force));
        down -= force.value[2];
    }
    const double mass = 0.5 * 0.64 + all * 1000 * pow(0.04, 3);
    print_message("bag: %g N of %g N, low %g\n", down, mass * GRAVITY, (double)low);
    assert_near(down, mass * GRAVITY, 0.05 * mass * GRAVITY);
    rill_world_destroy(w);
}

/* ---- itself ---- */

static double cross2(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Positions of the particles by id; ids run along the cloth. */
static int places_by_id(rill_world *w, double (*x)[3], int most) {
    rill_view position, id;
    ok(w, rill_world_view(w, "position", &position));
    ok(w, rill_world_view(w, "id", &id));
    assert_true(position.count <= most);
    for (int i = 0; i < position.count; i++) {
        const int at = (int)((const uint64_t *)id.data)[i];
        for (int k = 0; k < position.components; k++)
            x[at][k] = (double)((const float *)position.data)[i * position.stride + k];
    }
    return position.count;
}

static int crossings_of_a_line(rill_world *w) {
    static double x[200][3];
    const int n = places_by_id(w, x, 200);
    int crossed = 0;
    for (int a = 0; a + 1 < n; a++)
        for (int b = a + 2; b + 1 < n; b++)
            crossed += cross2(x[a], x[a + 1], x[b]) * cross2(x[a], x[a + 1], x[b + 1]) < 0 &&
                       cross2(x[b], x[b + 1], x[a]) * cross2(x[b], x[b + 1], x[a + 1]) < 0;
    return crossed;
}

/* One end of a hanging line is drawn under the other and through it. */
static void a_line_does_not_cross_itself(void **state) {
    (void)state;
    for (int collides = 0; collides < 2; collides++) {
        rill_world *w = make_world(2, 0.02f, 1);
        rill_cloth_def def = sheet_def((rill_vec){0}, (rill_vec){1, 0, 0}, (rill_vec){0});
        def.bend = 1e-3f, def.thickness = 0.01f, def.self_collision = collides, def.damping = 1;
        add_cloth(w, &def);
        add_pin(w, (rill_vec){0}, (rill_vec){0});
        rill_pin_def pin = rill_pin_def_default();
        pin.min = pin.max = (rill_vec){1, 0, 0};
        pin.motion.velocity = (rill_vec){-0.9f, -0.1f, 0}, pin.motion.end_time = 1.4f;
        ok(w, rill_world_add_pin(w, &pin, NULL));
        int crossed = 0;
        for (int k = 0; k < 400; k++) {
            ok(w, rill_world_step(w, 0.004));
            crossed += crossings_of_a_line(w);
        }
        print_message("line: collides %d, crossed %d\n", collides, crossed);
        if (collides)
            assert_int_equal(crossed, 0);
        else
            assert_true(crossed > 0);
        rill_world_destroy(w);
    }
}

static void minus(const float *a, const float *b, double *d) {
    for (int k = 0; k < 3; k++) d[k] = (double)a[k] - (double)b[k];
}

static double volume_of(const double *a, const double *b, const double *c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* True if the edge from p to q passes through the triangle: the corners turn the same way around it, and p and q lie on
   different sides. */
static bool passes(const float *p, const float *q, const float *const t[3]) {
    double a[3], b[3], c[3], along[3], ab[3], ac[3], away[3];
    minus(t[0], p, a), minus(t[1], p, b), minus(t[2], p, c), minus(q, p, along);
    const double u = volume_of(along, a, b), v = volume_of(along, b, c), w = volume_of(along, c, a);
    if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) return false;
    minus(t[1], t[0], ab), minus(t[2], t[0], ac), minus(q, t[0], away);
    for (int k = 0; k < 3; k++) a[k] = -a[k];
    return volume_of(ab, ac, a) * volume_of(ab, ac, away) < 0;
}

static int crossings_of_a_sheet(rill_world *w) {
    rill_frame frame = {0};
    rill_error error = {0};
    assert_int_equal(rill_frame_of_world(&frame, w, &error), RILL_OK);
    const rill_view *x = rill_frame_field(&frame, "position");
    const rill_frame_links *t = &frame.links[0];
    for (int k = 0; k < frame.links_count; k++)
        if (frame.links[k].ends == 3) t = &frame.links[k];
    assert_true(t->ends == 3 && t->count > 100);
    int crossed = 0;
    for (int a = 0; a < t->count; a++)
        for (int b = 0; b < t->count; b++)
            for (int e = 0; e < 3; e++) {
                const int32_t *corner = t->particle + 3 * (size_t)b;
                const int32_t p = t->particle[3 * a + e], q = t->particle[3 * a + (e + 1) % 3];
                bool apart = true;
                const float *at[3];
                for (int k = 0; k < 3; k++) {
                    apart = apart && corner[k] != p && corner[k] != q;
                    at[k] = (const float *)x->data + (size_t)x->stride * (size_t)corner[k];
                }
                crossed += apart && passes((const float *)x->data + (size_t)x->stride * (size_t)p,
                                           (const float *)x->data + (size_t)x->stride * (size_t)q, at);
            }
    rill_frame_free(&frame);
    return crossed;
}

/* A sheet that falls upright onto a floor folds without crossing itself, and gains no energy. */
static void a_folded_sheet_does_not_pass_through_itself(void **state) {
    (void)state;
    int crossed[2] = {0, 0};
    for (int collides = 0; collides < 2; collides++) {
        rill_world *w = make_world(3, 0.03f, 1);
        rill_solid_def floor = rill_solid_def_default();
        floor.shape.kind = RILL_HALF_SPACE, floor.shape.normal = (rill_vec){0, 0, 1};
        ok(w, rill_world_add_solid(w, &floor, NULL));
        rill_cloth_def def = sheet_def((rill_vec){0, 0, 0.02f}, (rill_vec){0.05f, 0, 0.6f}, (rill_vec){0, 0.24f, 0});
        def.bend = 1e-3f, def.thickness = 0.015f, def.self_collision = collides, def.damping = 1;
        const rill_cloth_id cloth = add_cloth(w, &def);
        double energy = 1;
        for (int k = 0; k < 200; k++) {
            ok(w, rill_world_step(w, 0.004));
            if (k % 10 == 0) crossed[collides] += crossings_of_a_sheet(w);
            const double now = read_one(w, RILL_GAUGE_CLOTH_ENERGY, cloth);
            assert_true(now < energy + 1e-4);
            energy = now;
        }
        rill_world_destroy(w);
    }
    print_message("sheet: crossed %d without, %d with\n", crossed[0], crossed[1]);
    assert_true(crossed[0] > 20);
    assert_int_equal(crossed[1], 0);
}

/* ---- solids ---- */

/* On a slope of 20 degrees a sheet stays with friction above its tangent, 0.36, and slides with less. */
static void friction_holds_on_a_slope(void **state) {
    (void)state;
    const float frictions[] = {0.5f, 0.1f};
    const double turn = 20 * 3.14159265358979 / 180;
    for (int k = 0; k < 2; k++) {
        rill_world *w = make_world(3, 0.05f, 1);
        rill_solid_def slope = rill_solid_def_default();
        slope.shape.kind = RILL_HALF_SPACE;
        slope.shape.normal = (rill_vec){(float)sin(turn), 0, (float)cos(turn)};
        ok(w, rill_world_add_solid(w, &slope, NULL));
        const float half = 0.005f / (float)cos(turn);
        rill_cloth_def def =
            sheet_def((rill_vec){0, 0, half}, (rill_vec){0.4f * (float)cos(turn), 0, -0.4f * (float)sin(turn)},
                      (rill_vec){0, 0.4f, 0});
        def.thickness = 0.01f, def.friction = frictions[k], def.stretch = 2000;
        const rill_cloth_id cloth = add_cloth(w, &def);
        const double before = read_one(w, RILL_GAUGE_CLOTH_CENTRE, cloth);
        run(w, 0.004, 125);
        const double moved = (read_one(w, RILL_GAUGE_CLOTH_CENTRE, cloth) - before) / cos(turn);
        const double slides = 0.5 * GRAVITY * (sin(turn) - (double)frictions[k] * cos(turn)) * 0.25;
        print_message("slope: friction %g moved %g, expected %g\n", (double)frictions[k], moved, fmax(slides, 0));
        assert_near(moved, fmax(slides, 0), 0.02);
        rill_world_destroy(w);
    }
}

/* A sheet that falls onto a body lies on it and presses on it with its weight. */
static void a_body_carries_a_sheet(void **state) {
    (void)state;
    rill_world *w = make_world(3, 0.05f, 1);
    add_floor(w);
    rill_body_def box = rill_body_def_default();
    box.shape.min = (rill_vec){0, 0, 0}, box.shape.max = (rill_vec){0.5f, 0.5f, 0.2f}, box.density = 100;
    snprintf(box.name, sizeof box.name, "box");
    ok(w, rill_world_add_body(w, &box, NULL));
    rill_cloth_def def = sheet_def((rill_vec){0.1f, 0.1f, 0.25f}, (rill_vec){0.3f, 0, 0}, (rill_vec){0, 0.3f, 0});
    def.thickness = 0.02f, def.mass = 5;
    const rill_cloth_id cloth = add_cloth(w, &def);
    rill_gauge_def gauge = rill_gauge_def_default();
    gauge.kind = RILL_GAUGE_FORCE, gauge.window = 0.3f;
    snprintf(gauge.solid_name, sizeof gauge.solid_name, "box");
    rill_gauge_id id;
    ok(w, rill_world_add_gauge(w, &gauge, &id));
    run(w, 0.004, 250);
    rill_reading force;
    ok(w, rill_world_read_gauge(w, id, &force));
    print_message("body: %g %g %g\n", force.value[0], force.value[1], force.value[2]);
    assert_near(-read_one(w, RILL_GAUGE_CLOTH_LOWEST, cloth), 0.21, 0.003);
    assert_near(force.value[2], -0.09 * 5 * GRAVITY, 0.05 * 0.09 * 5 * GRAVITY);
    rill_world_destroy(w);
}

/* ---- tears ---- */

/* A sheet that is torn keeps its particles, and its far pin carries nothing; with a larger tear strain it stays
   whole. */
static void a_torn_sheet_keeps_its_mass(void **state) {
    (void)state;
    for (int tears = 0; tears < 2; tears++) {
        rill_world *w = make_world(3, 0.05f, 1);
        ok(w, rill_world_set_vec(w, rill_ref_world(), "gravity", (rill_vec){0}));
        rill_cloth_def def = sheet_def((rill_vec){0}, (rill_vec){0.6f, 0, 0}, (rill_vec){0, 0.3f, 0});
        def.tear = tears ? 0.1f : 0.5f, def.damping = 5;
        const rill_cloth_id cloth = add_cloth(w, &def);
        add_pin(w, (rill_vec){0}, (rill_vec){0, 0.3f, 0});
        rill_pin_def pin = rill_pin_def_default();
        pin.min = (rill_vec){0.6f, 0, 0}, pin.max = (rill_vec){0.6f, 0.3f, 0};
        pin.motion.velocity = (rill_vec){0.3f, 0, 0}, pin.motion.end_time = 0.6f;
        rill_pin_id end;
        ok(w, rill_world_add_pin(w, &pin, &end));
        const int particles = rill_world_particle_count(w);
        run(w, 0.004, 250);
        assert_int_equal(rill_world_particle_count(w), particles);
        const double force = read_cloth(w, RILL_GAUGE_PIN_FORCE, cloth, end).value[0];
        print_message("torn %d: force %g area %g\n", tears, force, read_one(w, RILL_GAUGE_CLOTH_AREA, cloth));
        if (tears)
            assert_near(force, 0, 0.5);
        else
            assert_near(force, -1000 * 0.3 * 0.3, 0.05 * 90); /* stretch, strain, width */
        rill_world_destroy(w);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_falls_as_fast_as_air_lets_it),
        cmocka_unit_test(wind_presses_on_pins),
        cmocka_unit_test(water_seeps_by_darcys_law),
        cmocka_unit_test(a_tight_sheet_holds_all),
        cmocka_unit_test(a_line_does_not_cross_itself),
        cmocka_unit_test(friction_holds_on_a_slope),
        cmocka_unit_test(a_body_carries_a_sheet),
        cmocka_unit_test(a_torn_sheet_keeps_its_mass),
    };
    const struct CMUnitTest long_tests[] = {
        cmocka_unit_test(a_hanging_sheet_holds_water),
        cmocka_unit_test(a_folded_sheet_does_not_pass_through_itself),
    };
    choose_cloth_method(argc, argv);
    return getenv("RILL_LONG") ? cmocka_run_group_tests(long_tests, NULL, NULL)
                               : cmocka_run_group_tests(tests, NULL, NULL);
}
