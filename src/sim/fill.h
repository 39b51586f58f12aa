/* SPDX-License-Identifier: MIT */
/* Filling shapes with particles. */
#ifndef RILL_SIM_FILL_H
#define RILL_SIM_FILL_H

#include "sim/kernel.h"
#include "sim/sim.h"

/* Takes out the particles that lie in a solid, or so near to it that they would be pushed into their neighbours, and
   counts them as left out. */
rill_status rill_fill_clear_solid(rill_world *world, const solid *s);
/* Adds the particles of a block, or only counts them. */
rill_status rill_fill_block(rill_world *world, const rill_block_def *def, int fluid_slot, bool count_only, int *added);
/* sum of V0 W over a full square or cubic lattice: what the density of a fluid at rest comes to, over rho0. */
float rill_fill_lattice_sum(kernel_kind kind, float h, float dx);

#endif
