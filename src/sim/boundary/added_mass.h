/* SPDX-License-Identifier: MIT */
/* The water that bodies move along: how much it is, from the particles that touch them. */
#ifndef RILL_SIM_BOUNDARY_ADDED_MASS_H
#define RILL_SIM_BOUNDARY_ADDED_MASS_H

#include "sim/sim.h"

/* One name for each dimension, as in sim/dim_names.h. */
#define rill_added_mass_come  DIM_NAME(rill_added_mass_come)
#define rill_added_mass_touch DIM_NAME(rill_added_mass_touch)
#define rill_added_mass_end   DIM_NAME(rill_added_mass_end)

/* Forgets the last step's, counts any contact of particle i and one nearer than a spacing, and sums up. */
static inline void added_mass_begin(body *b) {
    b->added = (added_mass){0};
}
void rill_added_mass_come(const rill_world *world, body *b, int i);
void rill_added_mass_touch(const rill_world *world, body *b, int i, const wall_contact *c);
void rill_added_mass_end(const rill_world *world, body *b);

#endif
