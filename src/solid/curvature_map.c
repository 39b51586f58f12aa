/* SPDX-License-Identifier: MIT */
/* The share of the kernel that a solid covers, relative to a plane at the same distance.

   The fluid's integrals over walls are exact for planes. For any other solid they are multiplied by the ratio of two
   integrals of the kernel: over the solid, and over the half-space beyond the plane that touches it. The ratio is
   smooth and near 1, so a grid with four nodes to the support represents it. It is computed from the distance alone, in
   the same way for every shape, by adding up the part of each small cube that lies in the solid. */
#include "solid/curvature_map.h"

#include "core/wide.h"
#include "solid/wall_kernel.h"

#define BLOCK_CELLS CURVATURE_BLOCK
#define BLOCK_SIDE  (BLOCK_CELLS + 1)
/* Small cubes along the support, and along the edge of a block with a support on each side. */
#define FINE  8
#define STEP  (FINE / 4) /* cubes from node to node */
#define CUBES (BLOCK_CELLS * STEP + 2 * FINE)
/* Cubes are tested in groups of this edge, for most groups lie completely inside or outside. */
#define GROUP 4
/* Most blocks, 160 each way in 3D. A shape that would need more is practically flat and gets no map. */
#define BLOCKS_MAX 4096000.0
/* Below this share of the kernel the ratio is meaningless, and set to 1. */
#define LEAST_SHARE 1e-3f

/* Nodes of a row are summed up in parallel lanes. Lanes beyond the last node read values that are not used. */
#define QUADS ((BLOCK_SIDE + 3) / 4)
#define LANES (4 * QUADS)

enum { CUBE_COUNT = (DIM == 2 ? CUBES * CUBES : CUBES * CUBES * CUBES) + LANES - BLOCK_SIDE };
enum { STENCIL_MAX = DIM == 2 ? 4 * FINE * FINE : 8 * FINE * FINE * FINE };
#define BLOCK_NODES (DIM == 2 ? BLOCK_SIDE * BLOCK_SIDE : BLOCK_SIDE * BLOCK_SIDE * BLOCK_SIDE)
#define LAYERS(n)   (DIM == 2 ? 1 : (n))

typedef struct curvature_job {
    const placed_shape *shape; /* in its own frame */
    curvature_map *grid;
    const int32_t *block_of; /* the place of each existing block */
    float support;
    int stencil_count;
    int32_t stencil[STENCIL_MAX]; /* cubes around the first node of a row, as offsets from the row of cubes it is in */
    float weight[STENCIL_MAX];    /* of the kernel in these cubes; their sum is 1 */
    float *cubes;                 /* CUBE_COUNT for each worker */
} curvature_job;

/* The distance of rill_shape_distance, bit for bit, without its normal: faster, because scenes have many and large
   boxes. */
static inline float box_distance(const placed_shape *f, vec p) {
    float deepest = -INFINITY, outside = 0.0f;
    for (int axis = 0; axis < DIM; axis++) {
        const float q = fabsf(vec_get(p, axis)) - vec_get(f->half, axis);
        deepest = q > deepest ? q : deepest;
        outside += q > 0.0f ? q * q : 0.0f;
    }
    return deepest <= 0.0f ? deepest : sqrtf(outside);
}

static float solid_distance(const placed_shape *f, vec p) {
    vec unused;
    const float d = f->kind == RILL_BOX ? box_distance(f, p) : rill_shape_distance(f, p, &unused);
    return f->inside ? -d : d;
}

/* ---- the kernel in small cubes ---- */

/* Index of a cube in its row: cubes at the same offset from neighbouring nodes are neighbours in memory. */
static int column_of(int cube) {
    return cube % STEP * (CUBES / STEP) + cube / STEP;
}

/* Makes the weights of cubes around a node and, from their layers along one axis, the share that a plane covers: a
   plane then has the ratio 1. */
static void make_stencil(curvature_job *job, int32_t quality) {
    const float h = job->support, cube = h / FINE;
    const wall_kernel k = wall_kernel_make(quality, h);
    double layer[2 * FINE] = {0}, sum = 0;
    job->stencil_count = 0;
    for (int c = DIM == 2 ? 0 : -FINE; c < (DIM == 2 ? 1 : FINE); c++)
        for (int b = -FINE; b < FINE; b++)
            for (int a = -FINE; a < FINE; a++) {
                const float x = ((float)a + 0.5f) * cube, y = ((float)b + 0.5f) * cube;
                const float z = DIM == 2 ? 0.0f : ((float)c + 0.5f) * cube, r = sqrtf(x * x + y * y + z * z);
                if (r >= h) continue;
                const float weight = wall_kernel_at(&k, r);
                job->stencil[job->stencil_count] = (c * CUBES + b) * CUBES + column_of(FINE + a);
                job->weight[job->stencil_count++] = weight;
                layer[a + FINE] += (double)weight;
                sum += (double)weight;
            }
    for (int n = 0; n < job->stencil_count; n++) job->weight[n] /= (float)sum;
    double beyond = sum;
    for (int n = 0; n < 2 * FINE; n++) {
        job->grid->plane[n] = (float)(beyond / sum);
        beyond -= layer[n];
    }
    job->grid->plane[2 * FINE] = 0.0f;
}

/* Share of the kernel beyond a plane at `distance`, and its slope. */
static float plane_share(const curvature_map *g, float distance, float *slope) {
    const float h = 4.0f * g->node, at = (distance / h + 1.0f) * FINE;
    *slope = 0.0f;
    if (!(at > 0.0f)) return 1.0f;
    if (at >= 2.0f * FINE) return 0.0f;
    const int k = (int)at;
    const float step = g->plane[k + 1] - g->plane[k];
    *slope = step * FINE / h;
    return g->plane[k] + (at - (float)k) * step;
}

/* The share covered by the contacts of a point without the map: planes, of which an inner corner of a polygon shows
   two. */
static float reference_share(const curvature_job *job, vec p) {
    wall walls[PLACED_WALLS_MAX] = {{.distance = 0.0f}};
    int count = 1;
    if (rill_shape_has_edges(job->shape))
        count = rill_shape_edge_walls(job->shape, p, job->support, walls);
    else
        walls[0].distance = solid_distance(job->shape, p);
    float open = 1.0f, unused;
    for (int k = 0; k < count; k++) open *= 1.0f - plane_share(job->grid, walls[k].distance, &unused);
    return 1.0f - open;
}

/* ---- blocks ---- */

static vec block_corner(const curvature_job *job, int32_t block) {
    const curvature_map *g = job->grid;
    const float edge = BLOCK_CELLS * g->node;
    int32_t at = block;
    vec low = {0};
    for (int axis = 0; axis < DIM; axis++) {
        (&low.x)[axis] = g->low[axis] + (float)(at % g->blocks[axis]) * edge;
        at /= g->blocks[axis];
    }
    return low;
}

static vec cube_centre(vec corner, float cube, int a, int b, int c) {
    vec p = corner;
    p.x += ((float)a + 0.5f) * cube, p.y += ((float)b + 0.5f) * cube;
#if DIM == 3
    p.z += ((float)c + 0.5f) * cube;
#else
    (void)c;
#endif
    return p;
}

/* Finds the part of each cube of a group that lies in the solid. */
static void fill_group(const curvature_job *job, vec corner, int a, int b, int c, float *cubes) {
    const float cube = job->support / FINE, reach = 0.5f * (GROUP - 1) * cube * (DIM == 2 ? 1.42f : 1.74f);
    const int last = DIM == 2 ? 1 : GROUP;
    vec middle = corner;
    middle.x += ((float)a + 0.5f * GROUP) * cube, middle.y += ((float)b + 0.5f * GROUP) * cube;
#if DIM == 3
    middle.z += ((float)c + 0.5f * GROUP) * cube;
#endif
    const float d = solid_distance(job->shape, middle);
    for (int k = 0; k < last; k++)
        for (int j = 0; j < GROUP; j++)
            for (int i = 0; i < GROUP; i++) {
                float in = d < 0.0f ? 1.0f : 0.0f;
                if (fabsf(d) < reach + cube) {
                    const vec p = cube_centre(corner, cube, a + i, b + j, c + k);
                    in = fminf(fmaxf(0.5f - solid_distance(job->shape, p) / cube, 0.0f), 1.0f);
                }
                cubes[((c + k) * CUBES + b + j) * CUBES + column_of(a + i)] = in;
            }
}

/* Finds the part of the kernel around each node of a row that lies in the solid. */
static void sum_shares(const curvature_job *job, const float *row, float share[LANES]) {
    quad sum[QUADS] = {0};
    for (int n = 0; n < job->stencil_count; n++) {
        const float *seen = row + job->stencil[n], weight = job->weight[n];
        for (int k = 0; k < QUADS; k++) sum[k] += weight * quad_load(seen + 4 * k);
    }
    for (int k = 0; k < QUADS; k++) quad_store(share + 4 * k, sum[k]);
}

/* Makes a row of nodes. `first` is the first node's place, `row` its row of cubes. */
static void make_row(const curvature_job *job, vec first, const float *row, float *out) {
    float share[LANES] = {0}, plane[BLOCK_SIDE];
    bool any = false;
    for (int a = 0; a < BLOCK_SIDE; a++) {
        vec p = first;
        p.x += (float)a * job->grid->node;
        plane[a] = reference_share(job, p);
        any = any || plane[a] > LEAST_SHARE;
    }
    if (any) sum_shares(job, row, share);
    for (int a = 0; a < BLOCK_SIDE; a++) out[a] = plane[a] > LEAST_SHARE ? share[a] / plane[a] : 1.0f;
}

static void make_block(const curvature_job *job, int slot, float *cubes) {
    const vec low = block_corner(job, job->block_of[slot]);
    vec corner = low;
    for (int axis = 0; axis < DIM; axis++) (&corner.x)[axis] -= job->support;
    for (int c = 0; c < LAYERS(CUBES); c += GROUP)
        for (int b = 0; b < CUBES; b += GROUP)
            for (int a = 0; a < CUBES; a += GROUP) fill_group(job, corner, a, b, c, cubes);
    float *out = job->grid->nodes + (size_t)slot * BLOCK_NODES;
    for (int c = 0; c < LAYERS(BLOCK_SIDE); c++)
        for (int b = 0; b < BLOCK_SIDE; b++, out += BLOCK_SIDE) {
            const int j = FINE + b * STEP, k = DIM == 2 ? 0 : FINE + c * STEP;
            vec first = low;
            first.y += (float)b * job->grid->node;
#if DIM == 3
            first.z += (float)c * job->grid->node;
#endif
            make_row(job, first, cubes + (k * CUBES + j) * CUBES, out);
        }
}

static void make_blocks(int begin, int end, int worker, void *context) {
    const curvature_job *job = context;
    for (int slot = begin; slot < end; slot++) make_block(job, slot, job->cubes + (size_t)worker * CUBE_COUNT);
}

/* ---- the grid ---- */

static bool is_flat(const placed_shape *f) {
    return f->kind == RILL_HALF_SPACE || f->kind == RILL_COMPOUND || (f->kind == RILL_BOX && f->inside);
}

/* Finds the blocks within reach of the surface; writes their places if `block_of` is given. Returns their number. */
static int find_blocks(const curvature_job *job, int32_t *index, int32_t *block_of) {
    const curvature_map *g = job->grid;
    const int32_t all = g->blocks[0] * g->blocks[1] * g->blocks[2];
    const float half = 0.5f * BLOCK_CELLS * g->node, reach = job->support + half * (DIM == 2 ? 1.42f : 1.74f);
    int count = 0;
    for (int32_t block = 0; block < all; block++) {
        vec middle = block_corner(job, block);
        for (int axis = 0; axis < DIM; axis++) (&middle.x)[axis] += half;
        const bool near = fabsf(solid_distance(job->shape, middle)) < reach;
        index[block] = near ? count : -1;
        if (near && block_of) block_of[count] = block;
        count += near;
    }
    return count;
}

static bool lay_out(curvature_job *job) {
    curvature_map *g = job->grid;
    vec low, high;
    rill_placed_local_bounds(job->shape, &low, &high);
    g->node = 0.25f * job->support;
    double all = 1;
    for (int axis = 0; axis < 3; axis++) {
        g->blocks[axis] = 1;
        if (axis >= DIM) continue;
        const double length = (double)vec_get(high, axis) - (double)vec_get(low, axis) + 2 * (double)job->support;
        const double blocks = ceil(length / ((double)g->node * BLOCK_CELLS));
        all *= blocks;
        if (!(all < BLOCKS_MAX)) return false;
        g->blocks[axis] = (int32_t)blocks;
        g->low[axis] = (float)(0.5 * ((double)vec_get(low, axis) + (double)vec_get(high, axis)) -
                               0.5 * blocks * (double)g->node * BLOCK_CELLS);
    }
    return true;
}

static rill_status no_memory(rill_world *w) {
    return rill_fail(&w->error, RILL_MEMORY, "no memory for the density map of a solid");
}

static rill_status make_nodes(rill_world *w, curvature_job *job) {
    curvature_map *g = job->grid;
    const size_t all = (size_t)g->blocks[0] * (size_t)g->blocks[1] * (size_t)g->blocks[2];
    g->index = rill_memory_get(&w->memory, sizeof(int32_t) * all);
    if (!g->index) return no_memory(w);
    g->count = find_blocks(job, g->index, NULL);
    if (g->count == 0) return RILL_OK;
    const size_t cubes = sizeof(float) * CUBE_COUNT * (size_t)rill_parallel_workers(w->workers);
    const size_t places = sizeof(int32_t) * (size_t)g->count;
    int32_t *block_of = rill_memory_get(&w->memory, places);
    job->cubes = rill_memory_get(&w->memory, cubes);
    g->nodes = rill_memory_get(&w->memory, sizeof(float) * BLOCK_NODES * (size_t)g->count);
    const bool ok = block_of && job->cubes && g->nodes;
    if (ok) {
        find_blocks(job, g->index, block_of);
        job->block_of = block_of;
        rill_parallel_for_workers(w->workers, g->count, 1, make_blocks, job);
    }
    if (block_of) rill_memory_release(&w->memory, block_of, places);
    if (job->cubes) rill_memory_release(&w->memory, job->cubes, cubes);
    return ok ? RILL_OK : no_memory(w);
}

rill_status rill_curvature_map_make(rill_world *w, shared_shape *shared, const placed_shape *f) {
    if (is_flat(f)) return RILL_OK;
    curvature_job *job = rill_memory_get(&w->memory, sizeof *job);
    if (!job) return no_memory(w);
    *job = (curvature_job){.shape = f, .grid = &shared->curvature, .support = w->support};
    make_stencil(job, w->def.quality);
    const rill_status status = lay_out(job) ? make_nodes(w, job) : RILL_OK;
    rill_memory_release(&w->memory, job, sizeof *job);
    return status;
}

/* ---- looking up ---- */

float rill_curvature_map_at(const curvature_map *g, vec p, vec *slope) {
    *slope = (vec){0};
    if (!g->nodes) return 1.0f;
    int32_t block = 0, stride = 1;
    int cell[DIM];
    float share[DIM];
    for (int axis = 0; axis < DIM; axis++) {
        const float at = (vec_get(p, axis) - g->low[axis]) / g->node;
        if (!(at >= 0.0f && at < (float)(g->blocks[axis] * BLOCK_CELLS))) return 1.0f;
        const int node = (int)at;
        block += node / BLOCK_CELLS * stride;
        stride *= g->blocks[axis];
        cell[axis] = node % BLOCK_CELLS;
        share[axis] = at - (float)node;
    }
    if (g->index[block] < 0) return 1.0f;
    const float *nodes = g->nodes + (size_t)g->index[block] * BLOCK_NODES;
    float sum = 0.0f;
    for (int corner = 0; corner < 1 << DIM; corner++) {
        int at = 0, step = 1;
        float weight = 1.0f, along[DIM];
        for (int axis = 0; axis < DIM; axis++) along[axis] = 1.0f;
        for (int axis = 0; axis < DIM; axis++) {
            const int up = corner >> axis & 1;
            const float part = up ? share[axis] : 1.0f - share[axis];
            at += (cell[axis] + up) * step;
            step *= BLOCK_SIDE;
            weight *= part;
            for (int other = 0; other < DIM; other++) along[other] *= other == axis ? (up ? 1.0f : -1.0f) : part;
        }
        sum += weight * nodes[at];
        for (int axis = 0; axis < DIM; axis++) (&slope->x)[axis] += along[axis] * nodes[at] / g->node;
    }
    return sum;
}

vec rill_curvature_map_lean(const curvature_map *g, const wall *at, vec slope) {
    if (!g->nodes) return at->normal;
    float fall;
    const float share = plane_share(g, at->distance, &fall);
    if (!(share > LEAST_SHARE)) return at->normal;
    return vec_direction(vec_along(vec_scale(at->normal, -fall * at->scale), -share, slope));
}
