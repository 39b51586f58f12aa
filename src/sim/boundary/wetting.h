/* SPDX-License-Identifier: MIT */
/* When bodies come into the fluid and out of it, and how hard they meet. */
#ifndef RILL_SIM_BOUNDARY_WETTING_H
#define RILL_SIM_BOUNDARY_WETTING_H

#include "sim/sim.h"

/* One name for each dimension, as in sim/dim_names.h. */
#define rill_wetting_find DIM_NAME(rill_wetting_find)

/* Adds what the contacts of a step tell to the events of the host's call, before pressure changes the velocities. */
void rill_wetting_find(rill_world *world);

#endif
