/* SPDX-License-Identifier: MIT */
/* Collisions of particles with bodies lighter than they are. */
#ifndef RILL_SIM_BOUNDARY_IMPACT_H
#define RILL_SIM_BOUNDARY_IMPACT_H

#include "sim/sim.h"

/* One name for each dimension, as in sim/dim_names.h. */
#define rill_impacts_find DIM_NAME(rill_impacts_find)

/* Called before collisions, with particles and bodies in the places where they collide. `paid`: bodies get nothing from
   these collisions. */
void rill_impacts_find(rill_world *world, bool paid);

/* The share of a collision's impulse that acts, on the body and on the particle, as found last. */
static inline float impact_share(const rill_world *world, const solid *s) {
    return (float)POOL_ITEMS(world, body)[s->body - 1].impact;
}

#endif
