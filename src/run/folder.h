/* SPDX-License-Identifier: MIT */
/* The folder that a run writes, as observers: list them in the order in which they stand here. Each is zero-initialised
   but for the members that say so, and outlives the run. */
#ifndef RILL_RUN_FOLDER_H
#define RILL_RUN_FOLDER_H

#include "io/io.h"
#include "run/claim.h"
#include "run/manifest.h"
#include "run/run.h"
#include "run/series.h"
#include "run/surface_output.h"

/* The data that all observers of a folder share. */
typedef struct run_folder {
    const char *path;   /* set */
    const scene *scene; /* set: the scene that is run */
    bool overwrite;     /* set: a run that lies there may be removed */
    run_claim claim;
    run_manifest manifest;
} run_folder;

/* Makes the folder and writes scene.json. The folder is this run's alone until it ends. A run that lies there is
   refused unless this one goes on from it or may overwrite it, and so is any file that no run has written. A resumed
   run must have the frame rate of the frames that are there. */
run_observer rill_run_folder_observer(run_folder *folder);
/* Comes last: tells in run.json how it ended, when everything else is written. */
run_observer rill_run_folder_end_observer(run_folder *folder);

/* gauges.csv, stats.csv and residuals.csv. They come before the frames: a run whose tables cannot be continued must not
   have removed anything. */
typedef struct run_tables {
    const run_folder *folder; /* set */
    io_csv *gauges, *stats, *residuals;
} run_tables;
run_observer rill_run_tables_observer(run_tables *tables);

/* frames/, their .pvd and shapes.json. Without a format it only removes frames of an earlier run. */
typedef struct run_frames {
    const run_folder *folder; /* set */
    bool vtp, ply;            /* set */
    run_series series;
} run_frames;
run_observer rill_run_frames_observer(run_frames *frames);

/* bodies.csv, bodies/ and bodies.pvd; nothing in a run without bodies. */
typedef struct run_bodies {
    const run_folder *folder; /* set */
    bool csv, vtp, obj;       /* set */
    io_csv *motion;
    run_series series;
} run_bodies;
run_observer rill_run_bodies_observer(run_bodies *bodies);

/* surface/: a mesh for each frame. */
typedef struct run_surfaces {
    const run_folder *folder; /* set */
    surface_output output;    /* set: formats */
} run_surfaces;
run_observer rill_run_surfaces_observer(run_surfaces *surfaces);

/* snapshot.rill: at the start, as the plan says, and at the end unless the run failed; the end is that of its last
   step, or of the one before if a longer run would miss frames otherwise. Replaces the last good one, or leaves it
   alone on error. */
typedef struct run_snapshots {
    const run_folder *folder; /* set */
    char path[1024];
    bool saved; /* by this run */
    int64_t next;
    double wall;
} run_snapshots;
run_observer rill_run_snapshots_observer(run_snapshots *snapshots);

/* Where the tables of a run are cut off when it is resumed: as for rill_io_csv_open. */
double rill_run_keep_until(const run *r);
/* A name with nothing in it that file names should not hold. Returns `buffer`. */
const char *rill_run_file_name(const char *name, char *buffer, size_t size);

#endif
