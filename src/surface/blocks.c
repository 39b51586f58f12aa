/* SPDX-License-Identifier: MIT */
/* Lays blocks of grid nodes wherever the surface may be: around all bins that are not deep inside the fluid. A node
   outside these blocks is inside the fluid if its bin has particles, and outside otherwise. Such nodes never meet,
   since a deep bin is surrounded by full ones. So memory and time grow with the surface. */
#include "surface/surface.h"

static void block_bounds(const rill_surface *s, const int32_t place[3], float margin, float low[3], float high[3]) {
    for (int a = 0; a < 3; a++) {
        low[a] = node_at(s, place[a], 0) - margin;
        high[a] = node_at(s, place[a], a < s->recipe.dim ? BLOCK - 1 : 0) + margin;
    }
}

void rill_surface_block_points(const rill_surface *s, const int32_t place[3], point_set *into, int *count) {
    /* Near walls the field is evaluated up to half a spacing away from a node, and in wedges up to four times that.
       Vertices lie up to a cell away from a node. */
    const float margin = s->recipe.reach + s->recipe.shift + 2.0f * s->recipe.spacing + 2.0f * s->cell;
    float low[3], high[3];
    block_bounds(s, place, margin, low, high);
    *count = rill_surface_collect(s, low, high, into);
}

/* The range of blocks with a node in the box of a bin, enlarged by the reach of its particles. */
static void bin_blocks(const rill_surface *s, int bin, int32_t low[3], int32_t high[3]) {
    int32_t place[3];
    cell_place(&s->bin_box, ((const uint64_t *)s->bins.keys.data)[bin], place);
    const float edge = (float)BLOCK * s->cell, margin = s->recipe.reach + s->recipe.shift + s->cell;
    for (int a = 0; a < 3; a++) {
        low[a] = floor_place((float)place[a] * s->bin_edge - margin, edge);
        high[a] = floor_place((float)(place[a] + 1) * s->bin_edge + margin, edge);
        if (a >= s->recipe.dim) low[a] = high[a] = 0;
    }
}

/* The box of all blocks that bins reach, with a margin for the blocks that put_lower adds. */
static void find_block_box(rill_surface *s) {
    const float edge = (float)BLOCK * s->cell, margin = s->recipe.reach + s->recipe.shift + s->cell;
    for (int a = 0; a < 3; a++) {
        const int64_t last = s->bin_box.low[a] + s->bin_box.size[a];
        const int32_t low = floor_place((float)s->bin_box.low[a] * s->bin_edge - margin, edge) - 2;
        const int32_t high = floor_place((float)last * s->bin_edge + margin, edge) + 2;
        s->block_box.low[a] = a < s->recipe.dim ? low : 0;
        s->block_box.size[a] = a < s->recipe.dim ? (int64_t)high - low + 1 : 1;
    }
}

/* Whether all bins that meet a block are deep. */
static bool is_deep(const rill_surface *s, const int32_t block_place[3]) {
    const uint8_t *states = s->bin_states.data;
    float low[3], high[3];
    int32_t from[3], to[3], place[3];
    block_bounds(s, block_place, 0.0f, low, high);
    for (int a = 0; a < 3; a++) from[a] = floor_place(low[a], s->bin_edge), to[a] = floor_place(high[a], s->bin_edge);
    for (place[2] = from[2]; place[2] <= to[2]; place[2]++)
        for (place[1] = from[1]; place[1] <= to[1]; place[1]++)
            for (place[0] = from[0]; place[0] <= to[0]; place[0]++) {
                if (!cell_box_has(&s->bin_box, place)) return false;
                const int bin = rill_cell_map_find(&s->bins, cell_key(&s->bin_box, place));
                if (bin < 0 || !(states[bin] & BIN_DEEP)) return false;
            }
    return true;
}

static bool put_box(rill_surface *s, const int32_t low[3], const int32_t high[3], bool with_deep) {
    int32_t place[3];
    for (place[2] = low[2]; place[2] <= high[2]; place[2]++)
        for (place[1] = low[1]; place[1] <= high[1]; place[1]++)
            for (place[0] = low[0]; place[0] <= high[0]; place[0]++)
                if ((with_deep || !is_deep(s, place)) &&
                    rill_cell_map_put(&s->memory, &s->block_map, cell_key(&s->block_box, place)) < 0)
                    return false;
    return true;
}

/* Decides whether a block is outside or deep inside; any of its nodes will do. */
float rill_surface_constant_at(const rill_surface *s, const int32_t place[3]) {
    const float at[3] = {node_at(s, place[0], 0), node_at(s, place[1], 0), node_at(s, place[2], 0)};
    return rill_surface_bin_at(s, at) < 0 ? -s->recipe.radius : s->recipe.radius;
}

static bool put_active(rill_surface *s) {
    const uint8_t *states = s->bin_states.data;
    for (int b = 0; b < s->bins.count; b++) {
        int32_t low[3], high[3];
        if (states[b] & BIN_DEEP) continue;
        bin_blocks(s, b, low, high);
        if (!put_box(s, low, high, false)) return false;
    }
    return true;
}

static void list_blocks(rill_surface *s, const uint8_t *is_active) {
    block *blocks = s->blocks.data;
    const uint64_t *keys = s->block_map.keys.data;
    int active = 0;
    for (int b = 0; b < s->block_count; b++) {
        blocks[b] = (block){.active = is_active[b]};
        cell_place(&s->block_box, keys[b], blocks[b].place);
        blocks[b].values = blocks[b].active ? active++ : -1;
        if (!blocks[b].active) blocks[b].constant = rill_surface_constant_at(s, blocks[b].place);
    }
    s->active_count = active;
}

/* Adds the blocks below the active ones: some of their cells end at active nodes. */
static bool put_lower(rill_surface *s) {
    const int active = s->block_count;
    for (int b = 0; b < active; b++) {
        int32_t place[3], low[3];
        cell_place(&s->block_box, ((const uint64_t *)s->block_map.keys.data)[b], place);
        for (int a = 0; a < 3; a++) low[a] = a < s->recipe.dim ? place[a] - 1 : place[a];
        if (!put_box(s, low, place, true)) return false;
    }
    return true;
}

typedef struct room_job {
    rill_surface *surface;
    int32_t *counts;
} room_job;

static void count_points(int begin, int end, void *context) {
    const room_job *job = context;
    const rill_surface *s = job->surface;
    const block *blocks = s->blocks.data;
    for (int b = begin; b < end; b++) rill_surface_block_points(s, blocks[b].place, NULL, &job->counts[b]);
}

static bool reserve_points(rill_surface *s) {
    room_job job = {s, rill_memory_get(&s->memory, (size_t)s->block_count * sizeof(int32_t))};
    if (!job.counts) return false;
    rill_parallel_for(s->workers, s->block_count, 16, count_points, &job);
    int most = 0;
    for (int b = 0; b < s->block_count; b++) most = job.counts[b] > most ? job.counts[b] : most;
    rill_memory_release(&s->memory, job.counts, (size_t)s->block_count * sizeof(int32_t));
    return rill_surface_reserve_scratch(s, most);
}

bool rill_surface_lay_blocks(rill_surface *s) {
    find_block_box(s);
    if (!rill_cell_map_clear(&s->memory, &s->block_map, s->near_count + 64) || !put_active(s)) return false;
    s->block_count = s->block_map.count;
    cell_map active = {0};
    /* The map is about to be renumbered, so the keys of active blocks are stored first. */
    bool fine = rill_cell_map_clear(&s->memory, &active, s->block_count);
    for (int b = 0; fine && b < s->block_count; b++)
        fine = rill_cell_map_put(&s->memory, &active, ((const uint64_t *)s->block_map.keys.data)[b]) >= 0;
    fine = fine && put_lower(s) && rill_cell_map_sort(&s->memory, &s->block_map);
    s->block_count = s->block_map.count;
    const size_t marks_size = (size_t)s->block_count + 1;
    uint8_t *marks = fine ? rill_memory_get(&s->memory, marks_size) : NULL;
    fine = marks && rill_buffer_reserve(&s->memory, &s->blocks, (size_t)s->block_count * sizeof(block), 0);
    if (fine) {
        const uint64_t *keys = s->block_map.keys.data;
        for (int b = 0; b < s->block_count; b++) marks[b] = rill_cell_map_find(&active, keys[b]) >= 0;
        list_blocks(s, marks);
    }
    rill_memory_release(&s->memory, marks, marks_size);
    rill_cell_map_free(&s->memory, &active);
    const size_t nodes = (size_t)BLOCK * BLOCK * (size_t)block_depth(s);
    return fine && rill_buffer_reserve(&s->memory, &s->values, (size_t)s->active_count * nodes * sizeof(float), 0) &&
           rill_buffer_reserve(&s->memory, &s->edges, (size_t)s->block_count * 3 * nodes * sizeof(uint16_t), 0) &&
           reserve_points(s);
}
