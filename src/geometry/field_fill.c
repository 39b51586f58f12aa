/* SPDX-License-Identifier: MIT */
/* Values on the grid. Every block is computed from the mesh alone, so any worker may compute any block. */
#include "geometry/field_job.h"

/* ---- one value ---- */

static bool is_inside(const field_job *job, dvec p) {
    return rill_winding_number(&job->winding, p) > 0.5;
}

static float with_sign(const field_job *job, double distance, bool inside) {
    if (job_is_sheet(job)) return (float)(distance - 0.5 * (double)job->options.thickness);
    return (float)(inside ? -distance : distance);
}

/* ---- corners of blocks ---- */

static void fill_corners(int begin, int end, void *context) {
    const field_job *job = context;
    const distance_field *f = job->field;
    const int row = f->blocks[0] + 1, layer = row * (f->blocks[1] + 1);
    for (int k = begin; k < end; k++) {
        const dvec p = job_node_place(f, k % row * FIELD_BLOCK, k % layer / row * FIELD_BLOCK, k / layer * FIELD_BLOCK);
        const double distance = rill_bvh_closest(&job->near, p, (double)INFINITY, -1).distance;
        f->coarse[k] = with_sign(job, distance, !job_is_sheet(job) && is_inside(job, p));
    }
}

/* ---- choice of fine blocks ---- */

static void block_place(const distance_field *f, int block, int b[3]) {
    b[0] = block % f->blocks[0];
    b[1] = block / f->blocks[0] % f->blocks[1];
    b[2] = block / f->blocks[0] / f->blocks[1];
}

/* Distances below this are stored at full resolution. It is two cells more than asked for: one because coarse
   neighbours overwrite nodes of the last layer of cells, and one for the smoothed slope. */
static double band_of(const field_job *job) {
    return (double)job->options.margin + 0.5 * (double)job->options.thickness + 2.0 * (double)job->options.cell;
}

static bool corners_differ(const distance_field *f, const int b[3]) {
    const bool first = f->coarse[field_corner_at(f, b[0], b[1], b[2])] < 0.0f;
    for (int k = 1; k < 8; k++)
        if ((f->coarse[field_corner_at(f, b[0] + (k & 1), b[1] + (k >> 1 & 1), b[2] + (k >> 2))] < 0.0f) != first)
            return true;
    return false;
}

/* Tests the eight octants of a block: is the surface near one, or, if the mesh has holes, does the sign change
   inside? */
static bool block_matters(const field_job *job, const int b[3]) {
    const distance_field *f = job->field;
    const double cell = (double)f->options.cell, radius = 0.25 * FIELD_BLOCK * cell * sqrt(3.0);
    if (corners_differ(f, b)) return true;
    const bool inside = f->coarse[field_corner_at(f, b[0], b[1], b[2])] < 0.0f;
    for (int k = 0; k < 8; k++) {
        const double quarter = 0.25 * FIELD_BLOCK;
        const dvec offset = {((k & 1) * 2 + 1) * quarter, ((k >> 1 & 1) * 2 + 1) * quarter,
                             ((k >> 2) * 2 + 1) * quarter};
        const dvec p =
            dvec_along(job_node_place(f, b[0] * FIELD_BLOCK, b[1] * FIELD_BLOCK, b[2] * FIELD_BLOCK), cell, offset);
        if (rill_bvh_closest(&job->near, p, radius + band_of(job), -1).triangle >= 0) return true;
        if (!job->report.closed && !job_is_sheet(job) && is_inside(job, p) != inside) return true;
    }
    return false;
}

static void choose_blocks(int begin, int end, void *context) {
    field_job *job = context;
    for (int block = begin; block < end; block++) {
        int b[3];
        block_place(job->field, block, b);
        job->wanted[block] = block_matters(job, b);
    }
}

static int32_t number_blocks(const field_job *job) {
    int32_t count = 0;
    for (size_t k = 0; k < field_block_count(job->field); k++) job->field->index[k] = job->wanted[k] ? count++ : -1;
    return count;
}

/* ---- nodes of fine blocks ---- */

/* The result at the previous node: its triangle is a good hint for the next one, and its sign is often the same. */
typedef struct walker {
    double distance;
    int32_t slot; /* -1: no previous node */
    bool inside;
} walker;

static float node_value(const field_job *job, dvec p, walker *last) {
    const double step = (double)job->options.cell * (1.0 + 1e-6);
    const bvh_hit hit = rill_bvh_closest(&job->near, p, (double)INFINITY, last->slot);
    if (!job_is_sheet(job)) {
        /* The sign of a closed surface changes only across it, so a node farther than a cell from it passes its sign
           on. */
        const bool same = last->slot >= 0 && job->report.closed && last->distance > step;
        if (!same) last->inside = is_inside(job, p);
    }
    last->distance = hit.distance, last->slot = hit.slot;
    return with_sign(job, hit.distance, last->inside);
}

/* Adjacent blocks share the nodes on their faces. Returns the fine block that computes a node on an upper face of block
   b, or -1 if b computes it itself. `there` receives the node's place in that block. */
static int32_t owner_of(const distance_field *f, const int b[3], const int node[3], int there[3]) {
    int next[3];
    for (int axis = 0; axis < 3; axis++) {
        const bool last = node[axis] == FIELD_BLOCK;
        next[axis] = b[axis] + last;
        there[axis] = last ? 0 : node[axis];
        if (next[axis] == f->blocks[axis]) return -1;
    }
    if (next[0] == b[0] && next[1] == b[1] && next[2] == b[2]) return -1;
    return f->index[field_block_at(f, next[0], next[1], next[2])];
}

static void fill_block(const field_job *job, const int b[3], float *nodes) {
    walker layer = {.slot = -1};
    int n[3], there[3];
    for (n[2] = 0; n[2] < FIELD_SIDE; n[2]++) {
        walker row = layer;
        for (n[1] = 0; n[1] < FIELD_SIDE; n[1]++) {
            walker last = row;
            for (n[0] = 0; n[0] < FIELD_SIDE; n[0]++) {
                if (owner_of(job->field, b, n, there) >= 0) {
                    last.distance = 0.0; /* the next node must not reuse the sign */
                } else {
                    const dvec p = job_node_place(job->field, b[0] * FIELD_BLOCK + n[0], b[1] * FIELD_BLOCK + n[1],
                                                  b[2] * FIELD_BLOCK + n[2]);
                    nodes[field_node_at(n[0], n[1], n[2])] = node_value(job, p, &last);
                }
                if (n[0] == 0) row = last;
            }
            if (n[1] == 0) layer = row;
        }
    }
}

static void copy_shared(const distance_field *f, const int b[3], float *nodes) {
    int n[3], there[3];
    for (n[2] = 0; n[2] < FIELD_SIDE; n[2]++)
        for (n[1] = 0; n[1] < FIELD_SIDE; n[1]++)
            for (n[0] = 0; n[0] < FIELD_SIDE; n[0]++) {
                const int32_t owner = owner_of(f, b, n, there);
                if (owner < 0) continue;
                nodes[field_node_at(n[0], n[1], n[2])] =
                    field_block_nodes(f, owner)[field_node_at(there[0], there[1], there[2])];
            }
}

static void fill_fine(int begin, int end, void *context) {
    const field_job *job = context;
    int b[3];
    for (int block = begin; block < end; block++) {
        const int32_t fine = job->field->index[block];
        block_place(job->field, block, b);
        if (fine >= 0) fill_block(job, b, field_block_nodes(job->field, fine));
    }
}

/* The source node has all its indices below FIELD_BLOCK, so it is never overwritten itself. */
static void copy_fine(int begin, int end, void *context) {
    const field_job *job = context;
    int b[3];
    for (int block = begin; block < end; block++) {
        const int32_t fine = job->field->index[block];
        block_place(job->field, block, b);
        if (fine >= 0) copy_shared(job->field, b, field_block_nodes(job->field, fine));
    }
}

rill_status rill_job_fill(field_job *job) {
    const int blocks = (int)field_block_count(job->field);
    rill_parallel_for(job->workers, (int)field_corner_count(job->field), 64, fill_corners, job);
    rill_parallel_for(job->workers, blocks, 16, choose_blocks, job);
    if (!rill_field_set_fine(job->memory, job->field, number_blocks(job))) return RILL_MEMORY;
    rill_parallel_for(job->workers, blocks, 4, fill_fine, job);
    rill_parallel_for(job->workers, blocks, 64, copy_fine, job);
    return RILL_OK;
}

/* ---- fine beside coarse ---- */

/* Does a coarse block touch this node of block b? Only a node on the block's boundary has other blocks around it. */
static bool touches_coarse(const distance_field *f, const int b[3], const int node[3]) {
    int low[3], high[3], n[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = b[axis] - (node[axis] == 0 && b[axis] > 0);
        high[axis] = b[axis] + (node[axis] == FIELD_BLOCK && b[axis] + 1 < f->blocks[axis]);
    }
    for (n[2] = low[2]; n[2] <= high[2]; n[2]++)
        for (n[1] = low[1]; n[1] <= high[1]; n[1]++)
            for (n[0] = low[0]; n[0] <= high[0]; n[0]++)
                if (f->index[field_block_at(f, n[0], n[1], n[2])] < 0) return true;
    return false;
}

static void join_block(const distance_field *f, int block, float *nodes) {
    const float step = 1.0f / FIELD_BLOCK;
    int b[3], n[3];
    block_place(f, block, b);
    for (n[2] = 0; n[2] < FIELD_SIDE; n[2]++)
        for (n[1] = 0; n[1] < FIELD_SIDE; n[1]++)
            for (n[0] = 0; n[0] < FIELD_SIDE; n[0]++) {
                if (!touches_coarse(f, b, n)) continue;
                nodes[field_node_at(n[0], n[1], n[2])] = rill_field_coarse_value(
                    f, b[0], b[1], b[2], (float)n[0] * step, (float)n[1] * step, (float)n[2] * step);
            }
}

static void join_fine(int begin, int end, void *context) {
    const field_job *job = context;
    for (int block = begin; block < end; block++) {
        const int32_t fine = job->field->index[block];
        if (fine >= 0) join_block(job->field, block, field_block_nodes(job->field, fine));
    }
}

void rill_job_join_blocks(field_job *job) {
    rill_parallel_for(job->workers, (int)field_block_count(job->field), 16, join_fine, job);
}
