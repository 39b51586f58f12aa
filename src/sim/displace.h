/* SPDX-License-Identifier: MIT */
/* Fluid that is where a solid was added. */
#ifndef RILL_SIM_DISPLACE_H
#define RILL_SIM_DISPLACE_H

#include "sim/sim.h"

/* Does with the particles that lie in a solid, or so near to it that they would be pushed into their neighbours, what
   its definition says: takes them out and counts them as left out, or moves them to free places at the surface of the
   fluid. On error nothing has changed. */
rill_status rill_displace(rill_world *world, const solid *s);

#endif
