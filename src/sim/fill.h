/* SPDX-License-Identifier: MIT */
/* Filling shapes with particles. */
#ifndef RILL_SIM_FILL_H
#define RILL_SIM_FILL_H

#include "sim/kernel.h"
#include "sim/sim.h"

/* Distance to a solid below which a particle would be pushed into its neighbours. */
static inline float fill_least_distance(const rill_world *w) {
    return 0.5f * w->wall_distance;
}
/* Solids whose boxes are farther away than this hold no particle, whatever the error of their distances. */
static inline float fill_search_reach(const rill_world *w) {
    return fill_least_distance(w) + w->def.spacing;
}
/* Adds the particles of a block, or only counts them. */
rill_status rill_fill_block(rill_world *world, const rill_block_def *def, int fluid_slot, bool count_only, int *added);
/* sum of V0 W over a full square or cubic lattice: the ratio to rho0 of the density that a fluid at rest gets. */
float rill_fill_lattice_sum(kernel_kind kind, float h, float dx);

#endif
