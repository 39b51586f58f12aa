/* SPDX-License-Identifier: MIT */
/* Collisions of particles with bodies lighter than they are. A particle bounces off a body as off a wall, and the body
   gets the opposite impulse. That is right for a body much heavier than all particles that strike it in a step. Let
     k = sum of m g M^-1 g
   over these particles, with g the direction in which each pushes the body, along its normal and about the centre. The
   body then gets up to k times the speed at which the particles come in. Beyond 2 it strikes those on its other side
   harder than it was struck, and its motion grows from side to side. Particles that come to rest together with the body
   would give it, and lose, 1/(1 + k) of that. Beyond 2 only this share of each impulse acts, on both sides: no momentum
   is lost, and a particle keeps the rest of its speed. M includes the water that moves along, for methods that need it
   (rigid/owed.h). */
#include "sim/boundary/impact.h"

#include "rigid/owed.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/contact_body.h"

/* k up to which collisions act in full: the motion from side to side then decays. */
#define LIGHT 2.0

/* g M^-1 g of a push along `normal` at a point of a body. */
static double inverse_mass_at(const rill_world *w, const body *b, vec point, vec normal) {
    const dvec n = dvec_of(vec_out(normal));
    dvec turn = dvec_cross(dvec_sub(dvec_of(vec_out(point)), dvec_load(b->x)), n);
    if (DIM == 2) turn.x = turn.y = 0;
    return dvec_dot(n, rill_body_mass_linear(w, b, rill_owed_share_linear(w, b, n))) +
           dvec_dot(turn, rill_body_mass_angular(w, b, rill_owed_share_angular(w, b, turn)));
}

/* What particle i adds to k if it is about to collide with the solid in slot k, or 0. */
static double strike(const rill_world *w, int i, int k, const body *b) {
    const solid *s = &POOL_ITEMS(w, solid)[k];
    const placed_shape *shape = &placed_shapes_of(w)[k];
    const place p = places_of(w)[i];
    const float keep_off = w->wall_distance - solid_gap(w, s);
    if (placed_is_clear(shape, p.x, keep_off)) return 0;
    wall walls[PLACED_WALLS_MAX];
    const int count = rill_placed_walls(shape, p.x, keep_off, walls);
    double sum = 0;
    for (int n = 0; n < count; n++) {
        const vec normal = walls[n].normal, point = vec_along(p.x, -walls[n].distance, normal);
        const vec relative = vec_sub(velocities_of(w)[i], rill_solid_velocity(s, point, normal));
        if (vec_dot(relative, normal) < 0.0f) sum += (double)p.m * inverse_mass_at(w, b, point, normal);
    }
    return sum;
}

/* Adds the strikes of particle i. Particles are taken one after the other: the sums must not depend on threads. */
static void add_strikes(const rill_world *w, int i) {
    int count;
    const wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
    for (int n = 0; n < count; n++) {
        const int owner = contact_body(w, &c[n]);
        if (owner < 0 || (n > 0 && c[n].solid == c[n - 1].solid)) continue;
        body *b = &POOL_ITEMS(w, body)[owner];
        b->impact += strike(w, i, c[n].solid, b);
    }
}

/* The share for k: 1 up to LIGHT, nearly 1/(1 + k) from twice that on, continuous between. */
static double share(double k) {
    if (!(k > LIGHT)) return 1;
    const double rest = (LIGHT / k) * (LIGHT / k);
    return 1 / (1 + k * (1 - rest * rest));
}

void rill_impacts_find(rill_world *w, bool paid) {
    FOR_ALIVE(w, body, b) b->impact = 0;
    if (!paid && any_body_moves_freely(w))
        for (int i = 0; i < fluid_count(w); i++) add_strikes(w, i);
    FOR_ALIVE(w, body, b) b->impact = share(b->impact);
}
