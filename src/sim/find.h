/* SPDX-License-Identifier: MIT */
/* Which particles are where. */
#ifndef RILL_SIM_FIND_H
#define RILL_SIM_FIND_H

#include "sim/sim.h"

/* Ids of the particles inside a shape, in the order of the arrays: up to `capacity` are written, all are counted. */
void rill_find_inside(const rill_world *world, const rill_shape *shape, const shape_models *models,
                      rill_particle_id *ids, int capacity, int *count);
/* The same for particles that cannot get away: deep in a solid, or squeezed between two. */
rill_status rill_find_stuck(rill_world *world, rill_particle_id *ids, int capacity, int *count);

#endif
