/* SPDX-License-Identifier: MIT */
/* Tables in CSV. Each row is a single write, so that the file consists of whole rows at any moment. */
#include "core/error.h"
#include "io/file.h"
#include "io/io.h"
#include "io/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Most bytes of a number: "-1.23456789e-308" and a comma. */
#define CSV_NUMBER_SIZE 24

/* Most bytes of a quoted name. */
#define CSV_NAME_SIZE (2 * RILL_NAME_SIZE + 4)

struct io_csv {
    int descriptor;
    int columns;
    off_t size; /* size of the whole rows so far */
    char *row;  /* room for one row */
    char path[1024];
};

/* Most bytes of a text in a table, quotes included. */
static size_t text_room(const char *text) {
    return 2 * strlen(text) + 3;
}

/* Writes a text, in quotes if it contains commas, quotes or line ends. Returns its end. */
static char *put_text(char *next, const char *text) {
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted) *next++ = '"';
    for (const char *c = text; *c; c++) {
        if (*c == '"') *next++ = '"';
        *next++ = *c == '\n' || *c == '\r' ? ' ' : *c; /* a row must stay on one line */
    }
    if (quoted) *next++ = '"';
    return next;
}

/* The header line with its newline, or NULL if out of memory. */
static char *make_header(const char *const *columns, int count) {
    size_t size = 2;
    for (int k = 0; k < count; k++) size += text_room(columns[k]);
    char *header = malloc(size), *next = header;
    if (!header) return NULL;
    for (int k = 0; k < count; k++) {
        if (k > 0) *next++ = ',';
        next = put_text(next, columns[k]);
    }
    *next++ = '\n';
    *next = '\0';
    return header;
}

/* The number that `value` becomes when it is written and read back. */
static double as_written(double value) {
    char text[CSV_NUMBER_SIZE + 8];
    snprintf(text, sizeof text, "%.9g", value);
    return strtod(text, NULL);
}

/* Finds the end of the rows to keep. A last row without a newline was cut off by a crash and is dropped. */
static rill_status find_kept(const char *path, io_span text, const char *header, double keep_until, size_t *kept,
                             rill_error *error) {
    size_t head = strlen(header), size = (size_t)(text.end - text.begin);
    if (size < head || memcmp(text.begin, header, head) != 0)
        return rill_fail(error, RILL_FORMAT,
                         "%s: line 1: the columns are not those of this run (%.200s...); move the file away or resume "
                         "the run that wrote it",
                         path, header);
    const char *row = text.begin + head;
    double limit = as_written(keep_until);
    for (int line = 2; row < text.end; line++) {
        const char *newline = memchr(row, '\n', (size_t)(text.end - row));
        double first;
        if (!newline) break;
        if (!rill_io_span_number((io_span){row, newline}, &first))
            return rill_fail(error, RILL_FORMAT,
                             "%s: line %d: found \"%.*s\" where a row of numbers was expected; repair or move the file",
                             path, line, (int)(newline - row < 40 ? newline - row : 40), row);
        if (first > limit) break;
        row = newline + 1;
    }
    *kept = (size_t)(row - text.begin);
    return RILL_OK;
}

/* Replaces the file by the header, or by the rows that a resumed run keeps. */
static rill_status write_beginning(const char *path, const char *header, double keep_until, rill_error *error) {
    void *old = NULL;
    size_t old_size = 0, kept = 0;
    rill_status status = RILL_OK;
    if (keep_until >= 0.0 && access(path, F_OK) == 0) {
        status = rill_io_read_whole(path, &old, &old_size, error);
        if (status == RILL_OK && old_size > 0)
            status = find_kept(path, (io_span){old, (const char *)old + old_size}, header, keep_until, &kept, error);
    }
    io_file file;
    if (status == RILL_OK) status = rill_io_open(&file, path, error);
    if (status == RILL_OK) {
        if (kept > 0) {
            fwrite(old, 1, kept, file.stream);
        } else {
            fputs(header, file.stream);
        }
        status = rill_io_commit(&file, error);
    }
    free(old);
    return status;
}

static void csv_free(io_csv *csv) {
    if (!csv) return;
    if (csv->descriptor >= 0) close(csv->descriptor);
    free(csv->row);
    free(csv);
}

io_csv *rill_io_csv_open(const char *path, const char *const *columns, int count, double keep_until,
                         rill_error *error) {
    if (count < 1) {
        rill_fail(error, RILL_INVALID, "%s: a table needs at least one column", path);
        return NULL;
    }
    io_csv *csv = calloc(1, sizeof *csv);
    char *header = make_header(columns, count);
    rill_status status = RILL_OK;
    if (csv) {
        csv->descriptor = -1;
        csv->columns = count;
        csv->row = malloc((size_t)count * CSV_NUMBER_SIZE + CSV_NAME_SIZE + 1);
    }
    if (!csv || !header || !csv->row) {
        status = rill_fail(error, RILL_MEMORY, "%s: not enough memory for a table of %d columns", path, count);
    } else {
        status = write_beginning(path, header, keep_until, error); /* also checks the length of the path */
    }
    free(header);
    struct stat info;
    if (status == RILL_OK) {
        snprintf(csv->path, sizeof csv->path, "%s", path);
        csv->descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
        if (csv->descriptor < 0 || fstat(csv->descriptor, &info) != 0) {
            status = rill_io_fail(error, errno, "append to", path);
        } else {
            csv->size = info.st_size;
        }
    }
    if (status == RILL_OK) return csv;
    csv_free(csv);
    return NULL;
}

/* Formats `count` numbers. The row ends after the last column. */
static char *format_numbers(const io_csv *csv, const double *values, int count) {
    char *next = csv->row;
    for (int k = 0; k < count; k++) {
        char end = k + 1 < csv->columns ? ',' : '\n';
        /* a value that does not exist leaves its cell empty */
        next += isnan(values[k]) ? snprintf(next, CSV_NUMBER_SIZE, "%c", end)
                                 : snprintf(next, CSV_NUMBER_SIZE, "%.9g%c", values[k], end);
    }
    return next;
}

/* Appends csv->row up to `end` to the file. */
static rill_status append_row(io_csv *csv, const char *end, rill_error *error) {
    size_t size = (size_t)(end - csv->row), done = 0;
    while (done < size) {
        ssize_t written = write(csv->descriptor, csv->row + done, size - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            int reason = errno;
            /* Part of the row may be in the file already: remove it. */
            if (done > 0 && ftruncate(csv->descriptor, csv->size) != 0) reason = errno;
            return rill_io_fail(error, reason, "append to", csv->path);
        }
        done += (size_t)written;
    }
    csv->size += (off_t)size;
    return RILL_OK;
}

rill_status rill_io_csv_row(io_csv *csv, const double *values, rill_error *error) {
    return append_row(csv, format_numbers(csv, values, csv->columns), error);
}

rill_status rill_io_csv_row_named(io_csv *csv, const double *values, const char *name, rill_error *error) {
    if (strlen(name) >= RILL_NAME_SIZE)
        return rill_fail(error, RILL_INVALID, "%s: a name in a table has at most %d bytes", csv->path,
                         RILL_NAME_SIZE - 1);
    char *next = put_text(format_numbers(csv, values, csv->columns - 1), name);
    *next++ = '\n';
    return append_row(csv, next, error);
}

rill_status rill_io_csv_close(io_csv *csv, rill_error *error) {
    if (!csv) return RILL_OK;
    rill_status status = RILL_OK;
    if (fsync(csv->descriptor) != 0) status = rill_io_fail(error, errno, "finish", csv->path);
    csv_free(csv);
    return status;
}
