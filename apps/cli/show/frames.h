/* SPDX-License-Identifier: MIT */
/* The frames that a run has left in a folder. */
#ifndef RILL_CLI_SHOW_FRAMES_H
#define RILL_CLI_SHOW_FRAMES_H

#include "io/io.h"

#include <dirent.h>

typedef struct frame_list {
    char folder[1100];
    struct dirent **entries;
    int count;
} frame_list;

/* DIR/frames, or DIR itself; .vtp before .ply, for a run may have written both. */
rill_status frames_list(const char *folder, frame_list *list, rill_error *error);
void frames_free(frame_list *list);
rill_status frames_read(const frame_list *list, int index, const io_run *run, rill_frame *frame, rill_error *error);

/* The last part of a path. */
const char *frames_file_name(const char *path);

#endif
