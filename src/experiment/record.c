/* SPDX-License-Identifier: MIT */
/* Stores runs as files, so that finished runs need not be repeated. */
#include "experiment/record.h"

#include "core/error.h"
#include "io/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- recording ---- */

static rill_status begin_record(void *self, const run *r, const rill_frame *now, rill_error *error) {
    record *own = self;
    series *s = own->series;
    TRY(rill_run_gauge_columns_begin(&own->gauges, r, now, error));
    s->names = calloc((size_t)own->gauges.count + STATISTIC_COUNT + 1, sizeof *s->names);
    if (!s->names) return rill_fail(error, RILL_MEMORY, "no memory for the gauges");
    snprintf(s->names[s->columns++], sizeof s->names[0], "time");
    for (int k = 0; k < own->gauges.count; k++)
        rill_run_gauge_columns_label(&own->gauges, k, s->names[s->columns++], sizeof s->names[0]);
    for (int k = 0; k < STATISTIC_COUNT; k++)
        if (rill_statistics[k].column && k != STATISTIC_TIME)
            snprintf(s->names[s->columns++], sizeof s->names[0], "%s", rill_statistics[k].column);
    return RILL_OK;
}

static rill_status record_frame(void *self, const run *r, const rill_frame *frame, rill_error *error) {
    const record *own = self;
    series *s = own->series;
    (void)frame;
    if (s->rows == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 256;
        double *values = realloc(s->values, (size_t)s->capacity * (size_t)s->columns * sizeof *values);
        if (!values) return rill_fail(error, RILL_MEMORY, "no memory for the gauges");
        s->values = values;
    }
    double *row = s->values + (size_t)s->rows * (size_t)s->columns;
    int column = 0;
    row[column++] = r->shown.time;
    TRY(rill_run_gauge_columns_read(&own->gauges, r, row + column, error));
    column += own->gauges.count;
    for (int k = 0; k < STATISTIC_COUNT; k++)
        if (rill_statistics[k].column && k != STATISTIC_TIME)
            row[column++] = rill_statistic_value(&r->frame, &r->shown, k);
    s->rows++;
    return RILL_OK;
}

static rill_status end_record(void *self, const run *r, run_outcome outcome, rill_error *error) {
    (void)r, (void)outcome, (void)error;
    rill_run_gauge_columns_free(&((record *)self)->gauges);
    return RILL_OK;
}

run_observer rill_record_observer(record *r) {
    return (run_observer){.self = r, .begin = begin_record, .frame = record_frame, .end = end_record};
}

rill_status rill_record_residuals(series *s, const rill_stats *stats, rill_error *error) {
    const int count = stats->iterations < RILL_RESIDUALS_MAX ? stats->iterations : RILL_RESIDUALS_MAX;
    if (!(stats->residual > 0) || count < 1) return RILL_OK;
    s->names = calloc(2, sizeof *s->names);
    s->values = calloc(2 * (size_t)count, sizeof *s->values);
    if (!s->names || !s->values) return rill_fail(error, RILL_MEMORY, "no memory for the residuals");
    s->columns = 2, s->rows = s->capacity = count;
    snprintf(s->names[0], sizeof s->names[0], "iteration");
    snprintf(s->names[1], sizeof s->names[0], "residual");
    for (int k = 0; k < count; k++) s->values[2 * k] = k + 1, s->values[2 * k + 1] = (double)stats->residuals[k];
    return RILL_OK;
}

/* ---- files ---- */

static rill_status write_series(const series *s, const char *folder, const char *name, rill_error *error) {
    char path[1024];
    const char **columns = calloc((size_t)s->columns + 1, sizeof *columns);
    if (!columns) return rill_fail(error, RILL_MEMORY, "no memory for the gauges");
    for (int k = 0; k < s->columns; k++) columns[k] = s->names[k];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    io_csv *csv = rill_io_csv_open(path, columns, s->columns, -1, error);
    free(columns);
    if (!csv) return RILL_IO;
    rill_status status = RILL_OK;
    for (int k = 0; k < s->rows && !status; k++)
        status = rill_io_csv_row(csv, s->values + (size_t)k * (size_t)s->columns, error);
    const rill_status closed = rill_io_csv_close(csv, status ? NULL : error);
    return status ? status : closed;
}

rill_status rill_record_write(const experiment_run *run, const char *folder, const char *key, rill_error *error) {
    char path[1024];
    io_file file;
    TRY(rill_io_make_directory(folder, error));
    if (run->series.columns) TRY(write_series(&run->series, folder, "series.csv", error));
    if (run->residuals.columns) TRY(write_series(&run->residuals, folder, "residuals.csv", error));
    snprintf(path, sizeof path, "%s/run.txt", folder);
    TRY(rill_io_open(&file, path, error));
    fprintf(file.stream, "key %s\nfailed %d\nend_time %.17g\nparticles %.17g\nsteps %.17g\nseconds %.17g\nhash %.17g\n",
            key, run->failed, run->end_time, run->particles, run->steps, run->seconds, run->hash);
    fprintf(file.stream, "message %s\n", run->message);
    return rill_io_commit(&file, error);
}

/* The rest of the line that begins with "WORD ", or NULL. */
static const char *fact(const char *text, const char *word, char *value, size_t size) {
    const size_t length = strlen(word);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (strncmp(line, word, length) || line[length] != ' ') continue;
        snprintf(value, size, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
        return value;
    }
    return NULL;
}

static double number_fact(const char *text, const char *word) {
    char value[64];
    double number;
    if (!fact(text, word, value, sizeof value)) return (double)NAN;
    return rill_parse_number(value, RILL_PURE, &number, NULL) == RILL_OK ? number : (double)NAN;
}

bool rill_record_read(experiment_run *run, const char *folder, const char *key) {
    char path[1024], value[100], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/run.txt", folder);
    if (rill_io_read_at_most(path, 1 << 16, &text, &size, NULL)) return false;
    bool same = fact(text, "key", value, sizeof value) && !strcmp(value, key);
    if (same) {
        run->failed = number_fact(text, "failed") != 0;
        run->end_time = number_fact(text, "end_time");
        run->particles = number_fact(text, "particles");
        run->steps = number_fact(text, "steps");
        run->seconds = number_fact(text, "seconds");
        run->hash = number_fact(text, "hash");
        if (!fact(text, "message", run->message, sizeof run->message)) run->message[0] = '\0';
        snprintf(path, sizeof path, "%s/series.csv", folder);
        same = rill_series_read(&run->series, path, NULL) == RILL_OK || run->failed;
        snprintf(path, sizeof path, "%s/residuals.csv", folder);
        rill_series_read(&run->residuals, path, NULL); /* methods that solve no system leave none */
    }
    free(text);
    return run->done = run->cached = same;
}
