/* SPDX-License-Identifier: MIT */
/* Surfaces of 3D shapes, as triangles that face outwards. */
#include "core/error.h"
#include "core/trig.h"
#include "geometry/hull.h"
#include "geometry/shape.h"

#include <string.h>

/* Least and greatest number of corners around a round shape. */
#define LEAST_CORNERS 12
#define MOST_CORNERS  512

typedef struct surface {
    memory *memory;
    owned_mesh *mesh;
    bool ok;
} surface;

static int32_t add_vertex(surface *s, dvec p) {
    owned_mesh *mesh = s->mesh;
    if (s->ok && mesh->vertex_count == mesh->vertex_room)
        s->ok = rill_owned_mesh_reserve(s->memory, mesh, 2 * mesh->vertex_room + 64, 2 * mesh->triangle_room + 64);
    if (!s->ok) return 0;
    dvec_to_floats(p, mesh->vertices[mesh->vertex_count]);
    return mesh->vertex_count++;
}

static void add_triangle(surface *s, int32_t a, int32_t b, int32_t c) {
    owned_mesh *mesh = s->mesh;
    if (s->ok && mesh->triangle_count == mesh->triangle_room)
        s->ok = rill_owned_mesh_reserve(s->memory, mesh, mesh->vertex_room, 2 * mesh->triangle_room + 64);
    if (!s->ok) return;
    mesh->triangles[mesh->triangle_count][0] = a;
    mesh->triangles[mesh->triangle_count][1] = b;
    mesh->triangles[mesh->triangle_count++][2] = c;
}

static void add_quad(surface *s, int32_t a, int32_t b, int32_t c, int32_t d) {
    add_triangle(s, a, b, c);
    add_triangle(s, a, c, d);
}

static int corners_around(double radius, double detail) {
    const double n = ceil(2 * PI * radius / detail);
    return n < LEAST_CORNERS ? LEAST_CORNERS : n > MOST_CORNERS ? MOST_CORNERS : (int)n;
}

static dvec point_of(rill_vec p, float scale) {
    return (dvec){(double)p.x * (double)scale, (double)p.y * (double)scale, (double)p.z * (double)scale};
}

static void across(dvec axis, dvec *u, dvec *v) {
    const dvec least = fabs(axis.x) < fabs(axis.y) ? (fabs(axis.x) < fabs(axis.z) ? (dvec){1, 0, 0} : (dvec){0, 0, 1})
                                                   : (fabs(axis.y) < fabs(axis.z) ? (dvec){0, 1, 0} : (dvec){0, 0, 1});
    *u = dvec_cross(axis, least);
    *u = dvec_scale(*u, 1 / dvec_length(*u));
    *v = dvec_cross(axis, *u);
}

static void add_box(surface *s, const rill_shape *shape) {
    const dvec half = dvec_scale(dvec_sub(point_of(shape->max, 1.0f), point_of(shape->min, 1.0f)), 0.5);
    int32_t v[8];
    for (int k = 0; k < 8; k++)
        v[k] = add_vertex(s, (dvec){k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    add_quad(s, v[0], v[2], v[3], v[1]), add_quad(s, v[4], v[5], v[7], v[6]);
    add_quad(s, v[0], v[1], v[5], v[4]), add_quad(s, v[2], v[6], v[7], v[3]);
    add_quad(s, v[0], v[4], v[6], v[2]), add_quad(s, v[1], v[3], v[7], v[5]);
}

/* A body of revolution about `axis` from `start`: each profile point is a height and a radius; radius 0 is a tip. */
static void add_rings(surface *s, dvec start, dvec axis, const double (*profile)[2], int count, int around) {
    dvec u, v;
    across(axis, &u, &v);
    int32_t before = -1;
    bool tip_before = false;
    for (int k = 0; k < count && s->ok; k++) {
        const dvec centre = dvec_along(start, profile[k][0], axis);
        const bool tip = !(profile[k][1] > 0);
        const int32_t first = s->mesh->vertex_count;
        for (int n = 0; n < (tip ? 1 : around); n++) {
            const double angle = 2 * PI * n / around;
            const dvec out = dvec_add(dvec_scale(u, rill_trig_cos(angle)), dvec_scale(v, rill_trig_sin(angle)));
            add_vertex(s, dvec_along(centre, profile[k][1], out));
        }
        for (int n = 0; before >= 0 && n < around; n++) {
            const int next = (n + 1) % around;
            if (tip_before)
                add_triangle(s, before, first + next, first + n);
            else if (tip)
                add_triangle(s, before + n, before + next, first);
            else
                add_quad(s, before + n, before + next, first + next, first + n);
        }
        before = first, tip_before = tip;
    }
}

#define MOST_RINGS (MOST_CORNERS + 2)

/* Two half balls and a tube of the length of `span` between them. */
static void add_capsule(surface *s, dvec span, double radius, double detail) {
    double profile[MOST_RINGS][2];
    const double length = dvec_length(span);
    const dvec axis = length > 0 ? dvec_scale(span, 1 / length) : (dvec){0, 0, 1};
    const int around = corners_around(radius, detail), half = around / 4 > 3 ? around / 4 : 3;
    int n = 0;
    for (int k = 0; k <= half; k++) {
        const double angle = 0.5 * PI * k / half;
        profile[n][0] = -radius * rill_trig_cos(angle), profile[n++][1] = k == 0 ? 0 : radius * rill_trig_sin(angle);
    }
    for (int k = length > 0 ? 0 : 1; k <= half; k++) {
        const double angle = 0.5 * PI * k / half;
        profile[n][0] = length + radius * rill_trig_sin(angle),
        profile[n++][1] = k == half ? 0 : radius * rill_trig_cos(angle);
    }
    add_rings(s, (dvec){0}, axis, (const double(*)[2])profile, n, around);
}

static void add_cylinder(surface *s, dvec span, double radius, double detail) {
    const double length = dvec_length(span);
    const double profile[4][2] = {{0, 0}, {0, radius}, {length, radius}, {length, 0}};
    add_rings(s, (dvec){0}, dvec_scale(span, 1 / length), profile, 4, corners_around(radius, detail));
}

static void add_torus(surface *s, dvec axis, double radius, double tube, double detail) {
    const int around = corners_around(radius + tube, detail), along = corners_around(tube, detail);
    dvec u, v;
    axis = dvec_scale(axis, 1 / dvec_length(axis));
    across(axis, &u, &v);
    const int32_t first = s->mesh->vertex_count;
    for (int i = 0; i < around; i++)
        for (int j = 0; j < along; j++) {
            const double a = 2 * PI * i / around, b = 2 * PI * j / along;
            const dvec out = dvec_add(dvec_scale(u, rill_trig_cos(a)), dvec_scale(v, rill_trig_sin(a)));
            add_vertex(s, dvec_along(dvec_scale(out, radius + tube * rill_trig_cos(b)), tube * rill_trig_sin(b), axis));
        }
    for (int i = 0; i < around; i++)
        for (int j = 0; j < along; j++) {
            const int32_t here = first + i * along, there = first + (i + 1) % around * along, next = (j + 1) % along;
            add_quad(s, here + j, there + j, there + next, here + next);
        }
}

static void add_soup(surface *s, const rill_shape *shape) {
    for (int k = 0; k + 2 < shape->points.count && s->ok; k += 3) {
        const int32_t a = add_vertex(s, point_of(shape->points.data[k], shape->scale));
        const int32_t b = add_vertex(s, point_of(shape->points.data[k + 1], shape->scale));
        add_triangle(s, a, b, add_vertex(s, point_of(shape->points.data[k + 2], shape->scale)));
    }
}

/* The ground's surface, its projection on the base below, and the skirt between their rims. */
static void add_ground(surface *s, const rill_shape *shape) {
    const int columns = shape->columns, rows = shape->points.count / columns, count = rows * columns;
    const dvec up = {0, 0, 1};
    double lowest = HUGE_VAL, width = 0;
    for (int k = 0; k < count; k++) {
        const dvec p = point_of(shape->points.data[k], shape->scale);
        lowest = fmin(lowest, dvec_dot(p, up));
        const dvec span = dvec_sub(p, point_of(shape->points.data[0], shape->scale));
        width = fmax(width, dvec_length(dvec_along(span, -dvec_dot(span, up), up)));
    }
    const double base = lowest - (shape->depth > 0.0f ? (double)shape->depth : 0.25 * width);
    const int32_t top = s->mesh->vertex_count;
    for (int k = 0; k < count; k++) add_vertex(s, point_of(shape->points.data[k], shape->scale));
    for (int k = 0; k < count; k++) {
        const dvec p = point_of(shape->points.data[k], shape->scale);
        add_vertex(s, dvec_along(p, base - dvec_dot(p, up), up));
    }
    /* Rows may be ordered in either direction; the triangles of the top must face up. */
    const dvec a = point_of(shape->points.data[0], 1.0f), b = point_of(shape->points.data[1], 1.0f);
    const dvec c = point_of(shape->points.data[columns], 1.0f);
    const bool flip = dvec_dot(dvec_cross(dvec_sub(b, a), dvec_sub(c, a)), up) < 0;
#define QUAD(w, x, y, z) (flip ? add_quad(s, w, z, y, x) : add_quad(s, w, x, y, z))
    for (int r = 0; r + 1 < rows; r++)
        for (int k = 0; k + 1 < columns; k++) {
            const int32_t p = top + r * columns + k;
            QUAD(p, p + 1, p + columns + 1, p + columns);
            QUAD(p + count, p + count + columns, p + count + columns + 1, p + count + 1);
        }
    for (int k = 0; k + 1 < columns; k++) {
        const int32_t p = top + k, q = top + (rows - 1) * columns + k;
        QUAD(p, p + count, p + count + 1, p + 1);
        QUAD(q, q + 1, q + count + 1, q + count);
    }
    for (int r = 0; r + 1 < rows; r++) {
        const int32_t p = top + r * columns, q = p + columns - 1;
        QUAD(p, p + columns, p + count + columns, p + count);
        QUAD(q, q + count, q + count + columns, q + columns);
    }
#undef QUAD
}

static rill_status add_hull(surface *s, const rill_shape *shape, rill_error *error) {
    owned_mesh hull = {0};
    const rill_status status = rill_hull_build(s->memory, shape->points.data, shape->points.count, &hull, error);
    for (int t = 0; status == RILL_OK && t < hull.triangle_count; t++) {
        int32_t v[3];
        for (int c = 0; c < 3; c++)
            v[c] = add_vertex(s, dvec_scale(dvec_of_floats(hull.vertices[hull.triangles[t][c]]), (double)shape->scale));
        add_triangle(s, v[0], v[1], v[2]);
    }
    rill_owned_mesh_free(s->memory, &hull);
    return status;
}

static rill_status add_shape(surface *s, const rill_shape *shape, double detail, rill_error *error);

static rill_status add_parts(surface *s, const rill_shape *shape, double detail, rill_error *error) {
    rill_status status = RILL_OK;
    for (int k = 0; k < shape->parts.count && status == RILL_OK; k++) {
        const rill_shape part = rill_shape_scaled(&shape->parts.data[k], shape->scale);
        const shape_frame frame = rill_shape_frame_of(&part, 3);
        const int first = s->mesh->vertex_count;
        status = add_shape(s, &part, detail, error);
        for (int v = first; v < s->mesh->vertex_count; v++)
            dvec_to_floats(rill_shape_to_world(&frame, dvec_of_floats(s->mesh->vertices[v])), s->mesh->vertices[v]);
    }
    return status;
}

static rill_status add_shape(surface *s, const rill_shape *shape, double detail, rill_error *error) {
    const dvec span = dvec_sub(point_of(shape->end, 1.0f), point_of(shape->position, 1.0f));
    switch ((rill_shape_kind)shape->kind) {
    case RILL_BOX:
        add_box(s, shape);
        break;
    case RILL_SPHERE:
        add_capsule(s, (dvec){0}, (double)shape->radius, detail);
        break;
    case RILL_CAPSULE:
        add_capsule(s, span, (double)shape->radius, detail);
        break;
    case RILL_CYLINDER:
        add_cylinder(s, span, (double)shape->radius, detail);
        break;
    case RILL_TORUS:
        add_torus(s, point_of(shape->normal, 1.0f), (double)shape->radius, (double)shape->tube, detail);
        break;
    case RILL_HULL:
        return add_hull(s, shape, error);
    case RILL_MESH:
        add_soup(s, shape);
        break;
    case RILL_HEIGHTFIELD:
        add_ground(s, shape);
        break;
    case RILL_COMPOUND:
        return add_parts(s, shape, detail, error);
    case RILL_HALF_SPACE:
    case RILL_POLYGON:
    case RILL_SEGMENTS:
        break;
    }
    return RILL_OK;
}

rill_status rill_shape_mesh(memory *m, const rill_shape *shape, double detail, owned_mesh *out, rill_error *error) {
    *out = (owned_mesh){0};
    surface s = {m, out, true};
    rill_status status = add_shape(&s, shape, detail, error);
    if (status == RILL_OK && !s.ok) status = rill_fail(error, RILL_MEMORY, "no memory for the surface of a shape");
    if (status != RILL_OK) rill_owned_mesh_free(m, out);
    return status;
}
