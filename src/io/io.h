/* SPDX-License-Identifier: MIT */
/* Reading and writing files. Every file is written under a temporary name, flushed and renamed, so that neither a crash
   nor a full disk leaves half a file and no reader sees one. Writers use the fields of a frame and do not depend on the
   method. */
#ifndef RILL_IO_IO_H
#define RILL_IO_IO_H

#include "rill/io.h"

#include <stdio.h>
#include <sys/types.h>

/* ---- atomic files ---- */
typedef struct io_file {
    FILE *stream; /* write here */
    char path[1024], temporary[1088];
} io_file;
rill_status rill_io_open(io_file *file, const char *path, rill_error *error);
rill_status rill_io_commit(io_file *file,
                           rill_error *error); /* checks every write, syncs and renames; removes the file on error */
void rill_io_abandon(io_file *file);
rill_status rill_io_make_directory(const char *path, rill_error *error); /* with its parents; it may exist */
/* Removes half-written files that killed processes left in a folder. */
void rill_io_remove_stale(const char *folder);
void rill_io_remove_stale_beside(const char *path); /* removes those in the folder of a file */

/* ---- whole files ---- */
/* Size limit for frames and snapshots: about fifty million particles. */
#define IO_FILE_MAX ((size_t)8 << 30)
/* Size limit for tables that people write or read. */
#define IO_TABLE_MAX ((size_t)256 << 20)
/* Reads a regular file. free() the data, which ends in a zero that `size` does not count. */
rill_status rill_io_read_whole(const char *path, void **data, size_t *size, rill_error *error);
rill_status rill_io_read_at_most(const char *path, size_t most, char **data, size_t *size, rill_error *error);

/* ---- lists of frames ---- */
typedef rill_io_run io_run;

typedef struct io_series_entry {
    double time;
    char file[256]; /* relative to the .pvd */
} io_series_entry;
/* A list that grows during a run and can be read at any moment. Zero-initialised except for the path. */
typedef struct io_series {
    char path[1024]; /* of the .pvd */
    io_series_entry *entries;
    int count, capacity;
    bool open; /* the file exists and can grow: */
    int descriptor;
    off_t end, room_end; /* start of its closing tags; end of the room for further entries */
} io_series;
/* Adds a file of an earlier run without writing the list; rill_io_series_add writes it with the first file of this
   run. */
rill_status rill_io_series_restore(io_series *series, double time, const char *file, rill_error *error);
rill_status rill_io_series_add(io_series *series, double time, const char *file, rill_error *error);
rill_status rill_io_series_close(io_series *series, rill_error *error);

/* ---- tables in CSV: a header, then rows that are written whole ---- */
typedef struct io_csv io_csv;
/* `keep_until`: an existing file is continued, and rows whose first column is greater are dropped (resume). Negative:
   start a new file. */
io_csv *rill_io_csv_open(const char *path, const char *const *columns, int count, double keep_until, rill_error *error);
rill_status rill_io_csv_row(io_csv *csv, const double *values, rill_error *error);
/* A row with a text in the last column; `values` are the columns before it. */
rill_status rill_io_csv_row_named(io_csv *csv, const double *values, const char *name, rill_error *error);
rill_status rill_io_csv_close(io_csv *csv, rill_error *error);

#endif
