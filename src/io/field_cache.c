/* SPDX-License-Identifier: MIT */
/* Distance fields cached on disk under the hash of their input: the store of the host that a world loads from. A
   damaged entry, or one of another mesh, is rebuilt; a folder that cannot be written is not an error. */
#include "io/io.h"
#include "io/mesh_file.h"

#include <stdlib.h>
#include <string.h>

#define CACHE_PATH_SIZE 1024

/* The given folder, or else the user's cache as freedesktop.org defines it. False if there is none. */
static bool find_folder(const char *given, char folder[CACHE_PATH_SIZE]) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (given)
        length = snprintf(folder, CACHE_PATH_SIZE, "%s", given);
    else if (cache && *cache)
        length = snprintf(folder, CACHE_PATH_SIZE, "%s/rill", cache);
    else if (home && *home)
        length = snprintf(folder, CACHE_PATH_SIZE, "%s/.cache/rill", home);
    return length > 0 && length < CACHE_PATH_SIZE;
}

static bool entry_path(const char *folder, uint64_t key, char path[CACHE_PATH_SIZE]) {
    const int length = snprintf(path, CACHE_PATH_SIZE, "%s/%016llx.sdf", folder, (unsigned long long)key);
    return length > 0 && length < CACHE_PATH_SIZE;
}

static const void *load(uint64_t key, size_t *size, void *context) {
    char folder[CACHE_PATH_SIZE], path[CACHE_PATH_SIZE];
    void *bytes = NULL;
    if (!find_folder(context, folder) || !entry_path(folder, key, path)) return NULL;
    return rill_io_read_whole(path, &bytes, size, NULL) == RILL_OK ? bytes : NULL;
}

static void release(const void *bytes, size_t size, void *context) {
    (void)size, (void)context;
    void *data;
    memcpy(&data, &bytes, sizeof data);
    free(data);
}

static void save(uint64_t key, const void *bytes, size_t size, void *context) {
    char folder[CACHE_PATH_SIZE], path[CACHE_PATH_SIZE];
    io_file file;
    if (!find_folder(context, folder) || !entry_path(folder, key, path)) return;
    if (rill_io_make_directory(folder, NULL) != RILL_OK || rill_io_open(&file, path, NULL) != RILL_OK) return;
    rill_io_remove_stale(folder);
    fwrite(bytes, 1, size, file.stream);
    (void)rill_io_commit(&file, NULL);
}

rill_cache rill_io_cache(const char *folder) {
    rill_cache cache = {.load = load, .release = release, .save = save};
    memcpy(&cache.context, &folder, sizeof folder);
    return cache;
}
