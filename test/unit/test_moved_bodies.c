/* SPDX-License-Identifier: MIT */
/* Bodies that the host moves: forces and impulses on dynamic bodies, poses, velocities and goals. */
#include "rill/game.h"
#include "rill/hosted.h"
#include "unit/worlds.h"

static rill_body_id put(rill_world *w, const char *name, rill_body_kind kind, rill_vec min, rill_vec max) {
    rill_body_def def = rill_body_def_default();
    snprintf(def.name, sizeof def.name, "%s", name);
    def.kind = kind;
    def.shape = box_shape(min, max);
    rill_body_id id;
    ok(w, rill_world_add_body(w, &def, &id));
    return id;
}

static rill_body_state state_of(rill_world *w, rill_body_id id) {
    rill_body_state s;
    ok(w, rill_world_body_state(w, id, &s));
    return s;
}

static rill_world *empty_world(int dim, const char *method) {
    rill_world_def def = small_def(dim, method);
    def.gravity = (rill_vec){0};
    rill_world *w = create(&def);
    add_water(w);
    return w;
}

static rill_vec corner(float x, float y, float z) {
    return (rill_vec){x, y, z};
}

/* A call that cannot act is refused, with the reason. */
static void only_dynamic_bodies_take_forces(void **state) {
    (void)state;
    rill_world *w = empty_world(2, "wcsph");
    const rill_vec v = {1, 0, 0};
    for (int kind = RILL_BODY_KINEMATIC; kind <= RILL_BODY_FIXED; kind++) {
        const char *name = kind == RILL_BODY_FIXED ? "fixed" : "kinematic";
        const rill_body_id id =
            put(w, name, (rill_body_kind)kind, corner(2.0f * (float)kind, 0, 0), corner(2.0f * (float)kind + 1, 1, 0));
        assert_int_equal(rill_world_body_apply_force(w, id, v, NULL), RILL_INVALID);
        assert_non_null(strstr(rill_world_message(w), name));
        assert_non_null(strstr(rill_world_message(w), "dynamic"));
        assert_int_equal(rill_world_body_apply_torque(w, id, v), RILL_INVALID);
        assert_int_equal(rill_world_body_apply_impulse(w, id, v, &v), RILL_INVALID);
        assert_int_equal(rill_world_body_apply_angular_impulse(w, id, v), RILL_INVALID);
        const rill_pose pose = {0};
        if (kind == RILL_BODY_FIXED) {
            assert_int_equal(rill_world_body_set_velocity(w, id, v, v), RILL_INVALID);
            assert_int_equal(rill_world_body_move_to(w, id, &pose), RILL_INVALID);
        }
    }
    const rill_body_id free = put(w, "free", RILL_BODY_DYNAMIC, corner(9, 0, 0), corner(10, 1, 0));
    const rill_pose pose = {0}, wild = {.position = {NAN, 0, 0}};
    assert_int_equal(rill_world_body_move_to(w, free, &pose), RILL_INVALID);
    assert_int_equal(rill_world_body_set_pose(w, free, NULL), RILL_INVALID);
    assert_int_equal(rill_world_body_set_pose(w, free, &wild), RILL_INVALID);
    rill_body_def door = rill_body_def_default();
    door.kind = RILL_BODY_KINEMATIC, door.motion.spin = 1;
    rill_body_id prescribed;
    ok(w, rill_world_add_body(w, &door, &prescribed));
    assert_int_equal(rill_world_body_set_velocity(w, prescribed, v, v), RILL_INVALID);
    assert_int_equal(rill_world_body_set_pose(w, prescribed, &pose), RILL_INVALID);
    assert_int_equal(rill_world_body_move_to(w, prescribed, &pose), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "prescribed"));
    rill_world_destroy(w);
}

static void forces_and_impulses(void **state) {
    (void)state;
    rill_world *w = empty_world(2, "wcsph");
    const rill_body_id id = put(w, "box", RILL_BODY_DYNAMIC, corner(0, 0, 0), corner(0.2f, 0.2f, 0));
    rill_body_state s = state_of(w, id);
    const float mass = s.mass, inertia = s.inertia.z;
    ok(w, rill_world_body_apply_force(w, id, (rill_vec){10 * mass, 0, 0}, NULL)); /* no lever, no spin */
    ok(w, rill_world_body_apply_torque(w, id, (rill_vec){0, 0, 4 * inertia}));
    ok(w, rill_world_step(w, 0.01));
    s = state_of(w, id);
    assert_near(s.velocity.x, 0.1, 1e-6);
    assert_near(s.angular_velocity.z, 0.04, 1e-6);
    ok(w, rill_world_body_apply_impulse(w, id, (rill_vec){-0.1f * mass, 0, 0}, NULL));
    ok(w, rill_world_body_apply_angular_impulse(w, id, (rill_vec){0, 0, -0.04f * inertia}));
    s = state_of(w, id);
    assert_near(s.velocity.x, 0, 1e-6);
    assert_near(s.angular_velocity.z, 0, 1e-6);
    const rill_vec above = {s.position.x, s.position.y + 0.1f, 0};
    ok(w, rill_world_body_apply_impulse(w, id, (rill_vec){mass, 0, 0}, &above));
    s = state_of(w, id);
    assert_near(s.velocity.x, 1, 1e-6);
    assert_near(s.angular_velocity.z, -0.1 * (double)(mass / inertia), 1e-4);
    rill_world_destroy(w);
}

/* A kinematic body keeps its velocity until another is set, whatever the steps. */
static void a_kinematic_body_moves_on_with_its_velocity(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = empty_world(dim, "pbf");
        const rill_body_id id = put(w, "box", RILL_BODY_KINEMATIC, corner(0, 0, 0), corner(0.2f, 0.4f, 0.6f));
        const rill_vec start = state_of(w, id).position;
        ok(w, rill_world_body_set_velocity(w, id, (rill_vec){0.5f, -1, 0}, (rill_vec){0, 0, 2}));
        assert_near(state_of(w, id).velocity.x, 0.5, 0);
        ok(w, rill_world_advance(w, 0.3));
        rill_body_state s = state_of(w, id);
        const double now = rill_world_stats(w)->time;
        assert_near(s.position.x, (double)start.x + 0.5 * now, 1e-6);
        assert_near(s.position.y, (double)start.y - now, 1e-6);
        assert_near(s.quaternion[2], sin(now), 1e-6);
        if (dim == 2) assert_near(s.angle, 2 * now, 1e-6);
        rill_transform t;
        ok(w, rill_world_solid_transform(w, rill_world_body_solid(w, id), &t));
        assert_near(t.centre.x, s.position.x, 1e-6);
        assert_near(t.velocity.y, -1, 0);
        ok(w, rill_world_body_set_velocity(w, id, (rill_vec){0}, (rill_vec){0}));
        ok(w, rill_world_advance(w, 0.1));
        assert_near(state_of(w, id).position.x, s.position.x, 0);
        rill_world_destroy(w);
    }
}

/* A pose holds at once, for states and queries; velocities stay, and a body that slept on it wakes. */
static void a_pose_is_there_at_once(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int kind = RILL_BODY_DYNAMIC; kind <= RILL_BODY_FIXED; kind++) {
            rill_world *w = empty_world(dim, "wcsph");
            const rill_body_id id = put(w, "box", (rill_body_kind)kind, corner(0, 0, 0), corner(1, 0.2f, 0.2f));
            if (kind == RILL_BODY_DYNAMIC)
                ok(w, rill_world_body_set_velocity(w, id, (rill_vec){1, 0, 0}, (rill_vec){0}));
            rill_pose pose = {.position = {5, 5, dim == 3 ? 5.0f : 0}, .angle = 1.5707963f};
            pose.quaternion[2] = pose.quaternion[3] = 3; /* a quarter turn about z, of any length */
            ok(w, rill_world_body_set_pose(w, id, &pose));
            const rill_body_state s = state_of(w, id);
            assert_near(s.position.x, 5, 0);
            assert_near(s.quaternion[2], sqrt(0.5), 1e-6);
            assert_near(s.velocity.x, kind == RILL_BODY_DYNAMIC ? 1 : 0, 0);
            /* It stands upright at the new place, and is no longer at the old one. */
            rill_hit hit;
            int count;
            const float z = pose.position.z;
            ok(w, rill_world_query_point(w, (rill_vec){5, 5.4f, z}, NULL, &hit, 1, &count));
            assert_int_equal(count, 1);
            ok(w, rill_world_query_point(w, (rill_vec){5.4f, 5, z}, NULL, &hit, 1, &count));
            assert_int_equal(count, 0);
            ok(w, rill_world_query_point(w, (rill_vec){0.5f, 0.1f, dim == 3 ? 0.1f : 0}, NULL, &hit, 1, &count));
            assert_int_equal(count, 0);
            ok(w, rill_world_step(w, 0.01));
            assert_near(state_of(w, id).position.x, kind == RILL_BODY_DYNAMIC ? 5.01 : 5, 1e-6);
            rill_world_destroy(w);
        }
    rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    rill_solid_def floor = rill_solid_def_default();
    floor.shape.kind = RILL_HALF_SPACE;
    ok(w, rill_world_add_solid(w, &floor, NULL));
    const rill_body_id low = put(w, "low", RILL_BODY_FIXED, corner(0, 0, 0), corner(0.2f, 0.2f, 0));
    const rill_body_id high = put(w, "high", RILL_BODY_DYNAMIC, corner(0, 0.2f, 0), corner(0.2f, 0.4f, 0));
    ok(w, rill_world_advance(w, 2));
    assert_true(state_of(w, high).asleep);
    const rill_pose aside = {.position = {2, 0.1f, 0}};
    ok(w, rill_world_body_set_pose(w, low, &aside));
    ok(w, rill_world_advance(w, 1));
    assert_near(state_of(w, high).position.y, 0.1, 0.01);
    rill_world_destroy(w);
}

/* The goal is reached at the end of the call, in as many steps as it takes, and the body rests there. */
static void a_goal_is_reached(void **state) {
    (void)state;
    static const char *const methods[] = {"wcsph", "pbf", "constraint"};
    for (int dim = 2; dim <= 3; dim++)
        for (int way = 0; way < 9; way++) {
            rill_world *w = empty_world(dim, methods[way % 3]);
            add_box(w, corner(0, 0.5f, 0), corner(0.2f, 0.7f, 0.2f));
            const rill_body_id id = put(w, "box", RILL_BODY_KINEMATIC, corner(0, 0, 0), corner(0.2f, 0.2f, 0.2f));
            const rill_vec start = state_of(w, id).position;
            rill_pose goal = {.position = {0.13f, 0.17f, dim == 3 ? 0.3f : 0}, .angle = -0.5f};
            goal.quaternion[0] = -0.2f, goal.quaternion[3] = 1;
            ok(w, rill_world_body_move_to(w, id, &goal));
            assert_near(state_of(w, id).position.x, start.x, 0);
            if (way / 3 == 0) {
                ok(w, rill_world_step(w, 0.01));
            } else if (way / 3 == 1) {
                ok(w, rill_world_advance(w, 0.1));
            } else {
                while (rill_world_stats(w)->time < 0.1 - 1e-12)
                    ok(w, rill_world_step_adaptive(w, 0.1 - rill_world_stats(w)->time));
            }
            rill_body_state s = state_of(w, id);
            const double taken = way / 3 == 0 ? 0.01 : 0.1;
            assert_near(s.position.x, 0.13f, 0);
            assert_near(s.position.y, 0.17f, 0);
            assert_near(s.velocity.x, (0.13 - (double)start.x) / taken, 1e-5);
            if (dim == 2) assert_near(s.angle, -0.5, 1e-6);
            if (dim == 3) assert_near(s.quaternion[0] / s.quaternion[3], -0.2, 1e-6);
            ok(w, rill_world_step(w, 0.01));
            s = state_of(w, id);
            assert_near(s.position.x, 0.13f, 0);
            assert_near(s.velocity.x, 0, 0);
            assert_near(s.angular_velocity.z, 0, 0);
            rill_world_destroy(w);
        }
}

/* Time that calls of advance without a step have let pass is part of the next call of advance, and of no other. */
static void a_goal_is_reached_after_calls_without_a_step(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        rill_world_def def = small_def(2, "pbf");
        def.gravity = (rill_vec){0}, def.dt_max = 0.01f;
        rill_world *w = create(&def);
        add_water(w);
        const rill_body_id id = put(w, "box", RILL_BODY_KINEMATIC, corner(0, 0, 0), corner(0.2f, 0.2f, 0));
        for (int k = 0; k < 6; k++) ok(w, rill_world_advance(w, 0.001));
        assert_int_equal(rill_world_stats(w)->step, 1);
        const rill_pose goal = {.position = {0.13f, 0.17f, 0}};
        ok(w, rill_world_body_move_to(w, id, &goal));
        double taken;
        if (way == 0) {
            ok(w, rill_world_step(w, 0.002));
        } else if (way == 1) {
            ok(w, rill_world_step_adaptive(w, 0.002));
        } else {
            ok(w, rill_world_begin(w, 0.002));
            ok(w, rill_world_substep(w, &taken));
            ok(w, rill_world_end(w));
        }
        assert_near(state_of(w, id).position.x, 0.13f, 0);
        assert_near(state_of(w, id).position.y, 0.17f, 0);
        rill_world_destroy(w);
    }
}

static rill_world *pushed_world(rill_body_id *crate) {
    rill_world_def def = small_def(2, "pbf");
    def.gravity = (rill_vec){0}, def.dt_max = 0.004f, def.events = true;
    rill_world *w = create(&def);
    const rill_fluid_id water = add_water(w);
    add_box(w, corner(0, 0, 0), corner(0.5f, 0.5f, 0));
    rill_sink_def sink = rill_sink_def_default();
    sink.shape = box_shape(corner(-2, -2, 0), corner(-1, -1, 0));
    ok(w, rill_world_add_sink(w, &sink, NULL));
    *crate = put(w, "crate", RILL_BODY_DYNAMIC, corner(1, 1, 0), corner(1.2f, 1.2f, 0));
    const rill_body_id lift = put(w, "lift", RILL_BODY_KINEMATIC, corner(2, 2, 0), corner(2.2f, 2.2f, 0));
    const rill_pose goal = {.position = {2.1f, 2.4f, 0}};
    ok(w, rill_world_body_move_to(w, lift, &goal));
    ok(w, rill_world_add_particle(w, water, corner(-1.5f, -1.5f, 0), (rill_vec){0}, NULL));
    ok(w, rill_world_advance(w, 0.01));
    assert_int_equal(rill_world_removal_count(w), 1);
    return w;
}

/* A call of advance whose first step fails has not happened: clock, held forces, goals and events are as before. */
static void a_failed_advance_has_not_happened(void **state) {
    (void)state;
    rill_body_id crate;
    rill_world *w = pushed_world(&crate), *twin = pushed_world(&crate);
    const double lead = rill_world_stats(w)->lead, time = rill_world_stats(w)->time;
    assert_true(lead > 0);
    const rill_pose goal = {.position = {2.1f, 2.1f, 0}};
    rill_world *both[] = {w, twin};
    for (int k = 0; k < 2; k++) {
        ok(both[k], rill_world_body_apply_force(both[k], crate, (rill_vec){1000, 0, 0}, NULL));
        ok(both[k], rill_world_body_move_to(both[k], rill_world_find_body(both[k], "lift"), &goal));
    }
    float *velocity = rill_world_write_velocities(w, NULL);
    const float keep = velocity[0];
    velocity[0] = NAN;
    double advanced = 1;
    for (int k = 0; k < 3; k++) assert_int_equal(rill_world_advance(w, 0.1), RILL_INVALID);
    assert_int_equal(rill_world_advance_at_most(w, 0.1, 2, &advanced), RILL_INVALID);
    assert_near(advanced, 0, 0);
    assert_true(rill_world_stats(w)->lead == lead && rill_world_stats(w)->time == time);
    assert_int_equal(rill_world_removal_count(w), 1);
    assert_true(rill_world_removals(w)->reason == RILL_REMOVED_BY_SINK);
    rill_view view;
    ok(w, rill_world_view(w, "velocity", &view));
    velocity = rill_world_write_velocities(w, NULL);
    for (int k = 0; k < 2 * view.count; k++)
        if (isnan(velocity[k])) velocity[k] = keep;
    for (int k = 0; k < 2; k++) ok(both[k], rill_world_advance(both[k], 0.1));
    assert_true(rill_world_hash(w) == rill_world_hash(twin));
    assert_true(rill_world_stats(w)->lead == rill_world_stats(twin)->lead);
    assert_near(state_of(w, crate).velocity.x, 1000 * 0.1 / (double)state_of(w, crate).mass, 1e-4);
    rill_world_destroy(w);
    rill_world_destroy(twin);
}

/* Position and momentum of the water that a paddle pushes, and the force on it: by a prescribed motion, or by goals
   step by step. */
typedef struct pushed {
    double centre, momentum, force;
} pushed;

static pushed push_water(int dim, const char *method, bool by_host) {
    rill_world_def def = small_def(dim, method);
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, up2(w, 0, 0, 0), up2(w, 1, 1, 0.2f));
    add_box(w, up2(w, 0.2f, 0, 0), up2(w, 0.8f, 0.3f, 0.2f));
    rill_body_def paddle = rill_body_def_default();
    snprintf(paddle.name, sizeof paddle.name, "paddle");
    paddle.kind = RILL_BODY_KINEMATIC;
    paddle.shape = box_shape(up2(w, 0.1f, 0.01f, -0.1f), up2(w, 0.2f, 0.6f, 0.3f));
    if (!by_host) paddle.motion.velocity = (rill_vec){0.8f, 0, 0};
    rill_body_id id;
    ok(w, rill_world_add_body(w, &paddle, &id));
    rill_gauge_def gauge = rill_gauge_def_default();
    rill_gauge_id centre, momentum, force;
    gauge.kind = RILL_GAUGE_CENTRE;
    ok(w, rill_world_add_gauge(w, &gauge, &centre));
    gauge.kind = RILL_GAUGE_MOMENTUM, gauge.name[0] = 0;
    ok(w, rill_world_add_gauge(w, &gauge, &momentum));
    gauge.kind = RILL_GAUGE_FORCE, gauge.body = id, gauge.window = 0.1f;
    ok(w, rill_world_add_gauge(w, &gauge, &force));
    const double dt = 0.0005;
    const rill_vec start = state_of(w, id).position;
    for (int k = 1; k <= 200; k++) {
        const rill_pose next = {.position = {start.x + (float)(0.8 * dt * k), start.y, start.z}};
        if (by_host) ok(w, rill_world_body_move_to(w, id, &next));
        rill_reading unread; /* reading does not change it */
        ok(w, rill_world_read_gauge(w, centre, &unread));
        ok(w, rill_world_step(w, dt));
    }
    rill_reading reading;
    pushed p;
    ok(w, rill_world_read_gauge(w, centre, &reading));
    p.centre = reading.value[0];
    ok(w, rill_world_read_gauge(w, momentum, &reading));
    p.momentum = reading.value[0];
    ok(w, rill_world_read_gauge(w, force, &reading));
    p.force = reading.value[0];
    rill_world_destroy(w);
    return p;
}

static void the_host_pushes_water_as_a_motion_does(void **state) {
    (void)state;
    static const char *const methods[] = {"wcsph", "pbf", "constraint"};
    for (int m = 0; m < 3; m++) {
        const pushed motion = push_water(2 + m % 2, methods[m], false), host = push_water(2 + m % 2, methods[m], true);
        print_message("%s: centre %.5f, %.5f m; momentum %.4f, %.4f N s; force %.3f, %.3f N\n", methods[m],
                      motion.centre, host.centre, motion.momentum, host.momentum, motion.force, host.force);
        assert_true(motion.momentum > 0 && motion.force < 0);
        assert_near(host.centre, motion.centre, 1e-3);
        assert_near(host.momentum, motion.momentum, 0.03 * fabs(motion.momentum));
        assert_near(host.force, motion.force, 0.05 * fabs(motion.force));
    }
}

/* A goal that waits, one that is half reached and a velocity are part of a snapshot. */
static void drives_are_saved(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        rill_world *w = empty_world(3, "wcsph");
        add_box(w, corner(0, 0.2f, 0), corner(0.2f, 0.4f, 0.2f));
        const rill_body_id id = put(w, "box", RILL_BODY_KINEMATIC, corner(0, 0, 0), corner(0.2f, 0.2f, 0.2f));
        const rill_pose goal = {.position = {0.12f, 0.101f, 0.1f}, .quaternion = {0, 0.02f, 0, 1}};
        take_steps(w, 2);
        if (way == 0)
            ok(w, rill_world_body_set_velocity(w, id, (rill_vec){0.5f, 0.1f, 0}, (rill_vec){0.1f, 0.2f, 0.3f}));
        if (way > 0) ok(w, rill_world_body_move_to(w, id, &goal));
        if (way == 2) ok(w, rill_world_step_adaptive(w, 0.05));
        rill_world *copy = reload(w);
        for (int k = 0; k < 5; k++) {
            ok(w, rill_world_step(w, 0.002)), ok(copy, rill_world_step(copy, 0.002));
            assert_true(rill_world_hash(w) == rill_world_hash(copy));
        }
        rill_world_destroy(copy);
        rill_world_destroy(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_dynamic_bodies_take_forces),
        cmocka_unit_test(forces_and_impulses),
        cmocka_unit_test(a_kinematic_body_moves_on_with_its_velocity),
        cmocka_unit_test(a_pose_is_there_at_once),
        cmocka_unit_test(a_goal_is_reached),
        cmocka_unit_test(a_goal_is_reached_after_calls_without_a_step),
        cmocka_unit_test(a_failed_advance_has_not_happened),
        cmocka_unit_test(the_host_pushes_water_as_a_motion_does),
        cmocka_unit_test(drives_are_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
