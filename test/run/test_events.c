/* SPDX-License-Identifier: MIT */
/* Events of a scene: values change at their times and by the right amount, objects are removed, and invalid events are
   refused with their place. */
#include "oracle/check.h"
#include "rill/rill.h"
#include "rill/run.h"
#include "rill/scene.h"

#include <string.h>

/* Goo that becomes a gel, a mould that is removed, gravity that changes, a viscosity that grows. */
static const char text[] =
    "{\"dim\": 2, \"method\": \"clavet\", \"world\": {\"spacing\": 0.05},"
    " \"run\": {\"time\": 0.4, \"fps\": 50, \"snapshot_every\": 0.2},"
    " \"fluids\": [{\"name\": \"goo\", \"density\": 1000}],"
    " \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.4, 0.4]}],"
    " \"solids\": [{\"name\": \"floor\", \"shape\": \"half_space\", \"normal\": [0, 1]},"
    "   {\"name\": \"mould\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [0.4, 1], \"inside\": true}],"
    " \"events\": [{\"time\": 0, \"of\": \"fluids.goo\", \"key\": \"clavet.stretch_rate\", \"value\": \"3\"},"
    "   {\"time\": 0.1, \"of\": \"fluids.goo\", \"key\": \"clavet.springs\", \"value\": \"fixed\"},"
    "   {\"time\": 0.1, \"until\": 0.3, \"of\": \"fluids.goo\", \"key\": \"viscosity\", \"from\": \"1 Pa s\", "
    "\"value\": \"3 Pa s\"},"
    "   {\"time\": 0.15, \"of\": \"solids.mould\", \"action\": \"remove\"},"
    "   {\"time\": 0.35, \"of\": \"world\", \"key\": \"gravity\", \"value\": \"[1, -2]\"}]}";

static rill_scene *parse(const char *json) {
    rill_error error = {0};
    rill_scene *scene = rill_scene_parse("test", json, strlen(json), &error);
    if (!scene) fail_msg("%s", error.text);
    return scene;
}

static void step_to(rill_run *run, int64_t frame) {
    if (rill_run_until(run, frame) != RILL_RUN_DONE) fail_msg("%s", rill_run_message(run));
}

static void check_goo(const rill_world *w, const char *springs, double viscosity) {
    const rill_ref goo = rill_ref_fluid(rill_world_find_fluid(w, "goo"));
    char found[RILL_NAME_SIZE], quoted[RILL_NAME_SIZE];
    snprintf(quoted, sizeof quoted, "\"%s\"", springs);
    double number;
    assert_int_equal(rill_world_get_text(w, goo, "clavet.springs", found, sizeof found), RILL_OK);
    assert_string_equal(found, quoted);
    assert_int_equal(rill_world_get_number(w, goo, "viscosity", &number), RILL_OK);
    assert_near(number, viscosity, 1e-6);
    assert_int_equal(rill_world_get_number(w, goo, "clavet.stretch_rate", &number), RILL_OK);
    assert_near(number, 3, 1e-6);
}

static void they_happen_in_time(void **state) {
    (void)state;
    rill_scene *scene = parse(text);
    rill_error error = {0};
    rill_run *run = rill_run_create(scene, &(rill_run_def){0}, &error);
    if (!run) fail_msg("%s", error.text);
    assert_int_equal(rill_run_begin(run), RILL_OK);
    const rill_world *w = rill_run_world(run);
    const double viscosity = (double)rill_world_fluid_def(w, rill_world_find_fluid(w, "goo"))->viscosity;
    step_to(run, 4); /* 0.08 s */
    check_goo(w, "none", viscosity);
    assert_true(rill_world_solid_is_valid(w, rill_world_find_solid(w, "mould")));
    step_to(run, 10); /* 0.2 s */
    /* the world is up to a step ahead of the frame */
    check_goo(w, "fixed", 1 + 2 * (rill_world_stats(w)->time - 0.1) / 0.2);
    assert_false(rill_world_solid_is_valid(w, rill_world_find_solid(w, "mould")));
    step_to(run, 18);
    check_goo(w, "fixed", 3);
    assert_near(rill_world_get_def(w)->gravity.x, 1, 1e-7);
    rill_run_end(run, RILL_RUN_DONE);
    rill_run_destroy(run);
    rill_scene_free(scene);
}

static void vectors_change_over_time(void **state) {
    (void)state;
    rill_scene *scene =
        parse("{\"dim\": 2, \"method\": \"pbf\", \"world\": {\"spacing\": 0.05}, \"run\": {\"time\": 0.4, \"fps\": 50},"
              " \"fluids\": [{\"name\": \"water\"}], \"events\": [{\"time\": 0.1, \"until\": 0.3, \"of\": \"world\", "
              "\"key\": \"gravity\", \"from\": \"[0, -5]\", \"value\": \"[2, -10]\"}]}");
    rill_run *run = rill_run_create(scene, &(rill_run_def){0}, NULL);
    assert_non_null(run);
    assert_int_equal(rill_run_begin(run), RILL_OK);
    const rill_world *w = rill_run_world(run);
    step_to(run, 10);
    const double part = (rill_world_stats(w)->time - 0.1) / 0.2;
    assert_true(part > 0.4 && part < 0.6);
    assert_near(rill_world_get_def(w)->gravity.x, 2 * part, 1e-5);
    assert_near(rill_world_get_def(w)->gravity.y, -5 - 5 * part, 1e-5);
    step_to(run, 16);
    assert_near(rill_world_get_def(w)->gravity.x, 2, 1e-7);
    rill_run_end(run, RILL_RUN_DONE);
    rill_run_destroy(run);
    rill_scene_free(scene);
}

/* The scene must be refused with a message that names the place. */
static void check_refused(const char *event, const char *place) {
    char json[600];
    snprintf(json, sizeof json,
             "{\"dim\": 2, \"fluids\": [{\"name\": \"goo\"}], \"events\": [{\"time\": 1, \"of\": \"world\", \"key\": "
             "\"gravity\", \"value\": \"[0, 0]\"}, %s]}",
             event);
    rill_error error = {0};
    assert_null(rill_scene_parse("test", json, strlen(json), &error));
    if (!strstr(error.text, place)) fail_msg("'%s' does not say %s", error.text, place);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    check_refused("{\"time\": 2, \"of\": \"fluids.gel\", \"key\": \"viscosity\", \"value\": \"1\"}", "events[1].of");
    check_refused("{\"time\": 2, \"of\": \"weather\", \"key\": \"rain\", \"value\": \"1\"}", "events[1].of");
    check_refused("{\"time\": 2, \"of\": \"world\", \"action\": \"remove\"}", "events[1].action");
    check_refused("{\"time\": 2, \"of\": \"fluids.goo\", \"key\": \"viscosity\"}", "events[1].key");
    check_refused(
        "{\"time\": 2, \"until\": 1, \"of\": \"fluids.goo\", \"key\": \"viscosity\", \"from\": \"1\", \"value\": "
        "\"1\"}",
        "events[1].until");
    static const char *const not_gradual[] = {
        "\"world\", \"key\": \"body_sweeps\", \"from\": \"10\"", "\"world\", \"key\": \"failure\", \"from\": \"stop\"",
        "\"world\", \"key\": \"events\", \"from\": \"false\"", "\"method\", \"key\": \"tension\", \"from\": \"false\"",
        "\"fluids.goo\", \"key\": \"mask\", \"from\": \"1\""};
    for (size_t k = 0; k < sizeof not_gradual / sizeof *not_gradual; k++) {
        char event[200];
        snprintf(event, sizeof event, "{\"time\": 2, \"until\": 3, \"of\": %s, \"value\": \"3\"}", not_gradual[k]);
        check_refused(event, "events[1].until");
        check_refused(event, "only numbers and vectors can");
    }
    check_refused("{\"time\": 0.5, \"of\": \"fluids.goo\", \"key\": \"viscosity\", \"value\": \"1\"}",
                  "events[1].time");
}

/* A value that does not fit is reported when its time has come. */
static void values_are_checked(void **state) {
    (void)state;
    rill_scene *scene =
        parse("{\"dim\": 2, \"method\": \"pbf\", \"run\": {\"time\": 0.1}, \"fluids\": [{\"name\": \"goo\"}],"
              " \"events\": [{\"time\": 0.05, \"of\": \"fluids.goo\", \"key\": \"viscosity\", \"value\": \"2 kg\"}]}");
    rill_run *run = rill_run_create(scene, &(rill_run_def){0}, NULL);
    assert_non_null(run);
    assert_int_equal(rill_run_all(run), RILL_RUN_FAILED);
    assert_non_null(strstr(rill_run_message(run), "events[0]"));
    rill_run_destroy(run);
    rill_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_happen_in_time),
        cmocka_unit_test(vectors_change_over_time),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(values_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
