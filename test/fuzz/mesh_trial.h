/* SPDX-License-Identifier: MIT */
/* Any bytes are a mesh or an error with a message, in memory that their size bounds. A mesh can be cleaned and
   oriented, or a message says why not. */
#ifndef RILL_TEST_MESH_TRIAL_H
#define RILL_TEST_MESH_TRIAL_H

#include "fuzz/fuzz.h"
#include "geometry/read/read.h"

#include <string.h>

/* Bytes that a reader may hold at most: SHARE for each byte of its file, and START besides. The worst case is a polygon
   whose corners take one byte each. */
#define TRIAL_MEMORY_SHARE 128
#define TRIAL_MEMORY_START 65536

/* Counts the memory that the host has given. */
typedef struct trial_memory {
    size_t held, most;
} trial_memory;

static inline void *trial_allocate(size_t size, size_t alignment, void *context) {
    trial_memory *counted = context;
    counted->held += size;
    if (counted->held > counted->most) counted->most = counted->held;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static inline void trial_release(void *data, size_t size, void *context) {
    ((trial_memory *)context)->held -= size;
    free(data);
}

static inline void check_refusal(const rill_error *error, const char *name) {
    FUZZ_CHECK(error->status && strncmp(error->text, name, strlen(name)) == 0,
               "a mesh was refused, and the message does not begin with its name: \"%s\"", error->text);
}

/* True for a mesh, which the caller frees; `counted->most` is the peak of memory while reading. */
static inline bool trial_read(memory *m, trial_memory *counted, const char *name, const uint8_t *data, size_t size,
                              owned_mesh *out) {
    rill_error error = {RILL_OK, ""};
    *counted = (trial_memory){0};
    rill_memory_init(m, &(rill_allocator){trial_allocate, trial_release, counted});
    const rill_status status = rill_mesh_read(m, data, size, name, out, &error);
    FUZZ_CHECK(counted->most <= TRIAL_MEMORY_SHARE * size + TRIAL_MEMORY_START, "%zu bytes took %zu bytes of memory",
               size, counted->most);
    if (status != RILL_OK) {
        check_refusal(&error, name);
        FUZZ_CHECK(counted->held == 0, "%zu bytes were left behind", counted->held);
        return false;
    }
    const mesh view = rill_mesh_view(out);
    FUZZ_CHECK(rill_mesh_check(&view, &error) == RILL_OK, "a mesh was read that is none: %s", error.text);
    return true;
}

/* Cleans and orients a mesh, the first steps of building a solid's field. */
static inline void trial_clean(memory *m, const owned_mesh *read) {
    rill_error error = {RILL_OK, ""};
    owned_mesh clean;
    mesh_report report;
    const mesh view = rill_mesh_view(read);
    if (rill_mesh_clean(m, &view, &clean, &report, &error) != RILL_OK) {
        FUZZ_CHECK(error.text[0], "a mesh was refused and nobody said why");
        return;
    }
    FUZZ_CHECK(rill_mesh_orient(m, &clean, &report, &error) == RILL_OK, "a clean mesh cannot be turned: %s",
               error.text);
    rill_owned_mesh_free(m, &clean);
}

static inline int trial(const char *name, const uint8_t *data, size_t size) {
    memory m;
    trial_memory counted;
    owned_mesh read;
    if (trial_read(&m, &counted, name, data, size, &read)) trial_clean(&m, &read);
    rill_owned_mesh_free(&m, &read);
    FUZZ_CHECK(counted.held == 0, "%zu bytes were left behind", counted.held);
    return 0;
}

#endif
