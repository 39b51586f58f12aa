/* SPDX-License-Identifier: MIT */
/* Sessions: the same hash as the world alone, recordings that replay, going back, dragging by hand. */
#include "play/play_test.h"
#include "scene/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>

static play_session *opened(const char *text) {
    play_session *s = make_session();
    assert_non_null(s);
    open_scene(s, text);
    char *info = last_reply(s, "info");
    assert_non_null(info);
    free(info);
    return s;
}

static char *hash_of(play_session *s) {
    forget_replies(s);
    say(s, "{\"do\": \"hash\"}");
    char *answer = last_reply(s, "hash");
    assert_non_null(answer);
    char *value = strstr(answer, "\"value\": \"");
    assert_non_null(value);
    char *hash = strndup(value + 10, 16);
    free(answer);
    return hash;
}

static void assert_same_hash(char *a, char *b) {
    assert_string_equal(a, b);
    free(a), free(b);
}

static void expect_error(play_session *s) {
    char *error = last_reply(s, "error");
    assert_non_null(error);
    free(error);
}

static void expect_no_error(play_session *s) {
    char *error = last_reply(s, "error");
    if (error) fail_msg("%s", error);
}

/* Where the first body of a 2D frame has moved a point of its shape. */
static rill_vec point_of_first_body(play_session *s, float x, float y) {
    size_t size;
    const char *frame = rill_play_frame(s, &size);
    assert_non_null(frame);
    uint32_t particles, bodies;
    memcpy(&particles, frame + 40, 4), memcpy(&bodies, frame + 44, 4);
    assert_true(bodies > 0);
    const size_t before = ((2 * particles + 3) & ~3u) * 2 + ((particles + 3) & ~3u) * 2;
    float pose[7];
    memcpy(pose, frame + 80 + before, sizeof pose);
    const float c = 1 - 2 * pose[5] * pose[5], si = 2 * pose[5] * pose[6];
    return (rill_vec){pose[0] + c * x - si * y, pose[1] + si * x + c * y, 0};
}

/* ---- tests ---- */

/* A session takes as many steps of the world's own length as it needs to catch up with the clock. */
static void steps_are_the_worlds(void **state) {
    (void)state;
    play_session *s = opened(PLAY_SCENE_2D);
    take_steps_of(s, 4);
    scene *plain = rill_scene_parse("scene", PLAY_SCENE_2D, strlen(PLAY_SCENE_2D), NULL);
    rill_world *world = rill_scene_build(plain, 1, -1, NULL);
    for (int k = 0; k < 34; k++) assert_int_equal(rill_world_step(world, (double)plain->run.dt), RILL_OK); /* 4/60 s */
    char expected[24], *hash = hash_of(s);
    snprintf(expected, sizeof expected, "%016" PRIx64, rill_world_hash(world));
    assert_string_equal(hash, expected);
    free(hash);
    rill_world_destroy(world);
    rill_scene_free(plain);
    rill_play_destroy(s);
}

/* Sends every kind of input, a few steps apart. */
static void play_with(play_session *s, int dim) {
    const char *inputs_2d[] = {
        "{\"do\": \"grab\", \"at\": [0.2, 0.75]}",
        "{\"do\": \"drag\", \"to\": [0.5, 0.8]}",
        "{\"do\": \"push\", \"at\": [0.3, 0.3], \"velocity\": [1, 1], \"radius\": 0.2}",
        "{\"do\": \"pour\", \"at\": [0.8, 0.8], \"radius\": 0.1, \"fluid\": \"oil\", \"velocity\": [0, -1]}",
        "{\"do\": \"wall\", \"points\": [[0.7, 0.1], [0.9, 0.2]], \"thickness\": 0.05}",
        "{\"do\": \"box\", \"at\": [0.5, 0.9], \"size\": [0.1, 0.1], \"density\": 300}",
        "{\"do\": \"erase\", \"at\": [0.1, 0.1], \"radius\": 0.1}",
        "{\"do\": \"drop\"}",
        "{\"do\": \"gravity\", \"value\": [2, -9]}",
        "{\"do\": \"set\", \"path\": \"fluids.water.viscosity\", \"value\": \"10 cP\"}",
        "{\"do\": \"method\", \"name\": \"wcsph\"}",
        "{\"do\": \"play\", \"rate\": 0.5}",
        "{\"do\": \"gauge\", \"kind\": \"pressure\", \"at\": [0.3, 0.1]}",
    };
    const char *inputs_3d[] = {
        "{\"do\": \"grab\", \"at\": [0.2, 0.8, 3], \"ray\": [0, 0, -1]}",
        "{\"do\": \"drag\", \"to\": [0.5, 0.8, 0.3]}",
        "{\"do\": \"push\", \"at\": [0.3, 0.3, 0.2], \"velocity\": [1, 1, 0], \"radius\": 0.2}",
        "{\"do\": \"pour\", \"at\": [0.8, 0.8, 0.2], \"radius\": 0.1, \"velocity\": [0, -1, 0]}",
        "{\"do\": \"box\", \"at\": [0.5, 0.9, 0.2], \"size\": [0.1, 0.1, 0.1]}",
        "{\"do\": \"erase\", \"at\": [0.1, 0.1, 0.1], \"radius\": 0.15}",
        "{\"do\": \"drop\"}",
    };
    const char *const *inputs = dim == 2 ? inputs_2d : inputs_3d;
    const int count =
        dim == 2 ? (int)(sizeof inputs_2d / sizeof *inputs_2d) : (int)(sizeof inputs_3d / sizeof *inputs_3d);
    for (int k = 0; k < count; k++) {
        size_t size;
        say(s, inputs[k]);
        expect_no_error(s);
        take_steps_of(s, 2);
        assert_non_null(rill_play_frame(s, &size)); /* a replay takes no frames, and has to be the same */
    }
}

static char *recording_of(play_session *s) {
    forget_replies(s);
    say(s, "{\"do\": \"recording\"}");
    char *answer = last_reply(s, "recording");
    assert_non_null(answer);
    return answer;
}

/* Replays the recording in an answer to "recording". */
static void replay(play_session *s, const char *answer) {
    const char *recording = strstr(answer, "\"recording\": {");
    char *message = malloc(strlen(answer) + 64);
    sprintf(message, "{\"do\": \"replay\", \"fast\": true, %s", recording);
    forget_replies(s);
    say(s, message);
    free(message);
    double wait;
    for (int k = 0; k < 2000 && rill_play_due(s, k, &wait); k++) rill_play_advance(s);
}

static void expect_same(play_session *s) {
    char *answer = last_reply(s, "replayed");
    assert_non_null(answer);
    if (!strstr(answer, "\"same\": true")) fail_msg("%s", answer);
    free(answer);
}

static void check_recording(const char *text, int dim) {
    play_session *s = opened(text), *other = make_session();
    play_with(s, dim);
    char *recording = recording_of(s);
    replay(other, recording);
    expect_same(other);
    assert_same_hash(hash_of(s), hash_of(other));
    /* With a changed input it is not the same; otherwise the test would see nothing. */
    char *without = strstr(recording, "push");
    assert_non_null(without);
    char *velocity = strstr(without, "\"velocity\": [1");
    assert_non_null(velocity);
    velocity[13] = '2';
    replay(other, recording);
    char *answer = last_reply(other, "replayed");
    assert_non_null(answer);
    assert_non_null(strstr(answer, "\"same\": false"));
    free(answer);
    free(recording);
    rill_play_destroy(s);
    rill_play_destroy(other);
}

static void recordings_replay_in_2d(void **state) {
    (void)state;
    check_recording(PLAY_SCENE_2D, 2);
}

static void recordings_replay_in_3d(void **state) {
    (void)state;
    check_recording(PLAY_SCENE_3D, 3);
}

/* Going back to a kept moment continues from there as if nothing had happened since. */
static void going_back_is_exact(void **state) {
    (void)state;
    play_session *s = opened(PLAY_SCENE_2D), *straight = opened(PLAY_SCENE_2D);
    take_steps_of(straight, 20);
    take_steps_of(s, 18);
    say(s, "{\"do\": \"push\", \"at\": [0.3, 0.3], \"velocity\": [1, 1], \"radius\": 0.3}");
    take_steps_of(s, 10);
    forget_replies(s);
    say(s, "{\"do\": \"rewind\", \"seconds\": 0.2}");
    expect_no_error(s);
    assert_int_equal(rill_play_step(s), 15);
    take_steps_of(s, 5);
    assert_same_hash(hash_of(s), hash_of(straight));
    char *recording = recording_of(s);
    assert_null(strstr(recording, "push"));
    replay(straight, recording);
    expect_same(straight);
    free(recording);
    rill_play_destroy(s);
    rill_play_destroy(straight);
}

static void snapshots_come_back(void **state) {
    (void)state;
    play_session *s = opened(PLAY_SCENE_2D);
    take_steps_of(s, 4);
    char *before = hash_of(s);
    say(s, "{\"do\": \"save\"}");
    play_reply saved = {0};
    while (rill_play_reply(s, &saved) && !saved.binary) rill_play_reply_free(&saved);
    assert_true(saved.binary && saved.size > 100);
    take_steps_of(s, 3);
    rill_play_binary(s, 1, saved.bytes, saved.size);
    assert_same_hash(before, hash_of(s));
    take_steps_of(s, 3);
    char *recording = recording_of(s);
    play_session *other = make_session();
    replay(other, recording);
    expect_same(other);
    free(recording);
    saved.bytes[saved.size / 2] ^= 0x55;
    rill_play_binary(s, 1, saved.bytes, saved.size);
    expect_error(s);
    rill_play_reply_free(&saved);
    rill_play_destroy(s);
    rill_play_destroy(other);
}

/* The hand drags a body, to within the stretch of its spring. */
static void the_hand_drags_a_body(void **state) {
    (void)state;
    play_session *s = opened(PLAY_SCENE_2D);
    say(s, "{\"do\": \"grab\", \"at\": [0.2, 0.75]}");
    char *held = last_reply(s, "held");
    assert_non_null(held);
    assert_non_null(strstr(held, "\"body\": 1"));
    free(held);
    say(s, "{\"do\": \"drag\", \"to\": [0.7, 0.8]}");
    take_steps_of(s, 60);
    const rill_vec moved = point_of_first_body(s, 0.2f, 0.75f);
    assert_true(fabsf(moved.x - 0.7f) < 0.02f);
    assert_true(fabsf(moved.y - 0.8f) < 0.08f); /* its weight stretches the spring by g / PULL^2, 5 cm */
    say(s, "{\"do\": \"grab\", \"at\": [0.05, 0.95]}");
    held = last_reply(s, "held");
    assert_non_null(strstr(held, "\"body\": 0"));
    free(held);
    rill_play_destroy(s);
}

static void the_hand_drags_a_nozzle(void **state) {
    (void)state;
    char text[2000];
    snprintf(text, sizeof text,
             "%.*s, \"emitters\": [{\"name\": \"tap\", \"fluid\": \"water\", \"position\": [0.8, 0.9], \"direction\": "
             "[0, -1],"
             " \"radius\": 0.1, \"speed\": 1}]}",
             (int)strlen(PLAY_SCENE_2D) - 1, PLAY_SCENE_2D);
    play_session *s = opened(text), *other = make_session();
    say(s, "{\"do\": \"grab\", \"at\": [0.8, 0.9]}");
    char *held = last_reply(s, "held");
    assert_non_null(held);
    assert_non_null(strstr(held, "\"emitter\": 1"));
    free(held);
    say(s, "{\"do\": \"drag\", \"to\": [0.5, 0.95]}");
    say(s, "{\"do\": \"drop\"}");
    take_steps_of(s, 5);
    say(s, "{\"do\": \"info\"}");
    char *info = last_reply(s, "info");
    assert_non_null(strstr(info, "\"position\": [0.5, 0.9")); /* 0.95 as a float */
    free(info);
    char *recording = recording_of(s);
    replay(other, recording);
    expect_same(other);
    free(recording);
    rill_play_destroy(s);
    rill_play_destroy(other);
}

/* A line of cloth: ten segments between eleven particles, at the end of the frame. */
static void frames_have_cloth(void **state) {
    (void)state;
    play_session *s =
        opened("{\"dim\": 2, \"method\": \"projective\", \"world\": {\"spacing\": 0.1}, \"run\": {\"time\": 1},"
               " \"cloths\": [{\"name\": \"line\", \"kind\": \"sheet\", \"position\": [0, 0], \"edge_a\": [1, 0]}],"
               " \"pins\": [{\"name\": \"end\", \"min\": [0, 0], \"max\": [0, 0]}]}");
    take_steps_of(s, 2);
    size_t size;
    const char *frame = rill_play_frame(s, &size);
    assert_non_null(frame);
    uint32_t particles, pieces[2], ends[20];
    memcpy(&particles, frame + 40, sizeof particles), memcpy(pieces, frame + 72, sizeof pieces);
    assert_int_equal(particles, 11);
    assert_int_equal(pieces[0], 10);
    assert_int_equal(pieces[1], 0);
    memcpy(ends, frame + size - sizeof ends, sizeof ends);
    for (int k = 0; k < 20; k++) assert_true(ends[k] < particles);
    rill_play_destroy(s);
}

static double time_of_frame(play_session *s) {
    size_t size;
    const char *frame = rill_play_frame(s, &size);
    float time;
    assert_non_null(frame);
    memcpy(&time, frame + 12, sizeof time);
    return (double)time;
}

/* A step that is cut short, as on a machine that is too slow, is cut at the same place in a replay. */
static void a_cut_step_replays(void **state) {
    (void)state;
    play_session *s = opened(PLAY_SCENE_2D), *other = make_session();
    take_steps_of(s, 3);
    const double before = time_of_frame(s);
    say(s, "{\"do\": \"cut\", \"after\": 2}");
    take_steps_of(s, 1);
    assert_true(time_of_frame(s) - before < 0.0081); /* instead of 1/60 s */
    take_steps_of(s, 20);
    char *recording = recording_of(s);
    assert_non_null(strstr(recording, "\"cut\""));
    replay(other, recording);
    expect_same(other);
    free(recording);
    rill_play_destroy(s);
    rill_play_destroy(other);
}

/* Steps of the world so short that a sixtieth of a second takes thousands of them: each step that is played ends after
   a fifth of a second of computing, or after a hundred substeps, whichever comes first. */
static void a_slow_world_is_played_and_replays(void **state) {
    (void)state;
    char *text = strdup(PLAY_SCENE_3D), *dt = strstr(text, "0.002");
    memcpy(dt, "1e-06", 5);
    play_session *s = opened(text), *other = make_session();
    say(s, "{\"do\": \"play\"}");
    for (int k = 0; k < 5; k++) {
        rill_play_advance(s);
        assert_true(time_of_frame(s) < (k + 1) * 1.01e-4);
    }
    char *recording = recording_of(s);
    replay(other, recording);
    expect_same(other);
    free(recording);
    free(text);
    rill_play_destroy(s);
    rill_play_destroy(other);
}

static void time_never_runs_ahead(void **state) {
    (void)state;
    play_session *s = opened(PLAY_SCENE_2D);
    double wait;
    assert_false(rill_play_due(s, 10, &wait));
    say(s, "{\"do\": \"play\"}");
    int steps = 0;
    for (int k = 0; k < 1000; k++) steps += rill_play_due(s, 10 + 0.001 * k, &wait);
    assert_in_range(steps, 59, 61);
    /* A second without a call is not caught up with. */
    steps = 0;
    for (int k = 0; k < 100; k++) steps += rill_play_due(s, 12 + 0.001 * k, &wait);
    assert_in_range(steps, 5, 8);
    rill_play_destroy(s);
}

static void a_world_that_blew_up_can_be_reset(void **state) {
    (void)state;
    play_session *s = opened(PLAY_SCENE_2D);
    say(s, "{\"do\": \"set\", \"path\": \"world.max_speed\", \"value\": 0.01}");
    say(s, "{\"do\": \"play\"}");
    take_steps_of(s, 5);
    expect_error(s);
    double wait;
    assert_false(rill_play_due(s, 1, &wait));
    say(s, "{\"do\": \"reset\"}");
    expect_no_error(s);
    take_steps_of(s, 2);
    expect_no_error(s);
    assert_int_equal(rill_play_step(s), 2);
    rill_play_destroy(s);
}

/* Playing on goes back to before the blow-up, and to before the change that caused it. */
static void a_world_that_blew_up_goes_on(void **state) {
    (void)state;
    play_session *s = opened(PLAY_SCENE_2D);
    take_steps_of(s, 40);
    say(s, "{\"do\": \"set\", \"path\": \"world.max_speed\", \"value\": 0.01}");
    take_steps_of(s, 1);
    expect_error(s);
    say(s, "{\"do\": \"play\"}");
    expect_no_error(s);
    assert_int_equal(rill_play_step(s), 0); /* 41 - 30 = 11; the last moment kept before that is 0 */
    take_steps_of(s, 45);
    expect_no_error(s);
    assert_int_equal(rill_play_step(s), 45);
    rill_play_destroy(s);
}

/* A pseudo-random number in [0, 1). */
static double some_share(int k) {
    return (double)((uint32_t)k * 2654435761u >> 8) / (1 << 24);
}

/* Fluid that is poured anywhere, at walls and in water, does not burst. */
static void what_is_poured_does_not_burst(void **state) {
    (void)state;
    static const char *const methods[] = {"wcsph", "muller", "pbf", "dfsph"};
    for (int m = 0; m < 4; m++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "{\"dim\": 2, \"method\": \"%s\", \"world\": {\"spacing\": 0.05},"
                 " \"fluids\": [{\"name\": \"water\", \"material\": \"water\"}],"
                 " \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.4, 0.4]}],"
                 " \"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1],"
                 " \"inside\": true}]}",
                 methods[m]);
        play_session *s = opened(text);
        for (int k = 0; k < 200; k++) {
            char pour[200];
            snprintf(pour, sizeof pour, "{\"do\": \"pour\", \"at\": [%g, %g], \"radius\": 0.1, \"fluid\": \"%s\"}",
                     some_share(2 * k), some_share(2 * k + 1), k % 2 ? "water" : "oil");
            if (k % 20 == 0) say(s, "{\"do\": \"reset\"}");
            say(s, pour);
            take_steps_of(s, 1);
            expect_no_error(s);
        }
        rill_play_destroy(s);
    }
}

/* A lid under a block of water is removed at 0.05 s, and the viscosity is changed then. */
static void events_of_the_scene_happen(void **state) {
    (void)state;
    play_session *s = opened(
        "{\"dim\": 2, \"method\": \"pbf\", \"world\": {\"spacing\": 0.05}, \"run\": {\"dt\": 0.002, \"time\": 1},"
        " \"fluids\": [{\"name\": \"water\", \"material\": \"water\"}],"
        " \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0.5], \"max\": [1, 0.8]}],"
        " \"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1], \"inside\": true},"
        " {\"name\": \"lid\", \"shape\": \"box\", \"min\": [0, 0.4], \"max\": [1, 0.5]}],"
        " \"events\": [{\"time\": 0.05, \"action\": \"remove\", \"of\": \"solids.lid\"},"
        " {\"time\": 0.05, \"of\": \"fluids.water\", \"key\": \"viscosity\", \"value\": \"0.25\"}]}");
    take_steps_of(s, 2);
    char *info = last_reply(s, "info"); /* none: nothing has happened yet */
    assert_null(info);
    take_steps_of(s, 2);
    expect_no_error(s);
    take_steps_of(s, 20);
    say(s, "{\"do\": \"info\"}");
    info = last_reply(s, "info");
    assert_non_null(strstr(info, "\"viscosity\": 0.25"));
    free(info);
    size_t size;
    const char *frame = rill_play_frame(s, &size);
    float least;
    memcpy(&least, frame + 20, sizeof least);
    print_message("lowest particle %g m\n", (double)least);
    assert_true(least < 0.4f);
    rill_play_destroy(s);
}

/* Looks of a method, such as gel, are among the fluids that can be poured with it, and not with other methods. */
static void looks_are_poured(void **state) {
    (void)state;
    play_session *s = opened(PLAY_SCENE_2D);
    say(s, "{\"do\": \"pour\", \"at\": [0.8, 0.8], \"radius\": 0.1, \"fluid\": \"gel\"}");
    expect_error(s);
    say(s, "{\"do\": \"method\", \"name\": \"clavet\"}");
    say(s, "{\"do\": \"pour\", \"at\": [0.8, 0.8], \"radius\": 0.1, \"fluid\": \"gel\"}");
    take_steps_of(s, 2);
    say(s, "{\"do\": \"info\"}");
    char *info = last_reply(s, "info");
    assert_non_null(strstr(info, "{\"name\": \"gel\", \"density\""));
    const char *row = strstr(info, "\"fluids.gel.clavet.look\"");
    assert_non_null(row);
    assert_non_null(strstr(row, "\"value\": \"gel\""));
    free(info);
    rill_play_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_the_scene_happen),   cmocka_unit_test(looks_are_poured),
        cmocka_unit_test(steps_are_the_worlds),         cmocka_unit_test(recordings_replay_in_2d),
        cmocka_unit_test(recordings_replay_in_3d),      cmocka_unit_test(going_back_is_exact),
        cmocka_unit_test(snapshots_come_back),          cmocka_unit_test(the_hand_drags_a_body),
        cmocka_unit_test(the_hand_drags_a_nozzle),      cmocka_unit_test(frames_have_cloth),
        cmocka_unit_test(a_cut_step_replays),           cmocka_unit_test(a_slow_world_is_played_and_replays),
        cmocka_unit_test(time_never_runs_ahead),        cmocka_unit_test(a_world_that_blew_up_can_be_reset),
        cmocka_unit_test(a_world_that_blew_up_goes_on), cmocka_unit_test(what_is_poured_does_not_burst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
