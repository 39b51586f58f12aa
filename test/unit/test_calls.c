/* SPDX-License-Identifier: MIT */
/* Calls as the host sees them: forces act over the whole call, and events of bodies are reported for the whole call,
   whatever the substeps. */
#include "unit/worlds.h"

#define FRAME (1.0 / 60)

static rill_world *open_world(const char *method, int substeps) {
    rill_world_def def = small_def(2, method);
    rill_world *w = create(&def);
    if (substeps > 0) ok(w, rill_world_set_number(w, rill_ref_method(), "substeps", substeps));
    return w;
}

static rill_body_state state_of(rill_world *w, rill_body_id id) {
    rill_body_state s;
    ok(w, rill_world_body_state(w, id, &s));
    return s;
}

/* Speed that a force of mass * 60 N and a torque of inertia * 60 N m give in a call of 1/60 s. */
static void check_push(const char *method, int substeps, bool advance) {
    rill_world *w = open_world(method, substeps);
    add_body(w, "box", box_shape((rill_vec){0, 0, 0}, (rill_vec){0.2f, 0.2f, 0}), 1000);
    const rill_body_id id = rill_world_find_body(w, "box");
    for (int round = 0; round < 2; round++) { /* the second call has no force */
        const rill_body_state before = state_of(w, id);
        if (round == 0) {
            ok(w, rill_world_body_apply_force(w, id, (rill_vec){60 * before.mass, 0, 0}, NULL));
            ok(w, rill_world_body_apply_torque(w, id, (rill_vec){0, 0, 60 * before.inertia.z}));
        }
        ok(w, advance ? rill_world_advance(w, FRAME) : rill_world_step(w, FRAME));
        const rill_body_state after = state_of(w, id);
        assert_near(after.velocity.x, 1, 1e-6);
        assert_near(after.angular_velocity.z, 1, 1e-6);
    }
    rill_world_destroy(w);
}

static void forces_act_over_the_whole_call(void **state) {
    (void)state;
    static const char *const methods[] = {"muller", "wcsph", "pcisph", "dfsph", "pbf", "constraint"};
    for (int m = 0; m < 6; m++) {
        check_push(methods[m], 0, false);
        check_push(methods[m], 0, true);
    }
    for (int substeps = 1; substeps <= 8; substeps *= 2) {
        check_push("pbf", substeps, false);
        check_push("constraint", substeps, false);
    }
}

#define BALLS 20

static void add_balls(rill_world *w) {
    rill_solid_def ground = rill_solid_def_default();
    ground.shape.kind = RILL_HALF_SPACE, ground.shape.normal = (rill_vec){0, 1, 0};
    ok(w, rill_world_add_solid(w, &ground, NULL));
    for (int n = 0; n < BALLS; n++) {
        rill_body_def ball = rill_body_def_default();
        ball.shape = ball_shape((rill_vec){(float)n, 0.3f + 0.013f * (float)n, 0}, 0.2f);
        ball.restitution = 0.6f;
        ok(w, rill_world_add_body(w, &ball, NULL));
    }
}

/* What contacts reported over two seconds. */
typedef struct told {
    int began, ended, touching;
    double impulse, hit_speed;
} told;

static told watch_balls(int substeps, bool advance) {
    rill_world *w = open_world("pbf", substeps);
    add_balls(w);
    told t = {0};
    for (int n = 0; n < 120; n++) {
        ok(w, advance ? rill_world_advance(w, FRAME) : rill_world_step(w, FRAME));
        t.touching = 0;
        for (int k = 0; k < rill_world_contact_count(w); k++) {
            const rill_contact *c = &rill_world_contacts(w)[k];
            t.began += c->began, t.ended += c->ended, t.touching += c->touching;
            t.impulse += (double)c->impulse.y;
            t.hit_speed = fmax(t.hit_speed, (double)c->hit_speed);
        }
    }
    double mass = 0, momentum = 0;
    for (int n = 0; n < BALLS; n++) {
        const rill_body_state s = state_of(w, rill_world_body_at(w, n));
        mass += (double)s.mass, momentum += (double)(s.mass * s.velocity.y);
    }
    t.impulse = (t.impulse - momentum) / (mass * 9.81 * 2);
    if (substeps == 1 && !advance) assert_int_equal(t.began - t.ended, t.touching);
    rill_world_destroy(w);
    return t;
}

static void events_are_collected_over_the_call(void **state) {
    (void)state;
    for (int substeps = 1; substeps <= 8; substeps *= 2) {
        const told t = watch_balls(substeps, false);
        print_message("%d substeps: %d began, %d ended, impulse %.4f of the weight, hardest hit %.3f m/s\n", substeps,
                      t.began, t.ended, t.impulse, t.hit_speed);
        assert_near(t.impulse, 1, 0.01);
        assert_true(t.began >= 2 * BALLS); /* all bounce at least once */
        /* The fall of the highest ball, up to what gravity adds from the middle of a substep to the end of the next. */
        assert_near(t.hit_speed, sqrt(2 * 9.81 * 0.347), 1.5 * 9.81 * FRAME / substeps + 0.01);
    }
    assert_near(watch_balls(4, true).impulse, 1, 0.01);
}

/* A ball that arrives, bounces and leaves within one call is reported. */
static void a_bounce_within_a_call_is_told(void **state) {
    (void)state;
    rill_world *w = open_world("wcsph", 0);
    add_balls(w);
    ok(w, rill_world_advance(w, 0.3));
    assert_int_equal(rill_world_contact_count(w), BALLS);
    int bounced = 0;
    for (int k = 0; k < BALLS; k++) {
        const rill_contact *c = &rill_world_contacts(w)[k];
        bounced += c->began && c->ended && !c->touching;
        assert_true(c->impulse.y > 0.0f && (!c->touching || c->force.y > 0.0f));
    }
    assert_true(bounced > BALLS / 2);
    rill_world_destroy(w);
}

static rill_wetting wetting_of(rill_world *w, rill_body_id id) {
    rill_wetting wetting;
    ok(w, rill_world_body_wetting(w, id, &wetting));
    return wetting;
}

/* A heavy ball falls 0.45 m through air and half a metre of water, and is lifted out by hand. */
static void check_splash(const char *method) {
    rill_world_def def = small_def(2, method);
    rill_world *w = create(&def);
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){1, 3, 0});
    add_water(w);
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1, 0.5f, 0});
    add_body(w, "ball", ball_shape((rill_vec){0.5f, 1.05f, 0}, 0.1f), 3000);
    const rill_body_id id = rill_world_find_body(w, "ball");
    int entered = 0, left = 0;
    float splash = 0.0f;
    for (int n = 0; n < 30; n++) {
        ok(w, rill_world_advance(w, FRAME));
        const rill_wetting now = wetting_of(w, id);
        if (now.entered) splash = now.splash_speed;
        if (now.entered) assert_true(now.normal.y < -0.5f && fabsf(now.point.y - 0.5f) < 0.15f);
        assert_true(n > 10 || (!now.wet && now.particles == 0 && now.splash_speed == 0.0f));
        entered += now.entered, left += now.left;
    }
    print_message("%s: %d particles touch, splash at %.2f m/s\n", method, wetting_of(w, id).particles, (double)splash);
    assert_int_equal(entered, 1);
    assert_int_equal(left, 0);
    assert_true(wetting_of(w, id).wet && wetting_of(w, id).particles > 4);
    assert_near(splash, sqrt(2 * 9.81 * 0.45), 0.4); /* one call more or less, and water that yields */
    ok(w, rill_world_body_set_pose(w, id, &(rill_pose){.position = {0.5f, 2.5f, 0}, .quaternion = {0, 0, 0, 1}}));
    ok(w, rill_world_advance(w, FRAME));
    const rill_wetting out = wetting_of(w, id);
    assert_true(out.left && !out.entered && !out.wet && out.particles == 0);
    rill_world_destroy(w);
}

static void bodies_tell_when_they_come_into_the_fluid(void **state) {
    (void)state;
    static const char *const methods[] = {"muller", "wcsph", "pcisph", "dfsph", "pbf", "constraint"};
    for (int m = 0; m < 6; m++) check_splash(methods[m]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_act_over_the_whole_call),
        cmocka_unit_test(events_are_collected_over_the_call),
        cmocka_unit_test(a_bounce_within_a_call_is_told),
        cmocka_unit_test(bodies_tell_when_they_come_into_the_fluid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
