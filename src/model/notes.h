/* SPDX-License-Identifier: MIT */
/* Lists of what happened in the host's call (rill/game.h). */
#ifndef RILL_MODEL_NOTES_H
#define RILL_MODEL_NOTES_H

#include "model/world_state.h"

/* Empties the lists, and remembers how bodies, joints and groups are. */
void rill_notes_begin(rill_world *world);
/* Lists bodies, joints and groups that are otherwise now. */
rill_status rill_notes_end(rill_world *world);
/* Room for so many more entries. */
rill_status rill_notes_reserve_removals(rill_world *world, int more);
rill_status rill_notes_reserve_passages(rill_world *world, int more);

#endif
