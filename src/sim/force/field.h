/* SPDX-License-Identifier: MIT */
/* Fields: the acceleration that every particle has, whatever its neighbours do. */
#ifndef RILL_SIM_FORCE_FIELD_H
#define RILL_SIM_FORCE_FIELD_H

#include "sim/sim.h"

/* Gravity, the same everywhere. */
static inline vec field_acceleration(const rill_world *world) {
    return vec_of(world->def.gravity);
}

#endif
