/* SPDX-License-Identifier: MIT */
/* Wetting: when bodies enter and leave the fluid, and how hard they hit it. */
#ifndef RILL_SIM_BOUNDARY_WETTING_H
#define RILL_SIM_BOUNDARY_WETTING_H

#include "sim/sim.h"

/* One name for each dimension, as in sim/dim_names.h. */
#define rill_wetting_find DIM_NAME(rill_wetting_find)

/* Adds the wetting that the contacts of a step show to the events of the host's call. Called before pressure changes
   the velocities. */
void rill_wetting_find(rill_world *world);

#endif
