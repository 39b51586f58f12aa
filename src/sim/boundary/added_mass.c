/* SPDX-License-Identifier: MIT */
/* Added mass of bodies, from the particles that touch them. With S = 1/2 sum n n^T dA over the wet surface, which for a
   box is the face that it shows to each direction, it is estimated as
     A = C rho S (tr S/D)^(1/(D-1))
   That is 0.94 of the added mass in potential flow for circles, 1.01 for squares, 0.76 for plates broadside, 0.97 for
   spheres, 1.05 for cubes and 0.80 for discs; a partly wet body gets a part. A body touched by few particles moves at
   least these. The added inertia is the same sum with arm x normal in place of normals, times TURNED_FACTOR: friction
   and single particles at corners add more than potential flow. Too large an estimate only damps, too small a one
   oscillates. */
#include "sim/boundary/added_mass.h"

#include "core/dvec.h"

#include <math.h>

#define ADDED_FACTOR  (DIM == 2 ? 1.2 : 0.67) /* C */
#define LAYERS_MIN    1.0
#define TURNED_FACTOR 2.0
/* Added mass, in masses of the body, below which the fluid's reactions can act on it at once, without this
   correction. */
#define HEAVY 8.0
/* A body has next to no mass if a particle is this many times as heavy. */
#define LIGHTEST 100.0

/* sum += m a a^T */
static void add_square(double sum[3][3], dvec a, double m) {
    const double v[3] = {a.x, a.y, a.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum[i][j] += m * v[i] * v[j];
}

void rill_added_mass_touch(const rill_world *w, body *b, int i, const wall_contact *c) {
    const double m = (double)places_of(w)[i].m;
    const dvec n = dvec_of(vec_out(c->normal)),
               arm = dvec_sub(dvec_of(vec_out(vec_along(places_of(w)[i].x, -c->distance, c->normal))), dvec_load(b->x));
    dvec turn = dvec_cross(arm, n);
    if (DIM == 2) turn.x = turn.y = 0;
    add_square(b->added.mass, n, m);
    add_square(b->added.inertia, turn, m);
    b->added.volume += m / (double)POOL_ITEMS(w, fluid)[fluids_of(w)[i]].def.density;
}

void rill_added_mass_come(const rill_world *w, body *b, int i) {
    const double m = (double)places_of(w)[i].m;
    if (m > LIGHTEST * b->mass) b->added.heavier += m;
}

static void scale(double m[3][3], double by) {
    for (int k = 0; k < 9; k++) (&m[0][0])[k] *= by;
}

/* A is 0 perpendicular to the contact normals, and a body of next to no mass would be thrown in such directions: it
   moves at least all heavier particles that may push it, in every direction. */
static void move_heavier(body *b) {
    for (int k = 0; k < 3; k++) {
        b->added.mass[k][k] += b->added.heavier;
        b->added.inertia[k][k] += b->added.heavier * b->reach * b->reach;
    }
}

void rill_added_mass_end(const rill_world *w, body *b) {
    const double dx = (double)w->def.spacing, face = 0.5 * b->added.volume / dx / DIM;
    const double layers = fmax(0.5 * ADDED_FACTOR * (DIM == 2 ? face : sqrt(face)) / dx, LAYERS_MIN);
    scale(b->added.mass, layers);
    scale(b->added.inertia, TURNED_FACTOR * layers);
    if (b->added.heavier > 0) move_heavier(b);
    /* Heavier bodies need no correction. The share rises continuously from 0. */
    const double water = mat_trace(b->added.mass) * b->inverse_mass, heavy = HEAVY / water;
    b->added.share = heavy < 1 ? 1 - heavy * heavy : 0;
    scale(b->added.mass, b->added.share);
    scale(b->added.inertia, b->added.share);
}
