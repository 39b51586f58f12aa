/* SPDX-License-Identifier: MIT */
/* Frame times, the estimate of particles ahead and the JSON writer, without a process around them. */
#include "apps/cli/run/emission.h"
#include "io/json.h"
#include "run/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void frames_follow_the_frame_rate(void **state) {
    (void)state;
    const float rates[] = {1.0f, 24.0f, 29.97f, 30.0f, 1000.0f};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        run_plan plan = rill_run_plan_make(&(scene_run){.time = 10.0f, .fps = rates[r]});
        for (int64_t frame = 0; frame < 200; frame++) {
            double time = rill_run_plan_frame_time(&plan, frame);
            assert_int_equal(rill_run_plan_next_frame(&plan, time), frame + 1);
            assert_int_equal(rill_run_plan_next_frame(&plan, nextafter(time, 0.0)), frame + 1);
            assert_int_equal(rill_run_plan_next_frame(&plan, time + 0.5 / plan.fps), frame + 1);
        }
    }
}

/* Up to the rounding of a sum of steps: 0.3 - 1e-9 counts as 0.3. */
static void a_fixed_step_reaches_the_frames_that_it_passes(void **state) {
    (void)state;
    run_plan plan = rill_run_plan_make(&(scene_run){.time = 1.0f, .fps = 10.0f, .dt = 0.03f});
    assert_int_equal(rill_run_plan_next_frame(&plan, 0.09), 1);
    assert_int_equal(rill_run_plan_next_frame(&plan, 0.12), 2);
    assert_int_equal(rill_run_plan_next_frame(&plan, 0.3 - 1e-9), 4);
    assert_false(rill_run_plan_finished(&plan, 0.99));
    assert_true(rill_run_plan_finished(&plan, 1.0 - 1e-9));
}

static void a_step_longer_than_a_frame_reaches_several(void **state) {
    (void)state;
    run_plan plan = rill_run_plan_make(&(scene_run){.time = 0.0045f, .fps = 3000.0f, .dt = 0.001f});
    assert_int_equal(rill_run_plan_next_frame(&plan, 0.001), 4);
    assert_int_equal(rill_run_plan_next_frame(&plan, 0.002), 7);
    assert_false(rill_run_plan_finished(&plan, 0.004));
    assert_true(rill_run_plan_finished(&plan, 0.005));
}

static void times_of_a_scene_are_read_as_decimals(void **state) {
    (void)state;
    run_plan plan = rill_run_plan_make(&(scene_run){.time = 0.7f, .fps = 10.0f});
    assert_true(plan.end == 0.7);
    assert_int_equal(rill_run_plan_frame_count(&plan), 8);
}

static void without_a_frame_rate_there_is_one_frame(void **state) {
    (void)state;
    run_plan plan = rill_run_plan_make(&(scene_run){.time = 2.0f});
    assert_int_equal(rill_run_plan_frame_count(&plan), 1);
    assert_int_equal(rill_run_plan_next_frame(&plan, 1.5), 1);
}

static void json_is_escaped_and_finite(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    json j = {.out = stream};
    rill_json_object(&j, NULL);
    rill_json_text(&j, "a\"b", "tab\there \\ \x01");
    rill_json_number(&j, "third", 1.0 / 3.0);
    rill_json_number(&j, "short", 0.1);
    rill_json_array(&j, "odd");
    rill_json_number(&j, NULL, (double)NAN);
    rill_json_number(&j, NULL, (double)INFINITY);
    rill_json_end_array(&j);
    rill_json_object(&j, "empty");
    rill_json_end_object(&j);
    rill_json_bool(&j, "yes", true);
    rill_json_integer(&j, "big", INT64_C(-9007199254740993));
    rill_json_end_object(&j);
    fclose(stream);
    assert_string_equal(text, "{\n"
                              "  \"a\\\"b\": \"tab\\u0009here \\\\ \\u0001\",\n"
                              "  \"third\": 0.3333333333333333,\n"
                              "  \"short\": 0.1,\n"
                              "  \"odd\": [\n    null,\n    null\n  ],\n"
                              "  \"empty\": {},\n"
                              "  \"yes\": true,\n"
                              "  \"big\": -9007199254740993\n"
                              "}\n");
    free(text);
}

/* A slit 1 m wide emits two particles a second from 1 s to 3 s, and never more than its limit. */
static void emitters_tell_the_particles_ahead(void **state) {
    (void)state;
    rill_emitter_def e = rill_emitter_def_default();
    e.radius = 0.5f, e.speed = 2.0f, e.start_time = 1.0f, e.end_time = 3.0f;
    scene s = {.world = rill_world_def_default(2), .emitters = &e, .emitter_count = 1};
    s.world.spacing = 1.0f;
    const double times[] = {0, 1, 2, 3, 9}, expected[] = {7, 7, 9, 11, 11};
    for (int k = 0; k < 5; k++) assert_true(fabs(emission_particles(&s, 7, 0, times[k]) - expected[k]) < 1e-9);
    assert_true(fabs(emission_particles(&s, 9, 2, 3) - 11) < 1e-9);
    e.limit = 3;
    assert_true(fabs(emission_particles(&s, 7, 0, 9) - 10) < 1e-9);
    /* An empty tank that fills up has most of its work ahead: after a quarter of the time, a sixteenth is done. */
    e.limit = 0, e.start_time = 0, e.end_time = 1e6f, e.speed = 1e6f;
    const double done = emission_work(&s, 0, 0, 1), ahead = emission_work(&s, emission_particles(&s, 0, 0, 1), 1, 4);
    assert_true(fabs(ahead / done - 15) < 0.1);
    assert_true(emission_work(&s, 5, 2, 2) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emitters_tell_the_particles_ahead),
        cmocka_unit_test(frames_follow_the_frame_rate),
        cmocka_unit_test(a_fixed_step_reaches_the_frames_that_it_passes),
        cmocka_unit_test(a_step_longer_than_a_frame_reaches_several),
        cmocka_unit_test(times_of_a_scene_are_read_as_decimals),
        cmocka_unit_test(without_a_frame_rate_there_is_one_frame),
        cmocka_unit_test(json_is_escaped_and_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
