/* SPDX-License-Identifier: MIT */
/* Changes of a world between steps: adding bodies, removing particles, and emitters, which should reuse the memory of
   earlier frames. */
#include "bench/bench.h"

#include "core/timer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BODIES  1000
#define REMOVED 1000
#define ROUNDS  5

/* ---- an allocator that counts ---- */

static void *count_allocation(size_t size, size_t alignment, void *context) {
    ++*(long *)context;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *data, size_t size, void *context) {
    (void)size, (void)context;
    free(data);
}

static rill_world *make_world(long *allocations) {
    rill_world_def def = rill_world_def_default(2);
    snprintf(def.method, sizeof def.method, "pbf");
    def.workers = 1;
    if (allocations) def.allocator = (rill_allocator){count_allocation, release, allocations};
    rill_error error = {0};
    rill_world *w = rill_world_create(&def, &error);
    const rill_fluid_def water = rill_fluid_def_default();
    if (w && rill_world_add_fluid(w, &water, NULL) == RILL_OK) return w;
    fprintf(stderr, "rill bench: %s\n", w ? rill_world_message(w) : error.text);
    rill_world_destroy(w);
    return NULL;
}

/* Ends a measurement: returns its seconds, or prints an error and returns a negative number. */
static double finish(rill_world *w, bool ok, double seconds) {
    if (!ok) fprintf(stderr, "rill bench: %s\n", rill_world_message(w));
    rill_world_destroy(w);
    return ok ? seconds : -1;
}

/* ---- bodies and particles ---- */

static double add_bodies(void) {
    rill_world *w = make_world(NULL);
    bool ok = w != NULL;
    const double start = rill_timer_now();
    for (int k = 0; ok && k < BODIES; k++) {
        rill_body_def b = rill_body_def_default();
        b.shape.min = (rill_vec){2.0f * (float)k, 0, 0}, b.shape.max = (rill_vec){2.0f * (float)k + 1, 1, 0};
        ok = rill_world_add_body(w, &b, NULL) == RILL_OK;
    }
    return w ? finish(w, ok, rill_timer_now() - start) : -1;
}

/* Removes every fiftieth of 50,000 particles by its id, or as many particles in a box at once. */
static double remove_particles(bool one_by_one) {
    rill_world *w = make_world(NULL);
    if (!w) return -1;
    const float dx = rill_world_def_default(2).spacing;
    rill_block_def block = rill_block_def_default();
    rill_shape part = rill_shape_default();
    block.shape.kind = part.kind = RILL_BOX;
    block.shape.max = (rill_vec){500 * dx, 100 * dx, 0};
    part.max = (rill_vec){10 * dx, 100 * dx, 0};
    bool ok = rill_world_add_block(w, &block, NULL) == RILL_OK;
    const int count = rill_world_particle_count(w);
    const double start = rill_timer_now();
    if (one_by_one)
        for (int k = 0; ok && k < REMOVED; k++)
            ok = rill_world_remove_particle(w, (rill_particle_id)count / REMOVED * (rill_particle_id)k) == RILL_OK;
    else
        ok = ok && rill_world_remove_inside(w, &part, NULL) == RILL_OK;
    return finish(w, ok, rill_timer_now() - start);
}

/* ---- emitters ---- */

/* Share of the frames that allocate memory, in per cent, after a warm-up; negative on failure. */
static double count_allocating_frames(bool drained, int frames) {
    long allocations = 0;
    rill_world *w = make_world(&allocations);
    if (!w) return -1;
    rill_solid_def tank = rill_solid_def_default();
    rill_emitter_def jet = rill_emitter_def_default();
    rill_sink_def drain = rill_sink_def_default();
    tank.shape.kind = drain.shape.kind = RILL_BOX;
    tank.shape.inside = true;
    tank.shape.max = (rill_vec){8, 10, 0};
    jet.position = (rill_vec){1, 3, 0}, jet.direction = (rill_vec){1, 0, 0};
    jet.radius = 0.2f, jet.speed = 3;
    drain.shape.max = (rill_vec){8, 0.4f, 0};
    bool ok = rill_world_add_solid(w, &tank, NULL) == RILL_OK && rill_world_add_emitter(w, &jet, NULL) == RILL_OK &&
              (!drained || rill_world_add_sink(w, &drain, NULL) == RILL_OK);
    int allocating = 0;
    for (int frame = 0; ok && frame < 2 * frames; frame++) {
        const long before = allocations;
        ok = rill_world_step(w, 1.0 / 60) == RILL_OK;
        allocating += frame >= frames && allocations > before;
    }
    return finish(w, ok, 100.0 * allocating / frames);
}

bool bench_changes(bool quick, bool json) {
    double add = HUGE_VAL, each = HUGE_VAL, together = HUGE_VAL;
    for (int k = 0; k < ROUNDS; k++) {
        add = fmin(add, add_bodies());
        each = fmin(each, remove_particles(true));
        together = fmin(together, remove_particles(false));
    }
    const int frames = quick ? 100 : 300;
    const double steady = count_allocating_frames(true, frames), filling = count_allocating_frames(false, frames);
    if (add < 0 || each < 0 || together < 0 || steady < 0 || filling < 0) return false;
    if (json) {
        printf("{\"add_1000_bodies_ms\": %.2f, \"remove_1000_of_50000_particles_ms\": %.2f, "
               "\"remove_in_one_call_ms\": %.2f, \"emitter_allocating_frames_percent\": %.1f, "
               "\"filling_allocating_frames_percent\": %.1f}",
               1e3 * add, 1e3 * each, 1e3 * together, steady, filling);
        return true;
    }
    printf("changes of a world in 2D, method pbf\n");
    printf("  add         %6.2f ms for %d bodies\n", 1e3 * add, BODIES);
    printf("  remove      %6.2f ms for %d of 50,000 particles, in one call %.2f ms\n", 1e3 * each, REMOVED,
           1e3 * together);
    printf("  emitter     %6.1f of 100 frames allocate when as much drains, %.1f while it fills a tank\n\n", steady,
           filling);
    return true;
}
