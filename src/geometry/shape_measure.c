/* SPDX-License-Identifier: MIT */
/* Volume, centre and inertia of shapes. */
#include "geometry/shape_measure.h"

#include "core/error.h"
#include "core/trig.h"

#include <string.h>

static void set_diagonal(mesh_solid *s, double x, double y, double z) {
    memset(s->inertia, 0, sizeof s->inertia);
    s->inertia[0][0] = x, s->inertia[1][1] = y, s->inertia[2][2] = z;
}

/* Sets the inertia from the moment about `axis` and the moment about any axis perpendicular to it. */
static void set_about_axis(mesh_solid *s, dvec axis, double along, double across) {
    const double length = dvec_length(axis);
    const dvec u = length > 0 ? dvec_scale(axis, 1 / length) : (dvec){1, 0, 0};
    const double d[3] = {u.x, u.y, u.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s->inertia[i][j] = (i == j ? across : 0) + (along - across) * d[i] * d[j];
}

static void set_centre(mesh_solid *s, dvec p) {
    s->centre[0] = p.x, s->centre[1] = p.y, s->centre[2] = p.z;
}

static dvec span_of(const rill_shape *s, int dim) {
    return (dvec){(double)s->end.x - (double)s->position.x, (double)s->end.y - (double)s->position.y,
                  dim == 3 ? (double)s->end.z - (double)s->position.z : 0};
}

static mesh_solid box(const rill_shape *shape, int dim) {
    const double x = (double)shape->max.x - (double)shape->min.x, y = (double)shape->max.y - (double)shape->min.y;
    const double z = dim == 3 ? (double)shape->max.z - (double)shape->min.z : 0;
    mesh_solid s = {.volume = x * y * (dim == 3 ? z : 1)};
    const double m = s.volume / 12;
    set_diagonal(&s, m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y));
    return s;
}

static mesh_solid ball(double r, int dim) {
    mesh_solid s = {.volume = dim == 3 ? 4.0 / 3 * PI * r * r * r : PI * r * r};
    const double i = (dim == 3 ? 0.4 : 0.5) * s.volume * r * r;
    set_diagonal(&s, i, i, i);
    return s;
}

/* A cylinder (a rectangle in 2D) with half a ball (half a disc) at either end. */
static mesh_solid capsule(const rill_shape *shape, int dim) {
    const dvec axis = span_of(shape, dim);
    const double length = dvec_length(axis), half = 0.5 * length, r = (double)shape->radius;
    mesh_solid s = {0};
    set_centre(&s, dvec_scale(axis, 0.5));
    if (dim == 3) {
        const double shaft = PI * r * r * length, ends = 4.0 / 3 * PI * r * r * r;
        s.volume = shaft + ends;
        const double along = 0.5 * shaft * r * r + 0.4 * ends * r * r;
        /* The centre of a half ball lies 3/8 r beyond the end of the shaft. */
        const double across =
            shaft * (length * length / 12 + r * r / 4) + ends * (0.4 * r * r + half * half + 0.75 * half * r);
        set_about_axis(&s, axis, along, across);
    } else {
        const double shaft = 2 * r * length, ends = PI * r * r;
        s.volume = shaft + ends;
        const double turn =
            shaft * (length * length + 4 * r * r) / 12 + ends * (0.5 * r * r + half * half + 8 * half * r / (3 * PI));
        set_diagonal(&s, turn, turn, turn);
    }
    return s;
}

static mesh_solid cylinder(const rill_shape *shape) {
    const dvec axis = span_of(shape, 3);
    const double length = dvec_length(axis), r = (double)shape->radius;
    mesh_solid s = {.volume = PI * r * r * length};
    set_centre(&s, dvec_scale(axis, 0.5));
    set_about_axis(&s, axis, 0.5 * s.volume * r * r, s.volume * (3 * r * r + length * length) / 12);
    return s;
}

static mesh_solid torus(const rill_shape *shape) {
    const double r = (double)shape->radius, t = (double)shape->tube;
    mesh_solid s = {.volume = 2 * PI * PI * r * t * t};
    const dvec axis = {(double)shape->normal.x, (double)shape->normal.y, (double)shape->normal.z};
    set_about_axis(&s, axis, s.volume * (r * r + 0.75 * t * t), s.volume * (0.5 * r * r + 0.625 * t * t));
    return s;
}

/* Sums over the triangles between the origin and each edge. */
static mesh_solid plane(const outline *o) {
    double area = 0, cx = 0, cy = 0, second = 0;
    for (int k = 0; k < o->count; k++) {
        const double px = (double)o->edges[k][0], py = (double)o->edges[k][1];
        const double qx = (double)o->edges[k][2], qy = (double)o->edges[k][3], cross = px * qy - qx * py;
        area += cross / 2;
        cx += cross * (px + qx) / 6;
        cy += cross * (py + qy) / 6;
        second += cross * (px * px + py * py + px * qx + py * qy + qx * qx + qy * qy) / 12;
    }
    if (area != 0) cx /= area, cy /= area;
    mesh_solid s = {.volume = area};
    set_centre(&s, (dvec){cx, cy, 0});
    const double i = second - area * (cx * cx + cy * cy);
    set_diagonal(&s, i, i, i);
    return s;
}

/* Measured in the shape's own frame. */
static mesh_solid measure_own(const rill_shape *shape, const shape_model *model, int dim) {
    switch ((rill_shape_kind)shape->kind) {
    case RILL_BOX:
        return box(shape, dim);
    case RILL_SPHERE:
        return ball((double)shape->radius, dim);
    case RILL_CAPSULE:
        return capsule(shape, dim);
    case RILL_CYLINDER:
        return cylinder(shape);
    case RILL_TORUS:
        return torus(shape);
    case RILL_POLYGON:
    case RILL_HULL:
    case RILL_MESH:
    case RILL_HEIGHTFIELD:
        return dim == 2 ? plane(&model->edges) : model->field->solid;
    case RILL_SEGMENTS:
    case RILL_HALF_SPACE:
    case RILL_COMPOUND:
        break;
    }
    return (mesh_solid){0};
}

static mesh_solid placed(const mesh_solid *own, const shape_frame *f) {
    mesh_solid s = {.volume = own->volume};
    set_centre(&s, rill_shape_to_world(f, (dvec){own->centre[0], own->centre[1], own->centre[2]}));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) s.inertia[r][c] += f->turn[r][i] * own->inertia[i][j] * f->turn[c][j];
    return s;
}

/* Steiner's theorem: inertia about another centre. `sign` 1: from the own centre to `centre`; -1: back. */
static void shift(mesh_solid *s, const double centre[3]) {
    const double d[3] = {s->centre[0] - centre[0], s->centre[1] - centre[1], s->centre[2] - centre[2]};
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s->inertia[i][j] += s->volume * ((i == j ? square : 0) - d[i] * d[j]);
}

static mesh_solid measure_parts(const rill_shape *shape, const shape_model *const *models, int dim) {
    mesh_solid all = {0};
    for (int pass = 0; pass < 2; pass++) /* first the centre, then the inertia about it */
        for (int k = 0; k < shape->parts.count; k++) {
            const rill_shape part = rill_shape_scaled(&shape->parts.data[k], shape->scale);
            const shape_frame frame = rill_shape_frame_of(&part, dim);
            const mesh_solid own = measure_own(&part, models[k], dim);
            mesh_solid here = placed(&own, &frame);
            if (pass == 0) {
                const double sum = all.volume + here.volume, share = sum > 0 ? here.volume / sum : 0;
                for (int axis = 0; axis < 3; axis++) all.centre[axis] += share * (here.centre[axis] - all.centre[axis]);
                all.volume = sum;
                continue;
            }
            shift(&here, all.centre);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) all.inertia[i][j] += here.inertia[i][j];
        }
    return all;
}

static bool has_volume(const rill_shape *shape) {
    return !shape->inside && shape->kind != RILL_HALF_SPACE && shape->kind != RILL_SEGMENTS;
}

rill_status rill_shape_measure(const rill_shape *shape, const shape_model *const *models, int dim, mesh_solid *out,
                               rill_error *error) {
    bool sound = has_volume(shape);
    for (int k = 0; k < shape->parts.count; k++) sound = sound && has_volume(&shape->parts.data[k]);
    if (!sound)
        return rill_fail(error, RILL_INVALID,
                         "shape: a half_space, a chain of segments or a container has no mass; use another shape, or "
                         "make it a solid");
    const shape_frame frame = rill_shape_frame_of(shape, dim);
    const mesh_solid own =
        shape->kind == RILL_COMPOUND ? measure_parts(shape, models, dim) : measure_own(shape, models[0], dim);
    *out = placed(&own, &frame);
    if (dim == 2) out->centre[2] = 0;
    if (!(out->volume > 0) || !(out->inertia[2][2] > 0))
        return rill_fail(error, RILL_INVALID, "shape: its volume must be greater than 0, got %g m^%d", out->volume,
                         dim);
    return RILL_OK;
}
