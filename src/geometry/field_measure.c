/* SPDX-License-Identifier: MIT */
/* The solid measured on the grid, for meshes that overlap themselves or have holes. The divergence theorem is wrong for
   them. */
#include "geometry/field.h"

typedef struct cell_sum {
    double volume, first[3], second[6];
} cell_sum;

/* Adds a cube of edge a, filled to the share `full`, with its second moment about its own centre. */
static void add_cube(cell_sum *sum, const double x[3], double a, double full) {
    const double volume = full * a * a * a, own = volume * a * a / 12.0;
    sum->volume += volume;
    for (int axis = 0; axis < 3; axis++) {
        const int next = axis == 2 ? 0 : axis + 1;
        sum->first[axis] += volume * x[axis];
        sum->second[axis] += volume * x[axis] * x[axis] + own;
        sum->second[3 + axis] += volume * x[axis] * x[next];
    }
}

/* The share of a cell behind a plane at this signed distance from its centre. */
static double filled_share(float distance, float cell) {
    const double share = 0.5 - (double)distance / (double)cell;
    return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

static float centre_value(const float *v) {
    const size_t row = FIELD_SIDE, layer = FIELD_SIDE * FIELD_SIDE;
    return 0.125f * (((v[0] + v[1]) + (v[row] + v[row + 1])) +
                     ((v[layer] + v[layer + 1]) + (v[layer + row] + v[layer + row + 1])));
}

static void add_block(const distance_field *f, const int b[3], cell_sum *sum) {
    const double cell = (double)f->options.cell;
    const int32_t fine = f->index[field_block_at(f, b[0], b[1], b[2])];
    double x[3];
    if (fine < 0) {
        if (f->coarse[field_corner_at(f, b[0], b[1], b[2])] >= 0.0f) return;
        for (int axis = 0; axis < 3; axis++) x[axis] = (b[axis] + 0.5) * FIELD_BLOCK * cell;
        add_cube(sum, x, FIELD_BLOCK * cell, 1.0);
        return;
    }
    const float *nodes = field_block_nodes(f, fine);
    for (int k = 0; k < FIELD_BLOCK; k++)
        for (int j = 0; j < FIELD_BLOCK; j++)
            for (int i = 0; i < FIELD_BLOCK; i++) {
                const double full = filled_share(centre_value(nodes + field_node_at(i, j, k)), f->options.cell);
                if (full == 0.0) continue;
                const int at[3] = {i, j, k};
                for (int axis = 0; axis < 3; axis++) x[axis] = (b[axis] * FIELD_BLOCK + at[axis] + 0.5) * cell;
                add_cube(sum, x, cell, full);
            }
}

mesh_solid rill_field_measure(const distance_field *field) {
    cell_sum sum = {0};
    int b[3];
    for (b[2] = 0; b[2] < field->blocks[2]; b[2]++)
        for (b[1] = 0; b[1] < field->blocks[1]; b[1]++)
            for (b[0] = 0; b[0] < field->blocks[0]; b[0]++) add_block(field, b, &sum);
    mesh_solid solid = {.volume = sum.volume};
    if (!(sum.volume > 0.0)) return solid;
    double mean[3], s[6];
    for (int axis = 0; axis < 3; axis++) mean[axis] = sum.first[axis] / sum.volume;
    for (int axis = 0; axis < 3; axis++) {
        const int next = axis == 2 ? 0 : axis + 1;
        solid.centre[axis] = (double)field->origin[axis] + mean[axis];
        s[axis] = sum.second[axis] - sum.volume * mean[axis] * mean[axis];
        s[3 + axis] = sum.second[3 + axis] - sum.volume * mean[axis] * mean[next];
    }
    for (int axis = 0; axis < 3; axis++) {
        const int next = axis == 2 ? 0 : axis + 1, last = axis == 0 ? 2 : axis - 1;
        solid.inertia[axis][axis] = s[next] + s[last];
        solid.inertia[axis][next] = solid.inertia[next][axis] = -s[3 + axis];
    }
    return solid;
}
