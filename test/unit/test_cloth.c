/* SPDX-License-Identifier: MIT */
/* Cloth: hangs as theory says at any step and resolution, holds water, tears, carries bodies, and is refused where it
   cannot be. */
#include "unit/cloths.h"

/* A sheet that hangs by its upper edge is longer by rho g L^2 / (2 stretch), at any spacing and step. */
static void stretch_is_in_newtons_per_metre(void **state) {
    (void)state;
    const double expected = 1.0 * GRAVITY / (2 * 200.0);
    const float spacings[] = {0.1f, 0.05f};
    const double steps[] = {0.002, 0.008};
    for (int k = 0; k < 4; k++) {
        rill_world *w = make_world(3, spacings[k / 2], 1);
        rill_cloth_def def = sheet_def((rill_vec){0, 0, -1}, (rill_vec){0.3f, 0, 0}, (rill_vec){0, 0, 1});
        def.mass = 1, def.stretch = 200, def.damping = 10;
        const rill_cloth_id cloth = add_cloth(w, &def);
        const rill_pin_id pin = add_pin(w, (rill_vec){0, 0, 0}, (rill_vec){1, 0, 0});
        run(w, steps[k % 2], (int)(2.0 / steps[k % 2]));
        assert_near(read_one(w, RILL_GAUGE_CLOTH_LOWEST, cloth) - 1, expected, 0.03 * expected);
        assert_near(read_cloth(w, RILL_GAUGE_PIN_FORCE, cloth, pin).value[2], -0.3 * GRAVITY, 0.003 * GRAVITY);
        rill_world_destroy(w);
    }
}

/* A line that is clamped at one end bends down by rho g L^4 / (8 bend). The first free bend also covers the half
   spacing before its particle, where the clamp begins. */
static void bend_is_in_newton_metres(void **state) {
    (void)state;
    const float spacings[] = {0.05f, 0.025f};
    const double steps[] = {0.002, 0.008};
    for (int k = 0; k < 4; k++) {
        const float dx = spacings[k / 2];
        rill_world *w = make_world(2, dx, 1);
        rill_cloth_def def = sheet_def((rill_vec){-dx, 0, 0}, (rill_vec){0.5f + dx, 0, 0}, (rill_vec){0});
        def.mass = 0.2f, def.bend = 1, def.stretch = 1e5f, def.damping = 20;
        const rill_cloth_id cloth = add_cloth(w, &def);
        add_pin(w, (rill_vec){-dx, 0, 0}, (rill_vec){0.1f * dx, 0, 0});
        run(w, steps[k % 2], (int)(2.0 / steps[k % 2]));
        const double length = 0.5 + 0.5 * (double)dx, expected = 0.2 * GRAVITY * pow(length, 4) / 8;
        assert_near(read_one(w, RILL_GAUGE_CLOTH_LOWEST, cloth), expected, 0.03 * expected);
        rill_world_destroy(w);
    }
}

/* A line of length 1.2 between pins 1 apart hangs as a catenary of parameter a: 2 a sinh(1/(2 a)) = 1.2. */
static void a_line_hangs_as_a_catenary(void **state) {
    (void)state;
    double a = 0.5;
    for (int k = 0; k < 60; k++) a += 2 * a * sinh(0.5 / a) > 1.2 ? 1e-2 * pow(0.8, k) : -1e-2 * pow(0.8, k);
    rill_world *w = make_world(2, 0.02f, 1);
    rill_cloth_def def = sheet_def((rill_vec){0, 0, 0}, (rill_vec){1.2f, 0, 0}, (rill_vec){0});
    def.stretch = 1e4f, def.bend = 0, def.damping = 3;
    const rill_cloth_id cloth = add_cloth(w, &def);
    rill_pin_def pin = rill_pin_def_default();
    const rill_pin_id left = add_pin(w, pin.min, pin.max);
    pin.min = pin.max = (rill_vec){1.2f, 0, 0};
    pin.motion.velocity = (rill_vec){-0.2f, 0, 0}, pin.motion.end_time = 1;
    ok(w, rill_world_add_pin(w, &pin, NULL));
    run(w, 0.004, 1000);
    assert_near(read_one(w, RILL_GAUGE_CLOTH_LOWEST, cloth), a * (cosh(0.5 / a) - 1), 0.002);
    const rill_reading force = read_cloth(w, RILL_GAUGE_PIN_FORCE, cloth, left);
    assert_near(force.value[1], -0.6 * 0.2 * GRAVITY, 0.02);
    assert_near(force.value[0], 0.2 * GRAVITY * a, 0.03);
    rill_world_destroy(w);
}

/* Water that falls into a sheet hung by its edges stays above it. */
static void a_sheet_holds_water(void **state) {
    (void)state;
    rill_world *w = make_world(2, 0.03f, 1);
    const rill_fluid_id water = add_water(w);
    ok(w, rill_world_set_number(w, rill_ref_fluid(water), "surface_tension", 0));
    rill_cloth_def def = sheet_def((rill_vec){-0.6f, 0, 0}, (rill_vec){1.2f, 0, 0}, (rill_vec){0});
    def.stretch = 2e4f, def.damping = 2;
    const rill_cloth_id cloth = add_cloth(w, &def);
    for (int side = -1; side <= 1; side += 2) {
        rill_pin_def pin = rill_pin_def_default();
        pin.min = pin.max = (rill_vec){0.6f * (float)side, 0, 0};
        pin.motion.velocity = (rill_vec){-0.6f * (float)side, 0, 0}, pin.motion.end_time = 0.5f;
        ok(w, rill_world_add_pin(w, &pin, NULL));
    }
    run(w, 0.004, 200);
    const int added = add_box(w, (rill_vec){-0.12f, -0.25f, 0}, (rill_vec){0.12f, 0.05f, 0});
    assert_true(added > 60);
    for (int k = 0; k < 300; k++) {
        ok(w, rill_world_step(w, 0.004));
        const float low = -(float)read_one(w, RILL_GAUGE_CLOTH_LOWEST, cloth);
        rill_gauge_def count = rill_gauge_def_default();
        count.kind = RILL_GAUGE_COUNT, count.in_region = true;
        count.min = (rill_vec){-9, -9, 0}, count.max = (rill_vec){9, low, 0};
        rill_gauge_id id;
        rill_reading below;
        ok(w, rill_world_add_gauge(w, &count, &id));
        ok(w, rill_world_read_gauge(w, id, &below));
        ok(w, rill_world_remove_gauge(w, id));
        assert_true(below.value[0] == 0);
    }
    rill_world_destroy(w);
}

/* A line that is pulled apart tears, and is whole at a tear strain that it does not reach. */
static void what_is_strained_tears(void **state) {
    (void)state;
    for (int tears = 0; tears < 2; tears++) {
        rill_world *w = make_world(2, 0.05f, 1);
        rill_cloth_def def = sheet_def((rill_vec){0}, (rill_vec){1, 0, 0}, (rill_vec){0});
        def.tear = tears ? 0.1f : 0.9f;
        const rill_cloth_id cloth = add_cloth(w, &def);
        add_pin(w, (rill_vec){0}, (rill_vec){0});
        rill_pin_def pin = rill_pin_def_default();
        pin.min = pin.max = (rill_vec){1, 0, 0};
        pin.motion.velocity = (rill_vec){0.5f, 0, 0}, pin.motion.end_time = 0.6f;
        ok(w, rill_world_add_pin(w, &pin, NULL));
        run(w, 0.004, 160);
        if (tears)
            assert_true(read_one(w, RILL_GAUGE_CLOTH_AREA, cloth) < 1.0);
        else
            assert_near(read_one(w, RILL_GAUGE_CLOTH_AREA, cloth), 1.3, 0.02);
        rill_world_destroy(w);
    }
}

/* A rope carries a body: the pin at its other end holds the weight of both. */
static void a_rope_carries_a_body(void **state) {
    (void)state;
    rill_world *w = make_world(3, 0.05f, 1);
    rill_body_def box = rill_body_def_default();
    box.shape.min = (rill_vec){-0.1f, -0.1f, -1.2f}, box.shape.max = (rill_vec){0.1f, 0.1f, -1.0f};
    box.density = 500, box.linear_damping = 1;
    rill_body_id body;
    ok(w, rill_world_add_body(w, &box, &body));
    rill_cloth_def rope = rill_cloth_def_default();
    rope.kind = RILL_CLOTH_ROPE, rope.edge_a = (rill_vec){0, 0, -1}, rope.width = 0.01f;
    rope.stretch = 2e5f, rope.mass = 10, rope.damping = 5;
    const rill_cloth_id cloth = add_cloth(w, &rope);
    const rill_pin_id top = add_pin(w, (rill_vec){0}, (rill_vec){0});
    rill_pin_def end = rill_pin_def_default();
    end.body = body, end.min = end.max = (rill_vec){0, 0, -1};
    ok(w, rill_world_add_pin(w, &end, NULL));
    run(w, 0.002, 1500);
    double force = 0;
    for (int k = 0; k < 50; k++) force += read_cloth(w, RILL_GAUGE_PIN_FORCE, cloth, top).value[2] / 50;
    const double weight = (500 * 0.2 * 0.2 * 0.2 + 10 * 0.01) * GRAVITY;
    assert_near(force, -weight, 0.05 * weight);
    rill_world_destroy(w);
}

/* A sheet that has fallen onto a floor stays on it and presses on it with its weight. */
static void a_floor_feels_the_weight(void **state) {
    (void)state;
    rill_world *w = make_world(3, 0.05f, 1);
    const rill_solid_id solid = add_floor(w);
    rill_cloth_def def = sheet_def((rill_vec){0, 0, 0.05f}, (rill_vec){0.5f, 0, 0}, (rill_vec){0, 0.5f, 0});
    def.thickness = 0.02f;
    const rill_cloth_id cloth = add_cloth(w, &def);
    rill_gauge_def gauge = rill_gauge_def_default();
    gauge.kind = RILL_GAUGE_FORCE, gauge.solid = solid, gauge.window = 0.2f;
    rill_gauge_id id;
    ok(w, rill_world_add_gauge(w, &gauge, &id));
    run(w, 0.004, 200);
    rill_reading force;
    ok(w, rill_world_read_gauge(w, id, &force));
    assert_near(force.value[2], -0.25 * 0.2 * GRAVITY, 0.05 * 0.25 * 0.2 * GRAVITY);
    assert_near(read_one(w, RILL_GAUGE_CLOTH_LOWEST, cloth), -0.01, 0.001);
    rill_world_destroy(w);
}

static void expect_refused(rill_world *w, rill_status status, const char *words) {
    assert_true(status != RILL_OK);
    assert_non_null(strstr(rill_world_message(w), words));
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    const rill_cloth_def def = sheet_def((rill_vec){0}, (rill_vec){1, 0, 0}, (rill_vec){0, 1, 0});
    rill_world_def world = small_def(2, "wcsph");
    rill_world *w = create(&world);
    expect_refused(w, rill_world_add_cloth(w, &def, NULL), "does not support cloth");
    assert_int_equal(rill_world_cloth_count(w), 0);
    rill_world_destroy(w);
    world = small_def(2, cloth_method);
    world.periodic = (rill_vec){1, 0, 0};
    w = create(&world);
    expect_refused(w, rill_world_add_cloth(w, &def, NULL), "periodic");
    rill_world_destroy(w);
    w = make_world(3, 0.05f, 1);
    rill_cloth_def flat = def;
    flat.edge_b = (rill_vec){2, 0, 0};
    expect_refused(w, rill_world_add_cloth(w, &flat, NULL), "parallel");
    flat.kind = RILL_CLOTH_MESH;
    expect_refused(w, rill_world_add_cloth(w, &flat, NULL), "three for each triangle");
    const rill_vec line[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    flat.points = (rill_points){line, 3};
    const uint64_t before = rill_world_hash(w);
    expect_refused(w, rill_world_add_cloth(w, &flat, NULL), "has no area");
    assert_true(rill_world_hash(w) == before);
    const rill_pin_def pin = rill_pin_def_default();
    expect_refused(w, rill_world_add_pin(w, &pin, NULL), "add a cloth first");
    ok(w, rill_world_add_cloth(w, &def, NULL));
    rill_pin_def aside = pin;
    aside.min = aside.max = (rill_vec){5, 5, 5};
    expect_refused(w, rill_world_add_pin(w, &aside, NULL), "no free particle");
    expect_refused(w, rill_world_set_method(w, "dfsph"), "keeps its method");
    rill_world_destroy(w);
}

/* Two triangles of a mesh share an edge: four particles, and the whole area. */
static void corners_of_a_mesh_meet(void **state) {
    (void)state;
    rill_world *w = make_world(3, 0.5f, 1);
    rill_vec corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}};
    rill_cloth_def def = rill_cloth_def_default();
    def.kind = RILL_CLOTH_MESH, def.points = (rill_points){corners, 6}, def.mass = 2;
    const rill_cloth_id cloth = add_cloth(w, &def);
    const rill_pin_id pin = add_pin(w, (rill_vec){0, 0, 0}, (rill_vec){0, 1, 0});
    assert_int_equal(rill_world_particle_count(w), 4);
    assert_near(read_cloth(w, RILL_GAUGE_CLOTH_AREA, cloth, pin).value[0], 1, 1e-6);
    assert_near(read_cloth(w, RILL_GAUGE_CLOTH_CENTRE, cloth, pin).value[0], 0.5, 1e-6);
    run(w, 0.002, 10);
    rill_world_destroy(w);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretch_is_in_newtons_per_metre), cmocka_unit_test(bend_is_in_newton_metres),
        cmocka_unit_test(a_line_hangs_as_a_catenary),      cmocka_unit_test(a_sheet_holds_water),
        cmocka_unit_test(what_is_strained_tears),          cmocka_unit_test(a_rope_carries_a_body),
        cmocka_unit_test(a_floor_feels_the_weight),        cmocka_unit_test(corners_of_a_mesh_meet),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    choose_cloth_method(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
