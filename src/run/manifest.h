/* SPDX-License-Identifier: MIT */
/* FOLDER/run.json: the run in a folder, its progress, and the files that belong to it. All code that writes into a
   folder checks it first, so that no run is lost and no other files are replaced. */
#ifndef RILL_RUN_MANIFEST_H
#define RILL_RUN_MANIFEST_H

#include "run/run.h"

enum { MANIFEST_FILES_MAX = 16, MANIFEST_FILE_SIZE = RILL_NAME_SIZE + 8 };

typedef struct run_manifest {
    char scene[RILL_NAME_SIZE], method[RILL_NAME_SIZE];
    char state[16]; /* running, finished, stopped or failed */
    char started[32];
    int64_t frames;
    /* Files directly in the folder. Numbered frames are in the subfolders listed in RUN_PARTS. */
    char files[MANIFEST_FILES_MAX][MANIFEST_FILE_SIZE];
    int file_count;
} run_manifest;

/* Subfolders that contain a file for each frame. */
#define RUN_PARTS \
    { "frames", "bodies", "pictures", "render", "surface" }

/* The manifest of a run of this scene that is about to begin, with all files that it may write. */
run_manifest rill_run_manifest_make(const scene *s);
/* RILL_NOT_FOUND if there is none; RILL_FORMAT if it cannot be read. */
rill_status rill_run_manifest_read(run_manifest *manifest, const char *folder, rill_error *error);
/* `r` gives the run's progress; `problem` is the reason why it failed, or NULL. */
rill_status rill_run_manifest_write(const run_manifest *manifest, const char *folder, const run *r, const char *problem,
                                    rill_error *error);
bool rill_run_manifest_has(const run_manifest *manifest, const char *file);

/* Fails if a file to be written belongs to a run: a picture or a mesh must not replace it. */
rill_status rill_run_check_target(const char *path, rill_error *error);
/* The frame number in a name such as "frame_00012.vtp", or -1 for any other name. */
int64_t rill_run_frame_number(const char *name);

#endif
