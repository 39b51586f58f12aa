/* SPDX-License-Identifier: MIT */
/* Any bytes are a snapshot or an error with a message; what loads can be stepped, saved and loaded again. */
#include "fuzz/fuzz.h"
#include "rill/rill.h"

#include <string.h>

static bool forget(const void *data, size_t size, void *context) {
    (void)data;
    *(size_t *)context += size;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rill_world_def hooks = rill_world_def_default(2);
    hooks.workers = 1;
    rill_error error = {0};
    rill_world *world = rill_world_load(data, size, &hooks, &error);
    FUZZ_CHECK(world || (error.status && error.text[0]), "a snapshot was refused and nobody said why");
    if (!world) return 0;
    size_t saved = 0;
    rill_reading reading;
    FUZZ_CHECK(!rill_world_save(world, forget, &saved) && saved > 0, "a loaded world cannot be saved");
    for (int k = 0; k < rill_world_gauge_count(world); k++) rill_world_read_gauge_at(world, k, &reading);
    if (rill_world_particle_count(world) < 1000) rill_world_step_adaptive(world, 1e-3);
    rill_world_destroy(world);
    return 0;
}
