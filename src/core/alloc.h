/* SPDX-License-Identifier: MIT */
/* Memory: the host's hooks or malloc, a byte count, and buffers that only grow. */
#ifndef RILL_CORE_ALLOC_H
#define RILL_CORE_ALLOC_H

#include "rill/base.h"

/* Alignment to cache lines, so that no two arrays share one; wide loads need only 32 bytes. */
#define MEMORY_ALIGNMENT 64

typedef struct memory {
    rill_allocator hooks;
    size_t bytes;  /* held now */
    int64_t calls; /* number of allocations so far; a steady state makes none */
} memory;

void rill_memory_init(memory *m, const rill_allocator *hooks);
/* Allocates memory; NULL if there is none. Size 0 gives NULL without a call of the host. */
void *rill_memory_get(memory *m, size_t size);
void rill_memory_release(memory *m, void *data, size_t size);

/* A block of memory that grows and never shrinks. Starts as zero. */
typedef struct buffer {
    void *data;
    size_t size;
} buffer;

/* Makes room for `size` bytes and keeps the first `keep` bytes. False, with the buffer unchanged, if there is no
   memory. */
bool rill_buffer_reserve(memory *m, buffer *b, size_t size, size_t keep);
/* As rill_buffer_reserve, with room to spare when it must grow, so that a varying size does not allocate every time. */
bool rill_buffer_grow(memory *m, buffer *b, size_t size, size_t keep);
/* The room to spare for `size` bytes: a half if the buffer was in use before, because it will probably grow again;
   otherwise an eighth. */
static inline size_t buffer_spare(const buffer *b, size_t size) {
    return size / (b->size > 0 ? 2 : 8);
}
void rill_buffer_free(memory *m, buffer *b);

#endif
