/* SPDX-License-Identifier: MIT */
/* Pools of objects behind handles with an age. Every object starts with its slot. */
#include "api/pool.h"

#include <string.h>

static slot *slot_at(const pool *p, size_t size, int index) {
    return (slot *)(void *)((char *)p->items.data + (size_t)index * size);
}

static int32_t *living_of(const pool *p) {
    return p->living.data;
}

/* Number of living objects in lower slots. */
static int place_of(const pool *p, int32_t index) {
    int low = 0, high = p->living_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (living_of(p)[middle] < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The lowest free slot, by bisection: all slots below it are alive. */
static int lowest_free(const pool *p) {
    int low = 0, high = p->living_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (living_of(p)[middle] == middle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Reserves room for one more item after `count`. */
static bool make_room_in(memory *m, buffer *b, int count, size_t size) {
    const size_t used = (size_t)count * size;
    return used + size <= b->size || rill_buffer_reserve(m, b, 2 * used + 8 * size, used);
}

/* Reserves room for one more slot. */
static bool make_room(memory *m, pool *p, size_t size) {
    return make_room_in(m, &p->items, p->count, size) &&
           (!p->method_table || make_room_in(m, &p->method_rows, p->count, p->method_table->size)) &&
           make_room_in(m, &p->living, p->living_count, sizeof(int32_t));
}

void *rill_pool_take(memory *m, pool *p, size_t size, uint32_t *index) {
    const int k = lowest_free(p);
    if (!make_room(m, p, size)) return NULL;
    if (k == p->count) {
        memset(slot_at(p, size, k), 0, size);
        p->count++;
    }
    slot *s = slot_at(p, size, k);
    const uint32_t age = s->age + 1;
    memset(s, 0, size);
    *s = (slot){.alive = true, .age = age};
    if (p->method_table) memset(pool_method_row(p, (uint32_t)k), 0, p->method_table->size);
    rill_table_defaults(p->method_table, pool_method_row(p, (uint32_t)k));
    memmove(living_of(p) + k + 1, living_of(p) + k, sizeof(int32_t) * (size_t)(p->living_count++ - k));
    living_of(p)[k] = k;
    *index = (uint32_t)k;
    return s;
}

void rill_pool_drop(pool *p, size_t size, void *object) {
    const int32_t index = (int32_t)((size_t)((char *)object - (char *)p->items.data) / size);
    const int place = place_of(p, index);
    slot_at(p, size, index)->alive = false;
    p->living_count--;
    memmove(living_of(p) + place, living_of(p) + place + 1, sizeof(int32_t) * (size_t)(p->living_count - place));
}

bool rill_pool_list_living(memory *m, pool *p, size_t size) {
    if (!rill_buffer_reserve(m, &p->living, sizeof(int32_t) * (size_t)p->count, 0)) return false;
    p->living_count = 0;
    for (int k = 0; k < p->count; k++)
        if (slot_at(p, size, k)->alive) living_of(p)[p->living_count++] = k;
    return true;
}

void rill_pool_free(memory *m, pool *p) {
    rill_buffer_free(m, &p->items);
    rill_buffer_free(m, &p->living);
    rill_buffer_free(m, &p->names);
    rill_buffer_free(m, &p->method_rows);
}

void *rill_pool_at(const pool *p, size_t size, int k) {
    return k >= 0 && k < p->living_count ? slot_at(p, size, living_of(p)[k]) : NULL;
}
