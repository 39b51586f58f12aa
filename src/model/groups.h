/* SPDX-License-Identifier: MIT */
/* The values that groups give to their particles. */
#ifndef RILL_MODEL_GROUPS_H
#define RILL_MODEL_GROUPS_H

#include "model/world_state.h"

/* Adds the particle fields that members of such a group need; false if there is no memory. */
bool rill_groups_reserve(rill_world *world, const rill_group_def *def);
/* Makes particles that were just added members of a group; a null handle does nothing. */
void rill_groups_admit(rill_world *world, rill_group_id id, int first, int count);

#endif
