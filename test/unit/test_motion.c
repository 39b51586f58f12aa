/* SPDX-License-Identifier: MIT */
/* Prescribed motion: keyframes are met, velocities are exact derivatives and have no jumps, repeated rounds
   continue. */
#include "solid/motion.h"
#include "unit/worlds.h"

static const float times[] = {0.5f, 1.0f, 1.25f, 2.5f, 4.0f};
static const rill_vec places[] = {{0, 0, 0}, {1, 0.5f, -1}, {1, 2, -3}, {1.5f, -1, -3.5f}, {0, 0, 0}};
static const rill_vec turns[] = {{0, 0, 0}, {0.4f, 0, 1.5f}, {2, -0.3f, 2.5f}, {3, 4, 1}, {0, 0, 0}};
static const float angles[] = {0, 1, 3, 7, 7.5f};
enum { KEYS = 5 };

static rill_motion keyed(bool repeat) {
    rill_motion m = rill_solid_def_default().motion;
    m.times = (rill_numbers){times, KEYS};
    m.offsets = (rill_points){places, KEYS};
    m.angles = (rill_numbers){angles, KEYS};
    m.turns = (rill_points){turns, KEYS};
    m.pivot = (rill_vec){0.3f, -0.2f, 0.1f}, m.axis = (rill_vec){1, 2, -1};
    m.repeat = repeat;
    return m;
}

/* Formula and keyframes together. */
static rill_motion rich(bool repeat) {
    rill_motion m = keyed(repeat);
    m.velocity = (rill_vec){0.1f, 0, 0.2f}, m.amplitude = (rill_vec){0, 0.3f, 0};
    m.frequency = 0.7f, m.phase = 0.4f, m.spin = 1.5f, m.swing = 0.5f;
    return m;
}

static void keys_are_met(void **state) {
    (void)state;
    const rill_motion m = keyed(false);
    for (int k = 0; k < KEYS; k++) {
        pose p = {0};
        rill_motion_at(&m, 3, (double)times[k], &p);
        assert_near(p.offset.x, places[k].x, 1e-6);
        assert_near(p.offset.y, places[k].y, 1e-6);
        assert_near(p.offset.z, places[k].z, 1e-6);
        assert_near(p.angle, angles[k], 1e-6);
    }
    pose early = {0}, late = {0};
    rill_motion_at(&m, 3, 0.1, &early);
    rill_motion_at(&m, 3, 9, &late);
    assert_near(early.offset.x, 0, 0);
    assert_near(late.angle, 7.5, 1e-6);
    assert_true(late.velocity.x == 0.0f && late.angular.x == 0.0f && early.velocity.y == 0.0f);
}

static void nothing_moves_before_the_first_key(void **state) {
    (void)state;
    for (int repeat = 0; repeat < 2; repeat++) {
        rill_motion m = keyed(repeat == 1);
        m.start_time = 3;
        for (double t = 0; t < 3.5; t += 0.1) {
            pose p = {0};
            rill_motion_at(&m, 3, t, &p);
            assert_true(p.offset.x == 0 && p.offset.y == 0 && p.offset.z == 0 && p.angle == 0);
            assert_true(p.velocity.x == 0 && p.velocity.y == 0 && p.angular.x == 0 && p.angular.z == 0);
        }
    }
}

/* In 2D nothing leaves the plane. */
static void a_plane_is_kept(void **state) {
    (void)state;
    const rill_motion m = rich(false);
    for (double t = 0.1; t < 4; t += 0.3) {
        pose flat = {0}, solid = {0};
        rill_motion_at(&m, 2, t, &flat), rill_motion_at(&m, 3, t, &solid);
        assert_true(flat.offset.z == 0.0f && flat.velocity.z == 0.0f);
        assert_true(flat.offset.x == solid.offset.x && flat.velocity.y == solid.velocity.y);
    }
    rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    rill_body_def paddle = rill_body_def_default();
    paddle.kind = RILL_BODY_KINEMATIC, paddle.motion.velocity = (rill_vec){1, 0, 5};
    rill_body_id id;
    ok(w, rill_world_add_body(w, &paddle, &id));
    ok(w, rill_world_step(w, 0.1));
    rill_body_state s;
    ok(w, rill_world_body_state(w, id, &s));
    assert_true(s.position.z == 0.0f && s.velocity.z == 0.0f && s.velocity.x == 1.0f);
    rill_world_destroy(w);
}

static void a_turn_is_axis_times_angle(void **state) {
    (void)state;
    rill_motion m = rill_solid_def_default().motion;
    const rill_vec quarter[] = {{0, 0, 0}, {0, 1.57079632679f, 0}};
    const float when[] = {0, 1};
    m.times = (rill_numbers){when, 2}, m.turns = (rill_points){quarter, 2};
    pose p = {0};
    rill_motion_at(&m, 3, 1, &p);
    const float expected[3][3] = {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}; /* z turns to x */
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) assert_near(p.turn[r][c], expected[r][c], 1e-7);
}

/* Velocity and angular velocity against differences of position and matrix, at keys and seams too. */
static void velocities_are_derivatives(void **state) {
    (void)state;
    const double e = 2e-3;
    for (int repeat = 0; repeat < 2; repeat++)
        for (int dim = 2; dim <= 3; dim++) {
            rill_motion m = rich(repeat == 1);
            if (dim == 2) m.turns = (rill_points){0};
            for (double t = 0.01; t < 9; t += 0.0373) {
                pose a = {0}, b = {0}, c = {0};
                rill_motion_at(&m, dim, t - e, &a);
                rill_motion_at(&m, dim, t, &b);
                rill_motion_at(&m, dim, t + e, &c);
                for (int k = 0; k < 3; k++)
                    assert_near((double)((&c.offset.x)[k] - (&a.offset.x)[k]) / (2 * e), (&b.velocity.x)[k], 0.05);
                /* R' R^T is the matrix of the angular velocity. */
                double rate[3][3];
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++) {
                        rate[i][j] = 0;
                        for (int k = 0; k < 3; k++)
                            rate[i][j] += (double)(c.turn[i][k] - a.turn[i][k]) / (2 * e) * (double)b.turn[j][k];
                    }
                assert_near(rate[2][1], b.angular.x, 0.06);
                assert_near(rate[0][2], b.angular.y, 0.06);
                assert_near(rate[1][0], b.angular.z, 0.06);
            }
        }
}

static void velocities_have_no_jumps(void **state) {
    (void)state;
    for (int repeat = 0; repeat < 2; repeat++) {
        const rill_motion m = keyed(repeat == 1);
        for (int k = 0; k < 3 * KEYS; k++) {
            const double seam = (double)times[k % KEYS] + (k / KEYS) * 3.5;
            pose before = {0}, after = {0};
            rill_motion_at(&m, 3, seam - 1e-7, &before);
            rill_motion_at(&m, 3, seam + 1e-7, &after);
            for (int c = 0; c < 3; c++) {
                assert_near((&before.velocity.x)[c], (&after.velocity.x)[c], 1e-4);
                assert_near((&before.angular.x)[c], (&after.angular.x)[c], 1e-4);
            }
        }
    }
}

static void no_key_is_overshot(void **state) {
    (void)state;
    const rill_motion m = keyed(false);
    for (double t = 1; t <= 1.25; t += 0.01) {
        pose p = {0};
        rill_motion_at(&m, 2, t, &p);
        assert_near(p.offset.x, 1, 1e-6); /* two equal keys: no motion between them */
        assert_true(p.offset.y >= 0.5f && p.offset.y <= 2.0f);
    }
}

/* A wheel whose angle does not return to its start keeps turning; a slide that does return goes back and forth. */
static void rounds_go_on(void **state) {
    (void)state;
    rill_motion m = keyed(true);
    for (int round = 0; round < 4; round++) {
        pose p = {0};
        rill_motion_at(&m, 2, 1.25 + 3.5 * round, &p);
        assert_near(p.offset.y, 2, 1e-5);
        assert_near(p.angle, 3 + 7.5 * round, 1e-4);
    }
}

/* ---- through the world ---- */

static void refused(rill_world *w, const rill_motion *m, const char *part) {
    rill_solid_def solid = rill_solid_def_default();
    solid.motion = *m;
    assert_int_equal(rill_world_add_solid(w, &solid, NULL), RILL_INVALID);
    if (!strstr(rill_world_message(w), part)) fail_msg("'%s' does not say '%s'", rill_world_message(w), part);
    rill_body_def body = rill_body_def_default();
    body.kind = RILL_BODY_KINEMATIC, body.motion = *m;
    assert_int_equal(rill_world_add_body(w, &body, NULL), RILL_INVALID);
    assert_int_equal(rill_world_solid_count(w) + rill_world_body_count(w), 0);
}

static void keyframes_are_checked(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "wcsph");
    rill_world *w = create(&def);
    rill_motion m = keyed(false);
    m.times.count = 1;
    refused(w, &m, "at least 2 times");
    m = keyed(false), m.angles.count = 3;
    refused(w, &m, "3 keyframes for 5 times");
    m = keyed(false), m.times = (rill_numbers){0};
    refused(w, &m, "need times");
    m = keyed(false), m.angles.count = m.offsets.count = m.turns.count = 0;
    refused(w, &m, "no values for these times");
    const rill_vec unclosed[KEYS] = {{1, 0, 0}};
    const float falling[] = {0, 1, 1, 2, 3}, wild[] = {0, 1, 2, HUGE_VALF, 4};
    m = keyed(false), m.times.data = falling;
    refused(w, &m, "must rise");
    m = keyed(false), m.angles.data = wild;
    refused(w, &m, "angles");
    m = keyed(false), m.angles.data = NULL;
    refused(w, &m, "without data");
    m = keyed(true), m.turns.data = unclosed;
    refused(w, &m, "the same as the first");
    rill_world_destroy(w);
}

/* The world keeps its own copies, and a snapshot holds them. */
static void a_loaded_world_goes_on(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "wcsph");
    rill_world *w = create(&def);
    add_water(w);
    add_box(w, (rill_vec){0}, (rill_vec){0.3f, 0.3f, 0.3f});
    float passing[KEYS];
    memcpy(passing, times, sizeof passing);
    rill_solid_def solid = rill_solid_def_default();
    solid.motion = rich(true), solid.motion.times.data = passing;
    solid.shape = ball_shape((rill_vec){0.5f, 0, 0}, 0.2f);
    ok(w, rill_world_add_solid(w, &solid, NULL));
    rill_body_def body = rill_body_def_default();
    body.kind = RILL_BODY_KINEMATIC, body.motion = solid.motion, body.shape = ball_shape((rill_vec){-0.5f, 0, 0}, 0.2f);
    ok(w, rill_world_add_body(w, &body, NULL));
    memset(passing, 0, sizeof passing);
    take_steps(w, 30);
    bytes b = save(w);
    rill_error error;
    rill_world *loaded = rill_world_load(b.data, b.size, NULL, &error);
    if (!loaded) fail_msg("%s", error.text);
    take_steps(w, 30);
    take_steps(loaded, 30);
    assert_true(rill_world_hash(w) == rill_world_hash(loaded));
    assert_int_equal(rill_world_solid_def(loaded, rill_world_solid_at(loaded, 0))->motion.times.count, KEYS);
    assert_true(rill_world_solid_def(loaded, rill_world_solid_at(loaded, 0))->motion.times.data[1] == times[1]);
    rill_world_destroy(loaded);
    rill_world_destroy(w);
    free(b.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_moves_before_the_first_key),
        cmocka_unit_test(keys_are_met),
        cmocka_unit_test(a_plane_is_kept),
        cmocka_unit_test(a_turn_is_axis_times_angle),
        cmocka_unit_test(velocities_are_derivatives),
        cmocka_unit_test(velocities_have_no_jumps),
        cmocka_unit_test(no_key_is_overshot),
        cmocka_unit_test(rounds_go_on),
        cmocka_unit_test(keyframes_are_checked),
        cmocka_unit_test(a_loaded_world_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
