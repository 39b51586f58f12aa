/* SPDX-License-Identifier: MIT */
/* Diffusion of the particles' colours: dc/dt = D lap c. */
#ifndef RILL_SIM_DYE_H
#define RILL_SIM_DYE_H

#include "sim/sim.h"

/* Diffuses colours over dt, with the current lists and positions. Does nothing if particles have no colour or D is
   0. */
void rill_dye_spread(rill_world *world, double dt);

#endif
