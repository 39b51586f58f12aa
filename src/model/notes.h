/* SPDX-License-Identifier: MIT */
/* The lists of events in a call of the host (rill/game.h). */
#ifndef RILL_MODEL_NOTES_H
#define RILL_MODEL_NOTES_H

#include "model/world_state.h"

/* Empties the lists, and notes the state of bodies, joints and groups. */
void rill_notes_begin(rill_world *world);
/* Lists bodies, joints and groups whose state has changed since. */
rill_status rill_notes_end(rill_world *world);
/* Reserve room for so many more entries. */
rill_status rill_notes_reserve_removals(rill_world *world, int more);
rill_status rill_notes_reserve_passages(rill_world *world, int more);

#endif
