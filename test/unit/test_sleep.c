/* SPDX-License-Identifier: MIT */
/* Sleep: bodies at rest fall asleep as an island, stay as they are to the bit, and wake for every reason there is. */
#include "unit/worlds.h"

#define DT (1.0 / 120)

static void go(rill_world *w, double seconds) {
    for (int k = 0; k < (int)(seconds / DT + 0.5); k++) ok(w, rill_world_step(w, DT));
}

static rill_body_id id_of(rill_world *w, const char *name) {
    return rill_world_find_body(w, name);
}

static rill_body_state state_of(rill_world *w, const char *name) {
    rill_body_state s;
    ok(w, rill_world_body_state(w, id_of(w, name), &s));
    return s;
}

static float height_of(rill_world *w, const char *name) {
    const rill_vec p = state_of(w, name).position;
    return rill_world_get_def(w)->dim == 2 ? p.y : p.z;
}

static void add_kind(rill_world *w, const char *name, rill_body_kind kind, rill_shape shape) {
    rill_body_def def = rill_body_def_default();
    snprintf(def.name, sizeof def.name, "%s", name);
    def.kind = (int32_t)kind, def.shape = shape;
    ok(w, rill_world_add_body(w, &def, NULL));
}

/* Three boxes on a fixed table, which stands in the air. */
static rill_world *make_stack(int dim) {
    rill_world_def def = small_def(dim, "wcsph");
    rill_world *w = create(&def);
    add_kind(w, "table", RILL_BODY_FIXED, box_shape(up2(w, -1, -0.1f, -1), up2(w, 1, 0, 1)));
    static const char *const names[] = {"low", "middle", "high"};
    for (int k = 0; k < 3; k++) {
        const float at = 0.2f * (float)k;
        add_body(w, names[k], box_shape(up2(w, -0.1f, at, -0.1f), up2(w, 0.1f, at + 0.2f, 0.1f)), 1000);
    }
    return w;
}

static void expect_asleep(rill_world *w, bool low, bool middle, bool high) {
    assert_int_equal(state_of(w, "low").asleep, low);
    assert_int_equal(state_of(w, "middle").asleep, middle);
    assert_int_equal(state_of(w, "high").asleep, high);
}

static rill_world *sleeping_stack(int dim) {
    rill_world *w = make_stack(dim);
    go(w, 2);
    expect_asleep(w, true, true, true);
    assert_int_equal(rill_world_stats(w)->bodies_asleep, 3);
    return w;
}

static void a_stack_sleeps_and_nothing_moves(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make_stack(dim);
        go(w, 0.25);
        expect_asleep(w, false, false, false);
        go(w, 1.75);
        expect_asleep(w, true, true, true);
        const uint64_t hash = rill_world_hash(w);
        go(w, 1);
        assert_true(rill_world_hash(w) == hash);
        assert_int_equal(rill_world_stats(w)->body_iterations, 0);
        assert_int_equal(rill_world_stats(w)->body_contacts, 0);
        rill_world_destroy(w);
    }
}

static void it_falls_when_its_support_is_gone(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = sleeping_stack(dim);
        ok(w, rill_world_remove_body(w, id_of(w, "table")));
        const float before = height_of(w, "high");
        go(w, 0.5);
        expect_asleep(w, false, false, false);
        assert_near(before - height_of(w, "high"), 0.5 * 9.81 * 0.25, 0.05);
        rill_world_destroy(w);
    }
}

static void a_solid_removed_lets_them_fall(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    rill_solid_def ground = rill_solid_def_default();
    ground.shape.kind = RILL_HALF_SPACE;
    rill_solid_id id;
    ok(w, rill_world_add_solid(w, &ground, &id));
    add_body(w, "low", ball_shape((rill_vec){0, 0.1f, 0}, 0.1f), 1000);
    go(w, 1);
    assert_true(state_of(w, "low").asleep);
    ok(w, rill_world_remove_solid(w, id));
    go(w, 0.2);
    assert_true(height_of(w, "low") < 0);
    rill_world_destroy(w);
}

static void the_middle_taken_out_wakes_those_above_and_below(void **state) {
    (void)state;
    rill_world *w = sleeping_stack(2);
    ok(w, rill_world_remove_body(w, id_of(w, "middle")));
    assert_false(state_of(w, "high").asleep);
    go(w, 2);
    assert_near(height_of(w, "high"), 0.3, 0.01);
    assert_true(state_of(w, "high").asleep);
    rill_world_destroy(w);
}

static void what_hits_the_top_wakes_the_whole_stack(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = sleeping_stack(dim);
        add_body(w, "ball", ball_shape(up2(w, 0, 1.2f, 0), 0.05f), 1000);
        expect_asleep(w, true, true, true); /* its presence does not wake them */
        go(w, 0.2);
        expect_asleep(w, true, true, true);
        go(w, 0.3);
        expect_asleep(w, false, false, false);
        rill_world_destroy(w);
    }
}

static void the_host_wakes_them(void **state) {
    (void)state;
    const rill_vec sideways = {30, 0, 0}, none = {0};
    for (int way = 0; way < 6; way++) {
        rill_world *w = sleeping_stack(2);
        const rill_body_id middle = id_of(w, "middle");
        if (way == 0) ok(w, rill_world_body_apply_force(w, middle, sideways, &none));
        if (way == 1) ok(w, rill_world_body_apply_torque(w, middle, (rill_vec){0, 0, 1}));
        if (way == 2) ok(w, rill_world_body_apply_impulse(w, middle, (rill_vec){1, 0, 0}, &none));
        if (way == 3) ok(w, rill_world_body_set_velocity(w, middle, (rill_vec){0.1f, 0, 0}, none));
        if (way == 4) ok(w, rill_world_body_wake(w, middle));
        if (way == 5) add_container(w, (rill_vec){-3, -3, 0}, (rill_vec){3, 3, 0});
        go(w, DT);
        expect_asleep(w, false, false, false);
        rill_world_destroy(w);
    }
}

static void who_must_not_sleep_keeps_the_others_awake(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph");
    for (int way = 0; way < 2; way++) {
        if (way == 1) def.sleep_time = 0;
        rill_world *w = create(&def);
        add_kind(w, "table", RILL_BODY_FIXED, box_shape((rill_vec){-1, -0.1f, 0}, (rill_vec){1, 0, 0}));
        rill_body_def box = rill_body_def_default();
        box.shape = box_shape((rill_vec){-0.1f, 0, 0}, (rill_vec){0.1f, 0.2f, 0});
        snprintf(box.name, sizeof box.name, "low");
        ok(w, rill_world_add_body(w, &box, NULL));
        box.shape = box_shape((rill_vec){-0.1f, 0.2f, 0}, (rill_vec){0.1f, 0.4f, 0});
        snprintf(box.name, sizeof box.name, "high");
        box.sleeps = way == 1;
        ok(w, rill_world_add_body(w, &box, NULL));
        go(w, 3);
        assert_false(state_of(w, "low").asleep || state_of(w, "high").asleep);
        rill_world_destroy(w);
    }
}

/* A lift that starts, as a solid or as a body, wakes the box that sleeps on it and carries it. */
static void what_begins_to_move_wakes_them(void **state) {
    (void)state;
    for (int kinematic = 0; kinematic < 2; kinematic++) {
        rill_world_def def = small_def(2, "wcsph");
        rill_world *w = create(&def);
        rill_motion rise = rill_solid_def_default().motion;
        rise.velocity = (rill_vec){0, 0.3f, 0}, rise.start_time = 2;
        const rill_shape lift = box_shape((rill_vec){-1, -0.1f, 0}, (rill_vec){1, 0, 0});
        if (kinematic) {
            rill_body_def body = rill_body_def_default();
            body.kind = RILL_BODY_KINEMATIC, body.shape = lift, body.motion = rise;
            ok(w, rill_world_add_body(w, &body, NULL));
        } else {
            rill_solid_def solid = rill_solid_def_default();
            solid.shape = lift, solid.motion = rise;
            ok(w, rill_world_add_solid(w, &solid, NULL));
        }
        add_body(w, "low", box_shape((rill_vec){-0.1f, 0, 0}, (rill_vec){0.1f, 0.2f, 0}), 1000);
        go(w, 1.9);
        assert_true(state_of(w, "low").asleep);
        go(w, 1.1);
        assert_near(height_of(w, "low"), 0.1 + 0.3, 0.01);
        assert_near(state_of(w, "low").velocity.y, 0.3, 0.01);
        go(w, 1);
        assert_false(state_of(w, "low").asleep); /* carried, but not at rest */
        rill_world_destroy(w);
    }
}

static void a_motor_wakes_and_keeps_awake(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    add_body(w, "low", ball_shape((rill_vec){0, 0, 0}, 0.1f), 1000);
    rill_joint_def hinge = rill_joint_def_default();
    snprintf(hinge.a_name, sizeof hinge.a_name, "low");
    rill_joint_id id;
    ok(w, rill_world_add_joint(w, &hinge, &id));
    go(w, 1);
    assert_true(state_of(w, "low").asleep);
    ok(w, rill_world_set_text(w, rill_ref_joint(id), "motor", "true"));
    ok(w, rill_world_set_number(w, rill_ref_joint(id), "motor_force", 10));
    ok(w, rill_world_set_number(w, rill_ref_joint(id), "motor_speed",
                                0.01)); /* slower than the speed that counts as rest */
    go(w, 2);
    assert_false(state_of(w, "low").asleep);
    assert_near(state_of(w, "low").angle, 0.02, 1e-3);
    ok(w, rill_world_set_text(w, rill_ref_joint(id), "motor", "false"));
    go(w, 1);
    assert_true(state_of(w, "low").asleep);
    ok(w, rill_world_remove_joint(w, id));
    go(w, 0.5);
    assert_true(height_of(w, "low") < -1);
    rill_world_destroy(w);
}

/* A body that nothing carries is not at rest, it is only slow. */
static void what_nothing_carries_does_not_sleep(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "wcsph");
    def.gravity = (rill_vec){0};
    rill_world *w = create(&def);
    add_body(w, "low", ball_shape((rill_vec){0, 0, 0}, 0.1f), 1000);
    ok(w, rill_world_body_set_velocity(w, id_of(w, "low"), (rill_vec){0.001f, 0, 0}, (rill_vec){0}));
    go(w, 5);
    assert_false(state_of(w, "low").asleep);
    assert_near(state_of(w, "low").position.x, 0.005, 1e-5);
    rill_world_destroy(w);
}

/* A heavy block sleeps at the bottom of still water, and a wave wakes it. */
static void water_wakes_when_its_force_changes(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, (rill_vec){0}, (rill_vec){2, 1.5f, 0});
    add_box(w, (rill_vec){0}, (rill_vec){2, 0.2f, 0});
    rill_shape block = box_shape((rill_vec){1.3f, 0, 0}, (rill_vec){1.5f, 0.15f, 0});
    int gone;
    ok(w, rill_world_remove_inside(w, &block, &gone));
    add_body(w, "low", block, 1500);
    ok(w, rill_world_advance(w, 2));
    /* The remaining motion of the water wakes it now and then, for as long as it takes to fall asleep again. */
    int asleep = 0;
    for (int k = 0; k < 40; k++) {
        ok(w, rill_world_advance(w, 0.1));
        asleep += state_of(w, "low").asleep;
    }
    assert_true(asleep >= 30);
    for (int k = 0; k < 20 && !state_of(w, "low").asleep; k++) ok(w, rill_world_advance(w, 0.1));
    assert_true(state_of(w, "low").asleep);
    /* The water still acts on it, also in the seam below: the lift of Archimedes within 30 %. */
    assert_near((double)state_of(w, "low").force.y / (1000 * 9.81 * 0.2 * 0.15), 1, 0.3);
    add_box(w, (rill_vec){0, 0.3f, 0}, (rill_vec){0.5f, 1.3f, 0}); /* falls and makes a wave */
    const float before = state_of(w, "low").position.x;
    ok(w, rill_world_advance(w, 1));
    assert_true(state_of(w, "low").position.x > before + 0.01f);
    rill_world_destroy(w);
}

/* A body on the floor under still water sleeps at least half of the time, with any method. */
static void they_sleep_under_water(void **state) {
    (void)state;
    static const char *const methods[] = {"wcsph", "muller",     "pcisph",     "dfsph",
                                          "pbf",   "constraint", "projective", "clavet"};
    for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++) {
        rill_world_def def = small_def(2, methods[m]);
        def.spacing = 0.05f;
        rill_world *w = create(&def);
        add_water(w);
        add_container(w, (rill_vec){0}, (rill_vec){1, 1, 0});
        add_body(w, "low", box_shape((rill_vec){0.4f, 0, 0}, (rill_vec){0.6f, 0.2f, 0}), 1500);
        add_box(w, (rill_vec){0}, (rill_vec){1, 0.4f, 0});
        ok(w, rill_world_advance(w, 1.5));
        int asleep = 0;
        for (int k = 0; k < 20; k++) {
            ok(w, rill_world_advance(w, 0.1));
            asleep += state_of(w, "low").asleep;
        }
        print_message("%s: asleep for %d of 20\n", methods[m], asleep);
        assert_true(asleep >= 10);
        rill_world_destroy(w);
    }
}

/* Saved asleep and woken later, both worlds have the same bits. */
static void a_loaded_sleeper_wakes_the_same(void **state) {
    (void)state;
    rill_world *w = sleeping_stack(3);
    bytes b = save(w);
    rill_error error;
    rill_world *loaded = rill_world_load(b.data, b.size, NULL, &error);
    if (!loaded) fail_msg("%s", error.text);
    assert_true(state_of(loaded, "high").asleep);
    rill_world *const both[] = {w, loaded};
    for (int k = 0; k < 2; k++) {
        go(both[k], 0.1);
        ok(both[k], rill_world_body_apply_impulse(both[k], id_of(both[k], "high"), (rill_vec){5, 0, 0},
                                                  &(rill_vec){0, 0, 0.55f}));
        go(both[k], 1);
    }
    assert_true(rill_world_hash(w) == rill_world_hash(loaded));
    rill_world_destroy(loaded);
    rill_world_destroy(w);
    free(b.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_sleeps_and_nothing_moves),
        cmocka_unit_test(it_falls_when_its_support_is_gone),
        cmocka_unit_test(a_solid_removed_lets_them_fall),
        cmocka_unit_test(the_middle_taken_out_wakes_those_above_and_below),
        cmocka_unit_test(what_hits_the_top_wakes_the_whole_stack),
        cmocka_unit_test(the_host_wakes_them),
        cmocka_unit_test(who_must_not_sleep_keeps_the_others_awake),
        cmocka_unit_test(what_begins_to_move_wakes_them),
        cmocka_unit_test(a_motor_wakes_and_keeps_awake),
        cmocka_unit_test(what_nothing_carries_does_not_sleep),
        cmocka_unit_test(water_wakes_when_its_force_changes),
        cmocka_unit_test(they_sleep_under_water),
        cmocka_unit_test(a_loaded_sleeper_wakes_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
