/* SPDX-License-Identifier: MIT */
/* The energy watch: kinetic energy that nothing has put into the fluid. */
#ifndef RILL_SIM_ENERGY_H
#define RILL_SIM_ENERGY_H

#include "sim/sim.h"

/* Around a substep: what it starts with, what nozzles give to the particles that they hold, and what it came to. The
   last one fails if the fluid has gained more than all energy that was in play. */
void rill_energy_begin(rill_world *world);
void rill_energy_guide(rill_world *world);
rill_status rill_energy_end(rill_world *world, double dt);

#endif
