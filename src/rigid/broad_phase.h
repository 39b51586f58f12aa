/* SPDX-License-Identifier: MIT */
/* Broad phase: which bodies may touch which solids in this step, from boxes around them. */
#ifndef RILL_RIGID_BROAD_H
#define RILL_RIGID_BROAD_H

#include "model/world_state.h"

/* The samples of `body` may touch the surface of `solid`; both are slots. */
typedef struct near_pair {
    int32_t body, solid;
} near_pair;

/* All pairs of which one side moves and that layers, masks and joints allow, ordered by body, then solid. They are
   valid until the next call. */
rill_status rill_broad_find(rill_world *world, double dt, const near_pair **pairs, int *count);

/* How far apart the samples of `a` and the surface of `s` may be to meet within dt. */
double rill_broad_margin(const rill_world *world, const body *a, const solid *s, double dt);

#endif
