/* SPDX-License-Identifier: MIT */
/* Permuting arrays of values. */
#include "model/field.h"

#include <string.h>

/* Items that a worker takes at a time. */
#define PERMUTE_GRAIN 2048

typedef struct permute_job {
    const int32_t *order;
    const void *from;
    void *to;
    size_t size;
} permute_job;

/* One loop for each common size, because a memcpy of constant size becomes one or two moves. */
#define PERMUTE(bytes)                                                                                           \
    case bytes:                                                                                                  \
        for (int k = begin; k < end; k++)                                                                        \
            memcpy((char *)job->to + (size_t)k * bytes, (const char *)job->from + (size_t)job->order[k] * bytes, \
                   bytes);                                                                                       \
        break

static void permute_block(int begin, int end, void *context) {
    const permute_job *job = context;
    switch (job->size) {
        PERMUTE(4);
        PERMUTE(8);
        PERMUTE(12);
        PERMUTE(16);
    default:
        for (int k = begin; k < end; k++)
            memcpy((char *)job->to + (size_t)k * job->size, (const char *)job->from + (size_t)job->order[k] * job->size,
                   job->size);
        break;
    }
}

void rill_field_permute(parallel *workers, void *to, const void *from, size_t size, const int32_t *order, int count) {
    permute_job job = {order, from, to, size};
    rill_parallel_for(workers, count, PERMUTE_GRAIN, permute_block, &job);
}
