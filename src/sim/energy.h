/* SPDX-License-Identifier: MIT */
/* The energy watch: detects kinetic energy that the fluid gains from no source. */
#ifndef RILL_SIM_ENERGY_H
#define RILL_SIM_ENERGY_H

#include "sim/sim.h"

/* Sums over the particles at the end of a substep, shared with the statistics. */
typedef struct fluid_motion {
    double kinetic, potential; /* energy [J] */
    double gravity;            /* power of gravity [W] */
    double mass;
    double deepest; /* greatest g . x [m^2/s^2] */
    double speed2;  /* of the fastest particle */
} fluid_motion;

/* Around a substep: records the energy at its start, adds what nozzles give to the particles that they hold, and
   balances the two at its end. The last one fails if the fluid has gained more than all energy in play. */
void rill_energy_begin(rill_world *world);
void rill_energy_guide(rill_world *world);
rill_status rill_energy_end(rill_world *world, const fluid_motion *now, double dt);

#endif
