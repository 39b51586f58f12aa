/* SPDX-License-Identifier: MIT */
/* Hosted bodies: a few lines stand for the host's engine. Reactions are the opposite of what the fluid received, states
   are checked, and misuse changes nothing. */
#include "unit/worlds.h"

#include <math.h>

#define DT (1.0 / 60)

/* A box of half a metre as an engine would have it: velocities are integrated first, then positions. */
typedef struct mini_body {
    double x[2], v[2], angle, spin, mass, inertia;
    rill_body_id id;
} mini_body;

static rill_hosted_state state_of(const mini_body *b) {
    rill_hosted_state s = rill_hosted_state_default();
    const float inverse = (float)(1 / b->mass);
    s.position = (rill_vec){(float)b->x[0], (float)b->x[1], 0};
    s.angle = (float)b->angle;
    s.velocity = (rill_vec){(float)b->v[0], (float)b->v[1], 0};
    s.angular_velocity = (rill_vec){0, 0, (float)b->spin};
    s.inverse_mass = (rill_vec){inverse, inverse, inverse};
    s.inverse_inertia[2][2] = (float)(1 / b->inertia);
    return s;
}

static rill_body_def box_def(void) {
    rill_body_def def = rill_body_def_default();
    def.shape.min = (rill_vec){-0.25f, -0.25f, 0}, def.shape.max = (rill_vec){0.25f, 0.25f, 0};
    return def;
}

static mini_body add_mini(rill_world *w, double x, double y, double ratio) {
    const double mass = 250 * ratio;
    mini_body b = {.x = {x, y}, .mass = mass, .inertia = mass / 24};
    const rill_body_def def = box_def();
    const rill_hosted_state state = state_of(&b);
    ok(w, rill_world_add_hosted(w, &def, &state, &b.id));
    return b;
}

/* One frame, with host and fluid interleaved. */
static void frame_of(rill_world *w, mini_body *b, double gravity, double duration, int most) {
    ok(w, most > 0 ? rill_world_begin_at_most(w, duration, most) : rill_world_begin(w, duration));
    for (double dt = 1; dt > 0;) {
        const rill_hosted_state state = state_of(b);
        ok(w, rill_world_host(w, b->id, &state));
        ok(w, rill_world_substep(w, &dt));
        rill_reaction r;
        ok(w, rill_world_reaction(w, b->id, &r));
        if (!(dt > 0)) break;
        for (int k = 0; k < 2; k++) b->v[k] += r.impulse[k] / b->mass - (k == 1 ? gravity * dt : 0);
        b->spin += r.moment[2] / b->inertia;
        for (int k = 0; k < 2; k++) b->x[k] += dt * b->v[k];
        b->angle += dt * b->spin;
    }
    ok(w, rill_world_end(w));
}

static void frame_at_most(rill_world *w, mini_body *b, double gravity, int most) {
    frame_of(w, b, gravity, DT, most);
}

static void frame(rill_world *w, mini_body *b, double gravity) {
    frame_at_most(w, b, gravity, 0);
}

static rill_world *tank(const char *method) {
    const rill_world_def def = small_def(2, method);
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){2, 4, 0});
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){2, 1, 0});
    return w;
}

/* Lift on a box that an engine holds flush on the floor, over the weight of the water that it displaces. */
static double lift_at_floor(rill_shape_kind kind) {
    static const rill_vec corners[] = {{-0.25f, -0.25f, 0}, {0.25f, -0.25f, 0}, {0.25f, 0.25f, 0}, {-0.25f, 0.25f, 0}};
    rill_world *w = tank("pbf");
    mini_body b = {.x = {1, 0.25}, .mass = 125, .inertia = 125.0 / 24};
    rill_body_def def = box_def();
    def.shape.kind = kind;
    def.displacement = RILL_DISPLACE_PUSH;
    if (kind != RILL_BOX) def.shape.points = (rill_points){corners, 4};
    const rill_hosted_state state = state_of(&b);
    ok(w, rill_world_add_hosted(w, &def, &state, &b.id));
    double impulse = 0;
    for (int k = 0; k < 90; k++) {
        ok(w, rill_world_host(w, b.id, &state));
        ok(w, rill_world_step(w, DT));
        rill_reaction r;
        ok(w, rill_world_reaction(w, b.id, &r));
        if (k >= 30) impulse += r.impulse[1];
    }
    rill_world_destroy(w);
    return impulse / (60 * DT * 250 * 9.81);
}

/* Water presses under a body that lies on the floor, whatever the kind of its shape. */
static void flush_shapes_are_lifted(void **state) {
    (void)state;
    static const rill_shape_kind kinds[] = {RILL_BOX, RILL_POLYGON, RILL_HULL};
    for (int k = 0; k < 3; k++) assert_near(lift_at_floor(kinds[k]), 1, 0.1);
}

static void floats(void **state) {
    (void)state;
    static const char *const methods[] = {"constraint", "pbf", "wcsph"};
    for (int m = 0; m < 3; m++) {
        rill_world *w = tank(methods[m]);
        mini_body b = add_mini(w, 1, 1.3, 0.1);
        double y = 0;
        for (int k = 0; k < 180; k++) {
            frame(w, &b, 9.81);
            if (k >= 120) y += b.x[1] / 60;
        }
        const double level = 1 + 0.1 * 0.25 / 2;
        assert_near(y, level + 0.25 - 0.1 * 0.5, 0.05 * 0.5);
        rill_wetting wetting;
        ok(w, rill_world_body_wetting(w, b.id, &wetting));
        assert_true(wetting.wet && wetting.particles > 0);
        rill_world_destroy(w);
    }
}

/* One frame of which the engine gets the sum of the reactions at its end. */
static void frame_at_once(rill_world *w, mini_body *b, double gravity) {
    const rill_hosted_state state = state_of(b);
    double impulse[2] = {0}, moment = 0;
    ok(w, rill_world_host(w, b->id, &state));
    ok(w, rill_world_begin(w, DT));
    for (double dt = 1; dt > 0;) {
        rill_reaction r;
        ok(w, rill_world_substep(w, &dt));
        ok(w, rill_world_reaction(w, b->id, &r));
        for (int k = 0; k < 2 && dt > 0; k++) impulse[k] += r.impulse[k];
        if (dt > 0) moment += r.moment[2];
    }
    ok(w, rill_world_end(w));
    for (int k = 0; k < 2; k++) b->v[k] += impulse[k] / b->mass - (k == 1 ? gravity * DT : 0);
    b->spin += moment / b->inertia;
    for (int k = 0; k < 2; k++) b->x[k] += DT * b->v[k];
    b->angle += DT * b->spin;
}

/* Boxes lighter than a few particles float like all others, also in engines that step once a frame. A naive coupling
   throws boxes of 25 g and of a quarter of a gram at 5 to 660 m/s. */
static void next_to_no_mass(void **state) {
    (void)state;
    static const char *const methods[] = {"pbf", "wcsph", "dfsph", "muller", "projective", "clavet"};
    static const double ratios[] = {1e-2, 1e-4, 1e-6};
    for (int m = 0; m < 6; m++)
        for (int run = 0; run < 6; run++) {
            rill_world *w = tank(methods[m]);
            mini_body b = add_mini(w, 1, 1.3, ratios[run % 3]);
            rill_body_state s;
            double fastest = 0, y = 0;
            for (int k = 0; k < 120; k++) {
                run < 3 ? frame(w, &b, 9.81) : frame_at_once(w, &b, 9.81);
                fastest = fmax(fastest, hypot(b.v[0], b.v[1]));
                if (k >= 90) y += b.x[1] / 30;
            }
            ok(w, rill_world_body_state(w, b.id, &s));
            printf("%-10s %.0e of the density, %s: at most %.2f m/s, at %.3f m\n", methods[m], ratios[run % 3],
                   run < 3 ? "interleaved" : "once a frame", fastest, y);
            assert_true(fastest < 5);         /* one hop with pbf */
            assert_true(y > 1.15 && y < 1.3); /* a draft of at most a tenth; clavet's level is 2 cm lower */
            assert_near((double)s.mass, b.mass, 1e-5 * b.mass);
            rill_world_destroy(w);
        }
}

/* A paused game takes steps of no length, in which the impulse of the fluid must not come a second time. */
static void pauses_give_nothing(void **state) {
    (void)state;
    rill_world *w = tank("pbf");
    mini_body b = add_mini(w, 1, 1.1, 0.5);
    rill_reaction r;
    double advanced;
    for (int k = 0; k < 10; k++) frame(w, &b, 9.81);
    ok(w, rill_world_step(w, DT / 4));
    ok(w, rill_world_reaction(w, b.id, &r));
    assert_true(r.impulse[1] > 0);
    ok(w, rill_world_step(w, 0));
    ok(w, rill_world_reaction(w, b.id, &r));
    assert_true(r.impulse[1] == 0 && r.wet);
    ok(w, rill_world_advance_at_most(w, DT, 2, NULL)); /* the world is ahead of the clock after this */
    ok(w, rill_world_reaction(w, b.id, &r));
    assert_true(r.impulse[1] > 0);
    const int64_t steps = rill_world_stats(w)->step;
    ok(w, rill_world_advance_at_most(w, 0, 2, &advanced));
    ok(w, rill_world_reaction(w, b.id, &r));
    assert_true(rill_world_stats(w)->step == steps && r.impulse[1] == 0);
    rill_world_destroy(w);
}

/* The rest of a frame, or the start of slow motion, is a step many times shorter than the last one. A wall that puts a
   particle back gives it the same impulse as in a long step, which is not a force to expect in the next one. If it
   were, one such step after each frame would throw boxes at up to 160 m/s. */
static void tiny_steps_throw_nothing(void **state) {
    (void)state;
    static const char *const methods[] = {"pbf", "dfsph", "pcisph", "projective", "constraint", "wcsph"};
    static const double tiny[] = {1e-4, 3e-5, 1e-5};
    for (int run = 0; run < 6 * 3 * 2; run++) {
        if (strcmp(methods[run / 6], "projective") == 0 && run / 2 % 3 == 2) continue;
        rill_world *w = tank(methods[run / 6]);
        mini_body b = add_mini(w, 1, 1.2, run % 2 ? 0.05 : 0.5);
        double calm = 0, fastest = 0;
        for (int k = 0; k < 60; k++) frame(w, &b, 9.81);
        calm = rill_world_stats(w)->max_speed;
        for (int k = 0; k < 40; k++) {
            frame_of(w, &b, 9.81, k % 2 ? DT : tiny[run / 2 % 3], 0);
            fastest = fmax(fastest, fmax(rill_world_stats(w)->max_speed, hypot(b.v[0], b.v[1])));
        }
        printf("%-10s steps of %g s: %.2f m/s before, at most %.2f m/s\n", methods[run / 6], tiny[run / 2 % 3], calm,
               fastest);
        assert_true(fastest < calm + 0.5);
        rill_world_destroy(w);
    }
}

/* A box that is let go under water moves twenty times its own mass of water. Reactions at once would make it
   unstable. */
static void light_ones_rise(void **state) {
    (void)state;
    static const char *const methods[] = {"constraint", "pbf", "wcsph", "dfsph", "pcisph", "projective", "muller"};
    for (int m = 0; m < 7; m++) {
        rill_world *w = tank(methods[m]);
        mini_body b = add_mini(w, 1, 0.5, 0.05);
        double fastest = 0;
        for (int k = 0; k < 60; k++) {
            frame(w, &b, 9.81);
            fastest = fmax(fastest, hypot(b.v[0], b.v[1]));
        }
        printf("%-10s rises to %.2f m, at most %.2f m/s\n", methods[m], b.x[1], fastest);
        assert_true(b.x[1] > 0.9 && b.x[1] < 1.6);
        assert_true(fastest > 0.5 && fastest < 3);
        rill_world_destroy(w);
    }
}

/* The part of a reaction that a light box does not get at once is owed to it, and nothing is lost on the way. */
static void the_rest_is_owed(void **state) {
    (void)state;
    static const char *const methods[] = {"pbf", "dfsph"};
    for (int m = 0; m < 2; m++) {
        rill_world_def def = small_def(2, methods[m]);
        def.gravity = (rill_vec){0, 0, 0};
        rill_world *w = create(&def);
        add_water(w);
        add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1.2f, 1, 0});
        mini_body b = add_mini(w, 0.6, 0.5, 0.05);
        b.v[0] = 1;
        rill_gauge_def gauge = rill_gauge_def_default();
        gauge.kind = RILL_GAUGE_MOMENTUM;
        rill_gauge_id id;
        ok(w, rill_world_add_gauge(w, &gauge, &id));
        double most_owed = 0;
        for (int k = 0; k < 12; k++) {
            frame(w, &b, 0);
            rill_reaction r;
            rill_reading fluid;
            ok(w, rill_world_reaction(w, b.id, &r));
            ok(w, rill_world_read_gauge(w, id, &fluid));
            assert_near(fluid.value[0] + b.mass * b.v[0] + r.owed[0], b.mass, 1e-4 * b.mass);
            assert_near(fluid.value[1] + b.mass * b.v[1] + r.owed[1], 0, 1e-4 * b.mass);
            most_owed = fmax(most_owed, fabs(r.owed[0]));
        }
        assert_true(most_owed > 0.01 * b.mass);
        rill_world_destroy(w);
    }
}

/* The mean force in the body's state agrees with the sum of the reactions. */
static void reactions_add_up(void **state) {
    (void)state;
    rill_world *w = tank("wcsph");
    mini_body b = add_mini(w, 1, 1.2, 0.5);
    double sum = 0, dt = 1, steps = 0;
    ok(w, rill_world_begin(w, DT));
    while (dt > 0) {
        const rill_hosted_state s = state_of(&b);
        ok(w, rill_world_host(w, b.id, &s));
        ok(w, rill_world_substep(w, &dt));
        rill_reaction r;
        ok(w, rill_world_reaction(w, b.id, &r));
        if (dt > 0) sum += r.impulse[1], steps++;
    }
    ok(w, rill_world_end(w));
    rill_body_state s;
    ok(w, rill_world_body_state(w, b.id, &s));
    assert_true(steps > 1);
    assert_near(sum, (double)s.force.y * DT, 1e-5 * fabs(sum) + 1e-9);
    rill_world_destroy(w);
}

/* A wheel that its axle holds gets no velocity, whatever pushes it; a body without inverse mass and inertia moves as it
   is told. */
static void held(void **state) {
    (void)state;
    rill_world *w = tank("constraint");
    mini_body b = add_mini(w, 1, 0.9, 0.5);
    rill_hosted_state s = state_of(&b);
    s.inverse_mass = (rill_vec){0, 0, 0};
    for (int k = 0; k < 10; k++) {
        ok(w, rill_world_host(w, b.id, &s));
        ok(w, rill_world_step(w, DT));
    }
    rill_reaction r;
    ok(w, rill_world_reaction(w, b.id, &r));
    assert_true(r.impulse[1] > 0);
    assert_true(r.velocity.x == 0 && r.velocity.y == 0);
    s.inverse_inertia[2][2] = 0;
    s.velocity = (rill_vec){0, -0.3f, 0};
    ok(w, rill_world_host(w, b.id, &s));
    ok(w, rill_world_step(w, DT));
    rill_body_state moved;
    ok(w, rill_world_body_state(w, b.id, &moved));
    assert_near((double)moved.position.y, 0.9 - 0.3 * DT, 1e-6);
    rill_world_destroy(w);
}

/* A body that is asleep in its engine is a wall until the water around it changes. */
static void sleeps_and_wakes(void **state) {
    (void)state;
    rill_world *w = tank("constraint");
    mini_body b = add_mini(w, 1, 0.25, 2);
    rill_hosted_state s = state_of(&b);
    for (int k = 0; k < 90; k++) {
        s.asleep = k >= 60;
        ok(w, rill_world_host(w, b.id, &s));
        ok(w, rill_world_step(w, DT));
    }
    rill_reaction r;
    ok(w, rill_world_reaction(w, b.id, &r));
    assert_false(r.wake);
    assert_int_equal(rill_world_stats(w)->bodies_asleep, 1);
    rill_shape left = rill_shape_default();
    left.min = (rill_vec){0, 0, 0}, left.max = (rill_vec){0.75f, 2, 0};
    ok(w, rill_world_push_inside(w, &left, (rill_vec){4, 0, 0}, 1, NULL));
    bool woke = false;
    for (int k = 0; k < 30; k++) {
        ok(w, rill_world_host(w, b.id, &s));
        ok(w, rill_world_step(w, DT));
        ok(w, rill_world_reaction(w, b.id, &r));
        woke |= r.wake;
    }
    assert_true(woke);
    rill_world_destroy(w);
}

static void refused(rill_world *w, rill_body_id id, const rill_hosted_state *s) {
    const uint64_t before = rill_world_hash(w);
    assert_int_equal(rill_world_host(w, id, s), RILL_INVALID);
    assert_true(rill_world_message(w)[0] != 0);
    assert_true(rill_world_hash(w) == before);
}

static void misuse(void **state) {
    (void)state;
    rill_world *w = tank("pbf");
    mini_body b = add_mini(w, 1, 1.3, 0.5);
    const rill_hosted_state good = state_of(&b);
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f};
    for (int k = 0; k < 4; k++) {
        rill_hosted_state s = good;
        s.position.x = bad[k], refused(w, b.id, &s), s = good;
        s.angle = bad[k], refused(w, b.id, &s), s = good;
        s.velocity.y = bad[k], refused(w, b.id, &s), s = good;
        s.angular_velocity.z = bad[k], refused(w, b.id, &s), s = good;
        s.foretold = true, s.next_velocity.x = bad[k], refused(w, b.id, &s), s = good;
        if (k == 3) continue;
        s.inverse_mass.x = bad[k], refused(w, b.id, &s), s = good;
        s.inverse_inertia[2][2] = bad[k], refused(w, b.id, &s), s = good;
        s.force.x = bad[k], refused(w, b.id, &s), s = good;
        s.gravity_scale = bad[k], refused(w, b.id, &s);
    }
    rill_hosted_state s = good;
    s.inverse_mass.x = -1, refused(w, b.id, &s);
    refused(w, b.id, NULL);
    rill_body_id other;
    rill_body_def def = box_def();
    def.kind = RILL_BODY_KINEMATIC;
    assert_int_equal(rill_world_add_hosted(w, &def, &good, &other), RILL_INVALID);
    def = box_def();
    def.motion.spin = 1;
    assert_int_equal(rill_world_add_hosted(w, &def, &good, &other), RILL_INVALID);
    assert_int_equal(rill_world_add_hosted(w, NULL, &good, &other), RILL_INVALID);
    def = box_def();
    ok(w, rill_world_add_body(w, &def, &other));
    assert_int_equal(rill_world_host(w, other, &good), RILL_INVALID);
    assert_int_equal(rill_world_body_apply_impulse(w, b.id, (rill_vec){1, 0, 0}, NULL), RILL_INVALID);
    assert_int_equal(rill_world_body_set_velocity(w, b.id, (rill_vec){1, 0, 0}, (rill_vec){0, 0, 0}), RILL_INVALID);
    double dt;
    assert_int_equal(rill_world_substep(w, &dt), RILL_INVALID);
    assert_int_equal(rill_world_end(w), RILL_INVALID);
    ok(w, rill_world_begin(w, DT));
    assert_int_equal(rill_world_step(w, DT), RILL_INVALID);
    assert_int_equal(rill_world_begin(w, DT), RILL_INVALID);
    ok(w, rill_world_remove_body(w, b.id)); /* in the middle of a call */
    ok(w, rill_world_substep(w, &dt));
    ok(w, rill_world_end(w));
    rill_reaction r;
    assert_int_equal(rill_world_host(w, b.id, &good), RILL_NOT_FOUND);
    assert_int_equal(rill_world_reaction(w, b.id, &r), RILL_NOT_FOUND);
    rill_world_destroy(w);
}

/* Frames of at most two steps: pbf takes longer steps than its own, and both clocks agree. */
static void a_capped_frame_takes_longer_steps(void **state) {
    (void)state;
    rill_world_def def = rill_world_def_game(2);
    def.spacing = 0.025f, def.workers = 1;
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){2, 3, 0});
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){2, 0.6f, 0});
    mini_body b = add_mini(w, 1, 0.9, 0.5);
    for (int k = 0; k < 240; k++) {
        const int64_t before = rill_world_stats(w)->step;
        frame_at_most(w, &b, 9.81, 2);
        assert_near(rill_world_stats(w)->time, (k + 1) * DT, 1e-9);
        assert_true(rill_world_stats(w)->step - before <= 2);
    }
    const double level = 0.6 + 0.125 / 2;
    assert_near(b.x[1], level,
                0.05 * 0.5 + 0.07 * 0.6); /* and the compression of two steps a frame (docs/budgets.md) */
    frame(w, &b, 9.81);
    assert_true(rill_world_stats(w)->dt < 0.8 * DT / 2); /* its own steps */
    rill_world_destroy(w);
}

/* Steps that do not reach the end of the frame are as long as they may be, and the remaining time is given up. */
static void a_capped_frame_gives_time_up(void **state) {
    (void)state;
    rill_world *w = tank("wcsph"), *same = tank("wcsph"); /* short steps */
    double dt[3], most[3];
    ok(w, rill_world_begin_at_most(w, 0.1, 2));
    for (int k = 0; k < 3; k++) ok(w, rill_world_substep(w, &dt[k]));
    ok(w, rill_world_end(w));
    for (int k = 0; k < 2; k++) {
        ok(same, rill_world_step_adaptive(same, HUGE_VAL));
        most[k] = rill_world_stats(same)->dt;
        assert_true(dt[k] > 0 && dt[k] == most[k]);
    }
    assert_true(dt[2] == 0);
    assert_int_equal(rill_world_stats(w)->step, 2);
    assert_int_equal(rill_world_begin_at_most(w, DT, 0), RILL_INVALID);
    assert_int_equal(rill_world_begin_at_most(NULL, DT, 1), RILL_INVALID);
    ok(w, rill_world_step(w, most[1])); /* refused calls have begun nothing */
    rill_world_destroy(w);
    rill_world_destroy(same);
}

/* Slow motion makes steps short. Water that the long steps before left compressed must stay so for a while, particle by
   particle: if it sprang apart at once, it would gain 300 times all energy in play. */
static void slow_motion_stays_calm(void **state) {
    (void)state;
    static const double scales[] = {0.03, 0.01, 0.001};
    for (int k = 0; k < 3; k++) {
        rill_world_def def = rill_world_def_game(2);
        def.spacing = 0.05f, def.workers = 1;
        rill_world *w = create(&def);
        add_water(w);
        add_container(w, (rill_vec){0, 0, 0}, (rill_vec){2, 4, 0});
        add_box(w, (rill_vec){0, 0, 0}, (rill_vec){2, 1, 0});
        mini_body b = add_mini(w, 1, 1.3, 0.3);
        for (int f = 0; f < 90; f++) frame_of(w, &b, 9.81, DT, 2);
        for (int f = 0; f < 200; f++) frame_of(w, &b, 9.81, scales[k] * DT, 2);
        assert_true(rill_world_stats(w)->energy_gain < 0.1); /* the world itself reports gains from here on */
        for (int f = 0; f < 60; f++) frame_of(w, &b, 9.81, DT, 2);
        assert_true(b.x[1] > 0.9 && b.x[1] < 1.3);
        assert_int_equal(rill_world_stats(w)->runaways, 0);
        rill_world_destroy(w);
    }
}

/* A body is put into the water again and again, and no particle is lost. */
static void teleports(void **state) {
    (void)state;
    rill_world *w = tank("pbf");
    rill_body_def def = box_def();
    def.displacement = RILL_DISPLACE_PUSH;
    mini_body b = {.x = {1, 2}, .mass = 125, .inertia = 125.0 / 24};
    rill_hosted_state s = state_of(&b);
    ok(w, rill_world_add_hosted(w, &def, &s, &b.id));
    const int count = rill_world_particle_count(w);
    for (int round = 0; round < 6; round++) {
        b.x[0] = 0.5 + 0.2 * round, b.x[1] = 0.5, b.v[0] = b.v[1] = 0;
        for (int k = 0; k < 4; k++) frame(w, &b, 9.81);
    }
    assert_int_equal(rill_world_particle_count(w), count);
    rill_world_destroy(w);
}

/* A body that is turned at once covers water with its ends, which must make way too. With wcsph, which pushes hardest
   what is deep in a wall, the water would otherwise gain more than all energy in play. */
static void turned_at_once(void **state) {
    (void)state;
    rill_world *w = tank("wcsph");
    rill_body_def def = rill_body_def_default();
    def.shape.min = (rill_vec){-0.6f, -0.1f, 0}, def.shape.max = (rill_vec){0.6f, 0.1f, 0};
    def.displacement = RILL_DISPLACE_PUSH;
    mini_body b = {.x = {1, 0.7}, .mass = 120, .inertia = 15};
    rill_hosted_state s = state_of(&b);
    ok(w, rill_world_add_hosted(w, &def, &s, &b.id));
    const int count = rill_world_particle_count(w);
    for (int round = 0; round < 8; round++) {
        b.x[0] = 1, b.x[1] = 0.7, b.angle += 0.4, b.v[0] = b.v[1] = b.spin = 0;
        for (int k = 0; k < 3; k++) frame(w, &b, 9.81);
        assert_true(rill_world_stats(w)->energy_gain < 0.1);
    }
    assert_int_equal(rill_world_particle_count(w), count);
    rill_world_destroy(w);
}

/* ---- hosts that leave bodies inside each other ---- */

#define HEAP 40

/* A body of a host in 2D or 3D, moved by gravity and the fluid's impulses alone. */
typedef struct loose_box {
    double x[3], v[3], spin[3], angle, mass, inertia;
    rill_body_id id;
} loose_box;

static rill_hosted_state state_of_loose(const loose_box *b) {
    rill_hosted_state s = rill_hosted_state_default();
    const float mass = (float)(1 / b->mass);
    s.position = (rill_vec){(float)b->x[0], (float)b->x[1], (float)b->x[2]};
    s.angle = (float)b->angle;
    s.quaternion[2] = (float)sin(0.5 * b->angle), s.quaternion[3] = (float)cos(0.5 * b->angle);
    s.velocity = (rill_vec){(float)b->v[0], (float)b->v[1], (float)b->v[2]};
    s.angular_velocity = (rill_vec){(float)b->spin[0], (float)b->spin[1], (float)b->spin[2]};
    s.inverse_mass = (rill_vec){mass, mass, mass};
    for (int k = 0; k < 3; k++) s.inverse_inertia[k][k] = (float)(1 / b->inertia);
    return s;
}

/* A box with sides of 0.4 m. */
static loose_box add_loose(rill_world *w, rill_vec at, double angle, double mass, double inertia) {
    loose_box b = {.x = {(double)at.x, (double)at.y, (double)at.z}, .angle = angle, .mass = mass, .inertia = inertia};
    const float half = 0.2f, deep = rill_world_get_def(w)->dim == 3 ? half : 0;
    rill_body_def def = rill_body_def_default();
    def.shape.min = (rill_vec){-half, -half, -deep}, def.shape.max = (rill_vec){half, half, deep};
    def.displacement = RILL_DISPLACE_PUSH;
    const rill_hosted_state state = state_of_loose(&b);
    ok(w, rill_world_add_hosted(w, &def, &state, &b.id));
    return b;
}

/* Turns about z alone. The fluid's impulse in a frame must not make a body faster than several falls through the whole
   tank would. */
static void follow_reaction(rill_world *w, loose_box *b, double dt) {
    const int dim = rill_world_get_def(w)->dim;
    rill_reaction r;
    ok(w, rill_world_reaction(w, b->id, &r));
    for (int k = 0; k < 3; k++) {
        assert_true(isfinite(r.impulse[k]) && isfinite(r.moment[k]));
        assert_true(fabs(r.impulse[k]) / b->mass < 50);
        b->v[k] += k < dim ? r.impulse[k] / b->mass - (k == dim - 1 ? 9.81 * dt : 0) : 0;
        b->x[k] += dt * b->v[k];
    }
    b->spin[2] += r.moment[2] / b->inertia;
    b->angle += dt * b->spin[2];
}

static rill_world *pool(int dim, const char *method) {
    rill_world_def def = rill_world_def_game(dim);
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = dim == 2 ? 0.05f : 0.1f, def.workers = 1;
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, (rill_vec){0, 0, 0}, up2(w, 1.6f, 4, 1.2f));
    add_box(w, (rill_vec){0, 0, 0}, up2(w, 1.6f, 1, 1.2f));
    return w;
}

static void loose_frame(rill_world *w, loose_box *boxes, int count, int most) {
    double dt = DT;
    for (int k = 0; k < count; k++) {
        const rill_hosted_state state = state_of_loose(&boxes[k]);
        ok(w, rill_world_host(w, boxes[k].id, &state));
    }
    ok(w, rill_world_advance_at_most(w, DT, most, &dt));
    for (int k = 0; k < count; k++) follow_reaction(w, &boxes[k], dt);
}

/* Forty boxes of a host without contacts, each a little apart and turned, or all in one place. */
static void leave_in_each_other(int dim, const char *method, double ratio, float apart, int frames, double gain) {
    rill_world *w = pool(dim, method);
    loose_box boxes[HEAP];
    const int particles = rill_world_particle_count(w);
    const double mass = 1000 * ratio * pow(0.4, dim), inertia = mass * 0.16 / 6;
    for (int k = 0; k < HEAP; k++) {
        const float aside = apart * (float)(k * 7 % HEAP - HEAP / 2), up = apart * (float)(k * 11 % HEAP - HEAP / 2);
        boxes[k] = add_loose(w, up2(w, 0.8f + aside, 0.5f + up, 0.6f), 20.0 * (double)apart * k, mass, inertia);
    }
    for (int f = 0; f < frames; f++) {
        loose_frame(w, boxes, HEAP, 4);
        const rill_stats *stats = rill_world_stats(w);
        assert_true(stats->energy_gain < gain); /* false for NaN */
        assert_int_equal(stats->runaways, 0);
        assert_true(stats->body_contacts < 8 * HEAP); /* with the floor; contacts with each other would cost the most */
    }
    assert_int_equal(rill_world_particle_count(w), particles);
    rill_world_destroy(w);
}

/* Walls of one body behind those of another must not count as walls of their own, or nothing is finite after a few
   frames. */
static void left_in_each_other(void **state) {
    (void)state;
    static const char *const methods[] = {"pbf", "dfsph", "wcsph", "constraint", "clavet"};
    for (int m = 0; m < 5; m++) {
        leave_in_each_other(2, methods[m], 0.5, 0.002f, 20, 3);
        leave_in_each_other(2, methods[m], 0.1, 0, 10, 3);
        leave_in_each_other(3, methods[m], 0.5, 0.002f, 4, 3);
    }
}

static void saved_and_loaded(void **state) {
    (void)state;
    rill_world *w = tank("constraint");
    mini_body b = add_mini(w, 1, 1.2, 0.3);
    for (int k = 0; k < 5; k++) frame(w, &b, 9.81);
    bytes saved = {0};
    ok(w, rill_world_save(w, append_bytes, &saved));
    rill_error error = {0};
    rill_world *again = rill_world_load(saved.data, saved.size, NULL, &error);
    assert_non_null(again);
    assert_true(rill_world_is_hosted(again, b.id));
    mini_body c = b;
    for (int k = 0; k < 5; k++) frame(w, &b, 9.81), frame(again, &c, 9.81);
    assert_true(rill_world_hash(w) == rill_world_hash(again));
    free(saved.data);
    rill_world_destroy(w);
    rill_world_destroy(again);
}

/* Off-diagonal elements of -0.6 leave all minors of two rows positive, but one eigenvalue is negative. */
static void an_inertia_has_no_negative_eigenvalue(void **state) {
    (void)state;
    const rill_world_def def = small_def(3, "pbf");
    rill_world *w = create(&def);
    rill_fluid_def water = rill_fluid_def_default();
    ok(w, rill_world_add_fluid(w, &water, NULL));
    rill_body_def box = rill_body_def_default();
    box.shape.max = (rill_vec){0.2f, 0.2f, 0.2f};
    rill_hosted_state s = rill_hosted_state_default();
    s.inverse_mass = (rill_vec){1, 1, 1};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) s.inverse_inertia[r][c] = r == c ? 1.0f : -0.4f;
    rill_body_id id;
    ok(w, rill_world_add_hosted(w, &box, &s, &id));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) s.inverse_inertia[r][c] = r == c ? 1.0f : -0.6f;
    refused(w, id, &s);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_inertia_has_no_negative_eigenvalue),
        cmocka_unit_test(floats),
        cmocka_unit_test(light_ones_rise),
        cmocka_unit_test(next_to_no_mass),
        cmocka_unit_test(pauses_give_nothing),
        cmocka_unit_test(tiny_steps_throw_nothing),
        cmocka_unit_test(the_rest_is_owed),
        cmocka_unit_test(reactions_add_up),
        cmocka_unit_test(held),
        cmocka_unit_test(sleeps_and_wakes),
        cmocka_unit_test(misuse),
        cmocka_unit_test(a_capped_frame_takes_longer_steps),
        cmocka_unit_test(a_capped_frame_gives_time_up),
        cmocka_unit_test(slow_motion_stays_calm),
        cmocka_unit_test(teleports),
        cmocka_unit_test(turned_at_once),
        cmocka_unit_test(left_in_each_other),
        cmocka_unit_test(saved_and_loaded),
        cmocka_unit_test(flush_shapes_are_lifted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
