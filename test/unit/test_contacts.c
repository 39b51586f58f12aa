/* SPDX-License-Identifier: MIT */
/* Contact events, layers and masks, kinematic bodies that push, and a broad phase that misses no pair. */
#include "rill/game.h"
#include "unit/worlds.h"

#define DT (1.0 / 120)

static void step(rill_world *w) {
    ok(w, rill_world_step(w, DT));
}

static rill_body_state state_of(rill_world *w, const char *name) {
    rill_body_state s;
    ok(w, rill_world_body_state(w, rill_world_find_body(w, name), &s));
    return s;
}

static rill_solid_id add_ground(rill_world *w) {
    rill_solid_def ground = rill_solid_def_default();
    ground.shape.kind = RILL_HALF_SPACE, ground.shape.normal = up2(w, 0, 1, 0);
    rill_solid_id id;
    ok(w, rill_world_add_solid(w, &ground, &id));
    return id;
}

static rill_world *bare(int dim) {
    rill_world_def def = small_def(dim, "wcsph");
    return create(&def);
}

static void a_fall_begins_persists_and_ends(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = bare(dim);
        const rill_solid_id ground = add_ground(w);
        add_body(w, "ball", ball_shape(up2(w, 0.3f, 0.3f, 0.2f), 0.1f), 1000);
        const rill_body_id ball = rill_world_find_body(w, "ball");
        int steps = 0;
        for (; rill_world_contact_count(w) == 0 && steps < 100; steps++) step(w);
        assert_near(steps * DT, 0.2, 0.02); /* sqrt(2 0.2 m / g) */
        const rill_contact *c = rill_world_contacts(w);
        const rill_body_state s = state_of(w, "ball");
        assert_true(c->began && c->touching && !c->ended);
        assert_true(c->body_a.index1 == ball.index1 && c->body_a.age == ball.age && c->body_b.index1 == 0);
        assert_true(c->b.index1 == ground.index1 && c->b.age == ground.age);
        assert_near(dim == 2 ? c->normal.y : c->normal.z, 1, 1e-6);
        assert_near(c->point.x, 0.3, 1e-3);
        const double mass = (double)s.mass, speed = sqrt(2 * 9.81 * 0.2);
        double landing = (double)c->pressing;
        for (int k = 0; k < 3; k++) {
            step(w);
            assert_int_equal(rill_world_contact_count(w), 1);
            assert_true(rill_world_contacts(w)->touching && !rill_world_contacts(w)->began);
            landing += (double)rill_world_contacts(w)->pressing;
        }
        assert_near(landing / (mass * (speed + 4 * 9.81 * DT)), 1, 0.05);
        for (int k = 0; k < 30; k++) step(w);
        assert_near((double)rill_world_contacts(w)->pressing / (mass * 9.81 * DT), 1, 1e-3);
        ok(w, rill_world_body_set_velocity(w, ball, up2(w, 0, 2, 0), (rill_vec){0}));
        step(w);
        step(w);
        assert_int_equal(rill_world_contact_count(w), 1);
        assert_true(rill_world_contacts(w)->ended && !rill_world_contacts(w)->touching);
        assert_true(rill_world_contacts(w)->pressing == 0.0f);
        step(w);
        assert_int_equal(rill_world_contact_count(w), 0);
        assert_null(rill_world_contacts(w));
        rill_world_destroy(w);
    }
}

/* Action and reaction of a collision, and one event for a pair although both bodies have samples. */
static void two_bodies_give_one_event(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph");
    def.gravity = (rill_vec){0};
    rill_world *w = create(&def);
    add_body(w, "first", box_shape((rill_vec){0, 0, 0}, (rill_vec){0.2f, 0.2f, 0}), 1000);
    add_body(w, "second", box_shape((rill_vec){0.25f, 0, 0}, (rill_vec){0.45f, 0.2f, 0}), 500);
    const rill_body_id second = rill_world_find_body(w, "second");
    ok(w, rill_world_body_set_velocity(w, second, (rill_vec){-1, 0, 0}, (rill_vec){0}));
    rill_vec sum = {0};
    int begun = 0;
    for (int k = 0; k < 30; k++) {
        step(w);
        assert_in_range(rill_world_contact_count(w), 0, 1);
        for (int n = 0; n < rill_world_contact_count(w); n++) {
            const rill_contact *c = &rill_world_contacts(w)[n];
            begun += c->began;
            sum.x += c->impulse.x, sum.y += c->impulse.y;
            assert_true(c->body_b.index1 == second.index1);
            assert_near(c->normal.x, -1, 1e-5); /* from b to a */
        }
    }
    assert_true(begun >= 1);
    const rill_body_state s = state_of(w, "first");
    assert_near(sum.x, (double)(s.mass * s.velocity.x), 1e-4);
    assert_near(s.velocity.x, -1.0 / 3, 0.02); /* plastic */
    rill_world_destroy(w);
}

static void a_removed_body_ends_its_contact(void **state) {
    (void)state;
    rill_world *w = bare(2);
    add_ground(w);
    add_body(w, "ball", ball_shape((rill_vec){0, 0.1f, 0}, 0.1f), 1000);
    for (int k = 0; k < 200; k++) step(w);
    assert_true(state_of(w, "ball").asleep);
    assert_int_equal(rill_world_contact_count(w), 1); /* asleep it still touches */
    assert_true(rill_world_contacts(w)->touching && !rill_world_contacts(w)->began);
    const rill_body_id old = rill_world_find_body(w, "ball");
    ok(w, rill_world_remove_body(w, old));
    add_body(w, "other", ball_shape((rill_vec){0, 0.1f, 0}, 0.1f), 1000); /* takes the slot */
    step(w);
    assert_int_equal(rill_world_contact_count(w), 2);
    assert_true(rill_world_contacts(w)[0].ended);
    assert_int_equal(rill_world_contacts(w)[0].body_a.age, old.age);
    assert_true(rill_world_contacts(w)[1].began);
    rill_world_destroy(w);
}

/* A stack of five boxes of this density; `ids` gets them. */
static void add_stack(rill_world *w, float density, rill_body_id ids[5]) {
    rill_body_def def = rill_body_def_default();
    def.density = density;
    for (int k = 0; k < 5; k++) {
        def.shape.min = up2(w, 0, (float)k, 0), def.shape.max = up2(w, 1, (float)k + 1, 1);
        ok(w, rill_world_add_body(w, &def, &ids[k]));
    }
}

/* A light stack in the slots of a heavy one: the impulses of the heavy one would throw it up, with few sweeps to solve
   them away. */
static void new_bodies_have_no_old_impulses(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def def = small_def(dim, "wcsph");
        def.body_sweeps = 20;
        rill_world *w = create(&def);
        add_ground(w);
        rill_body_id stack[5];
        add_stack(w, 10000, stack);
        for (int k = 0; k < 60; k++) ok(w, rill_world_step(w, 1.0 / 60));
        for (int k = 0; k < 5; k++) ok(w, rill_world_remove_body(w, stack[k]));
        add_stack(w, 10, stack);
        double fastest = 0;
        for (int k = 0; k < 30; k++) {
            ok(w, rill_world_step(w, 1.0 / 60));
            for (int n = 0; n < 5; n++) {
                rill_body_state s;
                ok(w, rill_world_body_state(w, stack[n], &s));
                fastest = fmax(fastest, fabs((double)(dim == 2 ? s.velocity.y : s.velocity.z)));
            }
        }
        if (!(fastest < 0.2)) fail_msg("%dD: a box at rest reaches %g m/s", dim, fastest);
        rill_world_destroy(w);
    }
}

/* The same if the next call takes no step; the one after it knows nothing of the body. */
static void a_removed_body_ends_its_contact_without_a_step(void **state) {
    (void)state;
    rill_world *w = bare(2);
    add_ground(w);
    add_body(w, "ball", ball_shape((rill_vec){0, 0.1f, 0}, 0.1f), 1000);
    for (int k = 0; k < 20; k++) step(w);
    ok(w, rill_world_step(w, 0));
    assert_int_equal(rill_world_contact_count(w), 1);
    assert_true(rill_world_contacts(w)->touching && !rill_world_contacts(w)->began);
    ok(w, rill_world_remove_body(w, rill_world_find_body(w, "ball")));
    ok(w, rill_world_advance_at_most(w, 0, 2, NULL));
    assert_int_equal(rill_world_contact_count(w), 1);
    assert_true(rill_world_contacts(w)->ended && !rill_world_contacts(w)->touching);
    ok(w, rill_world_advance_at_most(w, 0, 2, NULL));
    assert_int_equal(rill_world_contact_count(w), 0);
    rill_world_destroy(w);
}

/* ---- layers and masks ---- */

static bool they_collide(int layer_a, int mask_a, int layer_b, int mask_b) {
    rill_world_def world = small_def(2, "wcsph");
    world.gravity = (rill_vec){0};
    rill_world *w = create(&world);
    rill_body_def def = rill_body_def_default();
    def.shape = ball_shape((rill_vec){0, 0, 0}, 0.1f), def.layer = layer_a, def.mask = mask_a;
    snprintf(def.name, sizeof def.name, "a");
    ok(w, rill_world_add_body(w, &def, NULL));
    def.shape = ball_shape((rill_vec){0.3f, 0, 0}, 0.1f), def.layer = layer_b, def.mask = mask_b;
    def.velocity = (rill_vec){-1, 0, 0};
    snprintf(def.name, sizeof def.name, "b");
    ok(w, rill_world_add_body(w, &def, NULL));
    for (int k = 0; k < 60; k++) step(w);
    const bool hit = state_of(w, "a").velocity.x < -0.1f;
    if (!hit) assert_near(state_of(w, "b").position.x, -0.2, 1e-4); /* straight through */
    rill_world_destroy(w);
    return hit;
}

static void layers_and_masks_choose_who_collides(void **state) {
    (void)state;
    assert_true(they_collide(1, 65535, 1, 65535));
    assert_true(they_collide(2, 4, 4, 2));
    assert_true(they_collide(6, 1, 1, 4));  /* one common bit is enough */
    assert_false(they_collide(2, 4, 4, 1)); /* both must agree */
    assert_false(they_collide(1, 1, 2, 2));
    assert_false(they_collide(0, 65535, 1, 65535)); /* in no layer */
    assert_false(they_collide(1, 0, 1, 65535));
}

/* ---- kinematic bodies ---- */

/* A paddle that turns about a far pivot sweeps a ball along: the push must come from the place of its surface. */
static void a_kinematic_paddle_pushes(void **state) {
    (void)state;
    rill_world_def world = small_def(2, "wcsph");
    world.gravity = (rill_vec){0};
    rill_world *w = create(&world);
    rill_body_def paddle = rill_body_def_default();
    snprintf(paddle.name, sizeof paddle.name, "paddle");
    paddle.kind = RILL_BODY_KINEMATIC, paddle.shape = box_shape((rill_vec){0, -0.02f, 0}, (rill_vec){1, 0.02f, 0});
    paddle.motion.spin = 1;
    ok(w, rill_world_add_body(w, &paddle, NULL));
    add_body(w, "ball", ball_shape((rill_vec){0.8f, 0.15f, 0}, 0.1f), 1000);
    for (int k = 0; k < 60; k++) step(w);
    const rill_body_state p = state_of(w, "paddle"), b = state_of(w, "ball");
    assert_near(p.angle, 0.5, 1e-5);
    assert_near(p.quaternion[2], sin(0.25), 1e-6);
    assert_near(p.position.x, 0.5 * cos(0.5), 1e-6);
    assert_near(p.velocity.y, 0.5 * cos(0.5), 1e-6); /* of its centre, half a metre from the pivot */
    assert_near(p.angular_velocity.z, 1, 1e-6);
    /* The ball lies on or ahead of the paddle and moves with it. */
    const double x = (double)b.position.x, y = (double)b.position.y;
    const double along = x * cos(0.5) + y * sin(0.5);
    const double ahead = -x * sin(0.5) + y * cos(0.5);
    assert_true(ahead > 0.119 && along > 0.75);
    assert_true(b.velocity.y > 0.5f);
    rill_world_destroy(w);
}

/* ---- broad phase ---- */

/* A heap of balls: every pair that overlaps is among the events. */
static void nobody_is_missed_in_a_heap(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = bare(dim);
        add_container(w, up2(w, 0, 0, 0), up2(w, 1, 4, 1));
        enum { COUNT = 60 };
        char name[32];
        for (int k = 0; k < COUNT; k++) {
            snprintf(name, sizeof name, "b%d", k);
            const float x = 0.15f + 0.17f * (float)(k % 5), y = 0.15f + 0.17f * (float)(k / 5);
            add_body(w, name, ball_shape(up2(w, x + 0.01f * (float)(k / 5 % 2), y, 0.3f + 0.004f * (float)k), 0.08f),
                     1000);
        }
        int checked = 0;
        for (int n = 0; n < 120; n++) {
            rill_vec before[COUNT];
            for (int k = 0; k < COUNT; k++) {
                snprintf(name, sizeof name, "b%d", k);
                before[k] = state_of(w, name).position;
            }
            step(w);
            for (int i = 0; i < COUNT; i++)
                for (int j = i + 1; j < COUNT; j++) {
                    const double dx = (double)(before[i].x - before[j].x), dy = (double)(before[i].y - before[j].y),
                                 dz = (double)(before[i].z - before[j].z),
                                 gap = sqrt(dx * dx + dy * dy + dz * dz) - 0.16;
                    if (gap > -1e-6) continue; /* whether they touch depends on speed and rounding */
                    bool told = false;
                    for (int k = 0; k < rill_world_contact_count(w); k++) {
                        const rill_contact *c = &rill_world_contacts(w)[k];
                        told |= c->touching && (int)c->body_a.index1 == i + 1 && (int)c->body_b.index1 == j + 1;
                    }
                    assert_true(told);
                    checked++;
                }
        }
        assert_true(checked > 1000);
        /* Events are in the order of their bodies. */
        for (int k = 1; k < rill_world_contact_count(w); k++) {
            const rill_contact *a = &rill_world_contacts(w)[k - 1], *b = a + 1;
            assert_true(a->body_a.index1 < b->body_a.index1 ||
                        (a->body_a.index1 == b->body_a.index1 && a->b.index1 < b->b.index1));
        }
        rill_world_destroy(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fall_begins_persists_and_ends),
        cmocka_unit_test(two_bodies_give_one_event),
        cmocka_unit_test(a_removed_body_ends_its_contact),
        cmocka_unit_test(new_bodies_have_no_old_impulses),
        cmocka_unit_test(layers_and_masks_choose_who_collides),
        cmocka_unit_test(a_kinematic_paddle_pushes),
        cmocka_unit_test(a_removed_body_ends_its_contact_without_a_step),
        cmocka_unit_test(nobody_is_missed_in_a_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
