/* SPDX-License-Identifier: MIT */
/* Signed distances to shapes in their own frame: negative inside. */
#include "solid/placed_shape.h"

#include <float.h>

static float box_distance(const placed_shape *f, vec p, vec *normal) {
    vec q = {0}, out = {0};
    float *qs = &q.x, *outs = &out.x;
    int nearest = 0;
    for (int axis = 0; axis < DIM; axis++) {
        qs[axis] = fabsf(vec_get(p, axis)) - vec_get(f->half, axis);
        if (qs[axis] > qs[nearest]) nearest = axis;
    }
    if (qs[nearest] <= 0.0f) {
        outs[nearest] = vec_get(p, nearest) < 0.0f ? -1.0f : 1.0f;
        *normal = out;
        return qs[nearest];
    }
    for (int axis = 0; axis < DIM; axis++)
        if (qs[axis] > 0.0f) outs[axis] = vec_get(p, axis) < 0.0f ? -qs[axis] : qs[axis];
    *normal = vec_direction(out);
    return vec_length(out);
}

/* Point of the segment a-b nearest to p; `share` along it in [0, 1]. */
static vec nearest_on_segment(vec a, vec b, vec p, float *share) {
    const vec ab = vec_sub(b, a);
    const float length2 = vec_dot(ab, ab);
    float s = length2 > 0.0f ? vec_dot(vec_sub(p, a), ab) / length2 : 0.0f;
    s = s < 0.0f ? 0.0f : s > 1.0f ? 1.0f : s;
    *share = s;
    return vec_along(a, s, ab);
}

static float capsule_distance(vec a, vec b, float radius, vec p, vec *normal) {
    float share;
    const vec away = vec_sub(p, nearest_on_segment(a, b, p, &share));
    *normal = vec_direction(away);
    return vec_length(away) - radius;
}

#if DIM == 2

/* Edges whose normals have a larger cosine than this are one wall. The curvature map knows their obtuse corner. Two
   walls there would be one in one place and two in the next; where edges meet at a right angle or less, the second one
   fades in. */
#define SAME_WALL 0.3f

bool rill_shape_has_edges(const placed_shape *f) {
    return f->kind == RILL_POLYGON || f->kind == RILL_HULL || f->kind == RILL_HEIGHTFIELD;
}

static vec edge_start(const float *e) {
    return (vec){e[0], e[1]};
}

static vec edge_end(const float *e) {
    return (vec){e[2], e[3]};
}

/* The outward normal; the shape is on the left of its edges. */
static vec edge_normal(const float *e) {
    const vec along = vec_direction(vec_sub(edge_end(e), edge_start(e)));
    return (vec){along.y, -along.x};
}

/* Squared distance to the box of a group of edges. */
static float box_distance2(const float *box, vec p) {
    const float x = fmaxf(fmaxf(box[0] - p.x, p.x - box[2]), 0.0f);
    const float y = fmaxf(fmaxf(box[1] - p.y, p.y - box[3]), 0.0f);
    return x * x + y * y;
}

static int box_end(const outline *o, int box) {
    return EDGE_BOX * (box + 1) < o->count ? EDGE_BOX * (box + 1) : o->count;
}

/* Finds the nearest edge, and the vector from its nearest point to p. */
static int nearest_edge(const placed_shape *f, vec p, vec *away) {
    const outline *o = &f->shared->model.edges;
    float best = FLT_MAX;
    int found = 0;
    for (int box = 0; box < rill_shape_box_count(&f->shared->model); box++) {
        if (box_distance2(f->shared->model.boxes[box], p) >= best) continue;
        for (int k = EDGE_BOX * box; k < box_end(o, box); k++) {
            float share;
            const float *e = o->edges[k];
            const vec d = vec_sub(p, nearest_on_segment(edge_start(e), edge_end(e), p, &share));
            if (vec_dot(d, d) < best) best = vec_dot(d, d), *away = d, found = k;
        }
    }
    return found;
}

/* Whether p is inside: a ray to the right crosses an odd number of edges. */
static bool contains(const placed_shape *f, vec p) {
    const outline *o = &f->shared->model.edges;
    bool in = false;
    for (int box = 0; box < rill_shape_box_count(&f->shared->model); box++) {
        const float *around = f->shared->model.boxes[box];
        if (p.y < around[1] || p.y > around[3] || p.x > around[2]) continue;
        for (int k = EDGE_BOX * box; k < box_end(o, box); k++) {
            const vec a = edge_start(o->edges[k]), b = edge_end(o->edges[k]);
            if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y))) in = !in;
        }
    }
    return in;
}

static float polygon_distance(const placed_shape *f, vec p, vec *normal) {
    vec away = {0};
    const int edge = nearest_edge(f, p, &away);
    const float sign = contains(f, p) ? -1.0f : 1.0f, length = vec_length(away);
    *normal = length > 1e-12f ? vec_scale(away, sign / length) : edge_normal(f->shared->model.edges.edges[edge]);
    return sign * length;
}

static float segments_distance(const placed_shape *f, vec p, vec *normal) {
    vec away = {0};
    nearest_edge(f, p, &away);
    *normal = vec_direction(away);
    return vec_length(away) - f->radius;
}

int rill_shape_edge_walls(const placed_shape *f, vec p, float reach, wall *walls) {
    const float flip = f->inside ? -1.0f : 1.0f;
    const outline *o = &f->shared->model.edges;
    vec normal;
    const float nearest = flip * polygon_distance(f, p, &normal);
    if (nearest >= reach) return 0;
    walls[0] = (wall){.distance = nearest, .scale = 1.0f, .normal = vec_scale(normal, flip)};
    int count = 1;
    for (int box = 0; nearest > 0.0f && box < rill_shape_box_count(&f->shared->model); box++) {
        if (box_distance2(f->shared->model.boxes[box], p) >= reach * reach) continue;
        for (int k = EDGE_BOX * box; k < box_end(o, box) && count < PLACED_WALLS_MAX; k++) {
            const float *e = o->edges[k];
            const vec n = vec_scale(edge_normal(e), flip);
            float share;
            const vec away = vec_sub(p, nearest_on_segment(edge_start(e), edge_end(e), p, &share));
            const float d = vec_dot(away, n);
            if (!(share > 0.0f && share < 1.0f && d > 0.0f && d < reach)) continue;
            bool known = false;
            for (int j = 0; j < count; j++) known = known || vec_dot(walls[j].normal, n) > SAME_WALL;
            if (!known) walls[count++] = (wall){.distance = d, .scale = 1.0f, .normal = n};
        }
    }
    return count;
}

#else

bool rill_shape_has_edges(const placed_shape *f) {
    (void)f;
    return false;
}

int rill_shape_edge_walls(const placed_shape *f, vec p, float reach, wall *walls) {
    (void)f, (void)p, (void)reach, (void)walls;
    return 0;
}

/* Some direction perpendicular to a. */
static vec across(vec a) {
    return vec_direction(fabsf(a.x) < 0.5f ? (vec){0.0f, a.z, -a.y} : (vec){a.y, -a.x, 0.0f});
}

/* Across the axis and along it, the distance is that of a rectangle. */
static float cylinder_distance(const placed_shape *f, vec p, vec *normal) {
    const float length = vec_length(f->b), half = 0.5f * length;
    const vec axis = vec_scale(f->b, 1.0f / length);
    const float height = vec_dot(p, axis) - half;
    vec out = vec_along(p, -(height + half), axis);
    const float r = vec_length(out), side = height < 0.0f ? -1.0f : 1.0f;
    out = r > 1e-12f ? vec_scale(out, 1.0f / r) : across(axis);
    const float wide = r - f->radius, tall = fabsf(height) - half;
    if (wide <= 0.0f && tall <= 0.0f) {
        *normal = wide > tall ? out : vec_scale(axis, side);
        return fmaxf(wide, tall);
    }
    const vec away = vec_along(vec_scale(out, fmaxf(wide, 0.0f)), side * fmaxf(tall, 0.0f), axis);
    *normal = vec_direction(away);
    return vec_length(away);
}

static float torus_distance(const placed_shape *f, vec p, vec *normal) {
    const float height = vec_dot(p, f->normal);
    vec out = vec_along(p, -height, f->normal);
    const float r = vec_length(out);
    out = r > 1e-12f ? vec_scale(out, 1.0f / r) : across(f->normal);
    const vec away = vec_along(vec_scale(out, r - f->radius), height, f->normal);
    *normal = vec_direction(away);
    return vec_length(away) - f->tube;
}

static float field_distance(const placed_shape *f, vec p, vec *normal) {
    const float at[3] = {p.x, p.y, p.z};
    float d, gradient[3];
    rill_field_sample(f->shared->model.field, at, &d, gradient);
    *normal = (vec){gradient[0], gradient[1], gradient[2]};
    return d;
}

#endif

float rill_shape_distance(const placed_shape *f, vec p, vec *normal) {
    switch (f->kind) {
    case RILL_HALF_SPACE:
        *normal = f->normal;
        return vec_dot(p, f->normal);
    case RILL_BOX:
        return box_distance(f, p, normal);
    case RILL_SPHERE:
    case RILL_CAPSULE:
        return capsule_distance((vec){0}, f->b, f->radius, p, normal);
#if DIM == 2
    case RILL_POLYGON:
    case RILL_HULL:
    case RILL_HEIGHTFIELD:
        return polygon_distance(f, p, normal);
    case RILL_SEGMENTS:
        return segments_distance(f, p, normal);
#else
    case RILL_CYLINDER:
        return cylinder_distance(f, p, normal);
    case RILL_TORUS:
        return torus_distance(f, p, normal);
    case RILL_HULL:
    case RILL_MESH:
    case RILL_HEIGHTFIELD:
        return field_distance(f, p, normal);
#endif
    default:
        break;
    }
    *normal = vec_direction(p);
    return FLT_MAX;
}
