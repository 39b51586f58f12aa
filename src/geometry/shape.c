/* SPDX-License-Identifier: MIT */
/* Frames of shapes, and checks of their points. */
#include "geometry/shape.h"

#include "core/error.h"
#include "core/trig.h"
#include "geometry/hull.h"

#include <string.h>

static bool has_own_frame(int32_t kind) {
    return kind == RILL_POLYGON || kind == RILL_SEGMENTS || kind == RILL_HULL || kind == RILL_MESH ||
           kind == RILL_HEIGHTFIELD || kind == RILL_COMPOUND;
}

static dvec of(rill_vec p, int dim) {
    return (dvec){(double)p.x, (double)p.y, dim == 3 ? (double)p.z : 0};
}

/* Sets a rotation about an axis (z in 2D) by Rodrigues' formula. */
static void turn_about(double t[3][3], rill_vec axis, float angle, int dim) {
    dvec k = dim == 3 ? of(axis, 3) : (dvec){0, 0, 1};
    const double length = dvec_length(k);
    k = length > 0 ? dvec_scale(k, 1 / length) : (dvec){1, 0, 0};
    const double c = rill_trig_cos((double)angle), s = rill_trig_sin((double)angle), u = 1 - c;
    const double a[3] = {k.x, k.y, k.z};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) t[row][column] = a[row] * a[column] * u + (row == column ? c : 0);
    t[0][1] -= k.z * s, t[0][2] += k.y * s;
    t[1][0] += k.z * s, t[1][2] -= k.x * s;
    t[2][0] -= k.y * s, t[2][1] += k.x * s;
}

shape_frame rill_shape_frame_of(const rill_shape *s, int dim) {
    shape_frame f = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    dvec origin = {0};
    if (s->kind == RILL_BOX)
        origin = dvec_scale(dvec_add(of(s->min, dim), of(s->max, dim)), 0.5);
    else
        origin = of(s->position, dim);
    f.origin[0] = origin.x, f.origin[1] = origin.y, f.origin[2] = origin.z;
    if ((s->kind == RILL_BOX || has_own_frame(s->kind)) && s->angle != 0.0f) turn_about(f.turn, s->axis, s->angle, dim);
    return f;
}

dvec rill_shape_to_world(const shape_frame *f, dvec p) {
    return (dvec){f->origin[0] + f->turn[0][0] * p.x + f->turn[0][1] * p.y + f->turn[0][2] * p.z,
                  f->origin[1] + f->turn[1][0] * p.x + f->turn[1][1] * p.y + f->turn[1][2] * p.z,
                  f->origin[2] + f->turn[2][0] * p.x + f->turn[2][1] * p.y + f->turn[2][2] * p.z};
}

shape_frame rill_shape_frame_in(const shape_frame *outer, const shape_frame *part) {
    shape_frame f = {0};
    const dvec origin = rill_shape_to_world(outer, (dvec){part->origin[0], part->origin[1], part->origin[2]});
    f.origin[0] = origin.x, f.origin[1] = origin.y, f.origin[2] = origin.z;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            for (int k = 0; k < 3; k++) f.turn[row][column] += outer->turn[row][k] * part->turn[k][column];
    return f;
}

static rill_vec times(rill_vec p, float s) {
    return (rill_vec){s * p.x, s * p.y, s * p.z};
}

rill_shape rill_shape_scaled(const rill_shape *part, float scale) {
    rill_shape s = *part;
    s.min = times(s.min, scale), s.max = times(s.max, scale);
    s.position = times(s.position, scale), s.end = times(s.end, scale);
    s.radius *= scale, s.tube *= scale, s.scale *= scale;
    s.depth *= scale, s.thickness *= scale, s.cell *= scale;
    return s;
}

static rill_status check_rising(const rill_shape *s, rill_error *error) {
    for (int k = 1; k < s->points.count; k++)
        if (!(s->points.data[k].x > s->points.data[k - 1].x))
            return rill_fail(error, RILL_INVALID,
                             "points: x must rise from point to point of a heightfield; it is %g at point %d and %g at "
                             "point %d",
                             (double)s->points.data[k - 1].x, k - 1, (double)s->points.data[k].x, k);
    return RILL_OK;
}

static rill_status check_count(const rill_shape *s, int least, const char *what, rill_error *error) {
    if (s->points.count >= least && s->points.data) return RILL_OK;
    return rill_fail(error, RILL_INVALID, "points: %s needs at least %d points, got %d", what, least, s->points.count);
}

static rill_status check_heightfield(const rill_shape *s, int dim, rill_error *error) {
    if (dim == 2) {
        TRY(check_count(s, 2, "a heightfield", error));
        return check_rising(s, error);
    }
    if (s->columns < 2 || s->points.count < 2 * s->columns || s->points.count % s->columns != 0)
        return rill_fail(error, RILL_INVALID,
                         "columns: a heightfield needs 2 or more rows of 2 or more columns; got %d points and %d "
                         "columns",
                         s->points.count, s->columns);
    return RILL_OK;
}

rill_status rill_shape_check_points(const rill_shape *s, int dim, rill_error *error) {
    switch ((rill_shape_kind)s->kind) {
    case RILL_POLYGON:
        return check_count(s, 3, "a polygon", error);
    case RILL_SEGMENTS:
        return check_count(s, 2, "a chain of segments", error);
    case RILL_HULL:
        if (s->points.count > HULL_MAX_POINTS)
            return rill_fail(error, RILL_INVALID, "points: a hull has at most %d points, got %d", HULL_MAX_POINTS,
                             s->points.count);
        return check_count(s, dim + 1, "a hull", error);
    case RILL_MESH:
        if (s->points.count == 0 && *s->file)
            return rill_fail(error, RILL_INVALID, "file: the triangles of '%s' have not been read", s->file);
        if (s->points.count % 3 != 0)
            return rill_fail(error, RILL_INVALID, "points: a mesh has three for each triangle, got %d",
                             s->points.count);
        return check_count(s, 3, "a mesh", error);
    case RILL_HEIGHTFIELD:
        return check_heightfield(s, dim, error);
    default:
        return RILL_OK;
    }
}
