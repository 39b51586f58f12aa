/* SPDX-License-Identifier: MIT */
/* Energy that a fluid of Clavet's method stores and returns. Displacements by the double density relaxation are slopes
   of the sum of m h^2 [k (rho - rho0)^2 / 8 + k_near rho_near^2 / 12] over particles, those by a spring slopes of m
   k_spring (1 - L/h)(L - r)^2 / 4, with lengths in h and times in 1/30 s (docs/methods/clavet.md). */
#include "sim/method/clavet.h"

/* Energy of both pressures per mass, in h^2 over the square of 1/30 s. The core u of normal kernels has the slope 1 in
   q, that of the others 2 q. */
static double pressure_store(const clavet_matter *m, clavet_kernels kernels, double density, double near) {
    const double slope = kernels == CLAVET_NORMAL ? 1 : 2, excess = density - (double)m->rest;
    return ((double)m->stiffness * excess * excess / 8 + (double)m->near * near * near / 12) / slope;
}

static double stored_by(const rill_world *w, int i, clavet_store s) {
    const clavet_derived *d = clavet_derived_of(w);
    const clavet_matter *m = &d->matter[fluids_of(w)[i]];
    const double tick2 = CLAVET_TICK * CLAVET_TICK, unit = (double)w->support * (double)w->support / tick2;
    return (double)m->spring * (double)s.stretch / tick2 +
           (double)places_of(w)[i].m * unit *
               pressure_store(m, d->kernels, fabs((double)s.density) - 1, (double)s.near);
}

/* Particles that no relaxation has seen yet do not count. */
static double store_block(int begin, int end, void *context) {
    const rill_world *w = context;
    double sum = 0;
    for (int i = begin; i < end; i++)
        if (clavet_stores_of(w)[i].density != 0.0f) sum += stored_by(w, i, clavet_stores_of(w)[i]);
    return sum;
}

double rill_clavet_energy(rill_world *w) {
    return world_sum(w, store_block, w);
}

static double welcome_block(int begin, int end, void *context) {
    const rill_world *w = context;
    clavet_store *stores = clavet_stores_of(w);
    double sum = 0;
    for (int i = begin; i < end; i++) {
        if (stores[i].density > 0.0f) continue;
        stores[i].density = -stores[i].density;
        sum += stored_by(w, i, stores[i]);
    }
    return sum;
}

void rill_clavet_welcome(rill_world *w) {
    w->energy.given += world_sum(w, welcome_block, w);
}
