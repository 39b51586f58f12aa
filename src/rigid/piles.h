/* SPDX-License-Identifier: MIT */
/* Bodies that were put into each other. */
#ifndef RILL_RIGID_PILES_H
#define RILL_RIGID_PILES_H

#include "model/world_state.h"

/* Gives bodies that are deep in each other, as they are placed, the same pile; others have none. Parts of machines,
   which overlap on purpose, are in no pile. */
void rill_piles_find(rill_world *world);

#endif
