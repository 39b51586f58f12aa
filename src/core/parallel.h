/* SPDX-License-Identifier: MIT */
/* One rill_parallel_for, on the host's tasks or on a small pool of our own. Its tasks must not depend on how the
   range is cut: loops write only to their own items, and sums are kept for each block of REDUCE_BLOCK items and added
   in block order (see reduce_block_count). */
#ifndef RILL_CORE_PARALLEL_H
#define RILL_CORE_PARALLEL_H

#include "core/alloc.h"

typedef struct parallel parallel;

/* Works on items [begin, end). */
typedef void parallel_fn(int begin, int end, void *context);
/* The same with scratch memory for each worker, which is numbered from 0 to below rill_parallel_workers. */
typedef void worker_fn(int begin, int end, int worker, void *context);

/* `workers` 0: one for each core. NULL if there is no memory or no thread to be had. */
parallel *rill_parallel_create(memory *m, int workers, const rill_tasks *tasks);
void rill_parallel_destroy(memory *m, parallel *p);
int rill_parallel_workers(const parallel *p);
/* Cuts [0, count) into blocks of `grain` items (the last may be shorter), so begin is always a multiple of grain. */
void rill_parallel_for(parallel *p, int count, int grain, parallel_fn *fn, void *context);
void rill_parallel_for_workers(parallel *p, int count, int grain, worker_fn *fn, void *context);
/* After each substep, with its seconds and the number of particles: loops of a small world are shared with the pool's
   threads only while that is faster (core/governor.h). A host's tasks are always used. */
void rill_parallel_note_span(parallel *p, int items, double seconds);

/* Items in a block of a reduction. Fixed: the order of additions must not depend on the machine. */
#define REDUCE_BLOCK 1024
static inline int reduce_block_count(int count) {
    return (count + REDUCE_BLOCK - 1) / REDUCE_BLOCK;
}

#endif
