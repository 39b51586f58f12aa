/* SPDX-License-Identifier: MIT */
/* Sums and maxima over many items. Blocks of items report their parts, which are taken together in the order of the
   blocks, so that the result does not depend on how many threads there are. */
#ifndef RILL_CORE_REDUCE_H
#define RILL_CORE_REDUCE_H

#include "core/parallel.h"

/* The result of a block of items, and then of all blocks: up to six sums and six maxima. No items: zeros. */
typedef struct totals {
    double sum[6], most[6];
} totals;

/* Work on the items [begin, end), which are a block; a part is one value of it. */
typedef totals totals_fn(int begin, int end, void *context);
typedef double part_fn(int begin, int end, void *context);

/* `grain` items are a block: it decides the order of the additions, hence the last bits. */
totals rill_reduce_totals(parallel *p, int count, int grain, totals_fn *fn, void *context);
double rill_reduce_sum(parallel *p, int count, int grain, part_fn *fn, void *context);
double rill_reduce_max(parallel *p, int count, int grain, part_fn *fn, void *context);

/* For lists that blocks write side by side: first[b] is the number of entries that `fn` counts in the blocks before b,
   for every block and one more. Returns the number of all; beyond INT32_MAX `first` means nothing. */
int64_t rill_reduce_starts(parallel *p, int count, int grain, part_fn *fn, void *context, int32_t *first);

#endif
