/* SPDX-License-Identifier: MIT */
/* Links between particles, for methods. Within a step they are in order once particles are sorted: read them with
   links_of, links_owned and links_find (model/links.h), write values with LINK_VALUES, add and remove with
   world_change_links. A link names particles, never their periodic images; link_vector goes across the faces. */
#ifndef RILL_SIM_LINKS_H
#define RILL_SIM_LINKS_H

#include "core/error.h"
#include "sim/sim.h"

/* The k-th set of the method's table. */
static inline link_set *links_in(const rill_world *w, int k) {
    return &w->particles.link_sets[k];
}

/* The vector from particle i to particle j, across a periodic face if that is shorter: the ends of a link must be
   nearer than half a period. From j to i it is exactly the opposite. */
static inline vec link_vector(const rill_world *w, int i, int j) {
    vec d = vec_sub(places_of(w)[j].x, places_of(w)[i].x);
    const float *period = &w->def.periodic.x;
    for (int axis = 0; axis < DIM; axis++) {
        float *along = &d.x + axis;
        if (!(period[axis] > 0.0f)) continue;
        if (*along > 0.5f * period[axis])
            *along -= period[axis];
        else if (*along < -0.5f * period[axis])
            *along += period[axis];
    }
    return d;
}

/* Removes the links that `keep` rejects and adds those of `add` (rill_links_change). */
static inline rill_status world_change_links(rill_world *w, int set, link_keep_fn *keep, link_add_fn *add,
                                             void *context) {
    link_set *s = links_in(w, set);
    if (rill_links_change(s, &w->memory, w->workers, w->particles.count, keep, add, context)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "no memory for the links '%s' of %d particles", s->def.name,
                     w->particles.count);
}

#endif
