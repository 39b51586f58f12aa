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
/* The same for a solid: a body would be shot away by particles that are too near to it (wcsph: 160 J in a square metre
   of still water at 0.3 spacings), walls stay. */
static inline float fill_keep_off(const rill_world *w, const solid *s) {
    return s->body > 0 ? 0.9f * w->wall_distance : fill_least_distance(w);
}
/* Solids whose boxes are farther away than this hold no particle, whatever the error of their distances. */
static inline float fill_search_reach(const rill_world *w) {
    return fill_least_distance(w) + w->def.spacing;
}
/* Adds the particles of a block, or only counts them. */
rill_status rill_fill_block(rill_world *world, const rill_block_def *def, int fluid_slot, bool count_only, int *added);
/* sum of V0 W over a full square or cubic lattice: what the density of a fluid at rest comes to, over rho0. */
float rill_fill_lattice_sum(kernel_kind kind, float h, float dx);

#endif
