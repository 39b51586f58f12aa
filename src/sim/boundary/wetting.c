/* SPDX-License-Identifier: MIT */
/* Wetting of bodies, from the contacts of particles with their surfaces. Two distances keep it from flickering: a
   particle touches a body when nearer than a spacing, but the body is dry again only when no particle has any contact
   with it. */
#include "sim/boundary/wetting.h"

#include "sim/boundary/added_mass.h"
#include "sim/method/method.h"

/* Whether a body gets the forces of the fluid only after the solve. */
static bool waits(const rill_world *w, const body *b) {
    return b->inverse_mass > 0 && !sim_of(w)->method->solves_bodies;
}

static void meet(const rill_world *w, body *b, int i, const wall_contact *c) {
    rill_wetting *wetting = &b->wetting;
    if (waits(w, b)) rill_added_mass_touch(w, b, i, c);
    const float approach = -vec_dot(vec_sub(velocities_of(w)[i], c->velocity), c->normal);
    wetting->particles++;
    if (approach <= wetting->splash_speed) return;
    wetting->splash_speed = approach;
    wetting->point = vec_out(vec_along(places_of(w)[i].x, -c->distance, c->normal));
    wetting->normal = vec_out(c->normal);
}

void rill_wetting_find(rill_world *w) {
    if (w->bodies.living_count == 0) return;
    body *bodies = POOL_ITEMS(w, body);
    FOR_ALIVE(w, body, b) b->near_fluid = false, b->wetting.particles = 0, added_mass_begin(b);
    for (int i = 0; i < fluid_count(w); i++) {
        int count;
        const wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
        for (int k = 0; k < count; k++) {
            const int32_t owner = POOL_ITEMS(w, solid)[c[k].solid].body;
            if (owner <= 0) continue;
            bodies[owner - 1].near_fluid = true;
            if (waits(w, &bodies[owner - 1])) rill_added_mass_come(w, &bodies[owner - 1], i);
            if (c[k].distance < w->def.spacing) meet(w, &bodies[owner - 1], i, &c[k]);
        }
    }
    FOR_ALIVE(w, body, b) {
        rill_wetting *now = &b->wetting;
        rill_added_mass_end(w, b);
        now->entered |= !now->wet && now->particles > 0;
        now->left |= now->wet && !b->near_fluid;
        now->wet = now->particles > 0 || (now->wet && b->near_fluid);
    }
}
