/* SPDX-License-Identifier: MIT */
/* Scratch memory of a step: arrays are requested one after the other and then placed together in one block, each
   starting at a cache line. The block only grows, with room to spare, so that a varying number of contacts allocates
   nothing in steady state. */
#ifndef RILL_CORE_ARENA_H
#define RILL_CORE_ARENA_H

#include "core/alloc.h"

#define ARENA_ARRAYS_MAX 48

/* Requests so far. Starts as {0}. */
typedef struct arena {
    size_t size;
    int count;
    struct {
        void *pointer; /* address of the caller's pointer, of any type */
        size_t at;
    } arrays[ARENA_ARRAYS_MAX];
} arena;

/* Requests `count` items for the pointer `array`. */
#define ARENA_ASK(arena, array, count) rill_arena_ask(arena, &(array), sizeof *(array), (size_t)(count))
void rill_arena_ask(arena *a, void *pointer, size_t item_size, size_t count);
/* Reserves room for all requests and sets their pointers. False if there is no memory. */
bool rill_arena_give(const arena *a, memory *m, buffer *room);
/* Sets the pointers again, in a buffer that was reserved for the same requests. */
void rill_arena_place(const arena *a, const buffer *room);

#endif
