/* SPDX-License-Identifier: MIT */
/* Particles apart from their motion: those whose lifetime is over go, areas act on the rest and watch them. */
#ifndef RILL_SIM_UPKEEP_H
#define RILL_SIM_UPKEEP_H

#include "sim/sim.h"

/* Room for a flag for each particle: sim_of(world)->keep. */
rill_status rill_upkeep_reserve(rill_world *world);
/* Keeps the particles with keep[i] != 0, lists the others if the world wants to know, and counts them as removed.
   RILL_REMOVAL_REASONS: the host does it, and they are not listed. */
rill_status rill_upkeep_remove(rill_world *world, const uint8_t *keep, rill_removal_reason reason, int *gone);
/* Before a substep: refuses velocities of the host that are not finite, removes particles whose life is over, and the
   oldest if there are too many. */
rill_status rill_upkeep_settle(rill_world *world);
/* After a substep of dt: life goes on, areas act and watch. */
rill_status rill_upkeep_end(rill_world *world, double dt);

#endif
