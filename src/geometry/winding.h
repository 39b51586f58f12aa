/* SPDX-License-Identifier: MIT */
/* Generalised winding number: how often a surface winds around a point. It is 1 inside a closed surface and 0 outside,
   and lies in between where the surface has holes, so that a threshold of 1/2 closes them. Jacobson, Kavan,
   Sorkine-Hornung 2013; distant triangles as dipoles as in Barill, Dickson, Schmidt, Levin, Jacobson 2018. */
#ifndef RILL_GEOMETRY_WINDING_H
#define RILL_GEOMETRY_WINDING_H

#include "geometry/bvh.h"

/* All triangles of a node seen from afar: the first two terms of the expansion about the centre of their area. */
typedef struct winding_node {
    float centre[3];
    float reach2;    /* square of the distance beyond which the expansion is used */
    float normal[3]; /* sum of area times normal */
    float spread[6]; /* sum of area times normal times place relative to the centre: xx yy zz xy+yx yz+zy zx+xz */
} winding_node;

typedef struct winding_tree {
    const bvh *tree;
    winding_node *nodes;
    int node_count;
} winding_tree;

/* Nodes nearer than this many of their radii are opened. Near the Stanford bunny the error is then 0.017 on average and
   at most 0.06, a third of that of the leading term alone. */
#define WINDING_BETA 2.0

/* Keeps a pointer to `tree`. False if out of memory. */
bool rill_winding_build(memory *m, const bvh *tree, winding_tree *winding);
void rill_winding_free(memory *m, winding_tree *winding);
double rill_winding_number(const winding_tree *winding, dvec p);
/* The winding number without triangle `except` of the mesh: at a point on that triangle, the mean of its two sides. */
double rill_winding_number_except(const winding_tree *winding, dvec p, int32_t except);

#endif
