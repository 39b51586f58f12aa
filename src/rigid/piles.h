/* SPDX-License-Identifier: MIT */
/* Piles: bodies that were placed inside each other. */
#ifndef RILL_RIGID_PILES_H
#define RILL_RIGID_PILES_H

#include "model/world_state.h"

/* Finds bodies that overlap deeply as they are placed now, and sets the same `pile` for them; 0 for all others. Parts
   of machines overlap on purpose and are in no pile. */
void rill_piles_find(rill_world *world);

#endif
