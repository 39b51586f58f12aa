/* SPDX-License-Identifier: MIT */
/* Neighbours for surface tension. Its kernel reaches farther than a method's, so it has lists of its own, but only near
   the surface: the inside of a fluid takes no part in it. */
#ifndef RILL_SIM_FORCE_SURFACE_SEARCH_H
#define RILL_SIM_FORCE_SURFACE_SEARCH_H

#include "sim/sim.h"

/* Makes lists of the points nearer than `reach`, for particles that may be near one with `at_surface`. Other particles
   have empty lists. */
rill_status rill_surface_search(rill_world *world, float reach);

/* Whether particle i may lie at a surface. */
static inline bool at_surface(const surface_search *s, int i) {
    return ((const uint8_t *)s->edge.data)[i] != 0;
}

#endif
