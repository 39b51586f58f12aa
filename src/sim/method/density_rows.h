/* SPDX-License-Identifier: MIT */
/* Density constraints on positions, shared by the methods (pbf, projective) that have one row for each particle,
     C_i(x) = sum_j V_j W_ij + (share of the kernel in solids) - 1,   V = m / rho0:
   the kernels of a pair, the properties of neighbours, the part of walls in a row, and the end of a substep. */
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
    float mass_ref; /* mass of the heaviest particles [kg]: the unit of inverse masses, on which no result depends */
} density_rows;

/* Properties of a neighbour when particles are not all alike: gathered as a quad. */
typedef struct row_trait {
    float volume;       /* m / rho0 */
    float inverse_mass; /* mass_ref / m */
    float mu;
    float unused;
} row_trait;

/* Upper bound of the compression that acts: two particles on one spot must not throw each other far apart. */
#define COMPRESSION_MAX 0.2f

/* W and W'/r of a pair, and the square of W', all without the factors value_scale and slope_scale: sums are multiplied
   by them at the end. If both kernels are the cubic spline, one root serves all three. `cubic` is constant at each
   call, so that the inlined code has no branch for it. At r = 0 the slope is 0 times a large number; for the null
   particle W is 0. */
WIDE_FN void row_kernels_of(const row_kernels *k, bool cubic, wide r2, wide *value, wide *gradient, wide *slope2) {
    if (!cubic) {
        *value = kernel_value(&k->density, r2);
        *gradient = kernel_gradient(&k->gradient, r2);
        *slope2 = *gradient * *gradient * r2;
        return;
    }
    const wide zero = wide_zero(), root = wide_sqrt(wide_max(r2, wide_set(k->density.tiny)));
    const wide inverse = 1.0f / root; /* early: the division overlaps with the polynomials */
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

/* Properties of eight particles. Lanes past the last particle hold arbitrary values. */
WIDE_FN void row_traits_of(const density_rows *rows, const row_trait *traits, int i, bool uniform, wide *volume,
                           wide *inverse_mass) {
    static const int32_t lanes[] = {0, 1, 2, 3, 4, 5, 6, 7};
    wide mu, unused;
    *volume = wide_set(rows->volume), *inverse_mass = wide_set(1.0f);
    if (!uniform) wide_gather4((const float *)(traits + i), lanes, volume, inverse_mass, &mu, &unused);
}

/* The multipliers of a particle (lambda_i, volume_i) and of eight neighbours, summed with the volume of the other
   particle as weight. If all volumes are equal, the constants of the rows contain them. */
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

/* Values of a contact that the multiplier loop stores for the displacement loop of the same iteration. */
typedef struct row_hold {
    float push;          /* gradient of the wall's share, along the normal */
    float along, across; /* share that remains of a displacement along the wall, and along its normal */
} row_hold;

/* The contacts of particle i; `first` is the index of the first of them in arrays by contact. */
static inline wall_contact *row_contacts(const rill_world *w, int i, int *count, int32_t *first) {
    const contacts *all = &sim_of(w)->contacts;
    *first = ((const int32_t *)all->first.data)[i];
    return contacts_of(all, i, count);
}

/* Adds the walls' part to the constraint of a particle and to its gradient. Distances are those after a displacement
   by `shift` from where the contacts were found. The part that two planes both cover counts once, as in wall_share. */
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

/* The displacement `delta` next to a wall. The solid continues the fluid with the gradient of its multipliers, as in
   SPH (docs/methods/sph.md); without this, water slides down along the sides of its tank. */
static inline vec row_wall_corrected(const row_hold *hold, vec n, vec delta) {
    const float turn = (hold->across - hold->along) * vec_dot(delta, n);
    return vec_along(vec_scale(delta, hold->along), turn, n);
}

/* ---- parts ---- */

/* The end of a substep, once positions are found: density, friction and XSPH. */
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
/* Estimate of the mean pressure over density of the fluid at rest, from where it starts: g H / 2. The depth H is four
   times the mean distance of the particles from their mean height, as in a column. */
float rill_density_rows_first_load(const rill_world *world);
/* Lets `load`, the mean pressure over density, follow the pressures of a step. */
void rill_density_rows_follow_load(rill_world *world, const density_rows *rows, double dt, float *load);
/* Whether there are bodies that the fluid can move. In these methods they move after the fluid, not with it. */
static inline bool world_has_free_bodies(const rill_world *w) {
    FOR_ALIVE(w, body, b) if (b->inverse_mass > 0) return true;
    return false;
}
/* The next length of a substep. Fluid at rest is compressed in proportion to dt^2, so a length that changed in every
   frame would feed energy into a tank. It is shortened as soon as it is too long, and lengthened only when more than
   twice the length is allowed. */
static inline double rows_steady_substep(double now, double wanted) {
    return !(now > 0) || wanted < now || wanted > 2 * now ? 0.9 * wanted : now;
}
/* Finds surface tension at the new positions `at` (images included). If a fluid has any, moves the particles there. */
rill_status rill_density_rows_pull(rill_world *world, const density_rows *rows, const place *at);
/* Densities, and velocities from those in `moving`: adds XSPH, viscosity and the surface tension that
   rill_density_rows_pull found (density_rows_flow.c). `xsph`: parameter c, in 1/60 s. */
void rill_density_rows_flow(row_flow *flow, float xsph);

#endif
