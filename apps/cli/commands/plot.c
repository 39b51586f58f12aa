/* SPDX-License-Identifier: MIT */
/* rill plot: columns of runs, sweeps and other tables, plotted against each other. */
#include "apps/cli/commands/command.h"
#include "core/error.h"
#include "experiment/experiment.h"
#include "io/io.h"
#include "picture/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 40 };

typedef struct plot_settings {
    option_list y;
    const char *x, *out, *title, *log;
} plot_settings;

typedef struct plot_job {
    const plot_settings *settings;
    figure_series lines[LINES_MAX];
    char names[LINES_MAX][300];
    double *values[LINES_MAX]; /* of each line: x of all its points, then y */
    int count, operand_count;
} plot_job;

/* One row of a table, whose values have names. */
typedef struct table_row {
    const series *table;
    int row;
} table_row;

static expression_found find_column(const void *context, const char *name, double *value) {
    const table_row *r = context;
    const int column = rill_series_column(r->table, name);
    if (column < 0) return EXPRESSION_UNKNOWN;
    *value = r->table->values[(size_t)r->row * (size_t)r->table->columns + (size_t)column];
    return EXPRESSION_FOUND;
}

static bool compute_rows(const series *table, const char *text, double *values, expression_problem *problem) {
    for (int k = 0; k < table->rows; k++) {
        const table_row row = {table, k};
        if (!rill_expression_any_value(text, (expression_names){find_column, &row}, &values[k], problem)) return false;
    }
    return true;
}

/* The name of a line: the column ("front"), the run ("dam"), or both if there are several of both. */
static void name_line(plot_job *job, int n, const char *operand, const char *y) {
    char run[200];
    size_t length = strlen(operand);
    while (length > 1 && operand[length - 1] == '/') length--;
    size_t start = length;
    while (start > 0 && operand[start - 1] != '/') start--;
    snprintf(run, sizeof run, "%.*s", (int)(length - start), operand + start);
    if (job->operand_count == 1)
        snprintf(job->names[n], sizeof job->names[n], "%.200s", y);
    else if (job->settings->y.count == 1)
        snprintf(job->names[n], sizeof job->names[n], "%.200s", run);
    else
        snprintf(job->names[n], sizeof job->names[n], "%.140s, %.140s", run, y);
}

static rill_status add_line(plot_job *job, const series *table, const char *path, const char *y, rill_error *error) {
    const char *x = job->settings->x ? job->settings->x : "time";
    expression_problem problem = {0};
    if (job->count == LINES_MAX) return rill_fail(error, RILL_LIMIT, "more than %d lines; expected fewer", LINES_MAX);
    double *values = calloc(2 * (size_t)table->rows + 1, sizeof *values);
    if (!values) return rill_fail(error, RILL_MEMORY, "no memory for the plot");
    if (!compute_rows(table, x, values, &problem) || !compute_rows(table, y, values + table->rows, &problem)) {
        free(values);
        return rill_fail(error, RILL_FORMAT, "%s: character %d: %s", path, problem.character, problem.text);
    }
    job->values[job->count] = values;
    job->lines[job->count] = (figure_series){
        .name = job->names[job->count], .x = values, .y = values + table->rows, .count = table->rows, .line = true};
    job->count++;
    return RILL_OK;
}

static rill_status add_table(plot_job *job, const char *path, const char *y, rill_error *error) {
    series table = {0};
    rill_status status = rill_series_read(&table, path, error);
    if (!status) status = add_line(job, &table, path, y, error);
    rill_series_free(&table);
    return status;
}

/* A file is a table; a folder is a run, whose gauges or statistics contain the column. */
static rill_status add_operand(plot_job *job, const char *operand, const char *y, rill_error *error) {
    static const char *const tables[] = {"gauges.csv", "stats.csv", "series.csv", "results.csv"};
    const size_t length = strlen(operand);
    if (length > 4 && !strcmp(operand + length - 4, ".csv")) return add_table(job, operand, y, error);
    rill_status status = RILL_OK;
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", operand, tables[k]);
        rill_error tried = {0};
        if (add_table(job, path, y, &tried) == RILL_OK) return RILL_OK;
        if (!status || tried.status == RILL_FORMAT) status = rill_fail(error, tried.status, "%s", tried.text);
    }
    return status;
}

static rill_status draw(plot_job *job, rill_error *error) {
    const plot_settings *settings = job->settings;
    const char *log = settings->log ? settings->log : "";
    const figure_def def = {.width = 960,
                            .height = 480,
                            .title = settings->title,
                            .x_title = settings->x ? settings->x : "time [s]",
                            .y_title = settings->y.count == 1 ? settings->y.items[0] : NULL,
                            .log_x = strchr(log, 'x') != NULL,
                            .log_y = strchr(log, 'y') != NULL,
                            .series = job->lines,
                            .count = job->count};
    return rill_figure_write(&def, settings->out ? settings->out : "plot.svg", error);
}

static int run_plot(const command_call *call) {
    const plot_settings *settings = call->settings;
    rill_error error = {0};
    plot_job job = {.settings = settings, .operand_count = call->operand_count};
    rill_status status = RILL_OK;
    const char *out = settings->out ? settings->out : "plot.svg", *end = strrchr(out, '.');
    if (!settings->y.count || !end || (strcmp(end, ".svg") != 0 && strcmp(end, ".png") != 0)) {
        fprintf(stderr, "rill plot: expected --y EXPRESSION, and --out FILE that ends in .svg or .png\n");
        return EXIT_USAGE;
    }
    if (settings->log && strcmp(settings->log, "x") != 0 && strcmp(settings->log, "y") != 0 &&
        strcmp(settings->log, "xy") != 0) {
        fprintf(stderr, "rill plot: --log %s: expected x, y or xy\n", settings->log);
        return EXIT_USAGE;
    }
    for (int k = 0; k < call->operand_count && !status; k++)
        for (int n = 0; n < settings->y.count && !status; n++)
            if (!(status = add_operand(&job, call->operands[k], settings->y.items[n], &error)))
                name_line(&job, job.count - 1, call->operands[k], settings->y.items[n]);
    if (!status) status = draw(&job, &error);
    for (int k = 0; k < LINES_MAX; k++) free(job.values[k]);
    if (status)
        fprintf(stderr, "rill plot: %s\n", error.text);
    else
        printf("%s\n", out);
    return status ? EXIT_FAILED : EXIT_FINE;
}

static const option plot_options[] = {
    {"y", OPTION_LIST, offsetof(plot_settings, y), "EXPRESSION",
     "vertical axis, computed from columns; repeat it for more lines"},
    {"x", OPTION_TEXT, offsetof(plot_settings, x), "EXPRESSION", "horizontal axis (default: time)"},
    {"log", OPTION_TEXT, offsetof(plot_settings, log), "AXES", "x, y or xy: logarithmic axes"},
    {"title", OPTION_TEXT, offsetof(plot_settings, title), "TEXT", "title above the plot"},
    {"out", OPTION_TEXT, offsetof(plot_settings, out), "FILE", "plot.svg, or a name that ends in .svg or .png"},
};

const command plot_command = {
    .name = "plot",
    .operands = "DIR|FILE.csv...",
    .summary = "draw columns of runs against each other",
    .about =
        "DIR is the folder of a run of 'rill run' (its gauges.csv, or stats.csv if that has the column), of an\n"
        "experiment or of a sweep. EXPRESSION is made of columns, numbers, + - * / ^, sqrt and so on, as in scenes.\n",
    .examples = "  rill plot out/dam --y front\n"
                "  rill plot out/one out/two --y 'kinetic_energy + potential_energy' --out energy.png\n"
                "  rill plot out/dam/stats.csv --y max_speed --log y --out speed.svg\n",
    .options = plot_options,
    .option_count = sizeof plot_options / sizeof plot_options[0],
    .operands_min = 1,
    .operands_max = 64,
    .settings_size = sizeof(plot_settings),
    .run = run_plot,
};
