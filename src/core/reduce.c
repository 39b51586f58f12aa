/* SPDX-License-Identifier: MIT */
/* Sums and maxima over many items, in the order of their blocks. The results of a batch of blocks are on the stack, so
   that no sum can fail for lack of memory. */
#include "core/reduce.h"

#include <math.h>

/* Blocks in a batch: enough that waiting at its end costs little, few enough for a thread's stack. */
#define BATCH 128

typedef struct batch {
    totals_fn *fn;
    void *context;
    int first, grain; /* first item of the batch, and items in a block */
    totals parts[BATCH];
} batch;

static void run_block(int begin, int end, void *context) {
    batch *b = context;
    b->parts[begin / b->grain] = b->fn(b->first + begin, b->first + end, b->context);
}

/* Runs a batch of at most `left` items. Returns their number. */
static int run_batch(parallel *p, batch *b, int left) {
    const int items = left / BATCH < b->grain ? left : BATCH * b->grain;
    rill_parallel_for(p, items, b->grain, run_block, b);
    return items;
}

static int blocks_of(const batch *b, int items) {
    return (items + b->grain - 1) / b->grain;
}

static void join(totals *all, const totals *part) {
    for (size_t k = 0; k < sizeof all->sum / sizeof *all->sum; k++) all->sum[k] += part->sum[k];
    for (size_t k = 0; k < sizeof all->most / sizeof *all->most; k++) all->most[k] = fmax(all->most[k], part->most[k]);
}

totals rill_reduce_totals(parallel *p, int count, int grain, totals_fn *fn, void *context) {
    batch b; /* not cleared: parts are written before they are read, and clearing them would cost time in every sum */
    b.fn = fn, b.context = context, b.first = 0, b.grain = grain;
    totals all = {0};
    for (int items; b.first < count; b.first += items) {
        items = run_batch(p, &b, count - b.first);
        int k = 0;
        if (b.first == 0) all = b.parts[k++];
        for (; k < blocks_of(&b, items); k++) join(&all, &b.parts[k]);
    }
    return all;
}

/* A function with one value, which is used as a sum and as a maximum. */
typedef struct single {
    part_fn *fn;
    void *context;
} single;

static totals single_block(int begin, int end, void *context) {
    const single *s = context;
    const double value = s->fn(begin, end, s->context);
    return (totals){.sum = {value}, .most = {value}};
}

double rill_reduce_sum(parallel *p, int count, int grain, part_fn *fn, void *context) {
    return rill_reduce_totals(p, count, grain, single_block, &(single){fn, context}).sum[0];
}

double rill_reduce_max(parallel *p, int count, int grain, part_fn *fn, void *context) {
    return rill_reduce_totals(p, count, grain, single_block, &(single){fn, context}).most[0];
}

int64_t rill_reduce_starts(parallel *p, int count, int grain, part_fn *fn, void *context, int32_t *first) {
    batch b = {.fn = single_block, .context = &(single){fn, context}, .grain = grain};
    int64_t sum = 0;
    for (int items; b.first < count; b.first += items) {
        items = run_batch(p, &b, count - b.first);
        for (int k = 0; k < blocks_of(&b, items); k++) {
            *first++ = (int32_t)sum;
            sum += (int64_t)b.parts[k].sum[0];
        }
    }
    *first = (int32_t)sum;
    return sum;
}
