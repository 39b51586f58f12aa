/* SPDX-License-Identifier: MIT */
/* Broad phase: a binary tree of the boxes around the placed solids. Particles, bodies and queries search it for solids
   that may be near, and measure distances only to these. Half-spaces and containers have no box and are always near. */
#ifndef RILL_SOLID_SOLID_TREE_H
#define RILL_SOLID_SOLID_TREE_H

#include "model/world_state.h"

typedef struct solid_box {
    float low[3], high[3]; /* z is 0 in 2D */
    int32_t solid;         /* slot */
} solid_box;

/* Reserves memory for `count` solids; false if there is none. The caller then writes boxes to tree->boxes and the slots
   without a box to tree->open, both in the order of slots. */
bool rill_solid_tree_reserve(solid_tree *tree, memory *m, int count);
/* Builds the tree over the first `box_count` boxes, and reorders them. */
void rill_solid_tree_build(solid_tree *tree, int box_count, int open_count);
void rill_solid_tree_free(solid_tree *tree, memory *m);

/* Solids that may be near a region, in the order of their slots. */
#define NEAR_SOLIDS_MAX 128
typedef struct near_solids {
    const int32_t *slots;
    int count;
    int32_t found[NEAR_SOLIDS_MAX]; /* target of `slots`, unless that lists all solids */
} near_solids;

/* Finds the solids whose boxes are not farther than `reach` from the box low-high along any axis; z is 0 in 2D. */
void rill_solids_near(const rill_world *world, rill_vec low, rill_vec high, float reach, near_solids *near);

#endif
