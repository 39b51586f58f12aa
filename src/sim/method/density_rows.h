/* SPDX-License-Identifier: MIT */
/* Density constraints on positions: what the methods share that have one row for each particle,
     C_i(x) = sum_j V_j W_ij + (share of the kernel in solids) - 1,   V = m / rho0,
   whatever they do with it: kernels of a pair, what neighbours are made of, how walls take part in a row, and what
   follows once positions are found. */
#ifndef RILL_SIM_METHOD_DENSITY_ROWS_H
#define RILL_SIM_METHOD_DENSITY_ROWS_H

#include "core/arena.h"
#include "sim/force/forces.h"
#include "sim/method/method.h"

/* The kernels as the inner loops use them. */
typedef struct row_kernels {
    kernel density, gradient;
    float value_scale, slope_scale;
} row_kernels;

/* Numbers that are constant until the scene changes. */
typedef struct density_rows {
    row_kernels pair;
    forces forces;
    float s_ref;    /* sum_k |grad_k C|^2 of a particle in a full rest lattice [1/m^2] */
    float self;     /* W(0) */
    bool uniform;   /* all particles have one volume and one mass */
    float volume;   /* that volume, or the largest: m / rho0 [m^DIM] */
    float mass_ref; /* of the heaviest particles: the unit of masses, on which no result depends [kg] */
} density_rows;

/* Properties of a neighbour when particles are not all alike: gathered as a quad. */
typedef struct row_trait {
    float volume;       /* m / rho0 */
    float inverse_mass; /* mass_ref / m */
    float mu;
    float unused;
} row_trait;

/* Compression above this counts as this: two particles on one spot must not throw each other across the room. */
#define COMPRESSION_MAX 0.2f

/* W and W'/r of a pair, without the factors value_scale and slope_scale, which a sum is multiplied by at its end; and
   the square of W'. One root for all and no division if both kernels are the cubic spline, for which this is made;
   `cubic` is constant where it is inlined. At r = 0 the slope is 0 times a large number; at the null particle, W is 0.
 */
WIDE_FN void row_kernels_of(const row_kernels *k, bool cubic, wide r2, wide *value, wide *gradient, wide *slope2) {
    if (!cubic) {
        *value = kernel_value(&k->density, r2);
        *gradient = kernel_gradient(&k->gradient, r2);
        *slope2 = *gradient * *gradient * r2;
        return;
    }
    const wide zero = wide_zero(), root = wide_sqrt(wide_max(r2, wide_set(k->density.tiny)));
    const wide inverse = 1.0f / root; /* while the polynomials wait for the root */
    const wide q = root * k->density.inverse_h, left = 1.0f - q;
    const wide s = wide_max(left, zero), s2 = s * s, t = wide_max(left - q, zero), t2 = t * t;
    const wide slope = s2 - t2;
    *value = s2 * s - t2 * (0.5f * t);
    *gradient = slope * inverse;
    *slope2 = slope * slope;
}

static inline bool rows_are_cubic(const density_rows *rows) {
    return rows->pair.density.kind == KERNEL_CUBIC && rows->pair.gradient.kind == KERNEL_CUBIC;
}

/* Properties of eight particles; lanes past the last particle hold anything. */
WIDE_FN void row_traits_of(const density_rows *rows, const row_trait *traits, int i, bool uniform, wide *volume,
                           wide *inverse_mass) {
    static const int32_t lanes[] = {0, 1, 2, 3, 4, 5, 6, 7};
    wide mu, unused;
    *volume = wide_set(rows->volume), *inverse_mass = wide_set(1.0f);
    if (!uniform) wide_gather4((const float *)(traits + i), lanes, volume, inverse_mass, &mu, &unused);
}

/* The multipliers of a particle (lambda_i, volume_i) and of eight neighbours together, each with the other's volume;
   where all volumes are equal they are in the rows' constants. */
WIDE_FN wide row_pair_multiplier(const row_trait *traits, const int32_t *list, bool uniform, wide lambda_i,
                                 float volume_i, wide lambda) {
    if (uniform) return lambda_i + lambda;
    wide volume, inverse_mass, mu, unused;
    wide_gather4((const float *)traits, list, &volume, &inverse_mass, &mu, &unused);
    return lambda_i * volume + volume_i * lambda;
}

static inline row_trait row_trait_make(const rill_world *w, const density_rows *rows, int i) {
    const uint32_t f = fluids_of(w)[i];
    const float m = places_of(w)[i].m;
    return (row_trait){m / rows->forces.rho0[f], rows->mass_ref / m, rows->forces.mu[f], 0};
}

/* ---- walls ---- */

/* Values that the multipliers of an iteration leave at a contact for the displacements. */
typedef struct row_hold {
    float push;          /* gradient of the wall's share, along the normal */
    float along, across; /* what is left of a displacement along the wall, and along its normal */
} row_hold;

/* The contacts of particle i, and where what is kept of each of them begins. */
static inline wall_contact *row_contacts(const rill_world *w, int i, int *count, int32_t *first) {
    const contacts *all = &sim_of(w)->contacts;
    *first = ((const int32_t *)all->first.data)[i];
    return contacts_of(all, i, count);
}

/* The walls' part of the constraint of a particle, and of its gradient, with distances where `shift` has brought it
   instead of where they were found. Planes that cross count what both cover once, as in wall_share. */
static inline void row_add_walls(const wall_integrals *map, const wall_contact *walls, int count, vec shift,
                                 row_hold *hold, float *c, vec *gradient) {
    float open[CONTACTS_MAX], all_open = 1.0f, sum = 0.0f;
    for (int k = 0; k < count; k++) {
        const float scale = walls[k].scale;
        const wall_entry at = wall_integral_find(map, walls[k].distance + vec_dot(shift, walls[k].normal));
        const float share = scale * wall_entry_of(map->value, at);
        open[k] = 1.0f - share;
        all_open *= open[k], sum += share;
        hold[k] = (row_hold){scale * wall_entry_of(map->gradient, at),
                             1.0f / (1.0f + scale * wall_entry_of(map->moment_tangent, at)),
                             1.0f / (1.0f + scale * wall_entry_of(map->moment_normal, at))};
    }
    *c += map->additive ? sum : 1.0f - all_open;
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < count && !map->additive; j++)
            if (j != k) hold[k].push *= open[j];
        *gradient = vec_along(*gradient, hold[k].push, walls[k].normal);
    }
}

/* A displacement as the wall leaves it that continues the fluid with the gradient of its multipliers, as in SPH
   (docs/methods/sph.md): without it water slides down along the sides of its tank. */
static inline vec row_wall_corrected(const row_hold *hold, vec n, vec delta) {
    const float turn = (hold->across - hold->along) * vec_dot(delta, n);
    return vec_along(vec_scale(delta, hold->along), turn, n);
}

/* ---- parts ---- */

/* The end of a substep, when positions are found: density, friction and XSPH. */
typedef struct row_flow {
    rill_world *world;
    const density_rows *rows;
    const row_trait *traits; /* NULL if all particles are alike */
    place *moving;           /* velocities of all points, images included */
    float dt;
    bool implicit;     /* viscosity */
    float xsph, shear; /* factors of velocity differences weighted with W, and with W'/r times the viscosity */
    const vec *pull;   /* acceleration by surface tension; NULL: none */
} row_flow;

/* Symbols that leave their file, once for each dimension and width (sim/dim_names.h knows no method by name). */
#define rill_density_rows_prepare     SIM_NAME(rill_density_rows_prepare)
#define rill_density_rows_eigenvalue  SIM_NAME(rill_density_rows_eigenvalue)
#define rill_density_rows_first_load  SIM_NAME(rill_density_rows_first_load)
#define rill_density_rows_follow_load SIM_NAME(rill_density_rows_follow_load)
#define rill_density_rows_flow        SIM_NAME(rill_density_rows_flow)
#define rill_density_rows_pull        SIM_NAME(rill_density_rows_pull)

/* Constants of the rows (density_rows.c). */
void rill_density_rows_prepare(density_rows *rows, const rill_world *world, kernel_kind density, kernel_kind gradient);
/* The largest eigenvalue of one Jacobi iteration of the rows in a rest lattice: 2.1 in 2D and 2.8 in 3D for the cubic
   spline of 2 dx. */
float rill_density_rows_eigenvalue(const density_rows *rows, float spacing);
/* Mean pressure over density of a fluid at rest, guessed from where it starts: g H / 2, with the depth of a column from
   the mean distance of its particles from their mean height, which is a quarter of it. */
float rill_density_rows_first_load(const rill_world *world);
/* Lets it follow the pressures of a step. */
void rill_density_rows_follow_load(rill_world *world, const density_rows *rows, double dt, float *load);
/* A free body moves after the fluid in these methods. */
static inline bool world_has_free_bodies(const rill_world *w) {
    FOR_ALIVE(w, body, b) if (b->inverse_mass > 0) return true;
    return false;
}
/* The substep in use. Fluid at rest is compressed in proportion to dt^2, so a tank whose substep changed in every frame
   would be pumped up: it is shortened at once when it must be, and lengthened only when twice as long would do. */
static inline double rows_steady_substep(double now, double wanted) {
    return !(now > 0) || wanted < now || wanted > 2 * now ? 0.9 * wanted : now;
}
/* Surface tension where particles, images included, have come to: moves places there if there is any. */
rill_status rill_density_rows_pull(rill_world *world, const density_rows *rows, const place *at);
/* New velocities and densities from those in `moving`, with that pull; `xsph` is the share of a step
   (density_rows_flow.c). */
void rill_density_rows_flow(row_flow *flow, float xsph);

#endif
