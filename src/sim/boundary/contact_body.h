/* SPDX-License-Identifier: MIT */
/* Bodies behind contacts, for methods that solve for fluid and bodies at the same time. */
#ifndef RILL_SIM_BOUNDARY_CONTACT_BODY_H
#define RILL_SIM_BOUNDARY_CONTACT_BODY_H

#include "rigid/body.h"
#include "sim/boundary/boundary.h"

/* Whether forces move a body now. A sleeping body acts as a wall. */
static inline bool body_moves_freely(const body *b) {
    return b->inverse_mass > 0 && !b->asleep;
}

static inline bool any_body_moves_freely(const rill_world *w) {
    FOR_ALIVE(w, body, b) if (body_moves_freely(b)) return true;
    return false;
}

/* The slot of the freely moving body behind a contact, or -1. */
static inline int contact_body(const rill_world *w, const wall_contact *c) {
    const int slot_index = POOL_ITEMS(w, solid)[c->solid].body - 1;
    return slot_index >= 0 && body_moves_freely(&POOL_ITEMS(w, body)[slot_index]) ? slot_index : -1;
}

#endif
