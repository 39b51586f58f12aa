/* SPDX-License-Identifier: MIT */
/* Observers that write a run's folder. They must be listed in the order in which they appear here. Each is
   zero-initialised except for the members marked "set", and must outlive the run. */
#ifndef RILL_RUN_FOLDER_H
#define RILL_RUN_FOLDER_H

#include "io/io.h"
#include "run/claim.h"
#include "run/gauge_columns.h"
#include "run/manifest.h"
#include "run/run.h"
#include "run/series.h"
#include "run/surface_output.h"

/* The data shared by all observers of a folder. */
typedef struct run_folder {
    const char *path;   /* set */
    const scene *scene; /* set: the scene that runs */
    bool overwrite;     /* set: an earlier run in the folder may be removed */
    run_claim claim;
    run_manifest manifest;
} run_folder;

/* Creates the folder, claims it until the run ends, and writes scene.json. It refuses the folder if it contains another
   run, unless this one resumes it or may overwrite it, or if it contains a file of this name that no run has written. A
   resumed run must have the frame rate of the existing frames. */
run_observer rill_run_folder_observer(run_folder *folder);
/* Must be the last: writes the outcome to run.json after everything else has been written. */
run_observer rill_run_folder_end_observer(run_folder *folder);

/* gauges.csv, stats.csv and residuals.csv. They come before the frames: a run that cannot continue its tables must not
   have removed anything. */
typedef struct run_tables {
    const run_folder *folder; /* set */
    io_csv *gauges, *stats, *residuals;
    gauge_columns measured; /* columns of gauges.csv after the time */
} run_tables;
run_observer rill_run_tables_observer(run_tables *tables);

/* frames/, their .pvd and shapes.json. Without a format it only removes the frames of an earlier run. */
typedef struct run_frames {
    const run_folder *folder; /* set */
    bool vtp, ply;            /* set */
    run_series series;
} run_frames;
run_observer rill_run_frames_observer(run_frames *frames);

/* bodies.csv, bodies/ and bodies.pvd; nothing if the run begins without bodies. */
typedef struct run_bodies {
    const run_folder *folder; /* set */
    bool csv, vtp, obj;       /* set */
    io_csv *motion;
    run_series series;
} run_bodies;
run_observer rill_run_bodies_observer(run_bodies *bodies);

/* surface/: a mesh of each frame. */
typedef struct run_surfaces {
    const run_folder *folder; /* set */
    surface_output output;    /* set: formats */
} run_surfaces;
run_observer rill_run_surfaces_observer(run_surfaces *surfaces);

/* snapshot.rill: written at the start, as the plan says, and at the end unless the run failed. The last one is of the
   last step, or of the step before if a longer run would otherwise miss frames. Replaces the previous one, or keeps it
   on error. */
typedef struct run_snapshots {
    const run_folder *folder; /* set */
    char path[1024];
    bool saved; /* this run has written one */
    int64_t next;
    double wall;
} run_snapshots;
run_observer rill_run_snapshots_observer(run_snapshots *snapshots);

/* The time after which a resumed run drops rows of tables; negative: start new tables (see rill_io_csv_open). */
double rill_run_keep_until(const run *r);
/* Replaces all characters of a name that file names should not contain. Returns `buffer`. */
const char *rill_run_file_name(const char *name, char *buffer, size_t size);

#endif
