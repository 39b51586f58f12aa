/* SPDX-License-Identifier: MIT */
/* Scratch memory of a step: arrays that are placed together in one block. */
#include "core/arena.h"

#include <string.h>

/* More than any memory: reserving it fails. */
#define TOO_MUCH ((size_t)PTRDIFF_MAX + 1)

void rill_arena_ask(arena *a, void *pointer, size_t item_size, size_t count) {
    const size_t whole = MEMORY_ALIGNMENT - 1, left = TOO_MUCH - a->size;
    if (a->count == ARENA_ARRAYS_MAX || count > left / item_size || count * item_size + whole > left) {
        a->size = TOO_MUCH;
        return;
    }
    a->arrays[a->count].pointer = pointer;
    a->arrays[a->count++].at = a->size;
    a->size += (count * item_size + whole) & ~whole;
}

void rill_arena_place(const arena *a, const buffer *room) {
    for (int k = 0; k < a->count; k++) {
        void *at = (char *)room->data + a->arrays[k].at;
        memcpy(a->arrays[k].pointer, &at, sizeof at);
    }
}

bool rill_arena_give(const arena *a, memory *m, buffer *room) {
    const size_t spare = buffer_spare(room, a->size);
    if (a->size > room->size && !rill_buffer_reserve(m, room, a->size + spare, 0)) return false;
    rill_arena_place(a, room);
    return true;
}
