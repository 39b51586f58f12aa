/* SPDX-License-Identifier: MIT */
/* Points that represent a surface in contacts of bodies. */
#include "solid/shape_library.h"

#include <math.h>
#include <string.h>

/* Finds candidates: corners and middles of edges. Corners stick out, and flat faces rest on their rims. */
static int find_candidates(const shape_context *c, const rill_shape *s, const shape_model *model, float (**out)[3],
                           rill_error *error) {
    owned_mesh surface = {0};
    if (c->dim == 3 && rill_shape_mesh(c->memory, s, (double)c->spacing, &surface, error) != RILL_OK) return -1;
    const outline *o = &model->edges;
    const int edges = c->dim == 3 ? 3 * surface.triangle_count : o->count, count = 2 * edges;
    float(*points)[3] = rill_memory_get(c->memory, sizeof *points * (size_t)count);
    for (int k = 0; points && k < edges; k++) {
        float a[3] = {0}, b[3] = {0};
        if (c->dim == 3) {
            memcpy(a, surface.vertices[surface.triangles[k / 3][k % 3]], sizeof a);
            memcpy(b, surface.vertices[surface.triangles[k / 3][(k + 1) % 3]], sizeof b);
        } else {
            memcpy(a, o->edges[k], sizeof(float[2]));
            memcpy(b, o->edges[k] + 2, sizeof(float[2]));
        }
        for (int axis = 0; axis < 3; axis++) {
            points[2 * k][axis] = a[axis];
            points[2 * k + 1][axis] = 0.5f * (a[axis] + b[axis]);
        }
    }
    rill_owned_mesh_free(c->memory, &surface);
    *out = points;
    if (!points) rill_fail(error, RILL_MEMORY, "no memory for the contacts of a shape");
    return points ? count : -1;
}

static float squared_distance(const float *a, const float *b) {
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

/* Chooses points one by one, each the farthest from those chosen before, starting with the one farthest from the
   origin. */
static int choose_far_apart(float (*points)[3], float *nearest, int count, float (*chosen)[3]) {
    const float origin[3] = {0};
    for (int k = 0; k < count; k++) nearest[k] = squared_distance(points[k], origin);
    int n = 0;
    float first = 0.0f;
    while (n < SURFACE_POINTS_MAX && n < count) {
        int best = 0;
        for (int k = 1; k < count; k++)
            if (nearest[k] > nearest[best]) best = k;
        if (n == 1) first = nearest[best];
        if (n > 1 && !(nearest[best] > 1e-6f * first)) break;
        memcpy(chosen[n], points[best], sizeof *chosen);
        for (int k = 0; k < count; k++) {
            const float d = squared_distance(points[k], chosen[n]);
            nearest[k] = n == 0 ? d : fminf(nearest[k], d);
        }
        n++;
    }
    return n;
}

rill_status rill_surface_points_make(shared_shape *shared, const shape_context *c, const rill_shape *s,
                                     rill_error *error) {
    float(*candidates)[3] = NULL;
    if (shared->points) return RILL_OK;
    const int count = find_candidates(c, s, &shared->model, &candidates, error);
    if (count < 0) return error ? error->status : RILL_MEMORY;
    const size_t size = sizeof(float) * (size_t)count;
    float *nearest = rill_memory_get(c->memory, size);
    shared->points = rill_memory_get(c->memory, sizeof *shared->points * SURFACE_POINTS_MAX);
    const bool ok = nearest && shared->points;
    if (ok) shared->point_count = choose_far_apart(candidates, nearest, count, shared->points);
    if (nearest) rill_memory_release(c->memory, nearest, size);
    rill_memory_release(c->memory, candidates, sizeof *candidates * (size_t)count);
    return ok ? RILL_OK : rill_fail(error, RILL_MEMORY, "no memory for the contacts of a shape");
}
