/* SPDX-License-Identifier: MIT */
/* Finding frames and their scene. */
#include "frames.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* In a run's folder every scene is called scene.json; the series still has the scene's name. */
static void restore_name(const char *folder, scene *s) {
    DIR *directory = opendir(folder);
    if (!directory) return;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (!ends_with(entry->d_name, ".pvd") || strcmp(entry->d_name, "bodies.pvd") == 0) continue;
        snprintf(s->name, sizeof s->name, "%.*s", (int)strlen(entry->d_name) - 4, entry->d_name);
    }
    closedir(directory);
}

bool frames_have_scene(const char *folder) {
    char path[1100];
    snprintf(path, sizeof path, "%s/scene.json", folder);
    return access(path, R_OK) == 0;
}

scene *frames_load_scene(const char *folder, rill_error *error) {
    char path[1100];
    snprintf(path, sizeof path, "%s/scene.json", folder);
    scene *s = scene_load(path, error);
    if (s) restore_name(folder, s);
    return s;
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

/* DIR/frames, or DIR itself; .vtp before .ply, for a run may have written both. */
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

rill_status frames_read(const frame_list *list, int index, io_particles *particles, rill_error *error) {
    char path[1400];
    snprintf(path, sizeof path, "%s/%s", list->folder, list->entries[index]->d_name);
    return io_read_particles(path, particles, error);
}
