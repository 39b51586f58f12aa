/* SPDX-License-Identifier: MIT */
/* Surface tension by a colour field, as Mueller has it: on a unit of volume f = -sigma lap(c) n/|n|, c the field that
   is one in the fluid and n its gradient (Mueller, Charypar and Gross 2003, Eqs. 17 to 19; thesis 3.47 with its
   gradient, 3.50). Where n is shorter than a threshold there is no surface. Differences: walls continue the fluid, as
   if they were wetted by it. Neither does it keep momentum nor is sigma in N/m: the pressure in a drop comes to
   sigma/dx (docs/forces.md). It is here for the papers that have it (`surface_tension_model: colour`).

   Sums of a pair, for the neighbour loops of methods, and what they come to for a particle. */
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

/* A neighbour at x_i - x_j = x. If all have one volume, a loop may take 1 for it here and multiply the sums. */
WIDE_FN void colour_sums_add(colour_sums *s, const kernel *colour, wide volume, wide_vec x, wide r2) {
    s->normal = wide_vec_along(s->normal, volume * kernel_gradient(colour, r2), x);
    s->laplacian = s->laplacian + volume * poly6_laplacian(colour, r2);
}

/* The field at a particle, without the walls that surface_tension adds. */
typedef struct colour_field {
    vec normal;
    float laplacian;
} colour_field;

static inline colour_field colour_field_of(const forces *f, const colour_sums *s, float own_volume) {
    return (colour_field){wide_vec_sum(s->normal), wide_sum(s->laplacian) + own_volume * f->colour_self};
}

/* Force on a unit of volume with `strength` sigma, acceleration with sigma/rho. */
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
