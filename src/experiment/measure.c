/* SPDX-License-Identifier: MIT */
/* Measures numbers in runs: columns of their tables, time windows, fits, profiles, and expressions of all these. */
#include "core/error.h"
#include "experiment/experiment.h"
#include "experiment/fit.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Greatest shift of a table that is tried, in units of its first column: the uncertainty of a moment of release. */
#define SHIFT_MOST 0.3

/* ---- names ---- */

static bool find_fact(const experiment_run *run, const char *name, double *value) {
    const struct {
        const char *name;
        double value;
    } facts[] = {{"particles", run->particles},
                 {"steps", run->steps},
                 {"seconds", run->seconds},
                 {"end_time", run->end_time},
                 {"hash", run->hash}};
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
        if (!strcmp(facts[k].name, name)) {
            *value = facts[k].value;
            return true;
        }
    return false;
}

/* Columns take precedence if a row is given, so a measure may have the name of a column. */
static expression_found find_name(const void *context, const char *name, double *value) {
    const run_names *names = context;
    const experiment_run *run = names->run;
    if (names->extra && !strcmp(names->extra, name)) {
        *value = names->extra_value;
        return EXPRESSION_FOUND;
    }
    const int column = names->row >= 0 ? rill_series_column(&run->series, name) : -1;
    if (column >= 0) {
        *value = run->series.values[(size_t)names->row * (size_t)run->series.columns + (size_t)column];
        return EXPRESSION_FOUND;
    }
    for (int k = 0; k < names->measures; k++)
        if (!strcmp(names->experiment->measures[k].name, name)) {
            *value = run->measures[k];
            return EXPRESSION_FOUND;
        }
    const expression_names variables = rill_scene_names(run->scene);
    if (variables.find(variables.context, name, value) == EXPRESSION_FOUND) return EXPRESSION_FOUND;
    return find_fact(run, name, value) ? EXPRESSION_FOUND : EXPRESSION_UNKNOWN;
}

expression_names rill_experiment_names(const run_names *names) {
    return (expression_names){find_name, names};
}

static rill_status compute(const run_names *names, const char *text, double *value, rill_error *error) {
    expression_problem problem;
    if (rill_expression_any_value(text, rill_experiment_names(names), value, &problem)) return RILL_OK;
    return rill_fail(error, RILL_FORMAT, "%s: \"%.80s\", character %d: %s", names->experiment->path, text,
                     problem.character, problem.text);
}

/* ---- points ---- */

/* First and last row of the measure's time window. */
static rill_status find_window(run_names *names, const experiment_measure *m, int *first, int *last,
                               rill_error *error) {
    const series *s = &names->run->series;
    double from = -HUGE_VAL, to = HUGE_VAL;
    names->row = -1;
    if (m && m->from) TRY(compute(names, m->from, &from, error));
    if (m && m->to) TRY(compute(names, m->to, &to, error));
    const double slack = 1e-6 * fabs(names->run->end_time);
    for (*first = 0; *first < s->rows && s->values[(size_t)*first * (size_t)s->columns] < from - slack;) ++*first;
    for (*last = s->rows - 1; *last >= 0 && s->values[(size_t)*last * (size_t)s->columns] > to + slack;) --*last;
    return RILL_OK;
}

int rill_experiment_points(const experiment *e, const experiment_run *run, int measure, const char *x, const char *y,
                           double **xs, double **ys, rill_error *error) {
    const experiment_measure *m = measure >= 0 ? &e->measures[measure] : NULL;
    run_names names = {.experiment = e, .run = run, .measures = m ? measure : e->measure_count};
    int first, last, count = 0;
    *xs = *ys = NULL;
    if (find_window(&names, m, &first, &last, error)) return -1;
    const size_t room = (size_t)(last >= first ? last - first + 1 : 0) + 1;
    *xs = calloc(room, sizeof **xs);
    *ys = calloc(room, sizeof **ys);
    if (!*xs || !*ys) {
        rill_fail(error, RILL_MEMORY, "%s: no memory to measure", e->name);
        return -1;
    }
    for (names.row = first; names.row <= last; names.row++, count++)
        if (compute(&names, x ? x : "time", &(*xs)[count], error) || compute(&names, y, &(*ys)[count], error))
            return -1;
    return count;
}

/* ---- one number from a series of points ---- */

/* The points of a time window, and the value of `at`. */
typedef struct window {
    const double *x, *y;
    int count; /* at least one */
    double at;
} window;

static double take_mean(const window *w) {
    double sum = 0;
    for (int k = 0; k < w->count; k++) sum += w->y[k];
    return sum / w->count;
}

static double take_max(const window *w) {
    double most = -HUGE_VAL;
    for (int k = 0; k < w->count; k++) most = fmax(most, w->y[k]);
    return most;
}

static double take_min(const window *w) {
    double least = HUGE_VAL;
    for (int k = 0; k < w->count; k++) least = fmin(least, w->y[k]);
    return least;
}

/* The least value that at least `share` of all values do not exceed. */
static double quantile(const window *w, double share) {
    double value = HUGE_VAL;
    for (int k = 0; k < w->count; k++) {
        int below = 0;
        for (int n = 0; n < w->count; n++) below += w->y[n] <= w->y[k];
        if (below >= share * w->count) value = fmin(value, w->y[k]);
    }
    return value;
}

static double take_median(const window *w) {
    return quantile(w, 0.5);
}

static double take_p95(const window *w) {
    return quantile(w, 0.95);
}

static double rms_about(const window *w, double centre) {
    double sum = 0;
    for (int k = 0; k < w->count; k++) sum += (w->y[k] - centre) * (w->y[k] - centre);
    return sqrt(sum / w->count);
}

static double take_rms(const window *w) {
    return rms_about(w, 0);
}

static double take_noise(const window *w) {
    return rms_about(w, take_mean(w));
}

static double take_first(const window *w) {
    return w->y[0];
}

static double take_last(const window *w) {
    return w->y[w->count - 1];
}

static double take_at(const window *w) {
    int nearest = 0;
    for (int k = 1; k < w->count; k++)
        if (fabs(w->x[k] - w->at) < fabs(w->x[nearest] - w->at)) nearest = k;
    return w->y[nearest];
}

/* The x at which y first reaches a value, by linear interpolation; NAN if it never does. */
static double take_when(const window *w) {
    if (w->y[0] >= w->at) return w->x[0];
    for (int k = 1; k < w->count; k++)
        if (w->y[k - 1] < w->at && w->y[k] >= w->at)
            return w->x[k - 1] + (w->x[k] - w->x[k - 1]) * (w->at - w->y[k - 1]) / (w->y[k] - w->y[k - 1]);
    return (double)NAN;
}

static double take_slope(const window *w) {
    line_fit fit;
    return rill_fit_line(w->x, w->y, w->count, &fit) ? fit.slope : (double)NAN;
}

static double take_rate(const window *w) {
    exponential_fit fit;
    return rill_fit_exponential(w->x, w->y, w->count, &fit) ? fit.rate : (double)NAN;
}

static double take_period(const window *w) {
    cosine_fit fit;
    return rill_fit_decaying_cosine(w->x, w->y, w->count, &fit) ? fit.period : (double)NAN;
}

static double take_kept(const window *w) {
    cosine_fit fit;
    return rill_fit_decaying_cosine(w->x, w->y, w->count, &fit) ? fit.kept : (double)NAN;
}

static double take_amplitude(const window *w) {
    cosine_fit fit;
    return rill_fit_decaying_cosine(w->x, w->y, w->count, &fit) ? fit.amplitude : (double)NAN;
}

static const struct {
    const char *name;
    double (*take)(const window *w);
} takes[] = {
    {"mean", take_mean},     {"min", take_min},
    {"max", take_max},       {"rms", take_rms},
    {"noise", take_noise},   {"first", take_first},
    {"last", take_last},     {"at", take_at},
    {"when", take_when},     {"slope", take_slope},
    {"rate", take_rate},     {"period", take_period},
    {"kept", take_kept},     {"amplitude", take_amplitude},
    {"median", take_median}, {"p95", take_p95},
};

/* ---- comparison with a table ---- */

typedef enum comparison {
    COMPARE_NOT,
    COMPARE_DEVIATION,
    COMPARE_SHIFTED,
    COMPARE_SHIFT,
    COMPARE_RMSE,
    COMPARE_MAE
} comparison;

static comparison comparison_of(const experiment_measure *m) {
    static const char *const names[] = {"", "deviation", "shifted", "shift", "rmse", "mae"};
    for (int k = COMPARE_DEVIATION; k <= COMPARE_MAE; k++)
        if (!strcmp(m->take, names[k])) return (comparison)k;
    return COMPARE_NOT;
}

bool rill_experiment_compares(const experiment_measure *m) {
    return comparison_of(m) != COMPARE_NOT;
}

static double compare(comparison what, const window *w, const double *u, const double *v, int rows) {
    if (what == COMPARE_RMSE) return rill_fit_rmse(w->x, w->y, w->count, u, v, rows);
    if (what == COMPARE_MAE) return rill_fit_mae(w->x, w->y, w->count, u, v, rows);
    if (what == COMPARE_DEVIATION) return rill_fit_deviation(w->x, w->y, w->count, u, v, rows, 0);
    const double shift = rill_fit_shift(w->x, w->y, w->count, u, v, rows, SHIFT_MOST);
    return what == COMPARE_SHIFT ? shift : rill_fit_deviation(w->x, w->y, w->count, u, v, rows, shift);
}

static rill_status take_table(const experiment *e, const experiment_measure *m, const window *w, double *value,
                              rill_error *error) {
    double *u, *v;
    const int rows = rill_experiment_table(e, m->table, m->column, &u, &v, error);
    if (rows >= 0) *value = compare(comparison_of(m), w, u, v, rows);
    free(u);
    free(v);
    return rows < 0 ? error->status : RILL_OK;
}

static rill_status take_value(const run_names *names, const experiment_measure *m, window *w, double *value,
                              rill_error *error) {
    *value = (double)NAN;
    if (m->at) TRY(compute(names, m->at, &w->at, error));
    if (w->count < 1) return RILL_OK;
    if (rill_experiment_compares(m)) return take_table(names->experiment, m, w, value, error);
    for (size_t k = 0; k < sizeof takes / sizeof *takes; k++)
        if (!strcmp(takes[k].name, m->take)) *value = takes[k].take(w);
    return RILL_OK;
}

/* ---- profiles ---- */

/* Mean of a column over the measure's time window. */
static rill_status column_mean(const experiment *e, const experiment_run *run, int measure, const char *column,
                               double *mean, rill_error *error) {
    double *x, *y;
    const int count = rill_experiment_points(e, run, measure, NULL, column, &x, &y, error);
    *mean = count > 0 ? take_mean(&(window){.x = x, .y = y, .count = count}) : (double)NAN;
    free(x);
    free(y);
    return count < 0 ? error->status : RILL_OK;
}

int rill_experiment_profile(const experiment *e, const experiment_run *run, int measure, double **places,
                            double **means, double **references, rill_error *error) {
    const experiment_measure *m = &e->measures[measure];
    run_names names = {.experiment = e, .run = run, .measures = measure, .row = -1};
    const size_t room = (size_t)m->profile->count;
    double **lists[] = {places, means, references};
    for (int k = 0; k < 3; k++) *lists[k] = calloc(room, sizeof(double));
    int count = 0;
    for (int child = m->profile->first; child != TREE_NONE; child = e->tree.nodes[child].next, count++) {
        const tree_node *place = &e->tree.nodes[e->tree.nodes[child].first];
        if (!*places || !*means || !*references) {
            rill_fail(error, RILL_MEMORY, "%s: no memory to measure", e->name);
            return -1;
        }
        names.extra = NULL;
        if (compute(&names, place->text, &(*places)[count], error)) return -1;
        if (column_mean(e, run, measure, e->tree.nodes[place->next].text, &(*means)[count], error)) return -1;
        names.extra = "x", names.extra_value = (*places)[count];
        if (compute(&names, m->against, &(*references)[count], error)) return -1;
    }
    return count;
}

/* Root mean square of the difference, relative to that of the reference. */
static rill_status take_profile(const experiment *e, const experiment_run *run, int measure, double *value,
                                rill_error *error) {
    double *lists[3] = {NULL, NULL, NULL}, difference = 0, size = 0;
    const int count = rill_experiment_profile(e, run, measure, &lists[0], &lists[1], &lists[2], error);
    for (int k = 0; k < count; k++) {
        difference += (lists[1][k] - lists[2][k]) * (lists[1][k] - lists[2][k]);
        size += lists[2][k] * lists[2][k];
    }
    *value = sqrt(difference / size);
    for (int k = 0; k < 3; k++) free(lists[k]);
    return count < 0 ? error->status : RILL_OK;
}

/* ---- all measures ---- */

/* Replaces each y by the mean over all points within half a width of it. */
static rill_status smooth_points(const double *x, double *y, int count, double width, rill_error *error) {
    if (count < 1) return RILL_OK;
    double *means = calloc((size_t)count, sizeof *means);
    if (!means) return rill_fail(error, RILL_MEMORY, "no memory to measure");
    for (int k = 0, first = 0, last = 0; k < count; k++) {
        while (x[first] < x[k] - 0.5 * width) first++;
        while (last < count && x[last] <= x[k] + 0.5 * width) last++;
        means[k] = take_mean(&(window){.y = y + first, .count = last - first});
    }
    memcpy(y, means, (size_t)count * sizeof *y);
    free(means);
    return RILL_OK;
}

static rill_status take_series(const experiment *e, experiment_run *run, int k, rill_error *error) {
    const experiment_measure *m = &e->measures[k];
    const run_names names = {.experiment = e, .run = run, .measures = k, .row = -1};
    double *x, *y;
    const int count = rill_experiment_points(e, run, k, m->x, m->of, &x, &y, error);
    window w = {.x = x, .y = y, .count = count};
    double width = 0;
    rill_status status = count < 0 ? error->status : RILL_OK;
    if (!status && m->smooth) status = compute(&names, m->smooth, &width, error);
    if (!status && m->smooth) status = smooth_points(x, y, count, width, error);
    if (!status) status = take_value(&names, m, &w, &run->measures[k], error);
    free(x);
    free(y);
    return status;
}

rill_status rill_experiment_measure(const experiment *e, experiment_run *run, rill_error *error) {
    free(run->measures);
    run->measures = calloc((size_t)e->measure_count + 1, sizeof *run->measures);
    if (!run->measures) return rill_fail(error, RILL_MEMORY, "%s: no memory to measure", e->name);
    for (int k = 0; k < e->measure_count; k++) {
        const experiment_measure *m = &e->measures[k];
        const run_names names = {.experiment = e, .run = run, .measures = k, .row = -1};
        run->measures[k] = (double)NAN;
        if (run->failed || !run->series.rows) continue;
        if (m->profile)
            TRY(take_profile(e, run, k, &run->measures[k], error));
        else if (m->value)
            TRY(compute(&names, m->value, &run->measures[k], error));
        else
            TRY(take_series(e, run, k, error));
    }
    return RILL_OK;
}
