/* SPDX-License-Identifier: MIT */
/* A tree of boxes over triangles: closest points. Built by one thread, so that it is always the same tree. */
#ifndef RILL_GEOMETRY_BVH_H
#define RILL_GEOMETRY_BVH_H

#include "geometry/mesh.h"
#include "geometry/triangle.h"

/* Children lie side by side. count > 0: a leaf with triangles [first, first + count); otherwise `first` is the left
   child. */
typedef struct bvh_node {
    float low[3];
    int32_t first;
    float high[3];
    int32_t count;
} bvh_node;

/* Corners of a triangle, in the order of the leaves. */
typedef struct bvh_triangle {
    float corner[3][3];
} bvh_triangle;

typedef struct bvh {
    bvh_node *nodes; /* the root is the first; a child comes after its parent */
    int node_count, node_room;
    bvh_triangle *triangles;
    int32_t *source; /* number in the mesh of each of them */
    int triangle_count;
} bvh;

/* Deep enough for any tree that rill_bvh_build makes. */
#define BVH_STACK 80

typedef struct bvh_hit {
    double distance;
    dvec point;
    int32_t triangle; /* in the mesh; -1: nothing within reach */
    int32_t slot;     /* in the tree */
    triangle_region region;
} bvh_hit;

/* `keep`: triangles to take, one byte each; NULL: all. False if there is no memory. */
bool rill_bvh_build(memory *m, const mesh *mesh, const uint8_t *keep, bvh *tree);
void rill_bvh_free(memory *m, bvh *tree);
/* The closest point of all that are nearer than `reach` (INFINITY: any). `hint` is the slot of a triangle that is
   likely near (of a point close by, say) or -1: it makes the search shorter and changes no distance. Where several
   triangles are equally near, any of them may be named. */
bvh_hit rill_bvh_closest(const bvh *tree, dvec p, double reach, int32_t hint);

#endif
