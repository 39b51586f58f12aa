/* SPDX-License-Identifier: MIT */
/* Colours mix as dye does: dc/dt = D lap c. */
#ifndef RILL_SIM_DYE_H
#define RILL_SIM_DYE_H

#include "sim/sim.h"

/* Over dt, with the lists and places of now; nothing if particles have no colour or it stays where it is. */
void rill_dye_spread(rill_world *world, double dt);

#endif
