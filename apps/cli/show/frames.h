/* SPDX-License-Identifier: MIT */
/* The stored frames of a run. */
#ifndef RILL_CLI_SHOW_FRAMES_H
#define RILL_CLI_SHOW_FRAMES_H

#include "io/io.h"

#include <dirent.h>

typedef struct frame_list {
    char folder[1100];
    struct dirent **entries;
    int count;
} frame_list;

/* Lists the frames of DIR/frames, or of DIR itself. Prefers .vtp to .ply, because a run may have written both. */
rill_status frames_list(const char *folder, frame_list *list, rill_error *error);
void frames_free(frame_list *list);
rill_status frames_read(const frame_list *list, int index, const io_run *run, rill_frame *frame, rill_error *error);

/* The last component of a path. */
const char *frames_file_name(const char *path);

#endif
