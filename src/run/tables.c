/* SPDX-License-Identifier: MIT */
/* A run's tables: a row for each frame, with the columns defined by the tables of gauges and rill_statistics. */
#include "core/error.h"
#include "run/folder.h"

#include <stdlib.h>

static io_csv *open_table(const run_tables *tables, const char *file, const char *const *columns, int count,
                          double keep_until, rill_error *error) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", tables->folder->path, file);
    return rill_io_csv_open(path, columns, count, keep_until, error);
}

/* ---- stats.csv ---- */

static rill_status open_stats(run_tables *tables, double keep_until, rill_error *error) {
    const char *columns[STATISTIC_COUNT];
    int count = 0;
    for (int k = 0; k < STATISTIC_COUNT; k++)
        if (rill_statistics[k].column) columns[count++] = rill_statistics[k].column;
    tables->stats = open_table(tables, "stats.csv", columns, count, keep_until, error);
    return tables->stats ? RILL_OK : RILL_IO;
}

/* No steps precede the first frame; its means are written as 0. */
static rill_status write_stats(run_tables *tables, const run *r, rill_error *error) {
    double values[STATISTIC_COUNT];
    int count = 0;
    for (int k = 0; k < STATISTIC_COUNT; k++) {
        if (!rill_statistics[k].column) continue;
        const bool none = r->frame.steps == 0 && rill_statistics[k].fold == STATISTIC_MEAN;
        values[count++] = none ? 0.0 : rill_statistic_value(&r->frame, &r->shown, k);
    }
    return rill_io_csv_row(tables->stats, values, error);
}

/* ---- residuals.csv ---- */

static rill_status open_residuals(run_tables *tables, double keep_until, rill_error *error) {
    static const char *const columns[] = {"time", "iteration", "residual"};
    tables->residuals = open_table(tables, "residuals.csv", columns, 3, keep_until, error);
    return tables->residuals ? RILL_OK : RILL_IO;
}

/* The convergence of the last step of a frame. For methods that solve no system the table stays empty. */
static rill_status write_residuals(run_tables *tables, const run *r, rill_error *error) {
    const rill_stats *s = &r->shown;
    for (int k = 0; s->residual > 0 && k < s->iterations && k < RILL_RESIDUALS_MAX; k++) {
        const double values[] = {s->time, k + 1, (double)s->residuals[k]};
        TRY(rill_io_csv_row(tables->residuals, values, error));
    }
    return RILL_OK;
}

/* ---- gauges.csv ---- */

#define LABEL_SIZE (RILL_NAME_SIZE + 2)

static rill_status open_gauges(run_tables *tables, const run *r, const rill_frame *now, double keep_until,
                               rill_error *error) {
    gauge_columns *measured = &tables->measured;
    TRY(rill_run_gauge_columns_begin(measured, r, now, error));
    const size_t count = (size_t)measured->count + 1;
    char(*labels)[LABEL_SIZE] = calloc(count, sizeof *labels);
    const char **columns = calloc(count, sizeof *columns);
    rill_status status = RILL_OK;
    if (labels && columns) {
        columns[0] = "time";
        for (int k = 0; k < measured->count; k++)
            columns[k + 1] = rill_run_gauge_columns_label(measured, k, labels[k], LABEL_SIZE);
        tables->gauges = open_table(tables, "gauges.csv", columns, measured->count + 1, keep_until, error);
        status = tables->gauges ? RILL_OK : RILL_IO;
    } else {
        status = rill_fail(error, RILL_MEMORY, "out of memory for the gauges");
    }
    free(labels);
    free(columns);
    return status;
}

static rill_status write_gauges(run_tables *tables, const run *r, rill_error *error) {
    double *values = calloc((size_t)tables->measured.count + 1, sizeof *values);
    if (!values) return rill_fail(error, RILL_MEMORY, "out of memory for the gauges");
    values[0] = r->shown.time;
    rill_status status = rill_run_gauge_columns_read(&tables->measured, r, values + 1, error);
    if (status == RILL_OK) status = rill_io_csv_row(tables->gauges, values, error);
    free(values);
    return status;
}

/* ---- the observer ---- */

static rill_status begin_tables(void *self, const run *r, const rill_frame *now, rill_error *error) {
    run_tables *tables = self;
    const double keep_until = rill_run_keep_until(r);
    TRY(open_stats(tables, keep_until, error));
    TRY(open_residuals(tables, keep_until, error));
    return open_gauges(tables, r, now, keep_until, error);
}

static rill_status write_rows(void *self, const run *r, const rill_frame *frame, rill_error *error) {
    (void)frame;
    run_tables *tables = self;
    TRY(write_gauges(tables, r, error));
    TRY(write_stats(tables, r, error));
    return write_residuals(tables, r, error);
}

/* Closes all tables; the first failure is reported. */
static rill_status end_tables(void *self, const run *r, run_outcome outcome, rill_error *error) {
    (void)r, (void)outcome;
    run_tables *tables = self;
    io_csv *open[] = {tables->gauges, tables->stats, tables->residuals};
    rill_status status = RILL_OK;
    for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
        const rill_status closed = rill_io_csv_close(open[k], status == RILL_OK ? error : NULL);
        if (status == RILL_OK) status = closed;
    }
    tables->gauges = tables->stats = tables->residuals = NULL;
    rill_run_gauge_columns_free(&tables->measured);
    return status;
}

run_observer rill_run_tables_observer(run_tables *tables) {
    return (run_observer){.self = tables, .begin = begin_tables, .frame = write_rows, .end = end_tables};
}
