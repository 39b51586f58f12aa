/* SPDX-License-Identifier: MIT */
/* Sums and maxima over many items. Partial results of blocks of items are combined in the order of the blocks, so that
   the result does not depend on the number of threads. */
#ifndef RILL_CORE_REDUCE_H
#define RILL_CORE_REDUCE_H

#include "core/parallel.h"

/* The result of a block of items, or of all blocks: up to six sums and six maxima. Zeros if there are no items. */
typedef struct totals {
    double sum[6], most[6];
} totals;

/* Functions that work on a block, the items [begin, end), and return its totals or one value. */
typedef totals totals_fn(int begin, int end, void *context);
typedef double part_fn(int begin, int end, void *context);

/* A block has `grain` items, which decides the order of additions and so the last bits. */
totals rill_reduce_totals(parallel *p, int count, int grain, totals_fn *fn, void *context);
double rill_reduce_sum(parallel *p, int count, int grain, part_fn *fn, void *context);
double rill_reduce_max(parallel *p, int count, int grain, part_fn *fn, void *context);

/* For lists that blocks write one behind the other: sets first[b] to the number of entries that `fn` counts in the
   blocks before b, for each block and one more. Returns the total number; if it exceeds INT32_MAX, `first` is
   invalid. */
int64_t rill_reduce_starts(parallel *p, int count, int grain, part_fn *fn, void *context, int32_t *first);

#endif
