/* SPDX-License-Identifier: MIT */
/* The field at the nodes of the blocks. Each particle adds its kernel to the nodes it reaches, a row at a time. Near a
   wall, the part of the kernel behind it counts as filled, and nodes nearer than half a spacing take the field half a
   spacing away. So the fluid ends exactly at the wall and meets it at a right angle. */
#include "core/wide.h"
#include "surface/surface.h"

#include "core/public_vec.h"

#include <string.h>

/* Least share of a kernel that a gap leaves. In a narrower gap there are too few particles to extrapolate from. */
#define LEAST_COVER 0.15f

typedef struct grid_block {
    const rill_surface *surface;
    const int32_t *place;
    const point_set *points;
    float *values;
    int depth;
} grid_block;

/* ---- walls ---- */

static bool wall_at(const rill_surface *s, int wall, const float at[3], near_wall *found) {
    const rill_vec point = {at[0], at[1], at[2]};
    rill_vec normal = {0, 0, 0};
    const float distance = s->input->wall(wall, point, &normal, s->input->wall_context);
    if (!(fabsf(distance) < HUGE_VALF)) return false;
    const float length = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
    if (length > 0.0f) normal = (rill_vec){normal.x / length, normal.y / length, normal.z / length};
    *found = (near_wall){distance, normal, wall};
    return true;
}

/* Inserts a wall into the list of the nearest ones, sorted by distance. */
static int insert_wall(near_wall *walls, int count, int most, near_wall found) {
    int k = count < most ? count : most - 1;
    if (count == most && found.distance >= walls[most - 1].distance) return count;
    for (; k > 0 && walls[k - 1].distance > found.distance; k--) walls[k] = walls[k - 1];
    walls[k] = found;
    return count < most ? count + 1 : most;
}

int rill_surface_walls_near(const rill_surface *s, const float at[3], float reach, near_wall *walls, int most) {
    int count = 0;
    near_wall found;
    for (int w = 0; surface_has_walls(s) && w < s->input->wall_count; w++)
        if (wall_at(s, w, at, &found) && found.distance < reach) count = insert_wall(walls, count, most, found);
    return count;
}

int rill_surface_walls_of(const rill_surface *s, const near_wall *list, int count, const float at[3], float reach,
                          near_wall *walls, int most) {
    int kept = 0;
    near_wall found;
    for (int k = 0; k < count; k++)
        if (wall_at(s, list[k].wall, at, &found) && found.distance < reach)
            kept = insert_wall(walls, kept, most, found);
    return kept;
}

/* The step away from the nearest wall. In a wedge it goes along the sum of both walls' normals: in a gap too narrow for
   a particle the way out is sideways. */
static rill_vec step_away(const near_wall *walls, int count, float keep) {
    rill_vec n = walls[0].normal;
    float step = fmaxf(keep - walls[0].distance, 0.0f);
    if (count > 1 && vec_dot(n, walls[1].normal) < 0.0f) {
        const rill_vec m = walls[1].normal, sum = {n.x + m.x, n.y + m.y, n.z + m.z};
        const float length = sqrtf(vec_dot(sum, sum));
        if (length > 1e-3f) n = (rill_vec){sum.x / length, sum.y / length, sum.z / length}, step = keep;
    }
    return (rill_vec){step * n.x, step * n.y, step * n.z};
}

/* Moves a place until it is half a spacing away from each wall, as far as that is possible. */
static void push_away(const rill_surface *s, const near_wall *list, int count, float at[3]) {
    const float keep = 0.5f * s->recipe.spacing;
    near_wall walls[2];
    for (int round = 0; round < 4; round++) {
        const int found = rill_surface_walls_of(s, list, count, at, 2.0f * keep, walls, 2);
        const bool wedge = found > 1 && vec_dot(walls[0].normal, walls[1].normal) < 0.0f;
        if (found == 0 || (walls[0].distance >= keep && !wedge)) return;
        const rill_vec step = step_away(walls, found, keep);
        at[0] += step.x, at[1] += step.y, at[2] += step.z;
    }
}

/* The share of a kernel in front of the walls. Two walls that face each other both cut off a part. */
static float cover_between(const recipe *r, const near_wall *walls, int count, float distance) {
    const float one = rill_cover_at(r, distance);
    if (count < 2) return one;
    const float facing = -vec_dot(walls[0].normal, walls[1].normal);
    if (!(facing > 0.0f)) return one;
    const float other = rill_cover_at(r, walls[1].distance > distance ? walls[1].distance : distance);
    return fmaxf(one - facing * (1.0f - other), LEAST_COVER);
}

static float to_metres(const recipe *r, float field) {
    return (field - r->level) / r->slope;
}

static float value_near_walls(const grid_block *g, const near_wall *list, int count, const float at[3], float value) {
    const rill_surface *s = g->surface;
    const recipe *r = &s->recipe;
    near_wall walls[2];
    const int found = rill_surface_walls_of(s, list, count, at, r->radius, walls, 2);
    if (found == 0) return value;
    const float distance = walls[0].distance, keep = 0.5f * r->spacing, end = distance + s->overlap;
    /* No cell joins a node this deep in a wall to one in the fluid. */
    if (end < -1.01f * s->cell) return end;
    /* The field only grows with the distance from the wall, so the wall determines the value. */
    if (distance < keep && value >= end) return end;
    const bool wedge = found > 1 && walls[1].distance < 2.0f * keep && vec_dot(walls[0].normal, walls[1].normal) < 0.0f;
    if (distance >= keep && !wedge) {
        const float cover = cover_between(r, walls, found, distance), field = value * r->slope + r->level;
        return fminf(to_metres(r, field / (r->field == RILL_SURFACE_DISTANCE ? sqrtf(cover) : cover)), end);
    }
    float place[3] = {at[0], at[1], at[2]};
    push_away(s, list, count, place);
    const int there = rill_surface_walls_of(s, list, count, place, r->radius, walls, 2);
    return fminf(to_metres(r, rill_field_at(r, g->points, place, cover_between(r, walls, there, keep))), end);
}

static void end_at_walls(const grid_block *g) {
    const rill_surface *s = g->surface;
    if (!surface_has_walls(s)) return;
    const float half = 0.5f * (float)(BLOCK - 1) * s->cell;
    const float centre[3] = {node_at(s, g->place[0], 0) + half, node_at(s, g->place[1], 0) + half,
                             s->recipe.dim == 3 ? node_at(s, g->place[2], 0) + half : 0.0f};
    const float corner = half * (s->recipe.dim == 3 ? 1.7320508f : 1.4142136f);
    near_wall list[NEAR_WALLS];
    const int count = rill_surface_walls_near(s, centre, corner + s->recipe.radius, list, NEAR_WALLS);
    for (int n = 0; count && n < BLOCK * BLOCK * g->depth; n++) {
        const float at[3] = {node_at(s, g->place[0], n % BLOCK), node_at(s, g->place[1], n / BLOCK % BLOCK),
                             node_at(s, g->place[2], n / (BLOCK * BLOCK))};
        g->values[n] = value_near_walls(g, list, count, at, g->values[n]);
    }
}

/* Closes the surface at the faces of a periodic box. */
static void end_at_box(const grid_block *g) {
    const rill_surface *s = g->surface;
    for (int n = 0; s->periodic && n < BLOCK * BLOCK * g->depth; n++) {
        const int node[3] = {n % BLOCK, n / BLOCK % BLOCK, n / (BLOCK * BLOCK)};
        for (int a = 0; a < 3 && a < s->recipe.dim; a++) {
            const float x = node_at(s, g->place[a], node[a]);
            g->values[n] = fminf(g->values[n], fminf(x - s->box_min[a], s->box_max[a] - x));
        }
    }
}

/* ---- sums ---- */

WIDE_FN wide row_distance(const recipe *r, wide dx, float square, float weight) {
    const wide q = wide_sqrt(dx * dx + wide_set(square)) * wide_set(1.0f / r->radius);
    const wide t = wide_max(wide_set(1.0f) - q, wide_zero());
    return wide_set(weight) * t * t;
}

/* Kernel at q^2 = xx dx^2 + linear dx + rest. */
WIDE_FN wide row_smooth(wide dx, float xx, float linear, float rest, float weight) {
    const wide q = dx * (wide_set(xx) * dx + wide_set(linear)) + wide_set(rest);
    const wide t = wide_max(wide_set(1.0f) - q, wide_zero());
    return wide_set(weight) * t * t * t;
}

/* The nodes of the block that a point reaches along an axis; false if there are none. */
static bool node_range(const grid_block *g, int axis, float x, float reach, int *first, int *last) {
    const rill_surface *s = g->surface;
    const float origin = node_at(s, g->place[axis], 0);
    const int most = axis < s->recipe.dim ? BLOCK - 1 : 0;
    const float low = ceilf((x - reach - origin) / s->cell), high = floorf((x + reach - origin) / s->cell);
    if (high < 0.0f || low > (float)most) return false;
    *first = low > 0.0f ? (int)low : 0;
    *last = high < (float)most ? (int)high : most;
    return true;
}

/* Half the edges of an ellipsoid's bounding box: square roots of the diagonal of the inverse form. */
static void ellipsoid_box(const point_set *p, int k, int dim, float half[3]) {
    const float xx = p->form[0][k], yy = p->form[1][k], zz = p->form[2][k];
    const float xy = p->form[3][k], xz = p->form[4][k], yz = p->form[5][k];
    if (dim == 2) {
        const float area = xx * yy - xy * xy;
        half[0] = sqrtf(yy / area), half[1] = sqrtf(xx / area), half[2] = 0.0f;
        return;
    }
    const float a = yy * zz - yz * yz, b = xx * zz - xz * xz, c = xx * yy - xy * xy;
    const float volume = xx * a - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    half[0] = sqrtf(a / volume), half[1] = sqrtf(b / volume), half[2] = sqrtf(c / volume);
}

static void add_distance(const grid_block *g, int k, wide nodes_x, const int first[3], const int last[3]) {
    const recipe *r = &g->surface->recipe;
    const point_set *p = g->points;
    const wide dx = nodes_x - wide_set(p->x[k]);
    for (int z = first[2]; z <= last[2]; z++)
        for (int y = first[1]; y <= last[1]; y++) {
            const float dy = node_at(g->surface, g->place[1], y) - p->y[k];
            const float dz = node_at(g->surface, g->place[2], z) - p->z[k], square = dy * dy + dz * dz;
            float *row = g->values + BLOCK * (y + BLOCK * z);
            if (square >= r->radius * r->radius) continue;
            wide_store(row, wide_load(row) + row_distance(r, dx, square, p->weight[k]));
        }
}

static void add_smooth(const grid_block *g, int k, wide nodes_x, const int first[3], const int last[3]) {
    const point_set *p = g->points;
    const wide dx = nodes_x - wide_set(p->x[k]);
    const float xx = p->form[0][k], yy = p->form[1][k], zz = p->form[2][k];
    const float xy = 2.0f * p->form[3][k], xz = 2.0f * p->form[4][k], yz = 2.0f * p->form[5][k];
    for (int z = first[2]; z <= last[2]; z++)
        for (int y = first[1]; y <= last[1]; y++) {
            const float dy = node_at(g->surface, g->place[1], y) - p->y[k];
            const float dz = node_at(g->surface, g->place[2], z) - p->z[k];
            const float linear = xy * dy + xz * dz, rest = dy * (yy * dy + yz * dz) + zz * dz * dz;
            float *row = g->values + BLOCK * (y + BLOCK * z);
            /* the line through the row misses the ellipsoid */
            if (4.0f * xx * (rest - 1.0f) >= linear * linear) continue;
            wide_store(row, wide_load(row) + row_smooth(dx, xx, linear, rest, p->weight[k]));
        }
}

static void add_point(const grid_block *g, int k, wide nodes_x) {
    const recipe *r = &g->surface->recipe;
    const float at[3] = {g->points->x[k], g->points->y[k], g->points->z[k]};
    float half[3] = {r->radius, r->radius, r->radius};
    int first[3], last[3];
    if (r->field == RILL_SURFACE_ANISOTROPIC) ellipsoid_box(g->points, k, r->dim, half);
    for (int a = 0; a < 3; a++)
        if (!node_range(g, a, at[a], half[a], &first[a], &last[a])) return;
    if (r->field == RILL_SURFACE_DISTANCE)
        add_distance(g, k, nodes_x, first, last);
    else
        add_smooth(g, k, nodes_x, first, last);
}

static void evaluate_block(const grid_block *g) {
    const rill_surface *s = g->surface;
    const recipe *r = &s->recipe;
    const int nodes = BLOCK * BLOCK * g->depth;
    memset(g->values, 0, (size_t)nodes * sizeof(float));
    wide nodes_x = wide_zero();
    for (int x = 0; x < BLOCK; x++) nodes_x[x] = node_at(s, g->place[0], x);
    for (int k = 0; k < g->points->count; k++) add_point(g, k, nodes_x);
    for (int n = 0; n < nodes; n++) {
        const float field = r->field == RILL_SURFACE_DISTANCE ? sqrtf(g->values[n]) : g->values[n];
        g->values[n] = to_metres(r, field);
    }
    end_at_walls(g);
    end_at_box(g);
}

static void evaluate_blocks(int begin, int end, int worker, void *context) {
    const rill_surface *s = context;
    const block *blocks = s->blocks.data;
    const int depth = block_depth(s);
    point_set points = rill_surface_scratch(s, worker);
    for (int b = begin; b < end; b++) {
        if (!blocks[b].active) continue;
        float *values = (float *)s->values.data + (size_t)blocks[b].values * BLOCK * BLOCK * (size_t)depth;
        rill_surface_block_points(s, blocks[b].place, &points, &(int){0});
        evaluate_block(&(grid_block){s, blocks[b].place, &points, values, depth});
    }
}

void rill_surface_evaluate(rill_surface *s) {
    rill_parallel_for_workers(s->workers, s->block_count, 4, evaluate_blocks, s);
}
