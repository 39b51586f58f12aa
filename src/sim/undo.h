/* SPDX-License-Identifier: MIT */
/* Undoes a step that fails half-way, such as one that finds no memory. */
#ifndef RILL_SIM_UNDO_H
#define RILL_SIM_UNDO_H

#include "sim/sim.h"

/* Copies the state that a step changes; restores it. */
rill_status rill_undo_keep(rill_world *world);
void rill_undo_restore(rill_world *world);

#endif
