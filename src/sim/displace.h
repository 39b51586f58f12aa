/* SPDX-License-Identifier: MIT */
/* Fluid in the place of a solid that is added. */
#ifndef RILL_SIM_DISPLACE_H
#define RILL_SIM_DISPLACE_H

#include "sim/sim.h"

/* Removes the particles that lie in a solid, or so near to it that they would be pushed into their neighbours, and
   counts them as left out; or moves them to free places at the surface of the fluid. On error nothing has changed. */
rill_status rill_displace(rill_world *world, const solid *s, rill_displacement fate);

#endif
