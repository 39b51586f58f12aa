/* SPDX-License-Identifier: MIT */
/* Weights of the friction inside a constraint fluid (constraint_viscosity.c). They are computed in the loop that builds
   the rows, where the data of pairs is in registers. */
#ifndef RILL_SIM_METHOD_CONSTRAINT_FRICTION_H
#define RILL_SIM_METHOD_CONSTRAINT_FRICTION_H

#include "sim/force/viscosity.h"
#include "sim/method/constraint.h"

/* Eight pairs of a particle, with data from the build of its row. */
typedef struct pair_group {
    const int32_t *list;   /* the neighbours */
    const int32_t *owners; /* their particles; in unused lanes the row's own */
    int lanes;             /* number of lanes in use */
    wide m, r2;
    wide gradient; /* W'/r */
} pair_group;

/* Factors of the friction of a pair besides its distance. */
typedef struct friction_traits {
    wide mu;       /* viscosity between both */
    wide inverse2; /* 1/(rho_i rho_j) */
} friction_traits;

/* Factors for a particle and eight neighbours, some of which may be of another fluid. */
WIDE_FN friction_traits friction_mixed_traits(const constraint_system *s, int i, const int32_t *list, int lanes) {
    const forces *f = &s->derived->forces;
    const uint32_t *fluids = fluids_of(s->world), own = fluids[i];
    const wide one = wide_set(1.0f);
    wide mu = wide_set(f->mu[own]), rho = wide_set(f->rho0[own]);
    for (int l = 0; l < lanes; l++) mu[l] = f->mu[fluids[list[l]]], rho[l] = f->rho0[fluids[list[l]]];
    return (friction_traits){.mu = viscosity_between(wide_set(f->mu[own]), mu),
                             .inverse2 = one / rho * f->inverse_rho0[own]};
}

/* Weights k_ij of the friction of particle i with eight neighbours [kg/s], by viscosity and noise damping. */
WIDE_FN void constraint_friction(const constraint_system *s, int i, const pair_group *pairs, float *friction) {
    const rill_world *w = s->world;
    const forces *f = &s->derived->forces;
    const laplacian viscous = f->viscous;
    const uint32_t own = fluids_of(w)[i];
    const wide inverse = wide_set(f->inverse_rho0[own]), one = wide_set(1.0f);
    const friction_traits t = w->fluids.count > 1 ? friction_mixed_traits(s, i, pairs->list, pairs->lanes)
                                                  : (friction_traits){wide_set(f->mu[own]), inverse * inverse};
    const float viscid = s->params->viscosity_rule != CONSTRAINT_VISCOSITY_DAMPING ? 1.0f : 0.0f;
    wide noise = wide_zero();
    for (int n = 0; n < WIDE; n++) noise[n] = s->noise[pairs->owners[n]];
    const wide mu = viscid * t.mu + viscosity_between(wide_set(s->noise[i]), noise);
    const wide friction_rate = viscosity_pair(&viscous, mu, one, t.inverse2, pairs->r2, pairs->gradient);
    const wide_int used = wide_int_from(0) < pairs->lanes;
    wide_store(friction, wide_select(used, places_of(w)[i].m * pairs->m * friction_rate, wide_zero()));
}

#endif
