/* SPDX-License-Identifier: MIT */
/* Figures of an experiment: columns over time, profiles, errors against resolution or cost, values against a variable,
   and residuals against iterations. A line stands for a method or for a run. */
#include "core/error.h"
#include "experiment/experiment.h"
#include "picture/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_MAX = 40, REFERENCE_POINTS = 200 };

typedef struct sheet {
    const experiment_report *report;
    const experiment_plot *plot;
    figure_series series[SERIES_MAX];
    double *x[SERIES_MAX], *y[SERIES_MAX]; /* owned */
    char names[SERIES_MAX][2 * RILL_NAME_SIZE];
    int count;
} sheet;

/* The name of a line: the method. If lines are runs, also the variant, or the variant alone if there is only one
   method. */
static const char *line_name(sheet *s, const experiment_run *run) {
    if (s->plot->lines == LINES_METHODS || s->count == SERIES_MAX) return run->method;
    if (s->report->experiment->methods->count == 1) return run->variant->name;
    snprintf(s->names[s->count], sizeof s->names[0], "%s, %s", run->method, run->variant->name);
    return s->names[s->count];
}

/* Adds a line and takes ownership of both arrays. Returns NULL if the figure is full. */
static figure_series *add(sheet *s, const char *name, double *x, double *y, int count, bool line, bool reference) {
    if (s->count == SERIES_MAX) {
        free(x), free(y);
        return NULL;
    }
    s->x[s->count] = x, s->y[s->count] = y;
    s->series[s->count] = (figure_series){
        .name = name, .x = x, .y = y, .count = count, .line = line, .points = !line, .reference = reference};
    return &s->series[s->count++];
}

/* The run that is shown for a method: of the named variant, or of the last variant that was run. */
static const experiment_run *shown_run(const sheet *s, const char *method) {
    const experiment_run *shown = NULL;
    for (int k = 0; k < s->report->run_count; k++) {
        const experiment_run *run = &s->report->runs[k];
        if (strcmp(run->method, method) || run->failed) continue;
        if (!s->plot->variant || !strcmp(s->plot->variant, run->variant->name)) shown = run;
    }
    return shown;
}

static int measure_named(const experiment *e, const char *name) {
    for (int k = 0; k < e->measure_count; k++)
        if (!strcmp(e->measures[k].name, name)) return k;
    return -1;
}

static int result_named(const experiment *e, const char *name) {
    for (int k = 0; k < e->result_count; k++)
        if (!strcmp(e->results[k].name, name)) return k;
    return -1;
}

/* ---- reference values ---- */

static rill_status add_table(sheet *s, rill_error *error) {
    double *x, *y;
    const int rows = rill_experiment_table(s->report->experiment, s->plot->table, s->plot->column, &x, &y, error);
    add(s, "reference", x, y, rows < 0 ? 0 : rows, false, true);
    return rows < 0 ? error->status : RILL_OK;
}

/* Adds the reference expression over the range of the other lines. */
static rill_status add_expression(sheet *s, const experiment_run *run, rill_error *error) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int n = 0; n < s->count; n++)
        for (int k = 0; k < s->series[n].count; k++)
            low = fmin(low, s->series[n].x[k]), high = fmax(high, s->series[n].x[k]);
    double *x = calloc(REFERENCE_POINTS, sizeof *x), *y = calloc(REFERENCE_POINTS, sizeof *y);
    const experiment *e = s->report->experiment;
    run_names names = {.experiment = e, .run = run, .measures = e->measure_count, .row = -1, .extra = "x"};
    expression_problem problem;
    rill_status status = x && y ? RILL_OK : rill_fail(error, RILL_MEMORY, "no memory for a plot");
    for (int k = 0; k < REFERENCE_POINTS && !status; k++) {
        x[k] = names.extra_value = low + (high - low) * k / (REFERENCE_POINTS - 1);
        if (!rill_expression_any_value(s->plot->reference, rill_experiment_names(&names), &y[k], &problem))
            status = rill_fail(error, RILL_FORMAT, "%s: \"%.80s\", character %d: %s", e->path, s->plot->reference,
                               problem.character, problem.text);
    }
    add(s, "reference", x, y, status ? 0 : REFERENCE_POINTS, true, true);
    return status;
}

/* ---- measured values ---- */

static rill_status add_time(sheet *s, const experiment_run *run, rill_error *error) {
    double *x, *y;
    const int count = rill_experiment_points(s->report->experiment, run, -1, s->plot->x, s->plot->y, &x, &y, error);
    add(s, line_name(s, run), x, y, count < 0 ? 0 : count, true, false);
    return count < 0 ? error->status : RILL_OK;
}

static rill_status add_profile(sheet *s, const experiment_run *run, rill_error *error) {
    const experiment *e = s->report->experiment;
    const int measure = measure_named(e, s->plot->of);
    if (measure < 0 || !e->measures[measure].profile)
        return rill_fail(error, RILL_FORMAT, "%s: there is no profile '%s' to plot", e->path, s->plot->of);
    double *x = NULL, *y = NULL, *known = NULL;
    const int count = rill_experiment_profile(e, run, measure, &x, &y, &known, error);
    add(s, line_name(s, run), x, y, count < 0 ? 0 : count, s->plot->lines == LINES_RUNS, false);
    free(known);
    return count < 0 ? error->status : RILL_OK;
}

/* The convergence of the last step of a run. */
static rill_status add_residuals(sheet *s, const experiment_run *run, rill_error *error) {
    const int count = run->residuals.rows;
    if (!count) return RILL_OK;
    double *x = calloc((size_t)count, sizeof *x), *y = calloc((size_t)count, sizeof *y);
    for (int k = 0; k < count && x && y; k++)
        x[k] = run->residuals.values[2 * k], y[k] = run->residuals.values[2 * k + 1];
    add(s, line_name(s, run), x, y, x && y ? count : 0, true, false);
    return x && y ? RILL_OK : rill_fail(error, RILL_MEMORY, "no memory for a plot");
}

/* The abscissa of an error or a value: the resolution, processor seconds per simulated second, or the expression that
   the plot gives. */
static bool effort_of(const sheet *s, const experiment_run *run, double *effort) {
    const experiment *e = s->report->experiment;
    const run_names names = {.experiment = e, .run = run, .measures = e->measure_count, .row = -1};
    expression_problem problem;
    *effort = run->seconds / run->end_time;
    if (s->plot->kind == PLOT_COST) return run->end_time > 0;
    const char *text = s->plot->kind == PLOT_VALUE ? s->plot->x : e->resolution;
    return rill_expression_any_value(text, rill_experiment_names(&names), effort, &problem);
}

/* Sorts points by their abscissa. */
static void sort_points(double *x, double *y, int count) {
    for (int n = 1; n < count; n++)
        for (int k = n; k > 0 && x[k] < x[k - 1]; k--) {
            const double u = x[k], v = y[k];
            x[k] = x[k - 1], y[k] = y[k - 1];
            x[k - 1] = u, y[k - 1] = v;
        }
}

/* |error| of all variants of a method, or its value. */
static rill_status add_error(sheet *s, const char *method, rill_error *error) {
    const experiment *e = s->report->experiment;
    const int result = result_named(e, s->plot->of);
    if (result < 0 || (s->plot->kind == PLOT_ERROR && !e->resolution))
        return rill_fail(error, RILL_FORMAT, "%s: a plot of an error needs a result '%s' and a resolution", e->path,
                         s->plot->of);
    double *x = calloc((size_t)s->report->run_count, sizeof *x), *y = calloc((size_t)s->report->run_count, sizeof *y);
    int count = 0;
    for (int k = 0; k < s->report->run_count && x && y; k++) {
        const experiment_run *run = &s->report->runs[k];
        if (strcmp(run->method, method) || run->failed || !effort_of(s, run, &x[count])) continue;
        const verdict *v = &s->report->verdicts[k * e->result_count + result];
        y[count++] = s->plot->kind == PLOT_VALUE ? v->value : fabs(v->error);
    }
    if (s->plot->kind == PLOT_VALUE) sort_points(x, y, count);
    const bool made = x && y;
    figure_series *line = add(s, method, x, y, count, s->plot->kind != PLOT_COST, false);
    if (line) line->points = true;
    return made ? RILL_OK : rill_fail(error, RILL_MEMORY, "no memory for a plot");
}

static rill_status add_run(sheet *s, const experiment_run *run, rill_error *error) {
    if (s->plot->kind == PLOT_RESIDUALS) return add_residuals(s, run, error);
    return s->plot->kind == PLOT_PROFILE ? add_profile(s, run, error) : add_time(s, run, error);
}

/* Kinds with a line for each run. In the others, a line combines several runs. */
static bool draws_runs(const experiment_plot *p) {
    return p->kind == PLOT_TIME || p->kind == PLOT_PROFILE || p->kind == PLOT_RESIDUALS;
}

static rill_status fill_with_runs(sheet *s, const experiment_run **any, rill_error *error) {
    for (int k = 0; k < s->report->run_count; k++) {
        const experiment_run *run = &s->report->runs[k];
        if (run->failed || !run->series.rows) continue;
        if (s->plot->method && strcmp(s->plot->method, run->method)) continue;
        *any = run;
        TRY(add_run(s, run, error));
    }
    return RILL_OK;
}

static rill_status fill_with_methods(sheet *s, const experiment_run **any, rill_error *error) {
    const experiment *e = s->report->experiment;
    for (int child = e->methods->first; child != TREE_NONE; child = e->tree.nodes[child].next) {
        const char *method = e->tree.nodes[child].text;
        const experiment_run *run = shown_run(s, method);
        if (!run || (s->plot->method && strcmp(s->plot->method, method))) continue;
        *any = run;
        TRY((draws_runs(s->plot) ? add_run(s, run, error) : add_error(s, method, error)));
    }
    return RILL_OK;
}

static rill_status fill(sheet *s, rill_error *error) {
    const experiment_run *any = NULL;
    const bool runs = s->plot->lines == LINES_RUNS && draws_runs(s->plot);
    TRY((runs ? fill_with_runs : fill_with_methods)(s, &any, error));
    if (any && s->plot->reference) TRY(add_expression(s, any, error));
    return any && s->plot->table ? add_table(s, error) : RILL_OK;
}

const char *rill_experiment_plot_name(int plot, char *buffer, size_t size) {
    snprintf(buffer, size, "plot_%d", plot + 1);
    return buffer;
}

static rill_status write_sheet(const experiment_report *report, const experiment_plot *plot, const char *const *paths,
                               int count, rill_error *error) {
    const experiment *e = report->experiment;
    sheet s = {.report = report, .plot = plot};
    rill_status status = fill(&s, error);
    const bool log = plot->kind == PLOT_ERROR || plot->kind == PLOT_COST;
    const char *const titles[] = {
        "time [s]", "", e->resolution, "seconds of the processor for a simulated second", plot->x, "iterations"};
    const char *x_title = plot->x_title ? plot->x_title : titles[plot->kind];
    const figure_def def = {.width = 760,
                            .height = 420,
                            .title = plot->title ? plot->title : e->title,
                            .x_title = x_title,
                            .y_title = plot->y_title ? plot->y_title
                                       : plot->of    ? plot->of
                                       : plot->y     ? plot->y
                                                     : "residual",
                            .log_x = log,
                            .log_y = log || plot->kind == PLOT_RESIDUALS,
                            .series = s.series,
                            .count = s.count};
    for (int n = 0; n < count && !status; n++) status = rill_figure_write(&def, paths[n], error);
    for (int n = 0; n < s.count; n++) free(s.x[n]), free(s.y[n]);
    return status;
}

static rill_status write_plot(const experiment_report *report, int k, const char *folder, bool pixels,
                              rill_error *error) {
    char name[32], svg[1024], png[1024];
    rill_experiment_plot_name(k, name, sizeof name);
    snprintf(svg, sizeof svg, "%s/%s.svg", folder, name);
    snprintf(png, sizeof png, "%s/%s.png", folder, name);
    return write_sheet(report, &report->experiment->plots[k], (const char *const[]){svg, png}, pixels ? 2 : 1, error);
}

rill_status rill_experiment_figure(const experiment_report *report, const experiment_plot *plot, const char *path,
                                   rill_error *error) {
    return write_sheet(report, plot, &path, 1, error);
}

rill_status rill_experiment_plot(const experiment_report *report, const char *folder, bool pixels, rill_error *error) {
    for (int k = 0; k < report->experiment->plot_count; k++) TRY(write_plot(report, k, folder, pixels, error));
    return RILL_OK;
}
