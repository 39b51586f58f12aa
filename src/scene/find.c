/* SPDX-License-Identifier: MIT */
/* Finds scenes by name, lists them, and reads one. */
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
#include <unistd.h>

#define SUFFIX ".json"

#define FOLDER_SIZE 1024

/* BIN/../share/rill/NAME relative to the running program, if it exists: an installed tree may be moved, and its
   programs must use their own data rather than those of the sources they were built from. */
static bool find_beside_program(const char *name, char folder[FOLDER_SIZE]) {
    struct stat info;
    ssize_t length = readlink("/proc/self/exe", folder, FOLDER_SIZE - 1);
    if (length <= 0) return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    const size_t room = slash ? (size_t)(FOLDER_SIZE - (slash - folder)) : 0;
    const int written = slash ? snprintf(slash, room, "/" RILL_DATA_FROM_BIN "/%s", name) : -1;
    return written > 0 && (size_t)written < room && stat(folder, &info) == 0;
}

/* The folders to search, in this order; "" if one is not set. */
static const char *folder_at(int index, char buffer[FOLDER_SIZE]) {
    switch (index) {
    case 0:
        return "scenes";
    case 1:
        return getenv("RILL_SCENES") ? getenv("RILL_SCENES") : "";
    case 2:
        return find_beside_program("scenes", buffer) ? buffer : RILL_SCENES_SOURCE;
    case 3:
        return RILL_SCENES_INSTALLED;
    default:
        return NULL;
    }
}

bool rill_scene_find_data(const char *name, char *path, size_t size) {
    char beside[FOLDER_SIZE];
    struct stat info;
    const int length = find_beside_program(name, beside) ? snprintf(path, size, "%s", beside)
                                                         : snprintf(path, size, "%s/%s", RILL_DATA_SOURCE, name);
    return length > 0 && (size_t)length < size && stat(path, &info) == 0;
}

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool has_suffix(const char *name) {
    size_t length = strlen(name);
    return length > strlen(SUFFIX) && !strcmp(name + length - strlen(SUFFIX), SUFFIX);
}

/* Tries FOLDER/NAME, then FOLDER/NAME.json. */
static bool try_folder(const char *folder, const char *name, char *path, size_t size) {
    const char *slash = folder[0] ? "/" : "";
    int length = snprintf(path, size, "%s%s%s", folder, slash, name);
    if (length > 0 && (size_t)length < size && is_file(path)) return true;
    length = snprintf(path, size, "%s%s%s%s", folder, slash, name, SUFFIX);
    return length > 0 && (size_t)length < size && is_file(path);
}

static rill_status not_found(const char *name, rill_error *error) {
    rill_scene_entry *entries = NULL;
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
    rill_scene_list_free(entries);
    if (found)
        return rill_fail(error, RILL_NOT_FOUND, "no scene '%.200s'; did you mean '%s'? `rill scenes` lists all", name,
                         near);
    return rill_fail(error, RILL_NOT_FOUND,
                     "no scene '%.200s' in the working directory, in ./scenes, in $RILL_SCENES or among the installed "
                     "ones; expected a file or a name that `rill scenes` lists",
                     name);
}

rill_status rill_scene_find(const char *name_or_path, char *path, size_t size, rill_error *error) {
    if (!name_or_path[0]) return rill_fail(error, RILL_NOT_FOUND, "the scene's name is empty; expected a name or file");
    /* A bare name means a scene, not a file in the working directory, which may be the output of this very command. */
    const bool bare = !strchr(name_or_path, '/') && !has_suffix(name_or_path);
    if (!bare && try_folder("", name_or_path, path, size)) return RILL_OK;
    char buffer[FOLDER_SIZE];
    const char *folder;
    for (int k = 0; name_or_path[0] != '/' && (folder = folder_at(k, buffer)) != NULL; k++)
        if (folder[0] && try_folder(folder, name_or_path, path, size)) return RILL_OK;
    if (bare && try_folder("", name_or_path, path, size)) return RILL_OK;
    return not_found(name_or_path, error);
}

/* Reads standard input to its end, or until it exceeds the size limit of a scene. */
static rill_status read_input(char **text, size_t *size, rill_error *error) {
    *text = malloc(TREE_MAX_BYTES + 2);
    if (!*text) return rill_fail(error, RILL_MEMORY, "no memory for a scene from standard input");
    *size = fread(*text, 1, TREE_MAX_BYTES + 1, stdin);
    if (ferror(stdin)) return rill_fail(error, RILL_IO, "standard input cannot be read");
    if (*size > TREE_MAX_BYTES)
        return rill_fail(error, RILL_LIMIT, "standard input: more than the %u bytes that a scene may have",
                         TREE_MAX_BYTES);
    return RILL_OK;
}

scene *rill_scene_load_with(const char *name_or_path, scene_sets sets, rill_error *error) {
    char path[512];
    char *text = NULL;
    size_t size = 0;
    const bool piped = strcmp(name_or_path, "-") == 0;
    if (piped) snprintf(path, sizeof path, "stdin");
    rill_status status = piped ? RILL_OK : rill_scene_find(name_or_path, path, sizeof path, error);
    if (!status)
        status =
            piped ? read_input(&text, &size, error) : rill_io_read_at_most(path, TREE_MAX_BYTES, &text, &size, error);
    if (!status && size == 0) status = rill_fail(error, RILL_FORMAT, "%s: the file is empty; expected a scene", path);
    scene *s = status ? NULL : rill_scene_parse_with(path, text, size, &sets, error);
    free(text);
    if (s) rill_scene_fix_files(s);
    return s;
}

scene *rill_scene_load(const char *name_or_path, rill_error *error) {
    return rill_scene_load_with(name_or_path, (scene_sets){0}, error);
}

scene *rill_scene_load_set(const char *name_or_path, const char *const *assignments, int count, rill_error *error) {
    scene *s = rill_scene_load_with(name_or_path, (scene_sets){assignments, count}, error);
    for (int k = 0; s && k < count; k++) {
        if (rill_scene_sets_variable(assignments[k]) || rill_scene_set(s, assignments[k], error) == RILL_OK) continue;
        rill_scene_free(s);
        s = NULL;
    }
    return s;
}

/* ---- the list ---- */

typedef struct entry_list {
    rill_scene_entry *entries;
    int count, capacity;
} entry_list;

static bool contains(const entry_list *list, const char *name) {
    for (int k = 0; k < list->count; k++)
        if (!strcmp(list->entries[k].name, name)) return true;
    return false;
}

static rill_status add_entry(entry_list *list, const char *folder, const char *file, rill_error *error) {
    rill_scene_entry entry = {0};
    size_t length = strlen(file) - strlen(SUFFIX);
    if (length >= sizeof entry.name) return RILL_OK;
    memcpy(entry.name, file, length);
    int written = snprintf(entry.path, sizeof entry.path, "%s/%s", folder, file);
    if (written < 0 || (size_t)written >= sizeof entry.path || contains(list, entry.name)) return RILL_OK;
    if (!is_file(entry.path)) return RILL_OK;
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 32;
        rill_scene_entry *entries = realloc(list->entries, (size_t)capacity * sizeof *entries);
        if (!entries) return rill_fail(error, RILL_MEMORY, "no memory for the list of scenes");
        list->entries = entries;
        list->capacity = capacity;
    }
    list->entries[list->count++] = entry;
    return RILL_OK;
}

/* A folder that does not exist has no scenes: most of the folders searched do not exist. */
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
    return strcmp(((const rill_scene_entry *)a)->name, ((const rill_scene_entry *)b)->name);
}

rill_status rill_scene_list(rill_scene_entry **entries, int *count, rill_error *error) {
    entry_list list = {0};
    rill_status status = RILL_OK;
    char buffer[FOLDER_SIZE];
    const char *folder;
    for (int k = 0; !status && (folder = folder_at(k, buffer)) != NULL; k++) status = add_folder(&list, folder, error);
    if (status) {
        free(list.entries);
        return status;
    }
    if (list.count) qsort(list.entries, (size_t)list.count, sizeof *list.entries, by_name);
    *entries = list.entries;
    *count = list.count;
    return RILL_OK;
}

void rill_scene_list_free(rill_scene_entry *entries) {
    free(entries);
}
