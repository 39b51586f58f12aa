/* SPDX-License-Identifier: MIT */
/* Added mass: the water that moves along with a body, estimated from the particles that touch it. */
#ifndef RILL_SIM_BOUNDARY_ADDED_MASS_H
#define RILL_SIM_BOUNDARY_ADDED_MASS_H

#include "sim/sim.h"

/* One name for each dimension, as in sim/dim_names.h. */
#define rill_added_mass_come  DIM_NAME(rill_added_mass_come)
#define rill_added_mass_touch DIM_NAME(rill_added_mass_touch)
#define rill_added_mass_end   DIM_NAME(rill_added_mass_end)

/* In the order of calls: resets the sums; counts particle i, which has some contact with the body; counts a contact
   nearer than a spacing; turns the sums into the added mass. */
static inline void added_mass_begin(body *b) {
    b->added = (added_mass){0};
}
void rill_added_mass_come(const rill_world *world, body *b, int i);
void rill_added_mass_touch(const rill_world *world, body *b, int i, const wall_contact *c);
void rill_added_mass_end(const rill_world *world, body *b);

#endif
