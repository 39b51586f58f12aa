/* SPDX-License-Identifier: MIT */
/* Wall friction: the viscous stress of no-slip walls, a = nu (v_wall - v) int L (1 + depth/distance) over the solid.
   The velocity is extrapolated linearly into the solid, from the particle's through the wall's: v_b - v = (v_wall -
   v)(1 + depth/distance) (Morris, Fox and Zhu 1997, Eq. 17). Differences: an integral over the solid behind the
   contact, tabulated by distance, replaces boundary particles. Particles nearer than a quarter of a spacing get the
   friction of that distance, where the paper limits the factor to 1.5. */
#ifndef RILL_SIM_FORCE_WALL_FRICTION_H
#define RILL_SIM_FORCE_WALL_FRICTION_H

#include "sim/force/forces.h"

/* The rate at which a wall reduces a difference of velocity, for a unit of kinematic viscosity [1/m^2]; 0 if the fluid
   slides. */
static inline float wall_friction_rate(const forces *f, const wall_contact *c) {
    if (!c->no_slip) return 0.0f;
    const float distance = c->distance > f->nearest_wall ? c->distance : f->nearest_wall;
    return c->scale * (wall_integral_at(&f->walls, f->walls.laplacian, distance) +
                       wall_integral_at(&f->walls, f->walls.laplacian_depth, distance) / distance);
}

/* Acceleration of a particle with velocity v by its walls, which get the reaction. If mu is passed for nu and the
   volume for the mass, the force on a unit of volume. */
static inline vec wall_friction(const forces *f, wall_contact *c, int count, vec v, float nu, float mass) {
    vec total = {0};
    for (int k = 0; k < count; k++) {
        if (!c[k].no_slip) continue;
        const vec a = vec_scale(vec_sub(c[k].velocity, v), nu * wall_friction_rate(f, &c[k]));
        c[k].force = vec_along(c[k].force, mass, a);
        total = vec_add(total, a);
    }
    return total;
}

#endif
