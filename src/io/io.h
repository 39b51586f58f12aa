/* SPDX-License-Identifier: MIT */
/* Files in and out. Every file is written under a temporary name, flushed and renamed, so that a reader, a crash or a
   full disk never meets half a file. Writers read the world's field views and know no method. */
#ifndef RILL_IO_IO_H
#define RILL_IO_IO_H

#include "rill/rill.h"

#include <stdio.h>
#include <sys/types.h>

/* ---- atomic files ---- */
typedef struct io_file {
    FILE *stream; /* write here */
    char path[1024], temporary[1088];
} io_file;
rill_status io_open(io_file *file, const char *path, rill_error *error);
rill_status io_commit(io_file *file,
                      rill_error *error); /* checks every write, fsync, rename; removes the rest on error */
void io_abandon(io_file *file);
rill_status io_make_directory(const char *path, rill_error *error); /* with parents; an existing one is fine */
/* Removes what processes that were killed left half-written in a folder. */
void io_remove_stale(const char *folder);
void io_remove_stale_beside(const char *path); /* in the folder of a file */

/* ---- whole files ---- */
/* Frames and snapshots: room for about fifty million particles. */
#define IO_FILE_MAX ((size_t)8 << 30)
/* Tables that people write or look at. */
#define IO_TABLE_MAX ((size_t)256 << 20)
/* Regular files only; free() the data, which ends in a zero that `size` does not count. */
rill_status io_read_whole(const char *path, void **data, size_t *size, rill_error *error);
rill_status io_read_at_most(const char *path, size_t most, char **data, size_t *size, rill_error *error);

/* ---- frames, particles in id order ---- */
rill_status io_write_vtp(const rill_world *world, const char *path, rill_error *error);
rill_status io_write_ply(const rill_world *world, const char *path, rill_error *error);

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
rill_status io_series_restore(io_series *series, double time, const char *file, rill_error *error);
rill_status io_series_add(io_series *series, double time, const char *file, rill_error *error);
rill_status io_series_close(io_series *series, rill_error *error);

/* ---- tables in CSV: a header, then whole rows, each flushed ---- */
typedef struct io_csv io_csv;
/* `keep_until`: an existing file is continued and rows whose first column is greater are dropped (resume); negative:
   start anew. */
io_csv *io_csv_open(const char *path, const char *const *columns, int count, double keep_until, rill_error *error);
rill_status io_csv_row(io_csv *csv, const double *values, rill_error *error);
/* The same with a text in the last column; `values` are those before it. */
rill_status io_csv_row_named(io_csv *csv, const double *values, const char *name, rill_error *error);
rill_status io_csv_close(io_csv *csv, rill_error *error);

/* ---- snapshots ---- */
rill_status io_save_snapshot(rill_world *world, const char *path, rill_error *error);
rill_world *io_load_snapshot(const char *path, const rill_world_def *hooks, rill_error *error);

/* ---- particles read back, for pictures and info ---- */
typedef struct io_particles {
    int dim, count;
    double time;   /* negative: unknown */
    float spacing; /* 0: unknown */
    rill_vec *position, *velocity;
    float *density, *pressure; /* NULL if the file has none */
    uint32_t *id, *fluid;      /* numbers; fluid 0 if the file does not say */
} io_particles;
rill_status io_particles_from_world(const rill_world *world, io_particles *particles,
                                    rill_error *error); /* in id order */
/* .vtp and .ply as written above, or a snapshot: told apart by their first bytes. */
rill_status io_read_particles(const char *path, io_particles *particles, rill_error *error);
void io_particles_free(io_particles *particles);

#endif
