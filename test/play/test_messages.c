/* SPDX-License-Identifier: MIT */
/* Which messages are refused, and why; replies are JSON. */
#include "play/play_test.h"
#include "scene/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect(play_session *s, const char *message, const char *part) {
    forget_replies(s);
    say(s, message);
    char *error = last_reply(s, "error");
    if (!error || !strstr(error, part))
        print_message("%s: '%s' does not say '%s'\n", message, error ? error : "", part);
    assert_true(error && strstr(error, part));
    free(error);
}

static void nothing_happens_without_a_world(void **state) {
    (void)state;
    play_session *s = make_session();
    expect(s, "{\"do\": \"push\", \"at\": [0, 0], \"velocity\": [1, 0], \"radius\": 1}", "no world");
    expect(s, "{\"do\": \"hash\"}", "no world");
    expect(s, "{\"do\": \"open\", \"name\": \"dam_break_2d\"}", "expected a scene");
    expect(s, "{\"do\": \"open\", \"scene\": \"{}\"}", "dim");
    rill_play_advance(s);
    size_t size;
    assert_null(rill_play_frame(s, &size));
    rill_play_destroy(s);
}

static void wrong_messages_change_nothing(void **state) {
    (void)state;
    play_session *s = make_session();
    open_scene(s, PLAY_SCENE_2D);
    const uint64_t version = rill_play_version(s);
    expect(s, "", "expected");
    expect(s, "[1, 2]", "expected '{'");
    expect(s, "{}", "what to");
    expect(s, "{\"do\": 3}", "what to");
    expect(s, "{\"do\": \"fly\"}", "fly");
    expect(s, "{\"do\": \"push\"}", "missing");
    expect(s, "{\"do\": \"push\", \"at\": [0, 0], \"velocity\": [1, 0], \"radius\": -1}", "radius");
    expect(s, "{\"do\": \"push\", \"at\": [0, 0], \"velocity\": [1e9, 0], \"radius\": 1}", "velocity");
    expect(s, "{\"do\": \"push\", \"at\": [0, nan], \"velocity\": [1, 0], \"radius\": 1}", "at");
    expect(s, "{\"do\": \"push\", \"at\": [0], \"velocity\": [1, 0], \"radius\": 1}", "at");
    expect(s, "{\"do\": \"push\", \"at\": \"here\", \"velocity\": [1, 0], \"radius\": 1}", "at");
    expect(s, "{\"do\": \"drop\", \"wings\": 2}", "wings");
    expect(s, "{\"do\": \"drag\", \"to\": [0, 0], \"to\": [1, 1]}", "once");
    expect(s, "{\"do\": \"play\", \"rate\": 3}", "rate");
    expect(s, "{\"do\": \"links\", \"on\": 1}", "true or false");
    expect(s, "{\"do\": \"wall\", \"points\": []}", "points");
    assert_int_equal(rill_play_version(s), version);
    expect(s, "{\"do\": \"method\", \"name\": \"magic\"}", "magic");
    expect(s, "{\"do\": \"set\", \"path\": \"fluids.wine.viscosity\", \"value\": 1}", "wine");
    expect(s, "{\"do\": \"set\", \"path\": \"fluids.water.viscosity\", \"value\": -1}", "viscosity");
    expect(s, "{\"do\": \"set\", \"path\": \"world.dim\", \"value\": 3}", "dim");
    expect(s, "{\"do\": \"remove\", \"body\": 99}", "99");
    expect(s, "{\"do\": \"remove\"}", "expected");
    expect(s, "{\"do\": \"gauge\", \"kind\": \"temperature\", \"at\": [0, 0]}", "temperature");
    expect(s, "{\"do\": \"replay\", \"recording\": {\"steps\": 3}}", "inputs");
    expect(s, "{\"do\": \"replay\", \"recording\": {\"steps\": -3, \"inputs\": []}}", "steps");
    rill_play_destroy(s);
}

static void long_messages_are_refused(void **state) {
    (void)state;
    play_session *s = make_session();
    open_scene(s, PLAY_SCENE_2D);
    const size_t size = PLAY_MESSAGE_MAX + 10;
    char *text = malloc(size + 1);
    memset(text, ' ', size);
    memcpy(text, "{\"do\": \"drop\"}", 14);
    text[size] = '\0';
    expect(s, text, "at most");
    free(text);
    rill_play_destroy(s);
}

/* A page cannot make the host read its files. */
static void scenes_name_no_files(void **state) {
    (void)state;
    play_session *s = make_session();
    open_scene(s, "{\"dim\": 3, \"fluids\": [{\"name\": \"water\"}], \"solids\": [{\"shape\": \"mesh\", \"file\": "
                  "\"/etc/passwd\"}]}");
    char *error = last_reply(s, "error");
    assert_non_null(error);
    assert_non_null(strstr(error, "/etc/passwd"));
    free(error);
    open_scene(s, "{\"dim\": 2, \"fluids\": [{\"name\": \"water\"}], \"blocks\": [{\"fill\": \"stored\", \"frame\": "
                  "\"x.vtp\"}]}");
    error = last_reply(s, "error");
    assert_non_null(error);
    assert_non_null(strstr(error, "x.vtp"));
    free(error);
    rill_play_destroy(s);
}

static void too_many_are_refused(void **state) {
    (void)state;
    play_session *s = make_session();
    open_scene(s, "{\"dim\": 2, \"world\": {\"spacing\": 0.001}, \"fluids\": [{\"name\": \"water\"}],"
                  " \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1]}]}");
    char *error = last_reply(s, "error");
    assert_non_null(error);
    assert_non_null(strstr(error, "too many"));
    free(error);
    open_scene(s, PLAY_SCENE_2D);
    forget_replies(s);
    for (int k = 0; k < 300; k++) say(s, "{\"do\": \"drag\", \"to\": [0.5, 0.5]}");
    error = last_reply(s, "error");
    assert_non_null(error);
    assert_non_null(strstr(error, "more than"));
    free(error);
    rill_play_advance(s);
    say(s, "{\"do\": \"drag\", \"to\": [0.5, 0.5]}");
    assert_null(last_reply(s, "error"));
    rill_play_destroy(s);
}

/* Every reply can be parsed, whatever characters a name has. */
static void replies_are_json(void **state) {
    (void)state;
    play_session *s = make_session();
    open_scene(s, PLAY_SCENE_3D);
    say(s, "{\"do\": \"gauge\", \"kind\": \"height\", \"at\": [0.9, 0.1, 0.1]}");
    say(s, "{\"do\": \"fl\\\"y\\u0007\"}");
    rill_play_advance(s);
    rill_play_tell_numbers(s, 1);
    say(s, "{\"do\": \"recording\"}");
    int count = 0;
    for (play_reply r; rill_play_reply(s, &r); count++) {
        tree t;
        rill_error error = {0};
        if (rill_tree_parse_json(&t, "reply", r.bytes, r.size, true, &error)) fail_msg("%s: %s", error.text, r.bytes);
        rill_tree_free(&t);
        rill_play_reply_free(&r);
    }
    assert_true(count >= 6);
    rill_play_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_happens_without_a_world),
        cmocka_unit_test(wrong_messages_change_nothing),
        cmocka_unit_test(long_messages_are_refused),
        cmocka_unit_test(scenes_name_no_files),
        cmocka_unit_test(too_many_are_refused),
        cmocka_unit_test(replies_are_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
