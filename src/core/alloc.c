/* SPDX-License-Identifier: MIT */
/* Memory: the host's hooks or malloc, a byte count, and buffers that only grow. */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#include <sys/mman.h>
#endif

#include "core/alloc.h"

#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <malloc.h>
#define aligned_alloc(alignment, size) _aligned_malloc(size, alignment)
#define aligned_free                   _aligned_free
#else
#define aligned_free free
#endif

/* Large pages, where the system gives them on request: the lists of a million neighbours are read several times in a
   step, and translating the addresses of small pages costs about 5 % of it. */
#define LARGE_PAGE ((size_t)2 << 20)

static void *default_allocate(size_t size, size_t alignment, void *context) {
    (void)context;
#if defined(MADV_HUGEPAGE)
    if (size >= 2 * LARGE_PAGE) alignment = LARGE_PAGE;
#endif
    size = (size + alignment - 1) & ~(alignment - 1);
    void *data = aligned_alloc(alignment, size);
#if defined(MADV_HUGEPAGE)
    if (data && alignment == LARGE_PAGE) (void)madvise(data, size, MADV_HUGEPAGE); /* may fail without harm */
#endif
    return data;
}

static void default_release(void *data, size_t size, void *context) {
    (void)size, (void)context;
    aligned_free(data);
}

void rill_memory_init(memory *m, const rill_allocator *hooks) {
    *m = (memory){.hooks = {default_allocate, default_release, NULL}};
    if (hooks && hooks->allocate && hooks->release) m->hooks = *hooks;
}

void *rill_memory_get(memory *m, size_t size) {
    if (size == 0 || size > PTRDIFF_MAX) return NULL;
    void *data = m->hooks.allocate(size, MEMORY_ALIGNMENT, m->hooks.context);
    if (!data) return NULL;
    m->bytes += size;
    m->calls++;
    return data;
}

void rill_memory_release(memory *m, void *data, size_t size) {
    if (!data) return;
    m->bytes -= size;
    m->hooks.release(data, size, m->hooks.context);
}

bool rill_buffer_reserve(memory *m, buffer *b, size_t size, size_t keep) {
    if (size <= b->size) return true;
    void *data = rill_memory_get(m, size);
    if (!data) return false;
    if (keep) memcpy(data, b->data, keep);
    rill_memory_release(m, b->data, b->size);
    *b = (buffer){data, size};
    return true;
}

bool rill_buffer_grow(memory *m, buffer *b, size_t size, size_t keep) {
    return size <= b->size || rill_buffer_reserve(m, b, size + buffer_spare(b, size), keep);
}

void rill_buffer_free(memory *m, buffer *b) {
    rill_memory_release(m, b->data, b->size);
    *b = (buffer){0};
}
