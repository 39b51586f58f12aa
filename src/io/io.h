/* SPDX-License-Identifier: MIT */
/* Files in and out. Every file is written under a temporary name, flushed and renamed, so that a reader, a crash or a
   full disk never meets half a file. Writers read the fields of a frame and know no method. */
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
                           rill_error *error); /* checks every write, fsync, rename; removes the rest on error */
void rill_io_abandon(io_file *file);
rill_status rill_io_make_directory(const char *path, rill_error *error); /* with parents; an existing one is fine */
/* Removes what processes that were killed left half-written in a folder. */
void rill_io_remove_stale(const char *folder);
void rill_io_remove_stale_beside(const char *path); /* in the folder of a file */

/* ---- whole files ---- */
/* Frames and snapshots: room for about fifty million particles. */
#define IO_FILE_MAX ((size_t)8 << 30)
/* Tables that people write or look at. */
#define IO_TABLE_MAX ((size_t)256 << 20)
/* Regular files only; free() the data, which ends in a zero that `size` does not count. */
rill_status rill_io_read_whole(const char *path, void **data, size_t *size, rill_error *error);
rill_status rill_io_read_at_most(const char *path, size_t most, char **data, size_t *size, rill_error *error);

/* ---- lists of frames ---- */
typedef rill_io_run io_run;

typedef struct io_series_entry {
    double time;
    char file[256]; /* relative to the .pvd */
} io_series_entry;
/* A list that grows while a run goes on and can be read at any moment. Zero-initialised but for the path. */
typedef struct io_series {
    char path[1024]; /* of the .pvd */
    io_series_entry *entries;
    int count, capacity;
    bool open; /* the file is there, and can grow: */
    int descriptor;
    off_t end, room_end; /* where its closing tags begin, and where the room for further entries ends */
} io_series;
/* Adds a file that an earlier run wrote: the list is written with the first one of this run. */
rill_status rill_io_series_restore(io_series *series, double time, const char *file, rill_error *error);
rill_status rill_io_series_add(io_series *series, double time, const char *file, rill_error *error);
rill_status rill_io_series_close(io_series *series, rill_error *error);

/* ---- tables in CSV: a header, then whole rows, each flushed ---- */
typedef struct io_csv io_csv;
/* `keep_until`: an existing file is continued and rows whose first column is greater are dropped (resume); negative:
   start again. */
io_csv *rill_io_csv_open(const char *path, const char *const *columns, int count, double keep_until, rill_error *error);
rill_status rill_io_csv_row(io_csv *csv, const double *values, rill_error *error);
/* The same with a text in the last column; `values` are those before it. */
rill_status rill_io_csv_row_named(io_csv *csv, const double *values, const char *name, rill_error *error);
rill_status rill_io_csv_close(io_csv *csv, rill_error *error);

#endif
