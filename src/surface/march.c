/* SPDX-License-Identifier: MIT */
/* From node values to vertices and elements: marching cubes in 3D, marching squares in 2D. A vertex belongs to the
   block that holds the lower end of its grid edge. Blocks are counted first and filled afterwards, so the numbering
   depends only on the order of the blocks. */
#include "core/wide.h"
#include "surface/surface.h"

#include <string.h>

#define NO_VERTEX 0xffffu
/* A vertex keeps at least this share of an edge away from its ends, so that no triangle loses its area. */
#define END_SHARE 0.01f
#define GRAIN     8

/* A block and the first layers of nodes of its upper neighbours: all nodes that its cells need. */
typedef struct window {
    const rill_surface *surface;
    int32_t place[3];
    int number;       /* of the block */
    int neighbour[8]; /* blocks above it along the axes given by bits x, y, z; or -1 */
    int depth, halo_depth;
    float value[HALO * HALO * HALO];
} window;

static float *block_values(const rill_surface *s, const block *b) {
    return (float *)s->values.data + (size_t)b->values * BLOCK * BLOCK * (size_t)block_depth(s);
}

static uint16_t *block_edges(const rill_surface *s, int number, int axis) {
    const size_t nodes = (size_t)BLOCK * BLOCK * (size_t)block_depth(s);
    return (uint16_t *)s->edges.data + ((size_t)number * 3 + (size_t)axis) * nodes;
}

static int node_of(int x, int y, int z) {
    return x + BLOCK * (y + BLOCK * z);
}

static int halo_of(int x, int y, int z) {
    return x + HALO * (y + HALO * z);
}

/* Copies the part of the window that belongs to neighbour `k`. */
static void copy_part(window *w, int k) {
    const rill_surface *s = w->surface;
    const int low[3] = {k & 1 ? BLOCK : 0, k & 2 ? BLOCK : 0, k & 4 ? BLOCK : 0};
    const int high[3] = {k & 1 ? HALO : BLOCK, k & 2 ? HALO : BLOCK, k & 4 ? HALO : w->depth};
    const block *b = w->neighbour[k] >= 0 ? (const block *)s->blocks.data + w->neighbour[k] : NULL;
    const int32_t place[3] = {w->place[0] + (k & 1), w->place[1] + (k >> 1 & 1), w->place[2] + (k >> 2 & 1)};
    const float *values = b && b->active ? block_values(s, b) : NULL;
    const float constant = values ? 0.0f : b ? b->constant : rill_surface_constant_at(s, place);
    for (int z = low[2]; z < high[2]; z++)
        for (int y = low[1]; y < high[1]; y++)
            for (int x = low[0]; x < high[0]; x++)
                w->value[halo_of(x, y, z)] = values ? values[node_of(x - low[0], y - low[1], z - low[2])] : constant;
}

static void open_window(window *w, const rill_surface *s, int number) {
    const block *b = (const block *)s->blocks.data + number;
    const int corners = s->recipe.dim == 3 ? 8 : 4;
    w->surface = s, w->number = number;
    w->depth = block_depth(s), w->halo_depth = s->recipe.dim == 3 ? HALO : 1;
    memcpy(w->place, b->place, sizeof w->place);
    for (int k = 0; k < corners; k++) {
        const int32_t place[3] = {b->place[0] + (k & 1), b->place[1] + (k >> 1 & 1), b->place[2] + (k >> 2 & 1)};
        w->neighbour[k] =
            cell_box_has(&s->block_box, place) ? rill_cell_map_find(&s->block_map, cell_key(&s->block_box, place)) : -1;
        copy_part(w, k);
    }
}

static bool is_inside(const window *w, int x, int y, int z) {
    return w->value[halo_of(x, y, z)] > 0.0f;
}

/* for (FOR_NODES(w, x, y, z)) visits the block's own nodes, which are also the lower corners of its cells. */
#define FOR_NODES(w, x, y, z)           \
    int z = 0;                          \
    z < (w)->depth; z++)                \
        for (int y = 0; y < BLOCK; y++)            \
            for (int x = 0; x < BLOCK; x++

static unsigned cube_pattern(const window *w, int x, int y, int z) {
    unsigned pattern = 0;
    for (int k = 0; k < 8; k++) pattern |= (unsigned)is_inside(w, x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)) << k;
    return pattern;
}

/* Corners of a square, counter-clockwise. */
static const int square_corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

static unsigned square_pattern(const window *w, int x, int y) {
    unsigned pattern = 0;
    for (int k = 0; k < 4; k++)
        pattern |= (unsigned)is_inside(w, x + square_corner[k][0], y + square_corner[k][1], 0) << k;
    return pattern;
}

static int square_count(unsigned pattern) {
    return pattern == 0 || pattern == 15 ? 0 : pattern == 5 || pattern == 10 ? 2 : 1;
}

/* ---- counting ---- */

static int count_elements(const window *w) {
    int count = 0;
    for (FOR_NODES(w, x, y, z)) {
        if (w->surface->recipe.dim == 3)
            count += w->surface->cases.of[cube_pattern(w, x, y, z)].count;
        else
            count += square_count(square_pattern(w, x, y));
    }
    return count;
}

static int number_edges(const window *w) {
    int count = 0;
    for (int axis = 0; axis < w->surface->recipe.dim; axis++) {
        uint16_t *edges = block_edges(w->surface, w->number, axis);
        for (FOR_NODES(w, x, y, z)) {
            const bool here = is_inside(w, x, y, z);
            const bool there = is_inside(w, x + (axis == 0), y + (axis == 1), z + (axis == 2));
            edges[node_of(x, y, z)] = here == there ? NO_VERTEX : (uint16_t)count++;
        }
    }
    return count;
}

static void count_blocks(int begin, int end, void *context) {
    rill_surface *s = context;
    block *blocks = s->blocks.data;
    window w;
    for (int b = begin; b < end; b++) {
        open_window(&w, s, b);
        blocks[b].vertices = number_edges(&w);
        blocks[b].elements = count_elements(&w);
    }
}

/* ---- filling ---- */

static void place_vertex(const window *w, int axis, int x, int y, int z, int vertex) {
    const rill_surface *s = w->surface;
    const float a = w->value[halo_of(x, y, z)];
    const float b = w->value[halo_of(x + (axis == 0), y + (axis == 1), z + (axis == 2))];
    float share = a / (a - b);
    share = share < END_SHARE ? END_SHARE : share > 1.0f - END_SHARE ? 1.0f - END_SHARE : share;
    float at[3] = {node_at(s, w->place[0], x), node_at(s, w->place[1], y), node_at(s, w->place[2], z)};
    at[axis] += share * s->cell;
    ((rill_vec *)s->position.data)[vertex] = (rill_vec){at[0], at[1], at[2]};
}

/* The vertex on the edge that starts at node (x, y, z) of the window and runs along an axis. */
static int32_t vertex_on(const window *w, int axis, int x, int y, int z) {
    const int k = (x >= BLOCK) | (y >= BLOCK) << 1 | (z >= BLOCK) << 2, owner = w->neighbour[k];
    const uint16_t local = block_edges(w->surface, owner, axis)[node_of(x % BLOCK, y % BLOCK, z % BLOCK)];
    return ((const block *)w->surface->blocks.data)[owner].vertices + local;
}

static int32_t *fill_cube(const window *w, int x, int y, int z, int32_t *out) {
    const cube_case *c = &w->surface->cases.of[cube_pattern(w, x, y, z)];
    for (int t = 0; t < c->count; t++)
        for (int k = 0; k < 3; k++) {
            int corner[3];
            cube_edge_corner(c->triangle[t][k], corner);
            *out++ = vertex_on(w, c->triangle[t][k] / 4, x + corner[0], y + corner[1], z + corner[2]);
        }
    return out;
}

static int32_t square_vertex(const window *w, int x, int y, int k) {
    const int *a = square_corner[k], *b = square_corner[(k + 1) % 4];
    return vertex_on(w, k & 1, x + (a[0] & b[0]), y + (a[1] & b[1]), 0);
}

/* As on a face of a cube (see cube_cases.c), segments lead from where the inside ends to where it begins again. */
static int32_t *fill_square(const window *w, int x, int y, int32_t *out) {
    const unsigned pattern = square_pattern(w, x, y);
    for (int k = 0; k < 4; k++) {
        if (!(pattern >> k & 1) || (pattern >> (k + 1) % 4 & 1)) continue;
        int m = (k + 1) % 4;
        while (!(pattern >> (m + 1) % 4 & 1)) m = (m + 1) % 4;
        *out++ = square_vertex(w, x, y, k);
        *out++ = square_vertex(w, x, y, m);
    }
    return out;
}

static uint32_t main_fluid(const point_set *points, const float *weights) {
    uint32_t best = points->fluid[0];
    float most = -1.0f;
    for (int k = 0; k < points->count; k++) {
        if (!(weights[k] > 0.0f)) continue;
        float votes = 0.0f;
        if (points->fluid[k] == best && most >= 0.0f) continue;
        for (int j = 0; j < points->count; j++)
            if (points->fluid[j] == points->fluid[k]) votes += weights[j];
        if (votes > most) most = votes, best = points->fluid[k];
    }
    return best;
}

static rill_vec mean_color(const rill_surface *s, const point_set *points, const float *weights, float share) {
    rill_vec sum = {0, 0, 0};
    for (int k = 0; k < points->count; k++) {
        if (!(weights[k] > 0.0f)) continue;
        const rill_vec c = s->input->color[points->source[k]];
        if (!isfinite(c.x) || !isfinite(c.y) || !isfinite(c.z)) continue;
        sum = (rill_vec){sum.x + weights[k] * c.x, sum.y + weights[k] * c.y, sum.z + weights[k] * c.z};
    }
    return (rill_vec){sum.x * share, sum.y * share, sum.z * share};
}

/* Computes velocity, colour and fluid at a vertex from the particles around it. `weights` is scratch. */
static void carry(const rill_surface *s, const point_set *points, bool mixed, float *weights, int vertex) {
    const rill_vec at = ((const rill_vec *)s->position.data)[vertex];
    const wide zero = wide_zero(), one = wide_set(1.0f);
    const float far = s->recipe.reach + s->recipe.shift + s->recipe.spacing;
    const wide inverse = wide_set(1.0f / (far * far));
    wide sum = zero, vx = zero, vy = zero, vz = zero;
    for (int k = 0; k < points->count; k += WIDE) {
        const wide dx = wide_load(points->x + k) - wide_set(at.x), dy = wide_load(points->y + k) - wide_set(at.y);
        const wide dz = wide_load(points->z + k) - wide_set(at.z);
        const wide t = wide_max(one - (dx * dx + dy * dy + dz * dz) * inverse, zero), weight = t * t * t * t;
        sum += weight;
        vx += weight * wide_load(points->vx + k), vy += weight * wide_load(points->vy + k);
        vz += weight * wide_load(points->vz + k);
        if (mixed || s->input->color) wide_store(weights + k, weight);
    }
    const float total = wide_sum(sum), share = total > 0.0f ? 1.0f / total : 0.0f;
    ((rill_vec *)s->velocity.data)[vertex] =
        (rill_vec){wide_sum(vx) * share, wide_sum(vy) * share, wide_sum(vz) * share};
    if (s->input->color) ((rill_vec *)s->color.data)[vertex] = mean_color(s, points, weights, share);
    ((uint32_t *)s->fluid.data)[vertex] = mixed ? main_fluid(points, weights) : points->count ? points->fluid[0] : 0;
}

static void carry_block(const rill_surface *s, const block *b, int vertex_end, point_set *points) {
    if (vertex_end == b->vertices) return;
    bool mixed = false;
    rill_surface_block_points(s, b->place, points, &(int){0});
    for (int k = 1; k < points->count; k++) mixed |= points->fluid[k] != points->fluid[0];
    /* The forms of the kernels are no longer needed, so their memory serves as scratch. */
    for (int v = b->vertices; v < vertex_end; v++) carry(s, points, mixed, points->form[0], v);
}

static void fill_blocks(int begin, int end, int worker, void *context) {
    rill_surface *s = context;
    const block *blocks = s->blocks.data;
    point_set points = rill_surface_scratch(s, worker);
    window w;
    for (int b = begin; b < end; b++) {
        const int vertex_end = b + 1 < s->block_count ? blocks[b + 1].vertices : s->vertex_count;
        const int element_end = b + 1 < s->block_count ? blocks[b + 1].elements : s->element_count;
        if (vertex_end == blocks[b].vertices && element_end == blocks[b].elements) continue;
        open_window(&w, s, b);
        int vertex = blocks[b].vertices;
        for (int axis = 0; axis < s->recipe.dim; axis++) {
            const uint16_t *edges = block_edges(s, b, axis);
            for (FOR_NODES(&w, x, y, z))
                if (edges[node_of(x, y, z)] != NO_VERTEX) place_vertex(&w, axis, x, y, z, vertex++);
        }
        int32_t *out = (int32_t *)s->index.data + (size_t)blocks[b].elements * (size_t)s->recipe.dim;
        for (FOR_NODES(&w, x, y, z))
            out = s->recipe.dim == 3 ? fill_cube(&w, x, y, z, out) : fill_square(&w, x, y, out);
        carry_block(s, &blocks[b], vertex_end, &points);
    }
}

/* Turns the counts of blocks into start indices, and makes room for the mesh. */
static bool sum_up(rill_surface *s) {
    block *blocks = s->blocks.data;
    int64_t vertices = 0, elements = 0;
    for (int b = 0; b < s->block_count; b++) {
        const int32_t own_vertices = blocks[b].vertices, own_elements = blocks[b].elements;
        blocks[b].vertices = (int32_t)vertices, blocks[b].elements = (int32_t)elements;
        vertices += own_vertices, elements += own_elements;
        if (elements > INT32_MAX / 4) return false;
    }
    s->vertex_count = (int)vertices, s->element_count = (int)elements;
    const size_t v = (size_t)vertices, e = (size_t)elements;
    return rill_buffer_reserve(&s->memory, &s->position, v * sizeof(rill_vec), 0) &&
           rill_buffer_reserve(&s->memory, &s->normal, v * sizeof(rill_vec), 0) &&
           rill_buffer_reserve(&s->memory, &s->velocity, v * sizeof(rill_vec), 0) &&
           (!s->input->color || rill_buffer_reserve(&s->memory, &s->color, v * sizeof(rill_vec), 0)) &&
           rill_buffer_reserve(&s->memory, &s->fluid, v * sizeof(uint32_t), 0) &&
           rill_buffer_reserve(&s->memory, &s->index, e * (size_t)s->recipe.dim * sizeof(int32_t), 0);
}

bool rill_surface_march(rill_surface *s) {
    rill_parallel_for(s->workers, s->block_count, GRAIN, count_blocks, s);
    if (!sum_up(s)) return false;
    rill_parallel_for_workers(s->workers, s->block_count, GRAIN, fill_blocks, s);
    return true;
}
