/* SPDX-License-Identifier: MIT */
/* The hash map of places, and the radix sort of particles and blocks. */
#include "surface/cells.h"

#include "core/hash.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGITS     (1 << DIGIT_BITS)

static uint32_t slot_of(const cell_map *map, uint64_t key) {
    const uint64_t *keys = map->keys.data;
    const int32_t *slots = map->slots.data;
    uint32_t slot = (uint32_t)rill_hash_mix(key) & map->mask;
    while (slots[slot] && keys[slots[slot] - 1] != key) slot = (slot + 1) & map->mask;
    return slot;
}

/* Makes at least twice as many slots as keys, so that the map is at most half full. */
static bool make_slots(memory *m, cell_map *map, int room) {
    uint32_t size = 64;
    while (size < 2u * (uint32_t)room && size < 1u << 31) size *= 2;
    if (!rill_buffer_reserve(m, &map->slots, size * sizeof(int32_t), 0) ||
        !rill_buffer_reserve(m, &map->keys, (size_t)room * sizeof(uint64_t), (size_t)map->count * sizeof(uint64_t)))
        return false;
    memset(map->slots.data, 0, size * sizeof(int32_t));
    map->mask = size - 1;
    for (int k = 0; k < map->count; k++)
        ((int32_t *)map->slots.data)[slot_of(map, ((uint64_t *)map->keys.data)[k])] = k + 1;
    return true;
}

bool rill_cell_map_clear(memory *m, cell_map *map, int expected) {
    /* Keeps the size of the last call. */
    const int before = (int)(map->keys.size / sizeof(uint64_t));
    map->count = 0;
    expected = expected > before ? expected : before;
    return make_slots(m, map, expected > 32 ? expected : 32);
}

void rill_cell_map_free(memory *m, cell_map *map) {
    rill_buffer_free(m, &map->slots);
    rill_buffer_free(m, &map->keys);
    *map = (cell_map){0};
}

int rill_cell_map_put(memory *m, cell_map *map, uint64_t key) {
    uint32_t slot = slot_of(map, key);
    int32_t found = ((int32_t *)map->slots.data)[slot];
    if (found) return found - 1;
    if (2u * (uint32_t)map->count >= map->mask || (size_t)map->count >= map->keys.size / sizeof(uint64_t)) {
        if (map->count > INT32_MAX / 4 || !make_slots(m, map, 2 * map->count + 32)) return -1;
        slot = slot_of(map, key);
    }
    ((uint64_t *)map->keys.data)[map->count] = key;
    ((int32_t *)map->slots.data)[slot] = ++map->count;
    return map->count - 1;
}

int rill_cell_map_find(const cell_map *map, uint64_t key) {
    return ((const int32_t *)map->slots.data)[slot_of(map, key)] - 1;
}

bool rill_cell_map_sort(memory *m, cell_map *map) {
    const size_t n = (size_t)map->count, size = n * (2 * sizeof(int32_t) + sizeof(uint64_t));
    if (n == 0) return true;
    uint64_t *spare = rill_memory_get(m, size), *keys = map->keys.data, greatest = 0;
    if (!spare) return false;
    int32_t *values = (int32_t *)(spare + n);
    memset(values, 0, n * sizeof *values);
    for (size_t k = 0; k < n; k++) greatest = keys[k] > greatest ? keys[k] : greatest;
    rill_cells_sort(keys, values, spare, values + n, map->count, greatest);
    rill_memory_release(m, spare, size);
    return make_slots(m, map, map->count > 32 ? map->count : 32);
}

void rill_cells_sort(uint64_t *keys, int32_t *values, uint64_t *spare_keys, int32_t *spare_values, int count,
                     uint64_t greatest) {
    uint64_t *from = keys, *to = spare_keys;
    int32_t *from_values = values, *to_values = spare_values;
    for (int shift = 0; shift < 64 && greatest >> shift; shift += DIGIT_BITS) {
        int32_t start[DIGITS + 1] = {0};
        for (int k = 0; k < count; k++) start[(from[k] >> shift & (DIGITS - 1)) + 1]++;
        for (int d = 0; d < DIGITS; d++) start[d + 1] += start[d];
        for (int k = 0; k < count; k++) {
            int32_t place = start[from[k] >> shift & (DIGITS - 1)]++;
            to[place] = from[k], to_values[place] = from_values[k];
        }
        uint64_t *other = from;
        from = to, to = other;
        int32_t *other_values = from_values;
        from_values = to_values, to_values = other_values;
    }
    if (from == keys) return;
    memcpy(keys, from, (size_t)count * sizeof *keys);
    memcpy(values, from_values, (size_t)count * sizeof *values);
}
