/* SPDX-License-Identifier: MIT */
/* Parallel loops, on the host's tasks or on a small pool of threads. Results must not depend on how the range is cut:
   loops write only to their own items, and sums are kept for each block of REDUCE_BLOCK items and added in the order of
   the blocks (core/reduce.h). */
#ifndef RILL_CORE_PARALLEL_H
#define RILL_CORE_PARALLEL_H

#include "core/alloc.h"

typedef struct parallel parallel;

/* Works on items [begin, end). */
typedef void parallel_fn(int begin, int end, void *context);
/* As parallel_fn, with the index of the worker, 0 <= worker < rill_parallel_workers, for its scratch memory. */
typedef void worker_fn(int begin, int end, int worker, void *context);

/* `workers` = 0: one for each core. `tasks`: the host's; NULL or zero: own threads. NULL if there is no memory or a
   thread cannot be started. */
parallel *rill_parallel_create(memory *m, int workers, const rill_tasks *tasks);
void rill_parallel_destroy(memory *m, parallel *p);
int rill_parallel_workers(const parallel *p);
/* Runs `fn` on blocks of [0, count) of `grain` items (the last may be shorter), so that `begin` is a multiple of
   `grain`. Returns when all are done. */
void rill_parallel_for(parallel *p, int count, int grain, parallel_fn *fn, void *context);
void rill_parallel_for_workers(parallel *p, int count, int grain, worker_fn *fn, void *context);
/* Call after each substep, with the number of particles and its duration: loops of a small world are shared with the
   pool's threads only while that is faster (core/governor.h). A host's tasks are always used. */
void rill_parallel_note_span(parallel *p, int items, double seconds);

/* Items in a block of a reduction: fixed, because the order of additions must not depend on the machine. */
#define REDUCE_BLOCK 1024
static inline int reduce_block_count(int count) {
    return (count + REDUCE_BLOCK - 1) / REDUCE_BLOCK;
}

#endif
