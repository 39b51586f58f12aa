/* SPDX-License-Identifier: MIT */
/* A field's memory, and its value at any point. */
#include "geometry/field.h"

#include <string.h>

/* ---- memory ---- */

distance_field *rill_field_create(memory *m, const int32_t blocks[3]) {
    distance_field *f = rill_memory_get(m, sizeof *f);
    if (!f) return NULL;
    *f = (distance_field){.blocks = {blocks[0], blocks[1], blocks[2]}};
    const size_t index_size = field_block_count(f) * sizeof *f->index;
    const size_t coarse_size = field_corner_count(f) * sizeof *f->coarse;
    f->index = rill_memory_get(m, index_size);
    f->coarse = rill_memory_get(m, coarse_size);
    f->bytes = sizeof *f + index_size + coarse_size;
    if (f->index && f->coarse) return f;
    rill_field_free(m, f);
    return NULL;
}

static size_t fine_size(int32_t count) {
    return (size_t)count * FIELD_NODES * sizeof(float);
}

bool rill_field_set_fine(memory *m, distance_field *field, int32_t count) {
    if (field->fine) rill_memory_release(m, field->fine, fine_size(field->fine_count));
    field->bytes -= fine_size(field->fine_count);
    field->fine_count = 0;
    field->fine = rill_memory_get(m, fine_size(count));
    if (!field->fine) return count == 0;
    field->fine_count = count;
    field->bytes += fine_size(count);
    return true;
}

void rill_field_free(memory *m, distance_field *field) {
    if (!field) return;
    if (field->index) rill_memory_release(m, field->index, field_block_count(field) * sizeof *field->index);
    if (field->coarse) rill_memory_release(m, field->coarse, field_corner_count(field) * sizeof *field->coarse);
    if (field->fine) rill_memory_release(m, field->fine, fine_size(field->fine_count));
    rill_memory_release(m, field, sizeof *field);
}

/* ---- values ---- */

static float mix(float a, float b, float t) {
    return a + t * (b - a);
}

/* Trilinear interpolation between eight values; `row` and `layer` are the strides in y and z. */
static float trilinear(const float *v, size_t row, size_t layer, float x, float y, float z) {
    const float near = mix(mix(v[0], v[1], x), mix(v[row], v[row + 1], x), y);
    v += layer;
    const float far = mix(mix(v[0], v[1], x), mix(v[row], v[row + 1], x), y);
    return mix(near, far, z);
}

float rill_field_coarse_value(const distance_field *f, int bx, int by, int bz, float x, float y, float z) {
    const size_t row = (size_t)f->blocks[0] + 1, layer = row * ((size_t)f->blocks[1] + 1);
    return trilinear(f->coarse + field_corner_at(f, bx, by, bz), row, layer, x, y, z);
}

/* Splits a coordinate in [0, limit] into a whole part below `limit`, which is returned, and the rest. */
static int whole_part(float *rest, int limit) {
    int whole = (int)*rest;
    if (whole >= limit) whole = limit - 1;
    *rest -= (float)whole;
    return whole;
}

/* The nodes of the fine block that contains g, and in `rest` the place of g among them. g is measured in cells from the
   grid's origin and lies inside the grid. NULL: the block is coarse, and `rest` is the place in the block, from 0 to
   1. */
static const float *find_nodes(const distance_field *f, const float g[3], int block[3], float rest[3]) {
    for (int axis = 0; axis < 3; axis++) {
        rest[axis] = g[axis] * (1.0f / FIELD_BLOCK);
        block[axis] = whole_part(&rest[axis], f->blocks[axis]);
    }
    const int32_t fine = f->index[field_block_at(f, block[0], block[1], block[2])];
    if (fine < 0) return NULL;
    for (int axis = 0; axis < 3; axis++) rest[axis] = g[axis] - (float)(block[axis] * FIELD_BLOCK);
    return field_block_nodes(f, fine);
}

static float fine_value(const float *nodes, const float place[3]) {
    float rest[3] = {place[0], place[1], place[2]};
    int node[3];
    for (int axis = 0; axis < 3; axis++) node[axis] = whole_part(&rest[axis], FIELD_BLOCK);
    return trilinear(nodes + field_node_at(node[0], node[1], node[2]), FIELD_SIDE, FIELD_SIDE * FIELD_SIDE, rest[0],
                     rest[1], rest[2]);
}

static float value_at(const distance_field *f, const float g[3]) {
    int block[3];
    float rest[3];
    const float *nodes = find_nodes(f, g, block, rest);
    if (nodes) return fine_value(nodes, rest);
    return rill_field_coarse_value(f, block[0], block[1], block[2], rest[0], rest[1], rest[2]);
}

static float clamp(float value, float limit) {
    return !(value > 0.0f) ? 0.0f : value > limit ? limit : value; /* 0 also for a value that is not finite */
}

/* Computed in double: squares of floats may overflow or underflow. */
static double length_of(const float v[3]) {
    return dvec_length(dvec_of_floats(v));
}

/* False if v is shorter than `least` or not finite. */
static bool scale_to_unit(float v[3], double least) {
    const double length = length_of(v);
    if (!(length > least) || !isfinite(length)) return false;
    for (int axis = 0; axis < 3; axis++) v[axis] = (float)((double)v[axis] / length);
    return true;
}

/* Half a cell: central differences over a whole cell are continuous, unlike the slope of the interpolation itself. */
#define SLOPE_STEP 0.5f

/* The common case, in which all samples lie in one fine block. False if they do not. */
static bool slope_within(const float *nodes, const float place[3], float slope[3]) {
    for (int axis = 0; axis < 3; axis++)
        if (place[axis] < SLOPE_STEP || place[axis] > FIELD_BLOCK - SLOPE_STEP) return false;
    for (int axis = 0; axis < 3; axis++) {
        float a[3] = {place[0], place[1], place[2]}, b[3] = {place[0], place[1], place[2]};
        a[axis] -= SLOPE_STEP, b[axis] += SLOPE_STEP;
        slope[axis] = fine_value(nodes, b) - fine_value(nodes, a);
    }
    return true;
}

static void slope_anywhere(const distance_field *f, const float g[3], const float limit[3], float slope[3]) {
    for (int axis = 0; axis < 3; axis++) {
        float a[3] = {g[0], g[1], g[2]}, b[3] = {g[0], g[1], g[2]};
        a[axis] = clamp(g[axis] - SLOPE_STEP, limit[axis]);
        b[axis] = clamp(g[axis] + SLOPE_STEP, limit[axis]);
        slope[axis] = (value_at(f, b) - value_at(f, a)) / (b[axis] - a[axis]);
    }
}

/* False if the slope is zero. */
static bool slope_at(const distance_field *f, const float g[3], const float limit[3], float slope[3]) {
    int block[3];
    float place[3];
    const float *nodes = find_nodes(f, g, block, place);
    if (!nodes || !slope_within(nodes, place, slope)) slope_anywhere(f, g, limit, slope);
    for (int axis = 0; axis < 3; axis++) slope[axis] /= f->options.cell;
    return scale_to_unit(slope, 1e-6);
}

/* On a ridge (the middle of a wall, say) the slopes of both sides cancel. Any way out is as good as another there, so
   the slope is taken a little to the side. */
static void direction_at(const distance_field *f, const float g[3], const float limit[3], float direction[3]) {
    if (slope_at(f, g, limit, direction)) return;
    const float aside[3] = {clamp(g[0] + 0.25f, limit[0]), clamp(g[1] + 0.125f, limit[1]),
                            clamp(g[2] + 0.0625f, limit[2])};
    if (slope_at(f, aside, limit, direction)) return;
    direction[0] = 1.0f, direction[1] = direction[2] = 0.0f;
}

/* Continues the distance from q, the grid's nearest point, to a point p outside. The grid is convex and contains the
   whole surface, so for any point s of the surface the angle at q is not acute, and |p - s|^2 >= |p - q|^2 + |q -
   s|^2. */
static void extend(const float away[3], float *distance, float gradient[3]) {
    const double gap = length_of(away), inner = (double)*distance;
    if (!(gap > 0.0)) return;
    *distance = (float)(inner > 0.0 ? sqrt(gap * gap + inner * inner) : inner + gap);
    if (!gradient) return;
    float sum[3];
    for (int axis = 0; axis < 3; axis++) sum[axis] = away[axis] + (float)fmax(inner, 0.0) * gradient[axis];
    if (scale_to_unit(sum, 0.0)) memcpy(gradient, sum, sizeof sum);
}

void rill_field_sample(const distance_field *field, const float p[3], float *distance, float gradient[3]) {
    const float cell = field->options.cell;
    float g[3], limit[3], away[3];
    for (int axis = 0; axis < 3; axis++) {
        limit[axis] = (float)(field->blocks[axis] * FIELD_BLOCK);
        const float inside = (p[axis] - field->origin[axis]) / cell;
        g[axis] = clamp(inside, limit[axis]);
        away[axis] = (inside - g[axis]) * cell;
    }
    *distance = value_at(field, g);
    if (gradient) direction_at(field, g, limit, gradient);
    extend(away, distance, gradient);
}
