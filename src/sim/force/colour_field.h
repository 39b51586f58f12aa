/* SPDX-License-Identifier: MIT */
/* Surface tension by Mueller's colour field: the force on a unit of volume is f = -sigma lap(c) n/|n|, where c is 1 in
   the fluid and n is its gradient (Mueller, Charypar and Gross 2003, Eqs. 17 to 19; thesis 3.47 with its gradient,
   3.50). There is no surface where |n| is below a threshold. Difference: walls continue the fluid, as if they were
   wetted by it. The force does not conserve momentum, and sigma is not in N/m: the pressure in a drop comes to sigma/dx
   (docs/forces.md). It is here to reproduce papers that use it (`surface_tension_model: colour`).

   Terms of a pair, for the neighbour loops of methods, and the resulting force on a particle. */
#ifndef RILL_SIM_FORCE_COLOUR_FIELD_H
#define RILL_SIM_FORCE_COLOUR_FIELD_H

#include "sim/force/forces.h"

/* Sums over the neighbours of a particle, eight at a time. */
typedef struct colour_sums {
    wide_vec normal; /* gradient of c */
    wide laplacian;
} colour_sums;

WIDE_FN colour_sums colour_sums_zero(void) {
    return (colour_sums){wide_vec_zero(), wide_zero()};
}

/* Adds a neighbour at x_i - x_j = x. If all volumes are equal, a loop may pass 1 here and multiply the sums instead. */
WIDE_FN void colour_sums_add(colour_sums *s, const kernel *colour, wide volume, wide_vec x, wide r2) {
    s->normal = wide_vec_along(s->normal, volume * kernel_gradient(colour, r2), x);
    s->laplacian = s->laplacian + volume * poly6_laplacian(colour, r2);
}

/* The field at a particle, without the walls, which colour_tension adds. */
typedef struct colour_field {
    vec normal;
    float laplacian;
} colour_field;

static inline colour_field colour_field_of(const forces *f, const colour_sums *s, float own_volume) {
    return (colour_field){wide_vec_sum(s->normal), wide_sum(s->laplacian) + own_volume * f->colour_self};
}

/* Force on a unit of volume if `strength` is sigma, acceleration if it is sigma/rho. */
static inline vec colour_tension(const forces *f, colour_field field, const wall_contact *c, int count,
                                 float strength) {
    const wall_integrals *map = &f->colour_walls;
    for (int k = 0; k < count; k++) {
        field.normal = vec_along(field.normal, contact_at(map, map->gradient, &c[k]), c[k].normal);
        field.laplacian += contact_at(map, map->laplacian, &c[k]);
    }
    const float length = vec_length(field.normal);
    if (!(length * f->colour.h > f->surface_threshold)) return (vec){0};
    return vec_scale(field.normal, -strength * field.laplacian / length);
}

#endif
