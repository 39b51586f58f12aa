/* SPDX-License-Identifier: MIT */
/* Joints as machines need them: springs, stops, friction and gears against their exact motion; masks against solids;
   emitters and sinks that ride on bodies. */
#include "unit/worlds.h"

#include <math.h>

#define PI 3.14159265358979

static rill_world *machine(int dim, double gravity) {
    rill_world_def def = small_def(dim, "pbf");
    def.gravity = dim == 2 ? (rill_vec){0, (float)-gravity, 0} : (rill_vec){0, 0, (float)-gravity};
    return create(&def);
}

static rill_body_id add_bar(rill_world *w, const char *name, rill_vec min, rill_vec max) {
    rill_body_def def = rill_body_def_default();
    snprintf(def.name, sizeof def.name, "%s", name);
    def.shape.min = min, def.shape.max = max;
    def.sleeps = false;
    rill_body_id id;
    ok(w, rill_world_add_body(w, &def, &id));
    return id;
}

/* A box of 0.2 m with its centre at the origin. */
static rill_body_id add_cube(rill_world *w, const char *name) {
    return add_bar(w, name, (rill_vec){-0.1f, -0.1f, -0.1f}, (rill_vec){0.1f, 0.1f, 0.1f});
}

static rill_joint_def joint_on(const char *body, rill_joint_kind kind, rill_vec axis) {
    rill_joint_def def = rill_joint_def_default();
    snprintf(def.a_name, sizeof def.a_name, "%s", body);
    def.kind = (int32_t)kind;
    def.axis = axis;
    return def;
}

static rill_joint_id add_joint(rill_world *w, const rill_joint_def *def) {
    rill_joint_id id;
    ok(w, rill_world_add_joint(w, def, &id));
    return id;
}

static double position(rill_world *w, rill_joint_id id) {
    rill_joint_state state;
    ok(w, rill_world_joint_state(w, id, &state));
    return (double)state.position;
}

static rill_body_state state_of(rill_world *w, rill_body_id id) {
    rill_body_state state;
    ok(w, rill_world_body_state(w, id, &state));
    return state;
}

static double inertia_about(rill_world *w, rill_body_id id, int dim) {
    const rill_vec inertia = state_of(w, id).inertia;
    return (double)(dim == 2 ? inertia.z : inertia.y);
}

/* Time of the first upward passage through `level`, linear between steps. */
static double passage(rill_world *w, rill_joint_id id, double level, double dt, int most) {
    double before = position(w, id);
    for (int k = 1; k <= most; k++) {
        ok(w, rill_world_step(w, dt));
        const double now = position(w, id);
        if (before < level && now >= level) return dt * (k - 1 + (level - before) / (now - before));
        before = now;
    }
    return -1;
}

/* A hinge and a slider swing about their rest with the period of their stiffness. */
static void springs_swing(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        for (int slides = 0; slides < 2; slides++) {
            rill_world *w = machine(dim, 0);
            const rill_body_id cube = add_cube(w, "cube");
            const rill_vec axis = slides ? (rill_vec){1, 0, 0} : (rill_vec){0, 1, 0};
            rill_joint_def def = joint_on("cube", slides ? RILL_JOINT_SLIDER : RILL_JOINT_HINGE, axis);
            const double mass = slides ? (double)state_of(w, cube).mass : inertia_about(w, cube, dim);
            const double period = 0.8, omega = 2 * PI / period;
            def.stiffness = (float)(mass * omega * omega);
            def.rest = 0.1f;
            const rill_joint_id id = add_joint(w, &def);
            const double first = passage(w, id, 0.1, 1.0 / 240, 400), more = passage(w, id, 0.1, 1.0 / 240, 400);
            assert_true(fabs(first - 0.25 * period) < 0.01 * period);
            assert_true(fabs(first + more - 1.25 * period) < 0.02 * period || fabs(more - period) < 0.02 * period);
            rill_world_destroy(w);
        }
    }
}

/* A damper alone: v = v0 exp(-c t/m). */
static void dampers_slow_down(void **state) {
    (void)state;
    rill_world *w = machine(2, 0);
    const rill_body_id cube = add_cube(w, "cube");
    rill_joint_def def = joint_on("cube", RILL_JOINT_SLIDER, (rill_vec){1, 0, 0});
    def.damping = 2 * state_of(w, cube).mass;
    add_joint(w, &def);
    ok(w, rill_world_body_set_velocity(w, cube, (rill_vec){1, 0, 0}, (rill_vec){0, 0, 0}));
    for (int k = 0; k < 240; k++) ok(w, rill_world_step(w, 1.0 / 240));
    assert_true(fabs((double)state_of(w, cube).velocity.x - exp(-2)) < 0.01 * exp(-2));
    rill_world_destroy(w);
}

/* Coulomb friction in a joint: deceleration F/m to a full stop, and no motion below the bound. */
static void joints_rub(void **state) {
    (void)state;
    rill_world *w = machine(2, 0);
    const rill_body_id cube = add_cube(w, "cube");
    const double mass = (double)state_of(w, cube).mass;
    rill_joint_def def = joint_on("cube", RILL_JOINT_SLIDER, (rill_vec){1, 0, 0});
    def.friction = (float)(2 * mass);
    const rill_joint_id id = add_joint(w, &def);
    ok(w, rill_world_body_set_velocity(w, cube, (rill_vec){1, 0, 0}, (rill_vec){0, 0, 0}));
    for (int k = 0; k < 120; k++) ok(w, rill_world_step(w, 1.0 / 120));
    assert_true(fabs(position(w, id) - 0.25) < 0.01); /* v^2/(2 a) */
    const double rest = position(w, id);
    for (int k = 0; k < 60; k++) {
        ok(w, rill_world_body_apply_force(w, cube, (rill_vec){(float)(1.9 * mass), 0, 0}, NULL));
        ok(w, rill_world_step(w, 1.0 / 120));
    }
    assert_true(fabs(position(w, id) - rest) < 1e-5);
    for (int k = 0; k < 60; k++) {
        ok(w, rill_world_body_apply_force(w, cube, (rill_vec){(float)(2.2 * mass), 0, 0}, NULL));
        ok(w, rill_world_step(w, 1.0 / 120));
    }
    assert_true(fabs(position(w, id) - rest - 0.5 * 0.2 * 0.25) < 0.001);
    rill_world_destroy(w);
}

/* A hard stop holds at its limit; a soft one yields by weight over stiffness. */
static void limits_give_way(void **state) {
    (void)state;
    for (int soft = 0; soft < 2; soft++) {
        rill_world *w = machine(2, 10);
        const rill_body_id cube = add_cube(w, "cube");
        const double mass = (double)state_of(w, cube).mass, k = 2000 * mass;
        rill_joint_def def = joint_on("cube", RILL_JOINT_SLIDER, (rill_vec){0, 1, 0});
        def.limited = true, def.lower = -0.1f, def.upper = 1;
        if (soft) def.limit_stiffness = (float)k, def.limit_damping = (float)(60 * mass);
        const rill_joint_id id = add_joint(w, &def);
        double lowest = 0;
        for (int n = 0; n < 480; n++) {
            ok(w, rill_world_step(w, 1.0 / 240));
            lowest = fmin(lowest, position(w, id));
        }
        const double gives = soft ? 10.0 / 2000 : 0;
        assert_true(fabs(position(w, id) + 0.1 + gives) < 0.0005);
        if (soft ? lowest > -0.11 : lowest < -0.101)
            fail_msg("lowest %g", lowest); /* the cube falls onto it at 1.4 m/s, 6 mm a step */
        rill_world_destroy(w);
    }
}

/* Two wheels and a rack: speeds are in the ratios of the gears, and a torque on the first wheel moves the inertia of
   all. */
static void gears_turn(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = machine(dim, 0);
        const rill_body_id a = add_cube(w, "a");
        const rill_vec apart = {0.5f, 0, 0};
        const rill_body_id b = add_bar(w, "b", (rill_vec){0.4f, -0.1f, -0.1f}, (rill_vec){0.6f, 0.1f, 0.1f});
        const rill_body_id rack = add_bar(w, "rack", (rill_vec){1, 0, 0}, (rill_vec){1.2f, 0.2f, 0.2f});
        rill_joint_def def = joint_on("a", RILL_JOINT_HINGE, (rill_vec){0, 1, 0});
        snprintf(def.name, sizeof def.name, "first");
        const rill_joint_id first = add_joint(w, &def);
        def = joint_on("b", RILL_JOINT_HINGE, (rill_vec){0, 1, 0});
        snprintf(def.name, sizeof def.name, "second");
        def.anchor = apart;
        const rill_joint_id second = add_joint(w, &def);
        def = joint_on("rack", RILL_JOINT_SLIDER, (rill_vec){1, 0, 0});
        snprintf(def.name, sizeof def.name, "third");
        const rill_joint_id third = add_joint(w, &def);
        rill_joint_def gear = rill_joint_def_default();
        gear.kind = RILL_JOINT_GEAR;
        gear.joint_a = first, gear.joint_b = second, gear.ratio = -3;
        const rill_joint_id teeth = add_joint(w, &gear);
        gear = rill_joint_def_default();
        gear.kind = RILL_JOINT_GEAR;
        snprintf(gear.joint_a_name, sizeof gear.joint_a_name, "third");
        snprintf(gear.joint_b_name, sizeof gear.joint_b_name, "second");
        gear.ratio = 0.1f;
        add_joint(w, &gear);
        /* Inertia that the torque on the first wheel has to move: the others' is reduced by the squares of the
           ratios. */
        const double own = inertia_about(w, a, dim), other = inertia_about(w, b, dim),
                     mass = (double)state_of(w, rack).mass;
        const double reduced = own + other / 9 + mass * 0.01 / 9;
        for (int k = 0; k < 120; k++) {
            const float torque = (float)reduced;
            ok(w, rill_world_body_apply_torque(w, a, dim == 2 ? (rill_vec){0, 0, torque} : (rill_vec){0, torque, 0}));
            ok(w, rill_world_step(w, 1.0 / 120));
        }
        rill_joint_state one, two, three;
        ok(w, rill_world_joint_state(w, first, &one));
        ok(w, rill_world_joint_state(w, second, &two));
        ok(w, rill_world_joint_state(w, third, &three));
        assert_true(fabs((double)one.speed - 1) < 0.01);
        assert_true(fabs((double)one.position + 3 * (double)two.position) < 1e-4);
        assert_true(fabs((double)three.position - 0.1 * (double)two.position) < 1e-4);
        /* The gear is removed with its joint. */
        ok(w, rill_world_remove_joint(w, second));
        assert_false(rill_world_joint_is_valid(w, teeth));
        assert_int_equal(rill_world_joint_count(w), 2);
        rill_world_destroy(w);
    }
}

static void wrong_gears_are_refused(void **state) {
    (void)state;
    rill_world *w = machine(2, 0);
    add_cube(w, "a");
    add_bar(w, "b", (rill_vec){0.4f, -0.1f, 0}, (rill_vec){0.6f, 0.1f, 0});
    rill_joint_def def = joint_on("a", RILL_JOINT_HINGE, (rill_vec){0, 0, 1});
    const rill_joint_id first = add_joint(w, &def);
    snprintf(def.b_name, sizeof def.b_name, "b");
    const rill_joint_id on_b = add_joint(w, &def);
    rill_joint_def gear = rill_joint_def_default();
    gear.kind = RILL_JOINT_GEAR;
    gear.joint_a = first;
    assert_int_equal(rill_world_add_joint(w, &gear, NULL), RILL_NOT_FOUND);
    gear.joint_b = on_b;
    assert_int_equal(rill_world_add_joint(w, &gear, NULL), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "which moves"));
    gear.joint_b = first;
    assert_int_equal(rill_world_add_joint(w, &gear, NULL), RILL_INVALID);
    gear.ratio = 0;
    assert_int_equal(rill_world_add_joint(w, &gear, NULL), RILL_INVALID);
    rill_world_destroy(w);
}

/* Gauges of a joint read its position and speed in free fall. */
static void gauges_follow(void **state) {
    (void)state;
    rill_world *w = machine(2, 10);
    add_cube(w, "cube");
    const rill_joint_def def = joint_on("cube", RILL_JOINT_SLIDER, (rill_vec){0, 1, 0});
    const rill_joint_id id = add_joint(w, &def);
    rill_gauge_def gauge = rill_gauge_def_default();
    rill_gauge_id place, speed;
    gauge.kind = RILL_GAUGE_JOINT_POSITION, gauge.joint = id;
    ok(w, rill_world_add_gauge(w, &gauge, &place));
    gauge.kind = RILL_GAUGE_JOINT_SPEED;
    ok(w, rill_world_add_gauge(w, &gauge, &speed));
    for (int k = 0; k < 120; k++) ok(w, rill_world_step(w, 1.0 / 240));
    rill_reading reading;
    ok(w, rill_world_read_gauge(w, place, &reading));
    assert_true(fabs(reading.value[0] + 0.5 * 10 * 0.25) < 0.02);
    ok(w, rill_world_read_gauge(w, speed, &reading));
    assert_true(fabs(reading.value[0] + 5) < 0.05);
    rill_world_destroy(w);
}

/* A body falls through a floor that is in no layer of its mask, and lies on one that shares a bit with it. */
static void masks_hold_solids(void **state) {
    (void)state;
    for (int mask = 0; mask < 4; mask++) {
        rill_world *w = machine(2, 10);
        rill_solid_def floor = rill_solid_def_default();
        floor.shape.kind = RILL_HALF_SPACE;
        floor.shape.position = (rill_vec){0, -0.1f, 0};
        floor.layer = mask < 3 ? 2 : 65535;
        ok(w, rill_world_add_solid(w, &floor, NULL));
        rill_body_def def = rill_body_def_default();
        def.shape.min = (rill_vec){-0.1f, -0.1f, 0}, def.shape.max = (rill_vec){0.1f, 0.1f, 0};
        def.mask = mask;
        rill_body_id id;
        ok(w, rill_world_add_body(w, &def, &id));
        for (int k = 0; k < 60; k++) ok(w, rill_world_step(w, 1.0 / 120));
        const bool lies = fabs((double)state_of(w, id).position.y) < 1e-3;
        assert_int_equal(lies, mask >= 2);
        rill_world_destroy(w);
    }
}

/* Two boxes that were put into each other separate at a speed that their overlap bounds, not the step. */
static void overlaps_part_gently(void **state) {
    (void)state;
    for (int n = 1; n <= 16; n *= 4) {
        rill_world *w = machine(2, 0);
        add_bar(w, "a", (rill_vec){0, 0, 0}, (rill_vec){0.5f, 0.5f, 0});
        const rill_body_id b = add_bar(w, "b", (rill_vec){0.3f, 0, 0}, (rill_vec){0.8f, 0.5f, 0});
        double fastest = 0;
        for (int k = 0; k < 60 * n; k++) {
            ok(w, rill_world_step(w, 1.0 / (60 * n)));
            fastest = fmax(fastest, fabs((double)state_of(w, b).velocity.x));
        }
        assert_true(fastest > 0.2 && fastest < sqrt(2 * 9.81 * 0.2));
        assert_true((double)state_of(w, b).position.x > 0.55 + 0.09); /* they are apart */
        rill_world_destroy(w);
    }
}

/* A ball flies at a plate of 2 cm, which is a solid or a body; true if it is behind the plate at the end. */
static bool passes_plate(int dim, double speed, int phase, int plate_kind) {
    rill_world *w = machine(dim, 0);
    const float half = dim == 3 ? 3.0f : 0.0f;
    const rill_vec low = {5, -3, -half}, high = {5.02f, 3, half};
    rill_solid_def wall = rill_solid_def_default();
    wall.shape.min = low, wall.shape.max = high;
    rill_body_def plate = rill_body_def_default(), ball = rill_body_def_default();
    plate.shape.min = low, plate.shape.max = high;
    plate.kind = plate_kind == 1 ? RILL_BODY_FIXED : RILL_BODY_DYNAMIC;
    plate.density = 1e5f;
    rill_body_id plate_id, ball_id;
    if (plate_kind == 0) ok(w, rill_world_add_solid(w, &wall, NULL));
    if (plate_kind > 0) ok(w, rill_world_add_body(w, &plate, &plate_id));
    ball.shape.kind = RILL_SPHERE, ball.shape.radius = 0.1f;
    ball.shape.position = (rill_vec){0.31f * (float)phase, 0.1f * (float)phase, 0};
    ball.velocity = (rill_vec){(float)speed, 0, 0};
    ok(w, rill_world_add_body(w, &ball, &ball_id));
    for (int k = 0; k < (int)(8 * 60 / speed) + 20; k++) ok(w, rill_world_step(w, 1.0 / 60));
    const float behind = plate_kind == 2 ? state_of(w, plate_id).position.x : 5.02f;
    const bool passed = state_of(w, ball_id).position.x > behind;
    rill_world_destroy(w);
    return passed;
}

/* A body does not pass a plate, however far it flies in a step. */
static void fast_bodies_stop_at_plates(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int kind = 0; kind < 3; kind++)
            for (double speed = 5; speed < 400; speed *= 1.9)
                for (int phase = 0; phase < 4; phase++) assert_false(passes_plate(dim, speed, phase, kind));
}

/* A ball with a restitution of 1 rises to its height again and again. */
static void full_bounces_keep_the_height(void **state) {
    (void)state;
    for (int rate = 60; rate <= 480; rate *= 2) {
        rill_world *w = machine(2, 9.81);
        rill_solid_def floor = rill_solid_def_default();
        floor.shape.kind = RILL_HALF_SPACE;
        ok(w, rill_world_add_solid(w, &floor, NULL));
        rill_body_def ball = rill_body_def_default();
        ball.shape.kind = RILL_SPHERE, ball.shape.radius = 0.1f;
        ball.shape.position = (rill_vec){0, 1.1f, 0};
        ball.restitution = 1;
        rill_body_id id;
        ok(w, rill_world_add_body(w, &ball, &id));
        double highest = 0;
        for (int k = 0; k < 5 * rate; k++) {
            ok(w, rill_world_step(w, 1.0 / rate));
            if (k > 4 * rate) highest = fmax(highest, (double)state_of(w, id).position.y - 0.1);
        }
        print_message("restitution 1 at 1/%d s: %.4f of the height after five seconds\n", rate, highest);
        assert_true(highest > 0.99 && highest < 1.01);
        rill_world_destroy(w);
    }
}

/* ---- emitters and sinks on bodies ---- */

static double fluid_momentum(rill_world *w, int axis, double *mass) {
    rill_gauge_def gauge = rill_gauge_def_default();
    gauge.kind = RILL_GAUGE_MOMENTUM;
    rill_gauge_id id;
    rill_reading reading;
    ok(w, rill_world_add_gauge(w, &gauge, &id));
    ok(w, rill_world_read_gauge(w, id, &reading));
    ok(w, rill_world_remove_gauge(w, id));
    *mass = 1000 * 0.05 * 0.05 * rill_world_particle_count(w);
    return reading.value[axis];
}

/* A cart with a jet at its back and no fluid around it: momentum of cart and water, as of a rocket. */
static void jets_push_their_body(void **state) {
    (void)state;
    rill_world *w = machine(2, 0);
    add_water(w);
    const rill_body_id cart = add_bar(w, "cart", (rill_vec){0, 0, 0}, (rill_vec){1, 0.4f, 0});
    rill_emitter_def jet = rill_emitter_def_default();
    jet.body = cart;
    jet.position = (rill_vec){-0.05f, 0.2f, 0}, jet.direction = (rill_vec){-1, 0, 0};
    jet.radius = 0.1f, jet.speed = 2;
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    for (int k = 0; k < 120; k++) ok(w, rill_world_step(w, 1.0 / 240));
    double mass;
    const double water = fluid_momentum(w, 0, &mass), speed = (double)state_of(w, cart).velocity.x,
                 body = (double)state_of(w, cart).mass * speed;
    /* 4 particles of 2.5 kg every 25 ms at 2 m/s: 800 N on 400 kg for half a second. */
    assert_true(fabs(speed - 1) < 0.05);
    assert_true(water < 0);
    /* Water that came aboard had the cart's speed at that time: on average half of the present one. */
    assert_true(fabs(water + body - 0.5 * mass * speed) < 0.03 * body);
    rill_world_destroy(w);
}

/* A nozzle on a turning wheel shoots in the direction of the wheel. */
static void nozzles_turn(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = machine(dim, 0);
        add_water(w);
        rill_body_def def = rill_body_def_default();
        def.kind = RILL_BODY_KINEMATIC;
        def.shape.min = (rill_vec){-0.1f, -0.1f, -0.1f}, def.shape.max = (rill_vec){0.1f, 0.1f, 0.1f};
        def.motion.spin = (float)PI;
        rill_body_id wheel;
        ok(w, rill_world_add_body(w, &def, &wheel));
        rill_emitter_def jet = rill_emitter_def_default();
        jet.body = wheel;
        jet.position = (rill_vec){0.2f, 0, 0}, jet.direction = (rill_vec){1, 0, 0};
        jet.radius = 0.025f, jet.speed = 1, jet.start_time = 0.5f, jet.end_time = 0.52f;
        ok(w, rill_world_add_emitter(w, &jet, NULL));
        for (int k = 0; k < 144; k++) ok(w, rill_world_step(w, 1.0 / 240));
        assert_int_equal(rill_world_particle_count(w), 1);
        /* It left a quarter turn after the start, upwards, and with the nozzle's own velocity of 0.2 pi to the left. */
        rill_gauge_def gauge = rill_gauge_def_default();
        rill_gauge_id id;
        rill_reading centre;
        gauge.kind = RILL_GAUGE_CENTRE;
        ok(w, rill_world_add_gauge(w, &gauge, &id));
        ok(w, rill_world_read_gauge(w, id, &centre));
        assert_near(centre.value[1], 0.2 + 0.1, 0.01);
        assert_near(centre.value[0], -0.2 * PI * 0.1, 0.01);
        rill_world_destroy(w);
    }
}

/* A sink on a body that flies through water at rest: every particle that it removes is brought to the body's speed. */
static void sinks_slow_their_body(void **state) {
    (void)state;
    rill_world *w = machine(2, 0);
    const rill_fluid_id water = add_water(w);
    const rill_body_id cart = add_bar(w, "cart", (rill_vec){-1, 0, 0}, (rill_vec){-0.5f, 0.4f, 0});
    rill_sink_def sink = rill_sink_def_default();
    sink.body = cart;
    sink.shape.min = (rill_vec){-0.5f, -0.2f, 0}, sink.shape.max = (rill_vec){-0.2f, 0.6f, 0};
    ok(w, rill_world_add_sink(w, &sink, NULL));
    const rill_vec drops[] = {{0, 0.2f, 0}, {0.5f, 0.15f, 0}, {0.7f, 0.25f, 0}};
    ok(w, rill_world_add_particles(w, water, drops, NULL, 3, NULL));
    ok(w, rill_world_body_set_velocity(w, cart, (rill_vec){2, 0, 0}, (rill_vec){0, 0, 0}));
    for (int k = 0; k < 150; k++) ok(w, rill_world_step(w, 1.0 / 240));
    assert_int_equal(rill_world_particle_count(w), 0);
    const double mass = 200, drop = 2.5;
    assert_near((double)state_of(w, cart).velocity.x, 2 * pow(1 - drop / mass, 3), 1e-4);
    rill_world_destroy(w);
}

/* Emitters and sinks on a body are removed with it. */
static void riders_go_along(void **state) {
    (void)state;
    rill_world *w = machine(2, 0);
    add_water(w);
    const rill_body_id cart = add_cube(w, "cart");
    rill_emitter_def jet = rill_emitter_def_default();
    rill_sink_def sink = rill_sink_def_default();
    jet.body = sink.body = cart;
    rill_emitter_id emitter;
    rill_sink_id drain;
    ok(w, rill_world_add_emitter(w, &jet, &emitter));
    ok(w, rill_world_add_sink(w, &sink, &drain));
    ok(w, rill_world_remove_body(w, cart));
    assert_false(rill_world_emitter_is_valid(w, emitter) || rill_world_sink_is_valid(w, drain));
    ok(w, rill_world_step(w, 0.01));
    assert_int_equal(rill_world_particle_count(w), 0);
    snprintf(jet.body_name, sizeof jet.body_name, "nobody");
    jet.body = (rill_body_id){0};
    assert_int_equal(rill_world_add_emitter(w, &jet, NULL), RILL_NOT_FOUND);
    rill_world_destroy(w);
}

/* The gap of a joint counts only what the joint holds: all directions at a ball joint, not the travel of a slider, not
   a slack rope. */
static void openings_are_told(void **state) {
    (void)state;
    static const struct {
        rill_joint_kind kind;
        bool rope;
        rill_vec moved;
        double open;
    } cases[] = {
        {RILL_JOINT_BALL, false, {0.3f, 0.4f, 0}, 0.5},   {RILL_JOINT_HINGE, false, {0.3f, 0.4f, 0}, 0.5},
        {RILL_JOINT_SLIDER, false, {0.3f, 0.4f, 0}, 0.4}, {RILL_JOINT_FIXED, false, {-0.3f, 0, 0}, 0.3},
        {RILL_JOINT_DISTANCE, false, {-0.3f, 0, 0}, 0.3}, {RILL_JOINT_DISTANCE, true, {0.3f, 0, 0}, 0.3},
        {RILL_JOINT_DISTANCE, true, {-0.3f, 0, 0}, 0},    {RILL_JOINT_SPRING, false, {0.3f, 0, 0}, 0},
    };
    for (int dim = 2; dim <= 3; dim++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            rill_world *w = machine(dim, 0);
            const rill_body_id cube = add_cube(w, "cube");
            rill_joint_def def = joint_on("cube", cases[k].kind, (rill_vec){1, 0, 0});
            def.rope = cases[k].rope;
            def.anchor_b = (rill_vec){-1, 0, 0};
            add_joint(w, &def);
            ok(w, rill_world_step(w, 1e-3));
            assert_true(rill_world_stats(w)->joint_gap < 1e-6);
            ok(w, rill_world_body_set_pose(w, cube, &(rill_pose){.position = cases[k].moved}));
            ok(w, rill_world_step(w, 1e-3));
            /* A joint corrects 4/(1 + 4 * 2) of its error in a step. */
            assert_near(rill_world_stats(w)->joint_gap, cases[k].open * 5 / 9, 1e-3 * cases[k].open);
            rill_world_destroy(w);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_swing),
        cmocka_unit_test(dampers_slow_down),
        cmocka_unit_test(joints_rub),
        cmocka_unit_test(limits_give_way),
        cmocka_unit_test(gears_turn),
        cmocka_unit_test(wrong_gears_are_refused),
        cmocka_unit_test(gauges_follow),
        cmocka_unit_test(masks_hold_solids),
        cmocka_unit_test(overlaps_part_gently),
        cmocka_unit_test(fast_bodies_stop_at_plates),
        cmocka_unit_test(full_bounces_keep_the_height),
        cmocka_unit_test(jets_push_their_body),
        cmocka_unit_test(nozzles_turn),
        cmocka_unit_test(sinks_slow_their_body),
        cmocka_unit_test(riders_go_along),
        cmocka_unit_test(openings_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
