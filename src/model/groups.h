/* SPDX-License-Identifier: MIT */
/* Values that a group gives to its particles. */
#ifndef RILL_MODEL_GROUPS_H
#define RILL_MODEL_GROUPS_H

#include "model/world_state.h"

/* The fields that members of such a group need; false without memory. */
bool rill_groups_reserve(rill_world *world, const rill_group_def *def);
/* Particles that were just added to the world become members; nothing happens for a null handle. */
void rill_groups_admit(rill_world *world, rill_group_id id, int first, int count);

#endif
