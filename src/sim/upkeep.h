/* SPDX-License-Identifier: MIT */
/* Lifetimes, limits and areas: particles that expire are removed, areas act on particles and watch them. */
#ifndef RILL_SIM_UPKEEP_H
#define RILL_SIM_UPKEEP_H

#include "sim/sim.h"

/* Reserves a flag for each particle: sim_of(world)->keep. */
rill_status rill_upkeep_reserve(rill_world *world);
/* Keeps the particles with keep[i] != 0, lists the others if the world reports events, and counts them as removed.
   Reason RILL_REMOVAL_REASONS: the host removes them, and they are not listed. */
rill_status rill_upkeep_remove(rill_world *world, const uint8_t *keep, rill_removal_reason reason, int *gone);
/* Before a substep, and before anything else looks at velocities: fails if the host wrote one that is not finite. */
rill_status rill_upkeep_check_written(rill_world *world);
/* Before a substep: removes expired particles, and the oldest ones beyond the particle limit. */
rill_status rill_upkeep_settle(rill_world *world);
/* After a substep of dt: ages particles, lets areas act and watch. */
rill_status rill_upkeep_end(rill_world *world, double dt);

#endif
