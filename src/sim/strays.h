/* SPDX-License-Identifier: MIT */
/* Particles that leave the world's bounds or its speed limit. */
#ifndef RILL_SIM_STRAYS_H
#define RILL_SIM_STRAYS_H

#include "sim/sim.h"

/* Before a substep, in a world that does not stop at a failure: removes particles that the last substep gave up, or
   that the host has made too fast to step with. */
rill_status rill_strays_remove_runaways(rill_world *world);
/* Before a substep: removes particles out of bounds or fails because of them, as the world is set. */
rill_status rill_strays_settle(rill_world *world);
/* Whether these two may remove particles from the world as it is now. */
bool rill_strays_wait(const rill_world *world);
/* In a world that does not stop at a failure: slows down or gives up, as the world is set, particles that are faster
   than `limit` or not finite. `dt`: the time over which they have moved. */
void rill_strays_tame(rill_world *world, double limit, double dt);
/* After a move: limits all speeds to world.speed_clamp. */
void rill_strays_clamp(rill_world *world);
/* Height along `up` of the lowest point within automatic bounds: fluid below it has fallen off and rests on nothing.
   -INFINITY if there are no such bounds. */
float rill_strays_floor(const rill_world *world, vec up);

#endif
