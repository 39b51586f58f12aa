/* SPDX-License-Identifier: MIT */
/* Compares results with references and expectations. An expectation has two sides: a method that has become better than
   expected breaks it too, since the stated error is then out of date. */
#include "core/error.h"
#include "experiment/experiment.h"
#include "experiment/fit.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/* Keys that match a run, the most specific first. */
enum { KEYS = 4 };
typedef struct run_keys {
    char text[KEYS][2 * RILL_NAME_SIZE + 2];
} run_keys;

static run_keys keys_of(const experiment_run *run) {
    run_keys keys;
    snprintf(keys.text[0], sizeof keys.text[0], "%s %s", run->method, run->variant->name);
    snprintf(keys.text[1], sizeof keys.text[1], "%s", run->method);
    snprintf(keys.text[2], sizeof keys.text[2], "default %s", run->variant->name);
    snprintf(keys.text[3], sizeof keys.text[3], "default");
    return keys;
}

static const experiment_expectation *find_expectation(const experiment_result *result, const run_keys *keys) {
    for (int k = 0; k < KEYS; k++)
        for (int n = 0; n < result->expectation_count; n++)
            if (!strcmp(result->expectations[n].key, keys->text[k])) return &result->expectations[n];
    return NULL;
}

static const experiment_publication *find_publication(const experiment_result *result, const run_keys *keys) {
    for (int k = 0; k < KEYS; k++)
        for (int n = 0; n < result->publication_count; n++)
            if (!strcmp(result->publications[n].key, keys->text[k])) return &result->publications[n];
    return NULL;
}

double rill_experiment_deviation(const verdict *v) {
    return v->publication ? v->value / v->publication->value - 1 : (double)NAN;
}

const char *rill_experiment_why(const experiment_result *result, const verdict *v) {
    if (!v->publication || fabs(rill_experiment_deviation(v)) <= PUBLISHED_WITHIN) return NULL;
    return v->publication->why ? v->publication->why : result->why;
}

static bool is_unexplained(const experiment_result *result, const verdict *v) {
    const double deviation = rill_experiment_deviation(v);
    return v->publication && !(fabs(deviation) <= PUBLISHED_WITHIN) && !rill_experiment_why(result, v);
}

static rill_status compute(const experiment *e, const experiment_run *run, const char *text, double *value,
                           rill_error *error) {
    const run_names names = {.experiment = e, .run = run, .measures = e->measure_count, .row = -1};
    expression_problem problem;
    *value = (double)NAN;
    if (run->failed || rill_expression_any_value(text, rill_experiment_names(&names), value, &problem)) return RILL_OK;
    return rill_fail(error, RILL_FORMAT, "%s: \"%.80s\", character %d: %s", e->path, text, problem.character,
                     problem.text);
}

/* The run of the same method in another variant, or NULL. */
static const experiment_run *find_run(const experiment_report *report, const char *method, const char *variant) {
    for (int k = 0; k < report->run_count; k++)
        if (!strcmp(report->runs[k].method, method) && !strcmp(report->runs[k].variant->name, variant))
            return &report->runs[k];
    return NULL;
}

static rill_status compute_error(const experiment_report *report, const experiment_run *run,
                                 const experiment_result *result, verdict *v, rill_error *error) {
    const experiment *e = report->experiment;
    TRY(compute(e, run, result->value, &v->value, error));
    if (result->reference) TRY(compute(e, run, result->reference, &v->reference, error));
    if (result->reference_variant) {
        const experiment_run *other = find_run(report, run->method, result->reference_variant);
        v->reference = (double)NAN;
        if (other) TRY(compute(e, other, result->value, &v->reference, error));
    }
    v->error = v->value - v->reference;
    if (!result->absolute) v->error /= fabs(v->reference);
    return RILL_OK;
}

static verdict_kind judge(const experiment_run *run, const verdict *v) {
    const experiment_expectation *x = v->expectation;
    if (!x) return VERDICT_NONE;
    if (x->fails) return run->failed || !isfinite(v->error) ? VERDICT_KNOWN : VERDICT_BROKEN;
    return v->error >= x->low && v->error <= x->high ? VERDICT_EXPECTED : VERDICT_BROKEN;
}

rill_status rill_experiment_judge(experiment_report *report, rill_error *error) {
    const experiment *e = report->experiment;
    report->broken = report->unexplained = 0;
    for (int k = 0; k < report->run_count; k++)
        for (int n = 0; n < e->result_count; n++) {
            const experiment_run *run = &report->runs[k];
            verdict *v = &report->verdicts[k * e->result_count + n];
            const run_keys keys = keys_of(run);
            *v = (verdict){.expectation = find_expectation(&e->results[n], &keys),
                           .publication = find_publication(&e->results[n], &keys)};
            TRY(compute_error(report, run, &e->results[n], v, error));
            v->kind = judge(run, v);
            v->misses_goal = run->failed || (e->results[n].goal > 0 && !(fabs(v->error) <= e->results[n].goal));
            report->broken += v->kind == VERDICT_BROKEN;
            report->unexplained += is_unexplained(&e->results[n], v);
        }
    return RILL_OK;
}

double rill_experiment_order(const experiment_report *report, const char *method, int result) {
    const experiment *e = report->experiment;
    double x[64], y[64];
    int count = 0;
    for (int k = 0; k < report->run_count && e->resolution && count < 64; k++) {
        const experiment_run *run = &report->runs[k];
        const double size = fabs(report->verdicts[k * e->result_count + result].error);
        double resolution = (double)NAN;
        if (strcmp(run->method, method) || compute(e, run, e->resolution, &resolution, NULL)) continue;
        if (!(size > 0) || !(resolution > 0) || !isfinite(size)) continue;
        x[count] = log(resolution), y[count++] = log(size);
    }
    line_fit fit;
    return rill_fit_line(x, y, count, &fit) ? -fit.slope : (double)NAN;
}
