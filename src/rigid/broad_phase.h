/* SPDX-License-Identifier: MIT */
/* Broad phase: finds the bodies and solids that may touch in this step, by boxes around them. */
#ifndef RILL_RIGID_BROAD_PHASE_H
#define RILL_RIGID_BROAD_PHASE_H

#include "model/world_state.h"

/* The samples of `body` may touch the surface of `solid`; both are slots. */
typedef struct near_pair {
    int32_t body, solid;
} near_pair;

/* Finds all pairs of which at least one side moves, and which layers, masks and joints allow to collide, ordered by
   body, then by solid. The array is valid until the next call. */
rill_status rill_broad_find(rill_world *world, double dt, const near_pair **pairs, int *count);

/* The distance within which the samples of `a` and the surface of `s` may meet during dt [m]. */
double rill_broad_margin(const rill_world *world, const body *a, const solid *s, double dt);

#endif
