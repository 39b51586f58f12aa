/* SPDX-License-Identifier: MIT */
/* Snapshots in memory: what rill_world_save writes, as one array. */
#ifndef RILL_TEST_BYTES_H
#define RILL_TEST_BYTES_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
    unsigned char *data;
    size_t size, room;
} bytes;

static inline bool append_bytes(const void *data, size_t size, void *context) {
    bytes *b = context;
    if (b->size + size > b->room) {
        b->room = 2 * (b->size + size);
        b->data = realloc(b->data, b->room);
        if (!b->data) return false;
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

#endif
