/* SPDX-License-Identifier: MIT */
/* Sets a world up for a method: at its creation, and when another method takes over. */
#ifndef RILL_SIM_SWITCH_H
#define RILL_SIM_SWITCH_H

#include "sim/sim.h"

/* Makes world->sim, the particle arrays and the parameters for world->def.method. */
rill_status rill_sim_create(rill_world *world);
void rill_sim_destroy(rill_world *world);
/* Sets the mass of the fluid's particles and, if it is the first fluid, the support: both follow from the method's
   kernel. */
void rill_sim_set_fluid_mass(rill_world *world, fluid *f);
/* Gives the world another method with its defaults; on error it keeps the one it had. */
rill_status rill_sim_set_method(rill_world *world, const char *name);

#endif
