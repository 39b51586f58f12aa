/* SPDX-License-Identifier: MIT */
/* The surface of a shape as a mesh, moved from the shape's own coordinates to where it was added. */
#include "core/error.h"
#include "core/trig.h"
#include "geometry/shape.h"
#include "rill/frame.h"

#include <stdlib.h>

/* Default number of edges around a round part. */
#define ROUND 48

/* Length of 1/ROUND of the circumference of the smallest round part; any value does if nothing is round. */
static double detail_of(const rill_shape *shape) {
    const double around = 2 * PI / ROUND;
    double least = HUGE_VAL;
    for (int k = 0; k < shape->parts.count; k++) least = fmin(least, detail_of(&shape->parts.data[k]));
    if (shape->kind == RILL_COMPOUND) return least * (double)shape->scale;
    return around * (double)(shape->kind == RILL_TORUS ? 2 * shape->tube : shape->radius);
}

static rill_status make_room(rill_shape_surface *s, int points, int cells, rill_error *error) {
    s->point = calloc((size_t)points + 1, sizeof *s->point);
    s->cell = calloc((size_t)cells * (size_t)s->corners + 1, sizeof *s->cell);
    if (!s->point || !s->cell) return rill_fail(error, RILL_MEMORY, "no memory for the surface of a shape");
    s->point_count = points, s->cell_count = cells;
    return RILL_OK;
}

static rill_vec placed(const shape_frame *frame, double x, double y, double z) {
    const dvec p = rill_shape_to_world(frame, (dvec){x, y, z});
    return (rill_vec){(float)p.x, (float)p.y, (float)p.z};
}

/* Edges do not share points. */
static rill_status take_outline(rill_shape_surface *s, const outline *o, const shape_frame *frame, rill_error *error) {
    TRY(make_room(s, 2 * o->count, o->count, error));
    s->cell_count = s->point_count = 0;
    for (int k = 0; k < o->count; k++) {
        const float *e = o->edges[k];
        for (int end = 0; end < 2; end++) {
            s->cell[s->point_count] = s->point_count;
            s->point[s->point_count++] = placed(frame, (double)e[2 * end], (double)e[2 * end + 1], 0);
        }
        s->cell_count++;
    }
    return RILL_OK;
}

static rill_status take_mesh(rill_shape_surface *s, const owned_mesh *mesh, const shape_frame *frame,
                             rill_error *error) {
    TRY(make_room(s, mesh->vertex_count, mesh->triangle_count, error));
    for (int k = 0; k < mesh->vertex_count; k++) {
        const float *v = mesh->vertices[k];
        s->point[k] = placed(frame, (double)v[0], (double)v[1], (double)v[2]);
    }
    for (int k = 0; k < mesh->triangle_count; k++)
        for (int c = 0; c < 3; c++) s->cell[3 * k + c] = mesh->triangles[k][c];
    return RILL_OK;
}

static void turn_inside_out(rill_shape_surface *s) {
    for (int k = 0; k < s->cell_count; k++) {
        int32_t *cell = s->cell + (size_t)k * (size_t)s->corners, kept = cell[0];
        cell[0] = cell[1], cell[1] = kept;
    }
}

rill_status rill_shape_surface_make(const rill_shape *shape, int dim, double detail, rill_shape_surface *s,
                                    rill_error *error) {
    *s = (rill_shape_surface){.corners = dim};
    memory m;
    rill_memory_init(&m, &(rill_allocator){0});
    const shape_frame frame = rill_shape_frame_of(shape, dim);
    if (!(detail > 0)) detail = detail_of(shape);
    rill_status status;
    if (shape->kind == RILL_HALF_SPACE) return make_room(s, 0, 0, error);
    if (dim == 2) {
        outline edges = {0};
        status = rill_shape_outline(&m, shape, detail, &edges, error);
        if (status == RILL_OK) status = take_outline(s, &edges, &frame, error);
        rill_outline_free(&m, &edges);
    } else {
        owned_mesh mesh = {0};
        status = rill_shape_mesh(&m, shape, detail, &mesh, error);
        if (status == RILL_OK) status = take_mesh(s, &mesh, &frame, error);
        rill_owned_mesh_free(&m, &mesh);
    }
    if (status == RILL_OK && shape->inside) turn_inside_out(s);
    return status;
}

void rill_shape_surface_free(rill_shape_surface *s) {
    free(s->point);
    free(s->cell);
    *s = (rill_shape_surface){0};
}
