/* SPDX-License-Identifier: MIT */
/* Shapes in their present places: frames, walls, bounds. */
#include "solid/placed_shape.h"

#include "solid/curvature_map.h"

#include <float.h>
#include <string.h>

/* ---- frames ---- */

static void turn_identity(float t[DIM][DIM]) {
    for (int r = 0; r < DIM; r++)
        for (int c = 0; c < DIM; c++) t[r][c] = r == c ? 1.0f : 0.0f;
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

vec rill_placed_to_local(const placed_shape *f, vec x) {
    x = vec_sub(x, f->origin);
    return f->turned ? turn_back(f->turn, x) : x;
}

vec rill_placed_turned(const placed_shape *f, vec local) {
    return f->turned ? turn_apply(f->turn, local) : local;
}

vec rill_placed_to_world(const placed_shape *f, vec local) {
    return vec_add(f->origin, rill_placed_turned(f, local));
}

/* ---- distances ---- */

/* Distance to the union of the parts. */
static float parts_distance(const placed_shape *f, vec point, vec *normal) {
    float least = FLT_MAX;
    *normal = (vec){0};
    for (int k = 0; k < f->part_count; k++) {
        vec n;
        const float d = rill_placed_distance(&f->parts[k], point, &n);
        if (d < least) least = d, *normal = n;
    }
    return least;
}

float rill_placed_distance(const placed_shape *f, vec point, vec *normal) {
    vec n;
    float d;
    if (f->kind == RILL_COMPOUND) {
        d = parts_distance(f, point, &n);
    } else {
        d = rill_shape_distance(f, rill_placed_to_local(f, point), &n);
        n = rill_placed_turned(f, n);
    }
    if (f->inside) d = -d, n = vec_scale(n, -1.0f);
    if (normal) *normal = n;
    return d;
}

/* ---- walls ---- */

/* The faces of a container one by one, so that a corner shows all of them. */
static int container_walls(const placed_shape *f, vec p, float reach, wall *walls) {
    int count = 0;
    for (int axis = 0; axis < DIM; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            const float d = vec_get(f->half, axis) - (float)side * vec_get(p, axis);
            if (d >= reach) continue;
            vec n = {0};
            (&n.x)[axis] = (float)-side;
            walls[count++] = (wall){.distance = d, .scale = 1.0f, .normal = n};
        }
    }
    return count;
}

/* Walls of all parts. Of walls that face the same way, as of two boxes side by side, only the nearest. */
static int part_walls(const placed_shape *f, vec point, float reach, wall *walls) {
    int count = 0;
    for (int k = 0; k < f->part_count; k++) {
        wall found[PLACED_WALLS_MAX] = {{.distance = 0.0f}};
        const int n = rill_placed_walls(&f->parts[k], point, reach, found);
        for (int j = 0; j < n; j++) {
            int same = 0;
            while (same < count && vec_dot(walls[same].normal, found[j].normal) < 0.95f) same++;
            if (same < count && found[j].distance < walls[same].distance) walls[same] = found[j];
            if (same == count && count < PLACED_WALLS_MAX) walls[count++] = found[j];
        }
    }
    return count;
}

static int single_wall(const placed_shape *f, vec p, float reach, wall *walls) {
    walls[0].distance = rill_shape_distance(f, p, &walls[0].normal);
    walls[0].scale = 1.0f;
    if (f->inside) walls[0].distance = -walls[0].distance, walls[0].normal = vec_scale(walls[0].normal, -1.0f);
    return walls[0].distance < reach;
}

int rill_placed_walls(const placed_shape *f, vec point, float reach, wall walls[PLACED_WALLS_MAX]) {
    if (placed_is_clear(f, point, reach)) return 0;
    if (f->kind == RILL_COMPOUND) {
        if (!f->inside) return part_walls(f, point, reach, walls);
        walls[0].distance = rill_placed_distance(f, point, &walls[0].normal);
        walls[0].scale = 1.0f, walls[0].lean = walls[0].normal;
        return walls[0].distance < reach;
    }
    const vec p = rill_placed_to_local(f, point);
    int count;
    if (f->kind == RILL_BOX && f->inside)
        count = container_walls(f, p, reach, walls);
    else if (rill_shape_has_edges(f))
        count = rill_shape_edge_walls(f, p, reach, walls);
    else
        count = single_wall(f, p, reach, walls);
    vec slope;
    const float scale =
        count > 0 ? rill_curvature_map_at(&f->shared->curvature, p, &slope) : 1.0f; /* flat containers have no map */
    for (int k = 0; k < count; k++) {
        walls[k].scale = scale;
        walls[k].lean = count > 1 ? walls[k].normal : rill_curvature_map_lean(&f->shared->curvature, &walls[k], slope);
        walls[k].normal = rill_placed_turned(f, walls[k].normal);
        walls[k].lean = rill_placed_turned(f, walls[k].lean);
    }
    return count;
}

int rill_placed_wall_count(const placed_shape *f, vec point, float reach) {
    if (placed_is_clear(f, point, reach)) return 0;
    if (f->kind == RILL_BOX && f->inside) { /* a quick way: most fluid is in such a container */
        const vec p = rill_placed_to_local(f, point);
        int count = 0;
        for (int axis = 0; axis < DIM; axis++) {
            count += vec_get(f->half, axis) - vec_get(p, axis) < reach;
            count += vec_get(f->half, axis) + vec_get(p, axis) < reach;
        }
        return count;
    }
    wall walls[PLACED_WALLS_MAX];
    if (f->kind == RILL_COMPOUND || rill_shape_has_edges(f)) return rill_placed_walls(f, point, reach, walls);
    return single_wall(f, rill_placed_to_local(f, point), reach,
                       walls); /* counted whatever share of the kernel it covers */
}

/* ---- making one ---- */

static void multiply(float out[DIM][DIM], const float a[DIM][DIM], const double b[3][3]) {
    for (int row = 0; row < DIM; row++)
        for (int c = 0; c < DIM; c++) {
            out[row][c] = 0.0f;
            for (int k = 0; k < DIM; k++) out[row][c] += a[row][k] * (float)b[k][c];
        }
}

static void set_frame(placed_shape *f, const shape_frame *own, const pose *pose) {
    float r[DIM][DIM];
    turn_identity(r);
    vec origin = {0};
    for (int axis = 0; axis < DIM; axis++) (&origin.x)[axis] = (float)own->origin[axis];
    if (pose) {
        const vec pivot = vec_of(pose->pivot);
        for (int row = 0; row < DIM; row++)
            for (int c = 0; c < DIM; c++) r[row][c] = pose->turn[row][c];
        origin = vec_add(vec_add(pivot, vec_of(pose->offset)), turn_apply(r, vec_sub(origin, pivot)));
    }
    f->origin = origin;
    multiply(f->turn, r, own->turn);
    float identity[DIM][DIM];
    turn_identity(identity);
    f->turned = memcmp(f->turn, identity, sizeof identity) != 0;
}

static void grow_bounds(placed_shape *f, vec local, float radius) {
    const vec p = rill_placed_to_world(f, local);
    vec r = {0};
    for (int axis = 0; axis < DIM; axis++) (&r.x)[axis] = radius;
    f->low = vec_min(f->low, vec_sub(p, r));
    f->high = vec_max(f->high, vec_add(p, r));
}

/* Extends the bounds to the corners of a box in the shape's frame. */
static void grow_box(placed_shape *f, vec low, vec high) {
    for (int corner = 0; corner < 1 << DIM; corner++) {
        vec p = low;
        for (int axis = 0; axis < DIM; axis++)
            if (corner >> axis & 1) (&p.x)[axis] = vec_get(high, axis);
        grow_bounds(f, p, 0.0f);
    }
}

static void spread(vec *low, vec *high, float by) {
    for (int axis = 0; axis < DIM; axis++) (&low->x)[axis] -= by, (&high->x)[axis] += by;
}

void rill_placed_local_bounds(const placed_shape *f, vec *low, vec *high) {
    const shape_model *m = &f->shared->model;
    *low = vec_min((vec){0}, f->b), *high = vec_max((vec){0}, f->b);
    if (f->kind == RILL_BOX) *low = vec_scale(f->half, -1.0f), *high = f->half;
    if (f->kind == RILL_SPHERE || f->kind == RILL_CAPSULE || f->kind == RILL_CYLINDER) spread(low, high, f->radius);
    if (f->kind == RILL_TORUS) spread(low, high, f->radius + f->tube);
    if (m->field) {
        for (int axis = 0; axis < DIM; axis++)
            (&low->x)[axis] = m->field->low[axis], (&high->x)[axis] = m->field->high[axis];
        spread(low, high, 0.5f * m->field->options.thickness);
    }
    for (int box = 0; box < rill_shape_box_count(m); box++)
        for (int axis = 0; axis < 2; axis++) {
            const float from = m->boxes[box][axis], to = m->boxes[box][2 + axis];
            (&low->x)[axis] = box == 0 ? from : fminf((&low->x)[axis], from);
            (&high->x)[axis] = box == 0 ? to : fmaxf((&high->x)[axis], to);
        }
    if (f->kind == RILL_SEGMENTS) spread(low, high, f->radius);
}

static void set_bounds(placed_shape *f) {
    for (int axis = 0; axis < DIM; axis++) (&f->low.x)[axis] = FLT_MAX, (&f->high.x)[axis] = -FLT_MAX;
    vec low, high;
    switch (f->kind) {
    case RILL_HALF_SPACE:
        for (int axis = 0; axis < DIM; axis++) (&f->low.x)[axis] = -FLT_MAX, (&f->high.x)[axis] = FLT_MAX;
        break;
    case RILL_SPHERE:
    case RILL_CAPSULE:
        grow_bounds(f, (vec){0}, f->radius), grow_bounds(f, f->b, f->radius);
        break;
    case RILL_COMPOUND:
        for (int k = 0; k < f->part_count; k++)
            f->low = vec_min(f->low, f->parts[k].low), f->high = vec_max(f->high, f->parts[k].high);
        break;
    default:
        rill_placed_local_bounds(f, &low, &high);
        grow_box(f, low, high);
        break;
    }
}

static placed_shape make_one(const rill_shape *shape, const shared_shape *shared, const shape_frame *frame,
                             const pose *pose) {
    placed_shape f = {.kind = (rill_shape_kind)shape->kind, .inside = shape->inside, .shared = shared};
    f.radius = shape->radius, f.tube = shape->tube;
    f.half = vec_scale(vec_sub(vec_of(shape->max), vec_of(shape->min)), 0.5f);
    f.normal = vec_direction(vec_of(shape->normal));
    if (f.kind == RILL_CAPSULE || f.kind == RILL_CYLINDER) f.b = vec_sub(vec_of(shape->end), vec_of(shape->position));
    set_frame(&f, frame, pose);
    if (f.kind != RILL_COMPOUND) set_bounds(&f);
    return f;
}

placed_shape rill_placed_make(const rill_shape *shape, const shape_models *models, const pose *pose,
                              placed_shape *room) {
    const shape_frame frame = rill_shape_frame_of(shape, DIM);
    placed_shape f = make_one(shape, shape->kind == RILL_COMPOUND ? NULL : models->items[0], &frame, pose);
    if (shape->kind != RILL_COMPOUND) return f;
    for (int k = 0; k < shape->parts.count; k++) {
        const rill_shape part = rill_shape_scaled(&shape->parts.data[k], shape->scale);
        const shape_frame own = rill_shape_frame_of(&part, DIM), placed = rill_shape_frame_in(&frame, &own);
        room[k] = make_one(&part, models->items[k], &placed, pose);
    }
    f.parts = room, f.part_count = shape->parts.count;
    set_bounds(&f);
    return f;
}

/* ---- checks ---- */

static rill_status check_dim(const rill_shape *s, rill_error *error) {
    if (DIM == 3 && (s->kind == RILL_POLYGON || s->kind == RILL_SEGMENTS))
        return rill_fail(error, RILL_INVALID,
                         "shape: polygon and segments exist in 2D only; use a mesh, a hull or other shapes");
    if (DIM == 2 && (s->kind == RILL_CYLINDER || s->kind == RILL_TORUS || s->kind == RILL_MESH))
        return rill_fail(error, RILL_INVALID,
                         "shape: cylinder, torus and mesh exist in 3D only; use a box, sphere, polygon or hull");
    return RILL_OK;
}

static rill_status check_parts(const rill_shape *s, rill_error *error) {
    if (s->parts.count < 1 || s->parts.count > PLACED_PARTS_MAX || !s->parts.data)
        return rill_fail(error, RILL_INVALID, "parts: a compound has 1 to %d parts, got %d", PLACED_PARTS_MAX,
                         s->parts.count);
    for (int k = 0; k < s->parts.count; k++) {
        const rill_shape *part = &s->parts.data[k];
        rill_error inner = {RILL_OK, ""};
        if (part->kind == RILL_COMPOUND || part->kind == RILL_HALF_SPACE || part->inside)
            return rill_fail(error, RILL_INVALID,
                             "parts: part %d is a compound, a half_space or inside out; expected a finite shape", k);
        const rill_status status = rill_shape_check(part, &inner);
        if (status != RILL_OK) return rill_fail(error, status, "parts: part %d: %s", k, inner.text);
    }
    return RILL_OK;
}

static rill_status check_radius(const rill_shape *s, rill_error *error) {
    if (!(s->radius > 0.0f)) return rill_fail(error, RILL_INVALID, "radius: must be greater than 0");
    return RILL_OK;
}

rill_status rill_shape_check(const rill_shape *s, rill_error *error) {
    TRY(check_dim(s, error));
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
        return check_radius(s, error);
    case RILL_CYLINDER:
        if (!(vec_length(vec_sub(vec_of(s->end), vec_of(s->position))) > 0.0f))
            return rill_fail(error, RILL_INVALID, "end: must differ from position; a cylinder needs a length");
        return check_radius(s, error);
    case RILL_TORUS:
        if (!(s->tube > 0.0f && s->tube < s->radius))
            return rill_fail(error, RILL_INVALID, "tube: must be greater than 0 and less than the radius %g, got %g",
                             (double)s->radius, (double)s->tube);
        if (!(vec_length(vec_of(s->normal)) > 0.0f))
            return rill_fail(error, RILL_INVALID, "normal: a torus needs a direction, got zero");
        return RILL_OK;
    case RILL_COMPOUND:
        return check_parts(s, error);
    case RILL_SEGMENTS:
        if (!(s->radius > 0.0f))
            return rill_fail(error, RILL_INVALID, "radius: segments need a thickness; give half of it as radius");
        return rill_shape_check_points(s, DIM, error);
    case RILL_POLYGON:
    case RILL_HULL:
    case RILL_MESH:
    case RILL_HEIGHTFIELD:
        return rill_shape_check_points(s, DIM, error);
    }
    return rill_fail(error, RILL_INVALID, "shape: unknown kind %d", (int)s->kind);
}
