/* SPDX-License-Identifier: MIT */
/* The edges of a mesh, in a hash table. */
#ifndef RILL_GEOMETRY_EDGES_H
#define RILL_GEOMETRY_EDGES_H

#include "geometry/mesh.h"

typedef struct edge {
    int32_t low, high;         /* vertices, low < high; low < 0: an empty slot */
    int32_t forward, backward; /* number of triangles that traverse it from low to high, and from high to low */
    int32_t triangle[2];       /* the first two triangles */
} edge;

typedef struct edge_table {
    edge *slots;
    size_t room; /* a power of two */
} edge_table;

/* The next corner of a triangle. */
static inline int next_corner(int corner) {
    return corner == 2 ? 0 : corner + 1;
}

bool rill_edges_build(memory *m, const mesh *mesh, edge_table *table);
void rill_edges_free(memory *m, edge_table *table);
/* The edge from `corner` of a triangle to its next corner. */
const edge *rill_edges_of(const edge_table *table, const mesh *mesh, int triangle, int corner);
/* Counts open, non-manifold and turned edges, and sets whether the mesh is closed. */
void rill_edges_count(const edge_table *table, mesh_report *report);

#endif
