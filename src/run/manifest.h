/* SPDX-License-Identifier: MIT */
/* FOLDER/run.json: what the run in a folder is, how far it came and which files are its own. Whoever writes into a
   folder asks it first, so that no run is lost and nothing that a run did not write is replaced. */
#ifndef RILL_RUN_MANIFEST_H
#define RILL_RUN_MANIFEST_H

#include "run/run.h"

enum { MANIFEST_FILES_MAX = 16, MANIFEST_FILE_SIZE = RILL_NAME_SIZE + 8 };

typedef struct run_manifest {
    char scene[RILL_NAME_SIZE], method[RILL_NAME_SIZE];
    char state[16]; /* running, finished, stopped or failed */
    char started[32];
    int64_t frames;
    /* Files in the folder itself. Numbered frames lie in the folders that RUN_PARTS names. */
    char files[MANIFEST_FILES_MAX][MANIFEST_FILE_SIZE];
    int file_count;
} run_manifest;

/* Folders below a run's that hold a file for each frame. */
#define RUN_PARTS \
    { "frames", "bodies", "pictures", "render", "surface" }

/* A run of this scene that is about to begin: all files that it may write. */
run_manifest rill_run_manifest_make(const scene *s);
/* RILL_NOT_FOUND if there is none; RILL_FORMAT if it cannot be read. */
rill_status rill_run_manifest_read(run_manifest *manifest, const char *folder, rill_error *error);
/* `r` tells how far the run is, `problem` why it failed, or NULL. */
rill_status rill_run_manifest_write(const run_manifest *manifest, const char *folder, const run *r, const char *problem,
                                    rill_error *error);
bool rill_run_manifest_has(const run_manifest *manifest, const char *file);

/* Fails if a file that is about to be written belongs to a run: a picture or a mesh must not take its place. */
rill_status rill_run_check_target(const char *path, rill_error *error);
/* Frame number of "frame_00012.vtp", or -1 for any other file name. */
int64_t rill_run_frame_number(const char *name);

#endif
