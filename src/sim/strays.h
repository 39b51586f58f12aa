/* SPDX-License-Identifier: MIT */
/* Particles that have left the world. */
#ifndef RILL_SIM_STRAYS_H
#define RILL_SIM_STRAYS_H

#include "sim/sim.h"

/* Before a substep: removes or refuses what is out of bounds, as the world says, and removes what the last one had to
   give up. */
rill_status rill_strays_settle(rill_world *world);
/* In a world that does not stop for it: particles faster than `limit` or no number any more are slowed down, or given
   up, as the world says. `dt` is what they have moved by. */
void rill_strays_tame(rill_world *world, double limit, double dt);
/* After it has moved: no particle is faster than world.speed_clamp. */
void rill_strays_clamp(rill_world *world);
/* Height along `up` of the lowest point within automatic bounds: fluid below it has fallen off and rests on nothing.
   -INFINITY: there is no such height. */
float rill_strays_floor(const rill_world *world, vec up);

#endif
