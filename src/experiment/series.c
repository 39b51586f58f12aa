/* SPDX-License-Identifier: MIT */
/* Reads tables of numbers from CSV files: those of runs and those of references. */
#include "core/error.h"
#include "experiment/experiment.h"
#include "io/io.h"
#include "rill/param.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 200

void rill_series_free(series *s) {
    free(s->names);
    free(s->values);
    *s = (series){0};
}

int rill_series_column(const series *s, const char *name) {
    for (int k = 0; k < s->columns; k++)
        if (!strcmp(s->names[k], name)) return k;
    return -1;
}

/* Takes the first cell off a line; it may be empty. `line` becomes NULL after the last cell. */
static const char *next_cell(char **line) {
    char *cell = *line, *end = cell + strcspn(cell, ",\r");
    *line = *end == ',' ? end + 1 : NULL;
    *end = '\0';
    return cell;
}

static double cell_number(const char *cell) {
    double value;
    return rill_parse_number(cell, RILL_PURE, &value, NULL) == RILL_OK ? value : (double)NAN;
}

static rill_status read_head(series *s, char *line, const char *path, rill_error *error) {
    char *rest;
    s->names = calloc(COLUMNS_MAX, sizeof *s->names);
    if (!s->names) return rill_fail(error, RILL_MEMORY, "%s: no memory to read it", path);
    for (char *word = strtok_r(line, ",\r", &rest); word && s->columns < COLUMNS_MAX;
         word = strtok_r(NULL, ",\r", &rest))
        snprintf(s->names[s->columns++], sizeof s->names[0], "%s", word);
    return s->columns ? RILL_OK : rill_fail(error, RILL_FORMAT, "%s: expected columns", path);
}

static rill_status add_row(series *s, char *line, const char *path, rill_error *error) {
    if (s->rows == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 64;
        double *values = realloc(s->values, (size_t)s->capacity * (size_t)s->columns * sizeof *values);
        if (!values) return rill_fail(error, RILL_MEMORY, "%s: no memory to read it", path);
        s->values = values;
    }
    double *row = s->values + (size_t)s->rows++ * (size_t)s->columns;
    for (int k = 0; k < s->columns; k++) row[k] = line ? cell_number(next_cell(&line)) : (double)NAN;
    return RILL_OK;
}

/* Lines that begin with '#' are comments, which give the source of the numbers. */
rill_status rill_series_read(series *s, const char *path, rill_error *error) {
    char *data, *rest;
    size_t size;
    TRY(rill_io_read_at_most(path, IO_TABLE_MAX, &data, &size, error));
    rill_status status = RILL_OK;
    for (char *line = strtok_r(data, "\n", &rest); line && !status; line = strtok_r(NULL, "\n", &rest)) {
        if (line[0] == '#' || line[0] == '\r') continue;
        status = s->columns ? add_row(s, line, path, error) : read_head(s, line, path, error);
    }
    free(data);
    return status;
}
