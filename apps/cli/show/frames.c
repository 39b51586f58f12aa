/* SPDX-License-Identifier: MIT */
/* Finds and reads frames. */
#include "apps/cli/show/frames.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

const char *frames_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int is_vtp(const struct dirent *entry) {
    return ends_with(entry->d_name, ".vtp");
}

static int is_ply(const struct dirent *entry) {
    return ends_with(entry->d_name, ".ply");
}

/* DIR/frames, or DIR itself. Prefers .vtp to .ply, because a run may have written both. */
rill_status frames_list(const char *folder, frame_list *list, rill_error *error) {
    int (*const filters[])(const struct dirent *) = {is_vtp, is_ply};
    for (int attempt = 0; attempt < 4; attempt++) {
        snprintf(list->folder, sizeof list->folder, "%s%s", folder, attempt < 2 ? "/frames" : "");
        list->count = scandir(list->folder, &list->entries, filters[attempt % 2], alphasort);
        if (list->count > 0) return RILL_OK;
        if (list->count == 0) free(list->entries);
    }
    *list = (frame_list){0};
    return rill_fail(error, RILL_NOT_FOUND, "%s: no frames (.vtp or .ply) there or in its folder 'frames'", folder);
}

void frames_free(frame_list *list) {
    for (int i = 0; i < list->count; i++) free(list->entries[i]);
    if (list->count > 0) free(list->entries);
}

rill_status frames_read(const frame_list *list, int index, const io_run *run, rill_frame *frame, rill_error *error) {
    char path[1400];
    snprintf(path, sizeof path, "%s/%s", list->folder, list->entries[index]->d_name);
    return rill_io_read_frame(path, run, frame, error);
}
