/* SPDX-License-Identifier: MIT */
/* Broad phase: a binary tree of the boxes around the placed solids. Particles, bodies and queries ask it which solids
   may be near, and measure only these. Half-spaces and containers have no box and are always near. */
#ifndef RILL_SOLID_SOLID_TREE_H
#define RILL_SOLID_SOLID_TREE_H

#include "model/world_state.h"

typedef struct solid_box {
    float low[3], high[3]; /* z is 0 in 2D */
    int32_t solid;         /* slot */
} solid_box;

/* Room for `count` solids; false without memory. The boxes to build from are then written to tree->boxes, the slots
   without a box to tree->open, both in the order of slots. */
bool rill_solid_tree_reserve(solid_tree *tree, memory *m, int count);
/* Builds the tree over the first `box_count` boxes, which change their order. */
void rill_solid_tree_build(solid_tree *tree, int box_count, int open_count);
void rill_solid_tree_free(solid_tree *tree, memory *m);

/* Solids that may be near a region, in the order of their slots. */
#define NEAR_SOLIDS_MAX 128
typedef struct near_solids {
    const int32_t *slots;
    int count;
    int32_t found[NEAR_SOLIDS_MAX]; /* what `slots` points at, unless all solids may be near */
} near_solids;

/* Finds the solids whose boxes are not farther than `reach` from the box low-high along any axis; z is 0 in 2D. */
void rill_solids_near(const rill_world *world, rill_vec low, rill_vec high, float reach, near_solids *near);

#endif
