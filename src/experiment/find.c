/* SPDX-License-Identifier: MIT */
/* Finds experiments by name, lists them, and reads an experiment and the tables beside it. */
#include "core/error.h"
#include "experiment/experiment.h"
#include "io/io.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SUFFIX ".json"

static const char *folder_at(int index) {
    const char *own = getenv("RILL_EXPERIMENTS");
    const char *const folders[] = {"experiments", own ? own : "", RILL_EXPERIMENTS_SOURCE, RILL_EXPERIMENTS_INSTALLED};
    return index < 4 ? folders[index] : NULL;
}

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool find(const char *name, char *path, size_t size) {
    snprintf(path, size, "%s", name);
    if (is_file(path)) return true;
    for (int k = 0; folder_at(k); k++) {
        snprintf(path, size, "%s/%s%s", folder_at(k), name, SUFFIX);
        if (folder_at(k)[0] && is_file(path)) return true;
    }
    return false;
}

experiment *rill_experiment_load(const char *name_or_path, rill_error *error) {
    char path[512], *text = NULL;
    size_t size = 0;
    if (!find(name_or_path, path, sizeof path)) {
        rill_fail(error, RILL_NOT_FOUND, "no experiment '%.200s'; `rill experiment --list` lists all", name_or_path);
        return NULL;
    }
    if (rill_io_read_at_most(path, TREE_MAX_BYTES, &text, &size, error)) return NULL;
    experiment *e = rill_experiment_parse(path, text, size, error);
    free(text);
    return e;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool contains(char *const *names, int count, const char *name, size_t length) {
    for (int k = 0; k < count; k++)
        if (strlen(names[k]) == length && !strncmp(names[k], name, length)) return true;
    return false;
}

static rill_status add_folder(DIR *directory, char ***names, int *count, rill_error *error) {
    for (const struct dirent *file; (file = readdir(directory)) != NULL;) {
        const size_t length = strlen(file->d_name), end = strlen(SUFFIX);
        if (length <= end || strcmp(file->d_name + length - end, SUFFIX)) continue;
        if (contains(*names, *count, file->d_name, length - end)) continue;
        char **longer = realloc(*names, ((size_t)*count + 1) * sizeof *longer);
        if (longer) *names = longer;
        char *name = longer ? strndup(file->d_name, length - end) : NULL;
        if (!name) return rill_fail(error, RILL_MEMORY, "no memory for the list of experiments");
        (*names)[(*count)++] = name;
    }
    return RILL_OK;
}

rill_status rill_experiment_list(char ***names, int *count, rill_error *error) {
    *names = NULL;
    *count = 0;
    for (int k = 0; folder_at(k); k++) {
        DIR *directory = folder_at(k)[0] ? opendir(folder_at(k)) : NULL;
        if (!directory) continue;
        const rill_status status = add_folder(directory, names, count, error);
        closedir(directory);
        TRY(status);
    }
    if (*count) qsort(*names, (size_t)*count, sizeof **names, by_name);
    return RILL_OK;
}

static rill_status pick_column(const series *table, const char *path, const char *column, int *pick,
                               rill_error *error) {
    if (table->columns < 2) return rill_fail(error, RILL_FORMAT, "%s: expected two columns", path);
    *pick = column ? rill_series_column(table, column) : 1;
    return *pick < 0 ? rill_fail(error, RILL_FORMAT, "%s: has no column '%s'", path, column) : RILL_OK;
}

static rill_status copy_points(const series *table, int pick, double **x, double **y, rill_error *error) {
    *x = calloc((size_t)table->rows + 1, sizeof **x);
    *y = calloc((size_t)table->rows + 1, sizeof **y);
    if (!*x || !*y) return rill_fail(error, RILL_MEMORY, "no memory for a table");
    for (int k = 0; k < table->rows; k++) {
        const double *row = table->values + (size_t)k * (size_t)table->columns;
        (*x)[k] = row[0], (*y)[k] = row[pick];
    }
    return RILL_OK;
}

int rill_experiment_table(const experiment *e, const char *file, const char *column, double **x, double **y,
                          rill_error *error) {
    char path[1024];
    const char *slash = strrchr(e->path, '/');
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - e->path) + 1 : 0, e->path, file);
    series table = {0};
    int pick = 1;
    *x = *y = NULL;
    rill_status status = rill_series_read(&table, path, error);
    if (!status) status = pick_column(&table, path, column, &pick, error);
    if (!status) status = copy_points(&table, pick, x, y, error);
    const int rows = table.rows;
    rill_series_free(&table);
    return status ? -1 : rows;
}
