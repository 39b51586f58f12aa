/* SPDX-License-Identifier: MIT */
/* Signed distances to analytic shapes, in the shape's own frame. */
#include "sim/boundary/form.h"

#include <float.h>

/* ---- frames ---- */

static void turn_identity(float t[DIM][DIM]) {
    for (int r = 0; r < DIM; r++)
        for (int c = 0; c < DIM; c++) t[r][c] = r == c ? 1.0f : 0.0f;
}

void form_turn(float t[DIM][DIM], rill_vec axis, float cosine, float sine) {
#if DIM == 2
    (void)axis;
    t[0][0] = cosine, t[0][1] = -sine;
    t[1][0] = sine, t[1][1] = cosine;
#else /* Rodrigues */
    const vec k = vec_direction(vec_of(axis));
    const float u = 1.0f - cosine;
    t[0][0] = cosine + k.x * k.x * u, t[0][1] = k.x * k.y * u - k.z * sine, t[0][2] = k.x * k.z * u + k.y * sine;
    t[1][0] = k.y * k.x * u + k.z * sine, t[1][1] = cosine + k.y * k.y * u, t[1][2] = k.y * k.z * u - k.x * sine;
    t[2][0] = k.z * k.x * u - k.y * sine, t[2][1] = k.z * k.y * u + k.x * sine, t[2][2] = cosine + k.z * k.z * u;
#endif
}

static vec turn_apply(const float t[DIM][DIM], vec a) {
    vec out = {0};
    float *o = &out.x;
    for (int r = 0; r < DIM; r++)
        for (int c = 0; c < DIM; c++) o[r] += t[r][c] * vec_get(a, c);
    return out;
}

static vec turn_back(const float t[DIM][DIM], vec a) {
    vec out = {0};
    float *o = &out.x;
    for (int r = 0; r < DIM; r++)
        for (int c = 0; c < DIM; c++) o[r] += t[c][r] * vec_get(a, c);
    return out;
}

static vec to_local(const form *f, vec x) {
    x = vec_sub(x, f->origin);
    return f->turned ? turn_back(f->turn, x) : x;
}

vec form_to_world(const form *f, vec local) {
    return vec_add(f->origin, f->turned ? turn_apply(f->turn, local) : local);
}

/* ---- distances in the shape's frame: negative inside the shape ---- */

static float box_distance(const form *f, vec p, vec *normal) {
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
static vec point_at(const form *f, int k) {
    return vec_of(f->points[k < f->point_count ? k : 0]);
}

/* Normal of the edge from a to b that points out of the polygon. */
static vec edge_normal(const form *f, vec a, vec b) {
    const vec along = vec_direction(vec_sub(b, a));
    return f->clockwise ? (vec){-along.y, along.x} : (vec){along.y, -along.x};
}

static bool polygon_contains(const form *f, vec p) {
    bool in = false;
    for (int k = 0; k < f->point_count; k++) {
        const vec a = point_at(f, k), b = point_at(f, k + 1);
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y))) in = !in;
    }
    return in;
}

static float polygon_distance(const form *f, vec p, vec *normal) {
    float best = FLT_MAX;
    vec away = {0}, edge = {0};
    for (int k = 0; k < f->point_count; k++) {
        const vec a = point_at(f, k), b = point_at(f, k + 1);
        float share;
        const vec d = vec_sub(p, nearest_on_segment(a, b, p, &share));
        if (vec_dot(d, d) < best) best = vec_dot(d, d), away = d, edge = edge_normal(f, a, b);
    }
    const float sign = polygon_contains(f, p) ? -1.0f : 1.0f, length = sqrtf(best);
    *normal = length > 1e-12f ? vec_scale(away, sign / length) : edge;
    return sign * length;
}

static float segments_distance(const form *f, vec p, vec *normal) {
    float best = FLT_MAX;
    for (int k = 0; k + 1 < f->point_count; k++) {
        vec n;
        const float d = capsule_distance(point_at(f, k), point_at(f, k + 1), f->radius, p, &n);
        if (d < best) best = d, *normal = n;
    }
    return best;
}
#endif

static float local_distance(const form *f, vec p, vec *normal) {
    switch (f->kind) {
    case RILL_HALF_SPACE:
        *normal = f->normal;
        return vec_dot(vec_sub(p, f->a), f->normal);
    case RILL_BOX:
        return box_distance(f, p, normal);
    case RILL_SPHERE:
    case RILL_CAPSULE:
        return capsule_distance(f->a, f->b, f->radius, p, normal);
#if DIM == 2
    case RILL_POLYGON:
        return polygon_distance(f, p, normal);
    case RILL_SEGMENTS:
        return segments_distance(f, p, normal);
#endif
    default:
        break;
    }
    *normal = vec_direction(p);
    return FLT_MAX;
}

float form_distance(const form *f, vec point, vec *normal) {
    vec n;
    float d = local_distance(f, to_local(f, point), &n);
    if (f->turned) n = turn_apply(f->turn, n);
    if (f->inside) d = -d, n = vec_scale(n, -1.0f);
    if (normal) *normal = n;
    return d;
}

/* ---- walls ---- */

/* A container's faces one by one, so that a corner shows all of them. */
static int container_walls(const form *f, vec p, float reach, wall *walls) {
    int count = 0;
    for (int axis = 0; axis < DIM; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            const float d = vec_get(f->half, axis) - (float)side * vec_get(p, axis);
            if (d >= reach) continue;
            vec n = {0};
            (&n.x)[axis] = (float)-side;
            walls[count++] = (wall){d, n};
        }
    }
    return count;
}

#if DIM == 2
/* Edges of a polygon that face the point and have their nearest point between their ends: two at an inner corner. */
static int polygon_walls(const form *f, vec p, float reach, wall *walls) {
    const float flip = f->inside ? -1.0f : 1.0f;
    vec normal;
    const float nearest = flip * polygon_distance(f, p, &normal);
    if (nearest >= reach) return 0;
    walls[0] = (wall){nearest, vec_scale(normal, flip)};
    int count = 1;
    for (int k = 0; nearest > 0.0f && k < f->point_count && count < FORM_WALLS_MAX; k++) {
        const vec a = point_at(f, k), b = point_at(f, k + 1), n = vec_scale(edge_normal(f, a, b), flip);
        float share;
        const vec away = vec_sub(p, nearest_on_segment(a, b, p, &share));
        const float d = vec_dot(away, n);
        if (share <= 0.0f || share >= 1.0f || d <= 0.0f || d >= reach) continue;
        bool known = false;
        for (int j = 0; j < count; j++) known = known || vec_dot(walls[j].normal, n) > 0.95f;
        if (!known) walls[count++] = (wall){d, n};
    }
    return count;
}
#endif

static bool out_of_reach(const form *f, vec p, float reach) {
    for (int axis = 0; axis < DIM; axis++)
        if (vec_get(p, axis) < vec_get(f->low, axis) - reach || vec_get(p, axis) > vec_get(f->high, axis) + reach)
            return true;
    return false;
}

int form_walls(const form *f, vec point, float reach, wall walls[FORM_WALLS_MAX]) {
    if (!f->inside && out_of_reach(f, point, reach)) return 0;
    const vec p = to_local(f, point);
    int count;
    if (f->kind == RILL_BOX && f->inside) count = container_walls(f, p, reach, walls);
#if DIM == 2
    else if (f->kind == RILL_POLYGON)
        count = polygon_walls(f, p, reach, walls);
#endif
    else {
        walls[0].distance = local_distance(f, p, &walls[0].normal);
        if (f->inside) walls[0] = (wall){-walls[0].distance, vec_scale(walls[0].normal, -1.0f)};
        count = walls[0].distance < reach;
    }
    if (f->turned)
        for (int k = 0; k < count; k++) walls[k].normal = turn_apply(f->turn, walls[k].normal);
    return count;
}

/* ---- making one ---- */

static void set_frame(form *f, vec local_origin, const float own[DIM][DIM], const pose *pose) {
    f->origin = local_origin;
    memcpy(f->turn, own, sizeof f->turn);
    if (pose) {
        float r[DIM][DIM];
        const vec pivot = vec_of(pose->pivot);
        for (int row = 0; row < DIM; row++)
            for (int c = 0; c < DIM; c++) r[row][c] = pose->turn[row][c];
        f->origin = vec_add(vec_add(pivot, vec_of(pose->offset)), turn_apply(r, vec_sub(local_origin, pivot)));
        for (int row = 0; row < DIM; row++)
            for (int c = 0; c < DIM; c++) {
                f->turn[row][c] = 0.0f;
                for (int k = 0; k < DIM; k++) f->turn[row][c] += r[row][k] * own[k][c];
            }
    }
    float identity[DIM][DIM];
    turn_identity(identity);
    f->turned = memcmp(f->turn, identity, sizeof identity) != 0;
}

static void grow_bounds(form *f, vec local, float radius) {
    const vec p = form_to_world(f, local);
    vec r = {0};
    for (int axis = 0; axis < DIM; axis++) (&r.x)[axis] = radius;
    f->low = vec_min(f->low, vec_sub(p, r));
    f->high = vec_max(f->high, vec_add(p, r));
}

static void set_bounds(form *f) {
    for (int axis = 0; axis < DIM; axis++) (&f->low.x)[axis] = FLT_MAX, (&f->high.x)[axis] = -FLT_MAX;
    switch (f->kind) {
    case RILL_HALF_SPACE:
        for (int axis = 0; axis < DIM; axis++) (&f->low.x)[axis] = -FLT_MAX, (&f->high.x)[axis] = FLT_MAX;
        break;
    case RILL_BOX:
        for (int corner = 0; corner < 1 << DIM; corner++) {
            vec p = f->half;
            for (int axis = 0; axis < DIM; axis++)
                if (corner >> axis & 1) (&p.x)[axis] = -(&p.x)[axis];
            grow_bounds(f, p, 0.0f);
        }
        break;
    case RILL_SPHERE:
    case RILL_CAPSULE:
        grow_bounds(f, f->a, f->radius), grow_bounds(f, f->b, f->radius);
        break;
    case RILL_POLYGON:
    case RILL_SEGMENTS:
        for (int k = 0; k < f->point_count; k++) grow_bounds(f, vec_of(f->points[k]), f->radius);
        break;
    }
}

#if DIM == 2
static bool is_clockwise(const form *f) {
    double area = 0;
    for (int k = 0; k < f->point_count; k++) {
        const vec a = point_at(f, k), b = point_at(f, k + 1);
        area += (double)a.x * (double)b.y - (double)b.x * (double)a.y;
    }
    return area < 0;
}
#endif

form form_make(const rill_shape *shape, const pose *pose) {
    form f = {.kind = (rill_shape_kind)shape->kind, .inside = shape->inside};
    float own[DIM][DIM];
    turn_identity(own);
    vec origin = {0};
    switch (f.kind) {
    case RILL_HALF_SPACE:
        f.a = vec_of(shape->position), f.normal = vec_direction(vec_of(shape->normal));
        break;
    case RILL_BOX:
        origin = vec_scale(vec_add(vec_of(shape->min), vec_of(shape->max)), 0.5f);
        f.half = vec_scale(vec_sub(vec_of(shape->max), vec_of(shape->min)), 0.5f);
        if (shape->angle != 0.0f) form_turn(own, shape->axis, cosf(shape->angle), sinf(shape->angle));
        break;
    case RILL_SPHERE:
        f.a = f.b = vec_of(shape->position), f.radius = shape->radius;
        break;
    case RILL_CAPSULE:
        f.a = vec_of(shape->position), f.b = vec_of(shape->end), f.radius = shape->radius;
        break;
    case RILL_POLYGON:
        f.points = shape->points.data, f.point_count = shape->points.count;
        break;
    case RILL_SEGMENTS:
        f.points = shape->points.data, f.point_count = shape->points.count, f.radius = shape->radius;
        break;
    }
    set_frame(&f, origin, own, pose);
    set_bounds(&f);
#if DIM == 2
    if (f.kind == RILL_POLYGON) f.clockwise = is_clockwise(&f);
#endif
    return f;
}

static rill_status check_points(const rill_shape *s, int least, const char *what, rill_error *error) {
    if (DIM == 3)
        return rill_fail(error, RILL_INVALID, "shape: %s exists in 2D only; use boxes, spheres or capsules", what);
    if (s->points.count < least || !s->points.data)
        return rill_fail(error, RILL_INVALID, "points: %s needs at least %d points, got %d", what, least,
                         s->points.count);
    return RILL_OK;
}

rill_status form_check(const rill_shape *s, rill_error *error) {
    switch ((rill_shape_kind)s->kind) {
    case RILL_HALF_SPACE:
        if (!(vec_length(vec_of(s->normal)) > 0.0f))
            return rill_fail(error, RILL_INVALID, "normal: a half_space needs a direction, got zero");
        return RILL_OK;
    case RILL_BOX:
        for (int axis = 0; axis < DIM; axis++)
            if (!((&s->max.x)[axis] > (&s->min.x)[axis]))
                return rill_fail(error, RILL_INVALID, "max: must be greater than min along %c, got %g and %g",
                                 "xyz"[axis], (double)(&s->min.x)[axis], (double)(&s->max.x)[axis]);
        return RILL_OK;
    case RILL_SPHERE:
    case RILL_CAPSULE:
        if (!(s->radius > 0.0f)) return rill_fail(error, RILL_INVALID, "radius: must be greater than 0");
        return RILL_OK;
    case RILL_POLYGON:
        return check_points(s, 3, "a polygon", error);
    case RILL_SEGMENTS:
        if (!(s->radius > 0.0f))
            return rill_fail(error, RILL_INVALID, "radius: segments need a thickness; give half of it as radius");
        return check_points(s, 2, "a chain of segments", error);
    }
    return rill_fail(error, RILL_INVALID, "shape: unknown kind %d", (int)s->kind);
}
