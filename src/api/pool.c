/* SPDX-License-Identifier: MIT */
/* Pools of objects with handles that know their age. Every object begins with its slot. */
#include "api/pool.h"

#include <string.h>

static slot *slot_at(const pool *p, size_t size, int index) {
    return (slot *)(void *)((char *)p->items.data + (size_t)index * size);
}

void *pool_take(memory *m, pool *p, size_t size, uint32_t *index) {
    int k = 0;
    while (k < p->count && slot_at(p, size, k)->alive) k++;
    if (k == p->count) {
        const size_t used = (size_t)p->count * size;
        if (used + size > p->items.size && !buffer_reserve(m, &p->items, 2 * used + 8 * size, used)) return NULL;
        memset(slot_at(p, size, k), 0, size);
        p->count++;
    }
    slot *s = slot_at(p, size, k);
    const uint32_t age = s->age + 1;
    memset(s, 0, size);
    *s = (slot){.alive = true, .age = age};
    *index = (uint32_t)k;
    return s;
}

void *pool_get(const pool *p, size_t size, uint32_t index1, uint32_t age) {
    if (index1 == 0 || index1 > (uint32_t)p->count) return NULL;
    slot *s = slot_at(p, size, (int)index1 - 1);
    return s->alive && s->age == age ? s : NULL;
}

void *pool_at(const pool *p, size_t size, int k) {
    for (int i = 0; k >= 0 && i < p->count; i++)
        if (slot_at(p, size, i)->alive && k-- == 0) return slot_at(p, size, i);
    return NULL;
}

int pool_living(const pool *p, size_t size) {
    int n = 0;
    for (int i = 0; i < p->count; i++) n += slot_at(p, size, i)->alive;
    return n;
}
