/* SPDX-License-Identifier: MIT */
/* Sparse places of an integer lattice: a box that gives each place a key, and a hash map from keys to numbers. */
#ifndef RILL_SURFACE_CELLS_H
#define RILL_SURFACE_CELLS_H

#include "core/alloc.h"

/* Places from `low` on. Keys run along x first, so that sorted keys follow the order in memory. */
typedef struct cell_box {
    int32_t low[3];
    int64_t size[3];
} cell_box;

static inline bool cell_box_has(const cell_box *box, const int32_t place[3]) {
    for (int a = 0; a < 3; a++)
        if (place[a] < box->low[a] || place[a] - (int64_t)box->low[a] >= box->size[a]) return false;
    return true;
}

static inline uint64_t cell_key(const cell_box *box, const int32_t place[3]) {
    uint64_t key = (uint64_t)(place[2] - (int64_t)box->low[2]);
    key = key * (uint64_t)box->size[1] + (uint64_t)(place[1] - (int64_t)box->low[1]);
    return key * (uint64_t)box->size[0] + (uint64_t)(place[0] - (int64_t)box->low[0]);
}

static inline void cell_place(const cell_box *box, uint64_t key, int32_t place[3]) {
    uint64_t rest = key;
    for (int a = 0; a < 2; a++) {
        place[a] = (int32_t)(rest % (uint64_t)box->size[a] + (uint64_t)(int64_t)box->low[a]);
        rest /= (uint64_t)box->size[a];
    }
    place[2] = (int32_t)(rest + (uint64_t)(int64_t)box->low[2]);
}

/* Open addressing. `keys` holds the keys in the order of insertion. */
typedef struct cell_map {
    buffer slots; /* int32_t: number + 1, or 0 */
    buffer keys;  /* uint64_t */
    uint32_t mask;
    int count;
} cell_map;

/* Empties the map and makes room for `expected` keys; it grows if there are more. */
bool rill_cell_map_clear(memory *m, cell_map *map, int expected);
void rill_cell_map_free(memory *m, cell_map *map);
/* The number of a key, which is added if it is new; -1 if out of memory. */
int rill_cell_map_put(memory *m, cell_map *map, uint64_t key);
/* The number of a key, or -1. */
int rill_cell_map_find(const cell_map *map, uint64_t key);
/* Renumbers the keys in ascending order. */
bool rill_cell_map_sort(memory *m, cell_map *map);

/* Stable sort of keys along with their `values`. The spare arrays hold as many items. */
void rill_cells_sort(uint64_t *keys, int32_t *values, uint64_t *spare_keys, int32_t *spare_values, int count,
                     uint64_t greatest);

#endif
