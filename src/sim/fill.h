/* SPDX-License-Identifier: MIT */
/* Filling shapes with particles. */
#ifndef RILL_SIM_FILL_H
#define RILL_SIM_FILL_H

#include "sim/boundary/form.h"
#include "sim/kernel.h"

/* Would a particle here start in a solid, or so near to one that it would be pushed into its neighbours? Asks the
   solids as they were last placed. */
bool fill_in_solid(const rill_world *world, vec x);
/* Adds the particles of a block, or only counts them. */
rill_status fill_block(rill_world *world, const rill_block_def *def, int fluid_slot, bool count_only, int *added);
/* sum of V0 W over a full square or cubic lattice: what the density of a fluid at rest comes to, over rho0. */
float fill_lattice_sum(kernel_kind kind, float h, float dx);

#endif
