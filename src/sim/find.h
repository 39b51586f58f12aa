/* SPDX-License-Identifier: MIT */
/* Searches for particles by place. */
#ifndef RILL_SIM_FIND_H
#define RILL_SIM_FIND_H

#include "sim/sim.h"

/* Finds the ids of the particles inside a shape, in the order of the arrays: up to `capacity` are written, all are
   counted. */
void rill_find_inside(const rill_world *world, const rill_shape *shape, const shape_models *models,
                      rill_particle_id *ids, int capacity, int *count);
/* Finds particles that are deep in a solid or squeezed between two surfaces, as rill_find_inside does. */
rill_status rill_find_stuck(rill_world *world, rill_particle_id *ids, int capacity, int *count);

#endif
