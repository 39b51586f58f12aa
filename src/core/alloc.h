/* SPDX-License-Identifier: MIT */
/* Memory: the host's hooks or malloc, a byte count, and buffers that only grow. */
#ifndef RILL_CORE_ALLOC_H
#define RILL_CORE_ALLOC_H

#include "rill/base.h"

/* Wide loads want 32 bytes; a cache line keeps arrays from sharing one. */
#define MEMORY_ALIGNMENT 64

typedef struct memory {
    rill_allocator hooks;
    size_t bytes;  /* held now */
    int64_t calls; /* allocations so far: steady state makes none */
} memory;

void rill_memory_init(memory *m, const rill_allocator *hooks);
/* NULL when the host has no more; size 0 gives NULL without a call. */
void *rill_memory_get(memory *m, size_t size);
void rill_memory_release(memory *m, void *data, size_t size);

/* A block that grows and is never shrunk. */
typedef struct buffer {
    void *data;
    size_t size;
} buffer;

/* Makes room for `size` bytes; keeps the first `keep` bytes. Leaves the buffer as it was on failure. */
bool rill_buffer_reserve(memory *m, buffer *b, size_t size, size_t keep);
/* The same with room to spare when it must grow, so that a need that wavers does not allocate every time. */
bool rill_buffer_grow(memory *m, buffer *b, size_t size, size_t keep);
/* That room for a buffer of `size` bytes. One that is outgrown is being filled and will grow on; one that lies still
   should not pay for that. */
static inline size_t buffer_spare(const buffer *b, size_t size) {
    return size / (b->size > 0 ? 2 : 8);
}
void rill_buffer_free(memory *m, buffer *b);

#endif
