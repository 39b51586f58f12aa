/* SPDX-License-Identifier: MIT */
/* Any bytes are a snapshot or an error with a message; a world that loads can be read and saved. */
#include "api/snapshot.h"
#include "fuzz/fuzz.h"
#include "rill/rill.h"

#include <string.h>

typedef struct saved_bytes {
    uint8_t *data;
    size_t size, room;
} saved_bytes;

static bool append(const void *data, size_t size, void *context) {
    saved_bytes *saved = context;
    if (saved->size + size > saved->room) {
        saved->room = 2 * (saved->size + size);
        saved->data = realloc(saved->data, saved->room);
        FUZZ_CHECK(saved->data, "no memory for %zu bytes", saved->room);
    }
    memcpy(saved->data + saved->size, data, size);
    saved->size += size;
    return true;
}

static rill_world *load(const uint8_t *data, size_t size, rill_error *error) {
    rill_world_def hooks = rill_world_def_default(2);
    hooks.workers = 1;
    return rill_world_load(data, size, &hooks, error);
}

/* Saves a loaded world and loads it again. Chunks and columns that loading dropped do not come back, so that hashes are
   compared instead of bytes. */
static void check_saves(rill_world *world) {
    saved_bytes saved = {0};
    rill_error error = {0};
    FUZZ_CHECK(!rill_world_save(world, append, &saved), "a loaded world cannot be saved");
    rill_world *again = load(saved.data, saved.size, &error);
    FUZZ_CHECK(again, "a saved world cannot be loaded: %s", error.text);
    FUZZ_CHECK(rill_world_hash(again) == rill_world_hash(world), "a saved world is another one");
    rill_world_destroy(again);
    free(saved.data);
}

static void check(const uint8_t *data, size_t size) {
    rill_error error = {0};
    rill_world *world = load(data, size, &error);
    FUZZ_CHECK(world || (error.status && error.text[0]), "a snapshot was refused and nobody said why");
    if (!world) return;
    rill_reading reading;
    check_saves(world);
    for (int k = 0; k < rill_world_gauge_count(world); k++)
        rill_world_read_gauge(world, rill_world_gauge_at(world, k), &reading);
    rill_world_destroy(world);
}

/* The checksum rejects nearly everything that a fuzzer tries, so that the same bytes are tried with a correct one
   too. */
static void check_mended(const uint8_t *data, size_t size) {
    if (size < SNAPSHOT_HEAD_SIZE + 8) return;
    uint8_t *copy = malloc(size);
    FUZZ_CHECK(copy, "no memory for %zu bytes", size);
    memcpy(copy, data, size);
    const uint64_t payload = size - SNAPSHOT_HEAD_SIZE - 8;
    memcpy(copy + offsetof(snapshot_head, size), &payload, sizeof payload);
    const uint64_t sum = rill_archive_checksum(copy, size - 8);
    memcpy(copy + size - 8, &sum, sizeof sum);
    check(copy, size);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check(data, size);
    check_mended(data, size);
    return 0;
}
