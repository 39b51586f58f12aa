/* SPDX-License-Identifier: MIT */
/* A tree of boxes over triangles, for closest-point queries. One thread builds it, so the tree is always the same. */
#ifndef RILL_GEOMETRY_BVH_H
#define RILL_GEOMETRY_BVH_H

#include "geometry/mesh.h"
#include "geometry/triangle.h"

/* The two children of a node are adjacent. count > 0: a leaf with triangles [first, first + count); otherwise `first`
   is the left child. */
typedef struct bvh_node {
    float low[3];
    int32_t first;
    float high[3];
    int32_t count;
} bvh_node;

/* Corners of a triangle. Triangles are stored in the order of the leaves. */
typedef struct bvh_triangle {
    float corner[3][3];
} bvh_triangle;

typedef struct bvh {
    bvh_node *nodes; /* the root is the first; a child comes after its parent */
    int node_count, node_room;
    bvh_triangle *triangles;
    int32_t *source; /* index in the mesh of each triangle */
    int triangle_count;
} bvh;

/* Deep enough for any tree that rill_bvh_build makes (see MAX_SAH_DEPTH). */
#define BVH_STACK 80

typedef struct bvh_hit {
    double distance;
    dvec point;
    int32_t triangle; /* index in the mesh; -1: nothing within reach */
    int32_t slot;     /* index in the tree's array */
    triangle_region region;
} bvh_hit;

/* `keep` has one byte per triangle, non-zero to include it; NULL: include all. False if out of memory. */
bool rill_bvh_build(memory *m, const mesh *mesh, const uint8_t *keep, bvh *tree);
void rill_bvh_free(memory *m, bvh *tree);
/* The closest of all points nearer than `reach` (INFINITY: no limit). `hint` is the slot of a triangle that is probably
   near (that of a neighbouring query, say), or -1: it shortens the search and never changes the distance. Of several
   equally near triangles, any may be returned. */
bvh_hit rill_bvh_closest(const bvh *tree, dvec p, double reach, int32_t hint);

#endif
