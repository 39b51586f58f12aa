/* SPDX-License-Identifier: MIT */
/* Restores the volume that smoothing takes from each piece of the surface. Taubin's filter preserves the volume of
   pieces much larger than a cell, but a drop of a few cells would lose a fifth. So each connected piece is grown along
   its normals until it has its former volume. */
#include "surface/surface.h"

#include <string.h>

/* A connected piece of the mesh, stored at the vertex that is its root. */
typedef struct piece {
    double before, now; /* volume before smoothing and now, in the units of element_volume */
    double area;        /* of the vertices that may move */
} piece;

static int32_t find_root(int32_t *parent, int32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static int32_t *parents(rill_surface *s) {
    return s->pieces.data;
}

static piece *pieces(rill_surface *s) {
    /* after the parents, aligned */
    const size_t offset = ((size_t)s->vertex_count * sizeof(int32_t) + 15) & ~(size_t)15;
    return (piece *)(void *)((char *)s->pieces.data + offset);
}

static const int32_t *element_at(const rill_surface *s, int element) {
    return (const int32_t *)s->index.data + (size_t)element * (size_t)s->recipe.dim;
}

/* Signed volume between an element and a fixed point, times two in 2D and six in 3D. */
static double element_volume(const rill_surface *s, int element, rill_vec origin) {
    const rill_vec *p = s->position.data;
    const int32_t *i = element_at(s, element);
    double v[3][3] = {{0}};
    for (int k = 0; k < 3 && k < s->recipe.dim; k++) {
        v[k][0] = (double)(p[i[k]].x - origin.x), v[k][1] = (double)(p[i[k]].y - origin.y);
        v[k][2] = (double)(p[i[k]].z - origin.z);
    }
    if (s->recipe.dim == 2) return v[0][0] * v[1][1] - v[0][1] * v[1][0];
    return v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
           v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
}

bool rill_surface_remember_volume(rill_surface *s) {
    const size_t vertices = (size_t)s->vertex_count;
    if (!rill_buffer_reserve(&s->memory, &s->pieces, vertices * (sizeof(int32_t) + sizeof(piece)) + 32, 0))
        return false;
    int32_t *parent = parents(s);
    piece *all = pieces(s);
    memset(all, 0, vertices * sizeof *all);
    for (int v = 0; v < s->vertex_count; v++) parent[v] = v;
    for (int e = 0; e < s->element_count; e++) {
        const int32_t *i = element_at(s, e);
        for (int k = 1; k < s->recipe.dim; k++) {
            const int32_t a = find_root(parent, i[0]), b = find_root(parent, i[k]);
            /* The smaller number becomes the root, so that the result does not depend on the order. */
            parent[a > b ? a : b] = a > b ? b : a;
        }
    }
    const rill_vec *p = s->position.data;
    for (int e = 0; e < s->element_count; e++) {
        const int32_t root = find_root(parent, element_at(s, e)[0]);
        all[root].before += element_volume(s, e, p[root]);
    }
    return true;
}

static bool may_move(const rill_surface *s, int vertex) {
    return !((const uint8_t *)s->at_wall.data)[vertex];
}

void rill_surface_restore_volume(rill_surface *s) {
    int32_t *parent = parents(s);
    piece *all = pieces(s);
    rill_vec *p = s->position.data;
    const int dim = s->recipe.dim;
    for (int round = 0; round < 2; round++) {
        rill_surface_normals(s);
        for (int v = 0; v < s->vertex_count; v++) all[v].now = all[v].area = 0.0;
        for (int e = 0; e < s->element_count; e++) {
            const int32_t *i = element_at(s, e);
            const int32_t root = find_root(parent, i[0]);
            piece *own = &all[root];
            const rill_vec n = rill_surface_element_normal(s, e);
            const double x = (double)n.x, y = (double)n.y, z = (double)n.z, area = sqrt(x * x + y * y + z * z);
            own->now += element_volume(s, e, p[root]);
            for (int k = 0; k < dim; k++) own->area += may_move(s, i[k]) ? area / dim : 0.0;
        }
        for (int v = 0; v < s->vertex_count; v++) {
            const piece *own = &all[find_root(parent, v)];
            if (!may_move(s, v) || !(own->area > 0.0)) continue;
            /* Volumes are too large by a factor of six (2D: two), areas by two (2D: one), so divide by their ratio. */
            const float most = 0.25f * s->cell;
            float step = (float)((own->before - own->now) / (dim == 3 ? 3.0 : 2.0) / own->area);
            step = step > most ? most : step < -most ? -most : step;
            const rill_vec n = ((const rill_vec *)s->normal.data)[v];
            p[v] = (rill_vec){p[v].x + step * n.x, p[v].y + step * n.y, p[v].z + step * n.z};
        }
    }
}
