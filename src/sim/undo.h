/* SPDX-License-Identifier: MIT */
/* The way back for a step that finds no memory half-way. */
#ifndef RILL_SIM_UNDO_H
#define RILL_SIM_UNDO_H

#include "sim/sim.h"

/* Keeps what a step changes, and takes it back. */
rill_status rill_undo_keep(rill_world *world);
void rill_undo_restore(rill_world *world);

#endif
