/* SPDX-License-Identifier: MIT */
/* Distance fields kept on disk, named by the hash of what they were made from. */
#include "core/error.h"
#include "io/io.h"
#include "io/mesh_file.h"

#include <stdlib.h>

/* Room for the folder, a slash and the name. */
#define CACHE_PATH_SIZE 1024

static bool entry_path(char path[CACHE_PATH_SIZE], const char *cache, uint64_t key) {
    const int length = snprintf(path, CACHE_PATH_SIZE, "%s/%016llx.sdf", cache, (unsigned long long)key);
    return length > 0 && length < CACHE_PATH_SIZE;
}

/* NULL if there is no such entry, or none that can be used. */
static distance_field *look_up(memory *m, const char *path, uint64_t key) {
    void *bytes;
    size_t size;
    if (io_read_whole(path, &bytes, &size, NULL) != RILL_OK) return NULL;
    distance_field *field = field_from_bytes(m, bytes, size, NULL);
    free(bytes);
    if (!field || field->key == key) return field;
    field_free(m, field);
    return NULL;
}

/* What cannot be kept is built again next time: no reason to fail. */
static void keep(const distance_field *field, const char *cache, const char *path) {
    const size_t size = field_byte_count(field);
    void *bytes = malloc(size);
    io_file file;
    if (bytes && io_make_directory(cache, NULL) == RILL_OK && io_open(&file, path, NULL) == RILL_OK) {
        field_to_bytes(field, bytes);
        fwrite(bytes, 1, size, file.stream);
        (void)io_commit(&file, NULL);
    }
    free(bytes);
}

distance_field *io_cached_field(memory *m, parallel *workers, const mesh *input, const field_options *options,
                                const char *cache, rill_error *error) {
    char path[CACHE_PATH_SIZE];
    /* the hash reads all that the counts promise */
    if (mesh_check(input, error) != RILL_OK) return NULL;
    const uint64_t key = field_hash(input, options);
    const bool cached = cache && *cache && entry_path(path, cache, key);
    distance_field *field = cached ? look_up(m, path, key) : NULL;
    if (field) return field;
    field = field_build(m, workers, input, options, error);
    if (field && cached) keep(field, cache, path);
    return field;
}

distance_field *io_load_field(memory *m, parallel *workers, const char *path, const field_options *options,
                              const char *cache, rill_error *error) {
    io_mesh mesh_data;
    if (io_read_mesh(path, &mesh_data, error) != RILL_OK) return NULL;
    const mesh view = io_mesh_view(&mesh_data);
    rill_error reason = {RILL_OK, ""};
    distance_field *field = io_cached_field(m, workers, &view, options, cache, &reason);
    io_mesh_free(&mesh_data);
    if (!field) rill_fail(error, reason.status, "%s: %s", path, reason.text);
    return field;
}
