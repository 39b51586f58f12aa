/* SPDX-License-Identifier: MIT */
/* Any bytes are a snapshot or an error with a message; what loads can be read and saved. */
#include "api/archive.h"
#include "fuzz/fuzz.h"
#include "rill/rill.h"

#include <string.h>

/* magic, version, byte order, layout hash; then the payload's size, the payload, and a checksum of it all. */
#define SIZE_AT    24
#define PAYLOAD_AT 32

static bool count_bytes(const void *data, size_t size, void *total) {
    (void)data;
    *(size_t *)total += size;
    return true;
}

static void check(const uint8_t *data, size_t size) {
    rill_world_def hooks = rill_world_def_default(2);
    hooks.workers = 1;
    rill_error error = {0};
    rill_world *world = rill_world_load(data, size, &hooks, &error);
    FUZZ_CHECK(world || (error.status && error.text[0]), "a snapshot was refused and nobody said why");
    if (!world) return;
    size_t saved = 0;
    rill_reading reading;
    FUZZ_CHECK(!rill_world_save(world, count_bytes, &saved), "a loaded world cannot be saved");
    FUZZ_CHECK(saved == size, "%zu bytes were loaded, %zu saved", size, saved);
    for (int k = 0; k < rill_world_gauge_count(world); k++) rill_world_read_gauge_at(world, k, &reading);
    rill_world_destroy(world);
}

/* The checksum would stop nearly everything that a fuzzer thinks of, so the same bytes are tried with a good one too.
 */
static void check_mended(const uint8_t *data, size_t size) {
    if (size < PAYLOAD_AT + 8) return;
    uint8_t *copy = malloc(size);
    FUZZ_CHECK(copy, "no memory for %zu bytes", size);
    memcpy(copy, data, size);
    const uint64_t payload = size - PAYLOAD_AT - 8;
    memcpy(copy + SIZE_AT, &payload, sizeof payload);
    const uint64_t sum = archive_checksum(copy, size - 8);
    memcpy(copy + size - 8, &sum, sizeof sum);
    check(copy, size);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check(data, size);
    check_mended(data, size);
    return 0;
}
