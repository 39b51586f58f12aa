/* SPDX-License-Identifier: MIT */
/* Friction inside the fluid, by the shared solver: viscosity, and the smoothing of velocities (XSPH). Bodies take what
   they are rubbed with at once, for their velocities are solved for in the same step. */
#include "sim/method/constraint.h"

#include "rigid/body.h"
#include "sim/force/implicit_viscosity.h"

/* ---- friction of particles ---- */

static void give_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    for (int i = begin; i < end; i++) velocities_of(s->world)[i] = s->speeds[i].v;
}

static void take_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    for (int i = begin; i < end; i++) s->speeds[i].v = velocities_of(s->world)[i];
}

/* Without viscosity, velocities are only smoothed. */
static void drop_viscosity(int begin, int end, void *context) {
    const viscosity_solve *v = context;
    for (int i = begin; i < end; i++) v->traits[i].mu = 0.0f;
}

static void rub_particles(constraint_system *s) {
    rill_world *w = s->world;
    const bool viscid = s->params->viscosity_rule == CONSTRAINT_VISCOSITY_ROWS && s->derived->forces.viscosity;
    viscosity_solve v;
    rill_viscosity_begin(&v, w, &s->derived->forces, s->dt);
    rill_viscosity_traits(&v);
    if (!viscid) rill_parallel_for(w->workers, s->count, REDUCE_BLOCK, drop_viscosity, &v);
    v.walls = viscid;
    if (s->params->smoothing > 0.0f) v.smooth = &s->derived->kernel, v.smoothing = s->params->smoothing;
    rill_parallel_for(w->workers, s->count, REDUCE_BLOCK, give_block, s);
    rill_viscosity_solve(&v);
    rill_parallel_for(w->workers, s->count, REDUCE_BLOCK, take_block, s);
}

/* ---- bodies ---- */

/* Bodies take the friction on their surfaces, and the pull of surface tension. */
static void rub_bodies(const constraint_system *s) {
    const rill_world *w = s->world;
    for (int n = 0; n < s->serial_count; n++) {
        const int i = s->serial_list[n];
        int count;
        const wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
        const wall_row *walls = constraint_walls(s, i, &count);
        for (int k = 0; k < count; k++) {
            if (walls[k].side < 0) continue;
            body *b = &POOL_ITEMS(w, body)[s->sides[walls[k].side].body];
            const dvec impulse = dvec_scale(dvec_of(vec_out(c[k].force)), -s->dt);
            const vec touch = vec_along(places_of(w)[i].x, -c[k].distance, c[k].normal);
            const dvec arm = dvec_sub(dvec_of(vec_out(touch)), dvec_load(b->x));
            dvec_store(b->v, dvec_add(dvec_load(b->v), rill_body_mass_linear(w, b, impulse)));
            dvec_store(b->w, dvec_add(dvec_load(b->w), rill_body_mass_angular(w, b, dvec_cross(arm, impulse))));
        }
    }
}

rill_status rill_constraint_rub(constraint_system *s) {
    if (s->rubs) {
        TRY(rill_viscosity_reserve(s->world));
        rub_particles(s);
    }
    rub_bodies(s);
    return RILL_OK;
}
