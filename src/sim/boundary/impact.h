/* SPDX-License-Identifier: MIT */
/* Particles that strike bodies lighter than they are. */
#ifndef RILL_SIM_BOUNDARY_IMPACT_H
#define RILL_SIM_BOUNDARY_IMPACT_H

#include "sim/sim.h"

/* One name for each dimension, as in sim/dim_names.h. */
#define rill_impacts_find DIM_NAME(rill_impacts_find)

/* Before collisions, with particles and bodies where they will collide. `paid`: bodies get nothing from these. */
void rill_impacts_find(rill_world *world, bool paid);

/* The share of a collision with a body that acts on both, as found last. */
static inline float impact_share(const rill_world *world, const solid *s) {
    return (float)POOL_ITEMS(world, body)[s->body - 1].impact;
}

#endif
