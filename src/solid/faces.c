/* SPDX-License-Identifier: MIT */
/* Cuts a surface into small cells: edges into equal pieces in 2D, triangles into equal triangles in 3D. */
#include "solid/faces.h"

#include <string.h>

/* Edge of a cell, in spacings. */
#define CELL 0.5f
/* Most cells on one shape. A larger body than that does not float here, and gets none. */
#define CELLS_MAX 200000

typedef struct cutter {
    const placed_shape *shape; /* in its own frame */
    float cell;
    face_cell *cells; /* NULL: counts only */
    int count;
} cutter;

/* Number of pieces into which a length is cut. Limited to just above CELLS_MAX, which is enough to refuse the shape. */
static int pieces_of(const cutter *c, float length) {
    return (int)fminf(fmaxf(ceilf(length / c->cell), 1.0f), (float)CELLS_MAX + 1.0f);
}

static void put(cutter *c, vec x, vec n, float area) {
    if (c->cells) {
        face_cell *cell = &c->cells[c->count];
        *cell = (face_cell){.area = area};
        memcpy(cell->x, &x, sizeof x);
        memcpy(cell->normal, &n, sizeof n);
    }
    c->count++;
}

#if DIM == 2
/* A shape made of edges takes the normal of the edge: x lies on it up to rounding, and the direction from the nearest
   point to x would be random. */
static vec normal_at(const cutter *c, vec x, vec span) {
    vec n = vec_direction((vec){span.y, -span.x});
    if (!rill_shape_has_edges(c->shape)) rill_shape_distance(c->shape, x, &n);
    return n;
}

static void cut_edge(cutter *c, const float e[4]) {
    const vec a = {e[0], e[1]}, span = {e[2] - e[0], e[3] - e[1]};
    const float length = vec_length(span);
    const int pieces = pieces_of(c, length);
    for (int k = 0; k < pieces && c->count <= CELLS_MAX; k++) {
        const vec x = vec_along(a, ((float)k + 0.5f) / (float)pieces, span);
        put(c, x, normal_at(c, x, span), length / (float)pieces);
    }
}

static rill_status cut(cutter *c, memory *m, const rill_shape *shape, rill_error *error) {
    outline o;
    TRY(rill_shape_outline(m, shape, (double)c->cell, &o, error));
    for (int k = 0; k < o.count; k++) cut_edge(c, o.edges[k]);
    rill_outline_free(m, &o);
    return RILL_OK;
}
#else
static vec normal_at(const cutter *c, vec x) {
    vec n;
    rill_shape_distance(c->shape, x, &n);
    return n;
}

static void cut_triangle(cutter *c, const mesh *view, int t) {
    vec corner[3];
    for (int k = 0; k < 3; k++) memcpy(&corner[k], view->vertices[view->triangles[t][k]], sizeof(vec));
    const vec u = vec_sub(corner[1], corner[0]), v = vec_sub(corner[2], corner[0]);
    const vec n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const float longest = fmaxf(fmaxf(vec_length(u), vec_length(v)), vec_length(vec_sub(u, v)));
    const int pieces = pieces_of(c, longest);
    const float step = 1.0f / (float)pieces, area = 0.5f * vec_length(n) * step * step;
    for (int a = 0; a < pieces && c->count <= CELLS_MAX; a++)
        for (int b = 0; b < pieces - a && c->count <= CELLS_MAX; b++)
            for (int upside = 0; upside < 2 && a + b + upside < pieces && c->count <= CELLS_MAX; upside++) {
                const float third = upside ? 2.0f / 3.0f : 1.0f / 3.0f;
                const vec x =
                    vec_along(vec_along(corner[0], ((float)a + third) * step, u), ((float)b + third) * step, v);
                put(c, x, normal_at(c, x), area);
            }
}

static rill_status cut(cutter *c, memory *m, const rill_shape *shape, rill_error *error) {
    owned_mesh surface;
    TRY(rill_shape_mesh(m, shape, (double)c->cell, &surface, error));
    const mesh view = rill_mesh_view(&surface);
    for (int t = 0; t < surface.triangle_count && c->count <= CELLS_MAX; t++) cut_triangle(c, &view, t);
    rill_owned_mesh_free(m, &surface);
    return RILL_OK;
}
#endif

rill_status rill_faces_make(rill_world *w, shared_shape *shared, const rill_shape *shape) {
    shared->faces.looked_at = true;
    if (shape->kind == RILL_HALF_SPACE) return RILL_OK;
    const shape_models models = {&shared, 1};
    const placed_shape f = rill_placed_make(shape, &models, NULL, NULL);
    cutter c = {.shape = &f, .cell = CELL * w->def.spacing};
    TRY(cut(&c, &w->memory, shape, &w->error));
    if (c.count == 0 || c.count > CELLS_MAX) return RILL_OK;
    face_set *faces = &shared->faces;
    faces->cells = rill_memory_get(&w->memory, sizeof *faces->cells * (size_t)c.count);
    if (!faces->cells) return rill_fail(&w->error, RILL_MEMORY, "no memory for the faces of a body");
    faces->count = c.count;
    c.cells = faces->cells;
    c.count = 0;
    return cut(&c, &w->memory, shape, &w->error);
}
