/* SPDX-License-Identifier: MIT */
/* Scenes by name: where they lie, which there are, reading one. */
#include "core/error.h"
#include "io/io.h"
#include "scene/meshes.h"
#include "scene/reader.h"
#include "scene/scene.h"
#include "scene/tree.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SUFFIX ".json"

/* Folders that are searched, in this order. */
static const char *folder_at(int index) {
    switch (index) {
    case 0:
        return "scenes";
    case 1:
        return getenv("RILL_SCENES") ? getenv("RILL_SCENES") : "";
    case 2:
        return RILL_SCENES_SOURCE;
    case 3:
        return RILL_SCENES_INSTALLED;
    default:
        return NULL;
    }
}

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool has_suffix(const char *name) {
    size_t length = strlen(name);
    return length > strlen(SUFFIX) && !strcmp(name + length - strlen(SUFFIX), SUFFIX);
}

/* FOLDER/NAME, then FOLDER/NAME.json. */
static bool try_folder(const char *folder, const char *name, char *path, size_t size) {
    const char *slash = folder[0] ? "/" : "";
    int length = snprintf(path, size, "%s%s%s", folder, slash, name);
    if (length > 0 && (size_t)length < size && is_file(path)) return true;
    length = snprintf(path, size, "%s%s%s%s", folder, slash, name, SUFFIX);
    return length > 0 && (size_t)length < size && is_file(path);
}

static rill_status not_found(const char *name, rill_error *error) {
    scene_entry *entries = NULL;
    int count = 0;
    char near[RILL_NAME_SIZE], *names = NULL;
    size_t size = 0;
    bool found = false;
    FILE *stream = rill_scene_list(&entries, &count, NULL) ? NULL : open_memstream(&names, &size);
    if (stream) {
        for (int k = 0; k < count; k++) fprintf(stream, "%s%s", k ? "|" : "", entries[k].name);
        fclose(stream);
        found = rill_choices_nearest(names, name, near, sizeof near) != NULL;
    }
    free(names);
    free(entries);
    if (found)
        return rill_fail(error, RILL_NOT_FOUND,
                         "no scene '%.200s'; did you mean '%s'? `rill scenes` lists what there is", name, near);
    return rill_fail(
        error, RILL_NOT_FOUND,
        "no scene '%.200s' here, in ./scenes, in $RILL_SCENES or among the installed ones; expected a file "
        "or a name that `rill scenes` lists",
        name);
}

rill_status rill_scene_find(const char *name_or_path, char *path, size_t size, rill_error *error) {
    if (!name_or_path[0]) return rill_fail(error, RILL_NOT_FOUND, "the scene's name is empty; expected a name or file");
    if (try_folder("", name_or_path, path, size)) return RILL_OK;
    if (name_or_path[0] != '/') {
        for (int k = 0; folder_at(k); k++)
            if (folder_at(k)[0] && try_folder(folder_at(k), name_or_path, path, size)) return RILL_OK;
    }
    return not_found(name_or_path, error);
}

scene *rill_scene_load_with(const char *name_or_path, scene_sets sets, rill_error *error) {
    char path[512];
    char *text = NULL;
    size_t size = 0;
    if (rill_scene_find(name_or_path, path, sizeof path, error) ||
        rill_io_read_at_most(path, TREE_MAX_BYTES, &text, &size, error))
        return NULL;
    scene *s = rill_scene_parse_with(path, text, size, &sets, error);
    free(text);
    if (s) rill_scene_fix_files(s);
    return s;
}

scene *rill_scene_load(const char *name_or_path, rill_error *error) {
    return rill_scene_load_with(name_or_path, (scene_sets){0}, error);
}

/* ---- the list ---- */

typedef struct entry_list {
    scene_entry *entries;
    int count, capacity;
} entry_list;

static bool contains(const entry_list *list, const char *name) {
    for (int k = 0; k < list->count; k++)
        if (!strcmp(list->entries[k].name, name)) return true;
    return false;
}

static rill_status add_entry(entry_list *list, const char *folder, const char *file, rill_error *error) {
    scene_entry entry = {0};
    size_t length = strlen(file) - strlen(SUFFIX);
    if (length >= sizeof entry.name) return RILL_OK;
    memcpy(entry.name, file, length);
    int written = snprintf(entry.path, sizeof entry.path, "%s/%s", folder, file);
    if (written < 0 || (size_t)written >= sizeof entry.path || contains(list, entry.name)) return RILL_OK;
    if (!is_file(entry.path)) return RILL_OK;
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 32;
        scene_entry *entries = realloc(list->entries, (size_t)capacity * sizeof *entries);
        if (!entries) return rill_fail(error, RILL_MEMORY, "no memory for the list of scenes");
        list->entries = entries;
        list->capacity = capacity;
    }
    list->entries[list->count++] = entry;
    return RILL_OK;
}

/* A folder that is not there holds no scenes: most of those searched never exist. */
static rill_status add_folder(entry_list *list, const char *folder, rill_error *error) {
    DIR *directory = folder[0] ? opendir(folder) : NULL;
    if (!directory) return RILL_OK;
    rill_status status = RILL_OK;
    for (const struct dirent *file; !status && (file = readdir(directory)) != NULL;)
        if (has_suffix(file->d_name)) status = add_entry(list, folder, file->d_name, error);
    closedir(directory);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const scene_entry *)a)->name, ((const scene_entry *)b)->name);
}

rill_status rill_scene_list(scene_entry **entries, int *count, rill_error *error) {
    entry_list list = {0};
    rill_status status = RILL_OK;
    for (int k = 0; folder_at(k) && !status; k++) status = add_folder(&list, folder_at(k), error);
    if (status) {
        free(list.entries);
        return status;
    }
    if (list.count) qsort(list.entries, (size_t)list.count, sizeof *list.entries, by_name);
    *entries = list.entries;
    *count = list.count;
    return RILL_OK;
}
