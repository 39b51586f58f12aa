/* SPDX-License-Identifier: MIT */
/* Scenes far from the origin: places are taken relative to world.origin before they are rounded, and reported in the
   scene's coordinates. */
#include "scene/scene_test.h"

#include <math.h>

/* A float at 10 km is a multiple of a millimetre: 10000.3 would be 10000.2998. */
#define POND(origin)                                                                                                 \
    "{\"dim\": 2, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.025" origin "},"                                 \
    " \"variables\": {\"x0\": 10000.3},"                                                                             \
    " \"fluids\": [{\"name\": \"water\", \"material\": \"water\"}],"                                                 \
    " \"blocks\": [{\"shape\": \"box\", \"min\": [10000.3, 0], \"max\": [\"=x0 + 0.5\", \"50 cm\"],"                 \
    "   \"velocity_x\": \"x - 10000\"}],"                                                                            \
    " \"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [\"10.0003 km\", 0], \"max\": [\"=x0 + 0.5\", " \
    "1],"                                                                                                            \
    "     \"inside\": true},"                                                                                        \
    "   {\"name\": \"pair\", \"shape\": \"compound\", \"position\": [10002, 3], \"parts\": ["                        \
    "     {\"shape\": \"sphere\", \"position\": [0.5, 0], \"radius\": 0.2}]},"                                       \
    "   {\"name\": \"ramp\", \"shape\": \"polygon\", \"points\": [[10003, 0], [10004, 0], [10004, 1]]}],"            \
    " \"bodies\": [{\"name\": \"ball\", \"shape\": \"sphere\", \"position\": [10001.5, 2], \"radius\": 0.1}],"       \
    " \"gauges\": [{\"name\": \"centre\", \"kind\": \"centre\"},"                                                    \
    "   {\"name\": \"ball\", \"kind\": \"body_position\", \"body\": \"ball\"},"                                      \
    "   {\"name\": \"p\", \"kind\": \"pressure\", \"position\": [10000.4, 0.1]}],"                                   \
    " \"events\": [{\"time\": 0, \"of\": \"gauges.p\", \"key\": \"position\", \"value\": \"[10000.45, 0.2]\"}]}"
#define FAR_POND POND(", \"origin\": [10000, 0]")

static void assert_place(rill_vec place, float x, float y) {
    if (place.x != x || place.y != y)
        fail_msg("(%.9g, %.9g) instead of (%.9g, %.9g)", (double)place.x, (double)place.y, (double)x, (double)y);
}

static void expect_measured(const scene *s) {
    assert_place(s->world.origin, 10000, 0);
    assert_place(s->blocks[0].shape.min, 0.3f, 0);
    assert_place(s->blocks[0].shape.max, 0.8f, 0.5f);
    assert_place(s->solids[0].shape.min, 0.3f, 0);
    assert_place(s->solids[1].shape.position, 2, 3);
    assert_place(s->solids[1].shape.parts.data[0].position, 0.5f, 0); /* relative to the position of the whole */
    assert_place(s->solids[2].shape.position, -10000, 0);             /* points are relative to it */
    assert_place(s->solids[2].shape.points.data[0], 10003, 0);
    assert_place(s->bodies[0].shape.position, 1.5f, 2);
    assert_place(s->bodies[0].motion.pivot, -10000, 0);
    assert_place(s->gauges[2].position, 0.4f, 0.1f);
}

static void places_are_measured_before_they_are_rounded(void **state) {
    (void)state;
    scene *s = parse(FAR_POND);
    expect_measured(s);
    rill_error error = {0};
    assert_int_equal(rill_scene_set(s, "gauges.p.position=[10000.6, 0.3]", &error), RILL_OK);
    assert_place(s->gauges[2].position, 0.6f, 0.3f);
    assert_int_equal(rill_scene_set(s, "world.origin=[1, 2]", &error), RILL_FORMAT);
    assert_non_null(strstr(error.text, "variable"));
    rill_scene_free(s);
}

static void written_scenes_mean_the_same(void **state) {
    (void)state;
    scene *s = parse(FAR_POND);
    char *text = written(s);
    scene *again = parse(text);
    expect_measured(again);
    assert_place(again->world.bounds_max, 1e9f, 1e9f);
    rill_scene_free(s);
    rill_scene_free(again);
    free(text);
}

static void gauges_tell_the_scenes_coordinates(void **state) {
    (void)state;
    scene *s = parse(FAR_POND);
    rill_world *w = build(s);
    rill_reading readings[3];
    rill_error error = {0};
    assert_int_equal(rill_world_read_gauges_at(w, 0, readings), RILL_OK);
    assert_true(fabs(readings[0].value[0] - 10000.55) < 1e-6 && fabs(readings[0].value[1] - 0.25) < 1e-6);
    assert_true(fabs(readings[1].value[0] - 10001.5) < 1e-6 && readings[1].value[1] == 2);
    rill_reading one;
    assert_int_equal(rill_world_read_gauge(w, rill_world_gauge_at(w, 0), &one), RILL_OK);
    assert_true(one.value[0] == readings[0].value[0]);
    assert_int_equal(rill_scene_apply_events(s, w, -1, 0, &error), RILL_OK);
    rill_vec place;
    assert_int_equal(rill_world_get_vec(w, rill_ref_gauge(rill_world_gauge_at(w, 2)), "position", &place), RILL_OK);
    assert_place(place, 0.45f, 0.2f);
    rill_frame frame = {0};
    assert_int_equal(rill_frame_of_world(&frame, w, &error), RILL_OK);
    assert_place(frame.origin, 10000, 0);
    const rill_vec x = rill_frame_vec(&frame, rill_frame_field(&frame, "position"), 0);
    const rill_vec v = rill_frame_vec(&frame, rill_frame_field(&frame, "velocity"), 0);
    assert_true(x.x > 0.3f && x.x < 0.8f && fabsf(v.x - x.x) < 1e-6f); /* the block's velocity was x - 10000 */
    rill_frame_free(&frame);
    rill_world_destroy(w);
    rill_scene_free(s);
}

static void too_far_is_refused(void **state) {
    (void)state;
    scene *s = parse(POND(""));
    rill_error error = {0};
    assert_null(rill_scene_build(s, 1, -1, &error));
    assert_non_null(strstr(error.text, "world.origin"));
    rill_scene_free(s);
}

/* Messages about particles tell their places in the scene's coordinates. */
static void failures_tell_the_scenes_coordinates(void **state) {
    (void)state;
    static const char *const limits[] = {"\"max_speed\": 1",
                                         "\"bounds\": \"stop\", \"bounds_min\": [9990, -10], \"bounds_max\": "
                                         "[10000.1, 10]"};
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "{\"dim\": 2, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.1, \"gravity\": [0, 0], %s, "
                 "\"origin\": [10000, 0]}, \"fluids\": [{\"name\": \"water\"}], \"blocks\": [{\"shape\": \"box\", "
                 "\"min\": [9999.7, 0], \"max\": [10000, 0.3], \"velocity\": [5, 0]}]}",
                 limits[k]);
        scene *s = parse(text);
        rill_world *w = build(s);
        assert_int_equal(rill_world_advance(w, 0.1), RILL_BLOW_UP);
        if (!strstr(rill_world_message(w), "at (9999.") && !strstr(rill_world_message(w), "at (10000"))
            fail_msg("%s", rill_world_message(w));
        rill_world_destroy(w);
        rill_scene_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_measured_before_they_are_rounded),
        cmocka_unit_test(written_scenes_mean_the_same),
        cmocka_unit_test(gauges_tell_the_scenes_coordinates),
        cmocka_unit_test(failures_tell_the_scenes_coordinates),
        cmocka_unit_test(too_far_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
