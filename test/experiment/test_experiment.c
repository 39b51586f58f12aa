/* SPDX-License-Identifier: MIT */
/* Reading experiments, planning their runs, measuring made-up series, and verdicts that can fail on both sides. */
#include "experiment/record.h"
#include "io/io.h"
#include "scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SCENE                                                                                                     \
    "\"scene\": {\"variables\": {\"H\": 2, \"n\": 10}, \"dim\": 2, \"world\": {\"spacing\": \"=H/n\"}, \"run\": " \
    "{\"time\": 1, \"fps\": 4}, \"fluids\": [{\"material\": \"water\"}]}"
#define HEAD "\"title\": \"t\", \"methods\": [\"wcsph\", \"pbf\"], \"resolution\": \"n\", " SCENE
#define VARIANTS                                                                                                   \
    "\"variants\": [{\"name\": \"a\", \"effort\": \"quick\"}, {\"name\": \"b\", \"variables\": {\"n\": 20}, "      \
    "\"set\": {\"run.time\": 2}}, {\"name\": \"c\", \"effort\": \"full\", \"methods\": [\"pbf\"], \"variables\": " \
    "{\"n\": 40}}]"
#define MEASURES                                                                                                     \
    "\"measures\": {\"mean\": {\"of\": \"y\", \"take\": \"mean\", \"from\": 0.5}, \"last\": {\"of\": \"y + H\", "    \
    "\"take\": \"last\"}, \"both\": {\"value\": \"=mean + last\"}, \"line\": {\"of\": \"y\", \"take\": \"slope\"}, " \
    "\"profile\": {\"profile\": [[0, \"y\"], [1, \"2*y\"]], \"against\": \"=(1 + x)*2.5\"}}"
#define RESULTS                                                                                                  \
    "\"results\": [{\"name\": \"r\", \"value\": \"mean\", \"reference\": \"=H\", \"goal\": 0.2, \"expect\": "    \
    "{\"default\": [0.4, 0.6], \"pbf\": [-0.1, 0.1], \"pbf b\": {\"fails\": \"blows up\"}}}, {\"name\": \"s\", " \
    "\"value\": \"mean\", \"reference_variant\": \"a\"}]"
#define WHOLE "{" HEAD ", " VARIANTS ", " MEASURES ", " RESULTS "}"

static experiment *parse(const char *text) {
    rill_error error = {0};
    experiment *e = rill_experiment_parse("some/trial.json", text, strlen(text), &error);
    if (!e) fail_msg("%s", error.text);
    return e;
}

static experiment_report plan(const experiment *e, int effort, const char *methods) {
    experiment_report report;
    rill_error error = {0};
    const experiment_options options = {.effort = effort, .methods = methods, .out = "out", .jobs = 1};
    assert_int_equal(rill_experiment_plan(&report, e, &options, &error), RILL_OK);
    return report;
}

static void runs_are_planned(void **state) {
    (void)state;
    experiment *e = parse(WHOLE);
    assert_string_equal(e->name, "trial");
    static const int counts[] = {2, 4, 5};
    for (int effort = EFFORT_QUICK; effort <= EFFORT_FULL; effort++) {
        experiment_report report = plan(e, effort, NULL);
        assert_int_equal(report.run_count, counts[effort]);
        rill_experiment_report_free(&report);
    }
    experiment_report first;
    const experiment_options options = {.effort = EFFORT_FULL, .first = true, .out = "out", .jobs = 1};
    assert_int_equal(rill_experiment_plan(&first, e, &options, NULL), RILL_OK);
    assert_int_equal(first.run_count, 4); /* b with both methods, and its reference a; c comes later */
    for (int k = 0; k < 4; k++) assert_string_equal(first.runs[k].variant->name, k < 2 ? "a" : "b");
    rill_experiment_report_free(&first);
    experiment_report report = plan(e, EFFORT_FULL, "pbf");
    assert_int_equal(report.run_count, 3);
    assert_string_equal(report.runs[1].folder, "pbf_b");
    assert_string_equal(report.runs[1].variant->sets[0], "variables.n=20");
    assert_string_equal(report.runs[1].variant->sets[1], "run.time=2");
    rill_experiment_report_free(&report);
    rill_experiment_free(e);
}

/* Fills in a run as if it had been made: y = 1, 2, 3, 4, 5 at t = 0, 0.25, ..., 1. */
static void pretend(experiment_run *run, double n) {
    static const double values[] = {0, 1, 0.25, 2, 0.5, 3, 0.75, 4, 1, 5};
    run->series = (series){.columns = 2, .rows = 5};
    run->series.names = calloc(2, sizeof *run->series.names);
    run->series.values = malloc(sizeof values);
    assert_true(run->series.names && run->series.values);
    snprintf(run->series.names[0], RILL_NAME_SIZE, "time"), snprintf(run->series.names[1], RILL_NAME_SIZE, "y");
    memcpy(run->series.values, values, sizeof values);
    run->done = true;
    run->end_time = 1;
    run->scene = calloc(1, sizeof(scene));
    assert_non_null(run->scene);
    run->scene->variables = calloc(2, sizeof(scene_variable));
    assert_non_null(run->scene->variables);
    run->scene->variable_count = 2;
    run->scene->variables[0] = (scene_variable){"H", 2};
    run->scene->variables[1] = (scene_variable){"n", n};
}

static double measured(const experiment *e, const experiment_run *run, const char *name) {
    for (int k = 0; k < e->measure_count; k++)
        if (!strcmp(e->measures[k].name, name)) return run->measures[k];
    fail_msg("no measure %s", name);
    return 0;
}

static void measures_are_taken(void **state) {
    (void)state;
    experiment *e = parse(WHOLE);
    experiment_report report = plan(e, EFFORT_QUICK, "wcsph");
    experiment_run *run = &report.runs[0];
    rill_error error = {0};
    pretend(run, 10);
    assert_int_equal(rill_experiment_measure(e, run, &error), RILL_OK);
    assert_true(measured(e, run, "mean") == 4);
    assert_true(measured(e, run, "last") == 7);
    assert_true(measured(e, run, "both") == 11);
    assert_true(fabs(measured(e, run, "line") - 4) < 1e-12);
    /* Means 3 and 6 against 2.5 and 5. */
    assert_true(fabs(measured(e, run, "profile") - sqrt((0.25 + 1) / (6.25 + 25))) < 1e-12);
    rill_experiment_report_free(&report);
    rill_experiment_free(e);
}

/* The mean is 4, the reference 2: a relative error of 1, which is outside every interval of the file. */
static void broken_expectations_are_seen(void **state) {
    (void)state;
    experiment *e = parse(WHOLE);
    experiment_report report = plan(e, EFFORT_NORMAL, NULL);
    rill_error error = {0};
    for (int k = 0; k < report.run_count; k++) {
        pretend(&report.runs[k], k < 2 ? 10 : 20);
        report.runs[k].failed = k == 3;
        assert_int_equal(rill_experiment_measure(e, &report.runs[k], &error), RILL_OK);
    }
    assert_int_equal(rill_experiment_judge(&report, &error), RILL_OK);
    assert_int_equal(report.broken, 3);
    assert_true(report.verdicts[0].error == 1 && report.verdicts[0].misses_goal);
    assert_int_equal(report.verdicts[0].kind, VERDICT_BROKEN);
    assert_int_equal(report.verdicts[6].kind, VERDICT_KNOWN);
    assert_int_equal(report.verdicts[1].kind, VERDICT_NONE);
    assert_true(report.verdicts[5].error == 0); /* equal to that of variant a */
    /* An error below the expected interval breaks an expectation too, and so does a predicted failure that does not
       happen. */
    e->results[0].expectations[0].low = 1.5, e->results[0].expectations[0].high = 2;
    report.runs[3].failed = false;
    assert_int_equal(rill_experiment_measure(e, &report.runs[3], &error), RILL_OK);
    assert_int_equal(rill_experiment_judge(&report, &error), RILL_OK);
    assert_int_equal(report.broken, 4);
    /* An expectation that holds is not broken. */
    e->results[0].expectations[0].low = 0.9;
    assert_int_equal(rill_experiment_judge(&report, &error), RILL_OK);
    assert_int_equal(report.broken, 2);
    rill_experiment_report_free(&report);
    rill_experiment_free(e);
}

static void order_is_fitted(void **state) {
    (void)state;
    experiment *e = parse(WHOLE);
    experiment_report report = plan(e, EFFORT_NORMAL, "wcsph");
    pretend(&report.runs[0], 10), pretend(&report.runs[1], 20);
    report.verdicts[0].error = -0.04, report.verdicts[2].error = 0.01;
    assert_true(fabs(rill_experiment_order(&report, "wcsph", 0) - 2) < 1e-9);
    assert_true(isnan(rill_experiment_order(&report, "pbf", 0)));
    rill_experiment_report_free(&report);
    rill_experiment_free(e);
}

/* The residuals of a run's last step are kept in the run, in its files and in a figure. */
static void residuals_are_kept(void **state) {
    (void)state;
    const rill_stats stats = {.iterations = 3, .residual = 0.125, .residuals = {1, 0.5f, 0.125f}};
    experiment *e = parse("{" HEAD ", " VARIANTS ", \"plots\": [{\"kind\": \"residuals\"}], " RESULTS "}");
    experiment_report report = plan(e, EFFORT_QUICK, "pbf");
    experiment_run *run = &report.runs[0];
    rill_error error = {0};
    pretend(run, 10);
    assert_int_equal(rill_record_residuals(&run->residuals, &stats, &error), RILL_OK);
    assert_int_equal(rill_record_write(run, "residuals_trial", "key", &error), RILL_OK);
    experiment_run again = {0};
    assert_true(rill_record_read(&again, "residuals_trial", "key"));
    assert_int_equal(again.residuals.rows, 3);
    assert_true(again.residuals.values[4] == 3 && again.residuals.values[5] == 0.125);
    assert_int_equal(rill_experiment_figure(&report, &e->plots[0], "residuals_trial/plot.svg", &error), RILL_OK);
    char *svg = NULL;
    size_t size;
    assert_int_equal(rill_io_read_at_most("residuals_trial/plot.svg", 1 << 20, &svg, &size, &error), RILL_OK);
    assert_non_null(strstr(svg, "iterations"));
    assert_non_null(strstr(svg, ">pbf<"));
    free(svg);
    /* A method without a system to solve has no residuals. */
    series none = {0};
    assert_int_equal(rill_record_residuals(&none, &(rill_stats){.iterations = 1}, &error), RILL_OK);
    assert_int_equal(none.rows, 0);
    rill_series_free(&again.series);
    rill_series_free(&again.residuals);
    rill_experiment_report_free(&report);
    rill_experiment_free(e);
}

/* Runs a variant that searches for the largest n for which `holds` is positive. */
static experiment_report search(experiment **e, const char *holds) {
    char text[2000];
    snprintf(text, sizeof text,
             "{\"title\": \"t\", \"methods\": [\"wcsph\"], " SCENE ", \"variants\": [{\"name\": \"a\", \"effort\": "
             "\"quick\", \"largest\": {\"variable\": \"n\", \"from\": 1, \"to\": 64, \"while\": \"%s\"}}], "
             "\"measures\": {\"twice\": {\"value\": \"2*n\"}}, \"results\": [{\"name\": \"r\", \"value\": \"n\"}]}",
             holds);
    *e = parse(text);
    experiment_report report = plan(*e, EFFORT_QUICK, NULL);
    const experiment_options options = {.out = "out", .jobs = 1, .fresh = true};
    rill_error error = {0};
    snprintf(report.folder, sizeof report.folder, "search_trial");
    if (rill_experiment_run_all(&report, &options, &error)) fail_msg("%s", error.text);
    return report;
}

static void largest_value_is_found(void **state) {
    (void)state;
    experiment *e;
    experiment_report report = search(&e, "31 - twice");
    const double n = report.runs[0].scene->variables[1].value;
    assert_true(!report.runs[0].failed && n < 15.5 && n * 1.07 > 15.5); /* 64^(1/64) = 1.067 */
    rill_experiment_report_free(&report);
    rill_experiment_free(e);
    report = search(&e, "n");
    assert_true(report.runs[0].scene->variables[1].value == 64);
    rill_experiment_report_free(&report);
    rill_experiment_free(e);
    report = search(&e, "-n");
    assert_true(report.runs[0].failed);
    assert_string_equal(report.runs[0].message, "the condition fails even for n = 1");
    rill_experiment_report_free(&report);
    rill_experiment_free(e);
}

static void bad_experiments_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"{" HEAD ", " RESULTS "}", "expected at least one variant and one result"},
        {"{" HEAD ", " VARIANTS ", \"results\": [{\"name\": \"r\", \"value\": \"=1 +\"}]}", "ends where a value"},
        {"{" HEAD ", " VARIANTS ", \"results\": [{\"name\": \"r\", \"value\": 1, \"expect\": {\"sph\": [0, 1]}}]}",
         "'sph' is neither \"METHOD\" nor \"METHOD VARIANT\""},
        {"{" HEAD ", " VARIANTS ", \"results\": [{\"name\": \"r\", \"value\": 1, \"expect\": {\"pbf\": [1, 0]}}]}",
         "results[0].expect.pbf: the lower limit exceeds the upper one"},
        {"{" HEAD ", " VARIANTS ", \"measures\": {\"m\": {\"of\": \"y\", \"take\": \"mode\"}}, " RESULTS "}",
         "unknown take 'mode'"},
        {"{" HEAD ", " VARIANTS ", \"measures\": {\"m\": {\"of\": \"y\", \"take\": \"shift\"}}, " RESULTS "}",
         "'table' is missing"},
        {"{" HEAD ", " VARIANTS ", \"results\": [{\"name\": \"r\", \"value\": 1, \"published\": {\"pbf\": 0}}]}",
         "results[0].published.pbf: is 0"},
        {"{" HEAD ", " VARIANTS
         ", \"results\": [{\"name\": \"r\", \"value\": 1, \"published\": {\"pbf\": {\"why\": \"so\"}}}]}",
         "'value' is missing"},
        {"{" HEAD ", " VARIANTS ", \"results\": [{\"name\": \"r\", \"value\": 1, \"published\": {\"pbf z\": 1}}]}",
         "'pbf z' is neither"},
        {"{" HEAD ", " VARIANTS ", \"plots\": [{\"kind\": \"value\", \"of\": \"r\"}], " RESULTS "}", "'x' is missing"},
        {"{\"title\": \"t\", \"methods\": [\"sph\"], " SCENE ", " VARIANTS ", " RESULTS "}", "unknown method 'sph'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rill_error error = {0};
        assert_null(rill_experiment_parse("x.json", cases[k].text, strlen(cases[k].text), &error));
        if (!strstr(error.text, cases[k].words)) fail_msg("%s\n%s", cases[k].words, error.text);
    }
}

static void every_experiment_reads(void **state) {
    (void)state;
    char **names;
    int count;
    rill_error error = {0};
    setenv("RILL_EXPERIMENTS", RILL_SOURCE_DIR "/experiments", 1);
    assert_int_equal(rill_experiment_list(&names, &count, &error), RILL_OK);
    assert_true(count >= 10);
    for (int k = 0; k < count; k++) {
        experiment *e = rill_experiment_load(names[k], &error);
        if (!e) fail_msg("%s", error.text);
        rill_experiment_free(e);
        free(names[k]);
    }
    free(names);
}

/* An event removes a gauge: its column stays, blank from then on, and the others keep their values. */
static void removed_gauges_are_blank(void **state) {
    (void)state;
    static const char text[] =
        "{\"dim\": 2, \"world\": {\"spacing\": 0.1}, \"run\": {\"time\": 0.03, \"fps\": 100}, \"fluids\": "
        "[{\"material\": "
        "\"water\"}], \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1]}], \"gauges\": [{\"name\": "
        "\"a\", "
        "\"kind\": \"momentum\"}, {\"name\": \"b\", \"kind\": \"count\"}], \"events\": [{\"time\": 0.015, \"of\": "
        "\"gauges.a\", \"action\": \"remove\"}]}";
    rill_error error = {0};
    scene *s = rill_scene_parse("test", text, strlen(text), &error);
    series made = {0};
    record recorder = {.series = &made};
    const run_observer observer = rill_record_observer(&recorder);
    run r = {.plan = rill_run_plan_make(&s->run), .scene = s, .observers = &observer, .observer_count = 1};
    r.world = rill_scene_build(s, 1, -1, &error);
    assert_int_equal(rill_run_all(&r), RILL_RUN_DONE);
    assert_int_equal(made.rows, 4);
    for (int row = 0; row < 4; row++) {
        const double *values = made.values + row * made.columns;
        assert_true(isnan(values[rill_series_column(&made, "a_x")]) == (row > 1));
        assert_true(values[rill_series_column(&made, "b")] == 100);
        assert_true(values[rill_series_column(&made, "particles")] == 100);
    }
    rill_series_free(&made);
    rill_world_destroy(r.world);
    rill_scene_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_planned),
        cmocka_unit_test(measures_are_taken),
        cmocka_unit_test(broken_expectations_are_seen),
        cmocka_unit_test(order_is_fitted),
        cmocka_unit_test(residuals_are_kept),
        cmocka_unit_test(largest_value_is_found),
        cmocka_unit_test(bad_experiments_are_refused),
        cmocka_unit_test(removed_gauges_are_blank),
        cmocka_unit_test(every_experiment_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
