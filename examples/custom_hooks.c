/* SPDX-License-Identifier: MIT */
/* A host that brings its own memory and its own threads, as a game engine does. The water does the same as with the
   built-in ones, bit for bit, and every byte comes back. */
#include "rill/rill.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 3 };

typedef struct heap {
    size_t bytes, peak;
} heap;

static void *heap_allocate(size_t size, size_t alignment, void *context) {
    heap *h = context;
    /* aligned_alloc wants a size that is a multiple of the alignment. */
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (!memory) return NULL;
    h->bytes += size;
    if (h->bytes > h->peak) h->peak = h->bytes;
    return memory;
}

static void heap_release(void *memory, size_t size, void *context) {
    heap *h = context;
    h->bytes -= size;
    free(memory);
}

/* One index of a job on one thread. A real host hands these to the job system it has anyway. */
typedef struct job {
    rill_task_fn *task;
    void *task_context;
    int worker;
} job;

static void *job_run(void *context) {
    job *j = context;
    j->task(j->worker, j->task_context);
    return NULL;
}

static void run_on_host_threads(rill_task_fn *task, int worker_count, void *task_context, void *context) {
    (void)context;
    job jobs[RILL_MAX_WORKERS];
    pthread_t threads[RILL_MAX_WORKERS];
    bool started[RILL_MAX_WORKERS];
    for (int k = 0; k < worker_count; k++) {
        jobs[k] = (job){task, task_context, k};
        started[k] = pthread_create(&threads[k], NULL, job_run, &jobs[k]) == 0;
        /* Every index must run exactly once: without a thread, here. */
        if (!started[k]) job_run(&jobs[k]);
    }
    for (int k = 0; k < worker_count; k++) {
        if (started[k]) pthread_join(threads[k], NULL);
    }
}

/* Drops a square of water and returns the hash of where it all ended up; 0 if something failed. */
static uint64_t drop_water(const rill_world_def *def) {
    rill_error error;
    rill_world *world = rill_world_create(def, &error);
    if (!world) {
        fprintf(stderr, "%s\n", error.text);
        return 0;
    }
    rill_fluid_def water = rill_fluid_def_default();
    rill_solid_def floor = rill_solid_def_default();
    floor.shape.kind = RILL_HALF_SPACE;
    floor.shape.normal = (rill_vec){0.0f, 1.0f, 0.0f};
    rill_block_def block = rill_block_def_default();
    block.shape.kind = RILL_BOX;
    block.shape.max = (rill_vec){0.4f, 0.4f, 0.0f};
    uint64_t hash = 0;
    if (rill_world_add_fluid(world, &water, NULL) == RILL_OK && rill_world_add_solid(world, &floor, NULL) == RILL_OK &&
        rill_world_add_block(world, &block, NULL) == RILL_OK && rill_world_advance(world, 0.05) == RILL_OK) {
        hash = rill_world_hash(world);
    } else {
        fprintf(stderr, "%s\n", rill_world_message(world));
    }
    rill_world_destroy(world);
    return hash;
}

int main(void) {
    rill_world_def def = rill_world_def_default(2);
    def.spacing = 0.02f;
    def.workers = WORKERS;
    uint64_t built_in = drop_water(&def);

    heap h = {0};
    def.allocator = (rill_allocator){heap_allocate, heap_release, &h};
    def.tasks = (rill_tasks){run_on_host_threads, NULL};
    uint64_t hosted = drop_water(&def);

    printf("built-in %016" PRIx64 ", hosted %016" PRIx64 ", peak %zu bytes, left %zu bytes\n", built_in, hosted, h.peak,
           h.bytes);
    return built_in != 0 && built_in == hosted && h.peak > 0 && h.bytes == 0 ? 0 : 1;
}
