/* SPDX-License-Identifier: MIT */
/* Checks that do not depend on how meshes are made: every directed edge once and its reverse once, the elements around
   a vertex in one ring, every vertex used, all numbers finite. */
#ifndef TEST_SURFACE_MANIFOLD_H
#define TEST_SURFACE_MANIFOLD_H

#include "rill/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct half_edge {
    int32_t from, to, opposite; /* opposite: third corner */
} half_edge;

static inline int half_edge_order(const void *a, const void *b) {
    const half_edge *p = a, *q = b;
    if (p->from != q->from) return p->from < q->from ? -1 : 1;
    return (p->to > q->to) - (p->to < q->to);
}

static inline const half_edge *half_edge_find(const half_edge *edges, int count, int32_t from, int32_t to) {
    const half_edge key = {from, to, 0};
    return bsearch(&key, edges, (size_t)count, sizeof *edges, half_edge_order);
}

/* NULL, or the problem of a triangle mesh. */
static inline const char *mesh_problem_3d(const rill_surface_mesh *mesh, half_edge *edges, int32_t *ring) {
    const int count = 3 * mesh->element_count;
    memset(ring, 0, (size_t)mesh->vertex_count * sizeof *ring);
    for (int c = 0; c < count; c++) {
        const int32_t *t = mesh->index + 3 * (c / 3);
        edges[c] = (half_edge){t[c % 3], t[(c + 1) % 3], t[(c + 2) % 3]};
        if (t[c % 3] < 0 || t[c % 3] >= mesh->vertex_count) return "an index is out of range";
        if (t[c % 3] == t[(c + 1) % 3]) return "a triangle has a corner twice";
        ring[t[c % 3]]++;
    }
    qsort(edges, (size_t)count, sizeof *edges, half_edge_order);
    for (int c = 0; c < count; c++) {
        if (c && half_edge_order(&edges[c - 1], &edges[c]) == 0) return "an edge is there twice in one direction";
        if (!half_edge_find(edges, count, edges[c].to, edges[c].from)) return "an edge is open";
    }
    for (int c = 0; c < count; c++) {
        if (c && edges[c - 1].from == edges[c].from) continue;
        /* Walk around the vertex: the ring must have as many triangles as the vertex. */
        int32_t around = 0, to = edges[c].to;
        do {
            to = half_edge_find(edges, count, edges[c].from, to)->opposite, around++;
        } while (to != edges[c].to && around <= ring[edges[c].from]);
        if (around != ring[edges[c].from]) return "a vertex holds two sheets together";
    }
    for (int v = 0; v < mesh->vertex_count; v++)
        if (ring[v] == 0) return "a vertex is not used";
    return NULL;
}

static inline const char *mesh_problem_2d(const rill_surface_mesh *mesh, int32_t *starts, int32_t *ends) {
    memset(starts, 0, (size_t)mesh->vertex_count * sizeof *starts);
    memset(ends, 0, (size_t)mesh->vertex_count * sizeof *ends);
    for (int e = 0; e < mesh->element_count; e++) {
        const int32_t a = mesh->index[2 * e], b = mesh->index[2 * e + 1];
        if (a < 0 || b < 0 || a >= mesh->vertex_count || b >= mesh->vertex_count) return "an index is out of range";
        starts[a]++, ends[b]++;
    }
    for (int v = 0; v < mesh->vertex_count; v++)
        if (starts[v] != 1 || ends[v] != 1) return "a vertex does not join exactly two segments";
    return NULL;
}

static inline const char *mesh_problem(const rill_surface_mesh *mesh) {
    for (int v = 0; v < mesh->vertex_count; v++) {
        const rill_vec *all[] = {&mesh->position[v], &mesh->normal[v], &mesh->velocity[v]};
        for (int k = 0; k < 3; k++)
            if (!isfinite(all[k]->x) || !isfinite(all[k]->y) || !isfinite(all[k]->z)) return "a number is not finite";
        const rill_vec n = mesh->normal[v];
        if (fabsf(n.x * n.x + n.y * n.y + n.z * n.z - 1.0f) > 1e-4f) return "a normal is not of unit length";
    }
    const size_t corners = (size_t)mesh->dim * (size_t)mesh->element_count + 1,
                 vertices = (size_t)mesh->vertex_count + 1;
    half_edge *edges = malloc(corners * sizeof *edges);
    int32_t *ring = malloc(2 * vertices * sizeof *ring);
    const char *problem = !edges || !ring  ? "there is no memory to check"
                          : mesh->dim == 3 ? mesh_problem_3d(mesh, edges, ring)
                                           : mesh_problem_2d(mesh, ring, ring + vertices);
    free(edges);
    free(ring);
    return problem;
}

#endif
