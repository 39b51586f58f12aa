/* SPDX-License-Identifier: MIT */
/* Position Based Fluids: what the files of the method share. Equations: docs/methods/pbf.md. */
#ifndef RILL_SIM_METHOD_PBF_H
#define RILL_SIM_METHOD_PBF_H

#include "core/arena.h"
#include "sim/force/forces.h"
#include "sim/method/method.h"

typedef enum pbf_acceleration { PBF_JACOBI, PBF_CHEBYSHEV } pbf_acceleration;

typedef struct pbf_params {
    int32_t iterations;
    float density_error;    /* mean compression at which the iterations end; 0: always all of them */
    int32_t acceleration;   /* pbf_acceleration */
    float relaxation;       /* gamma; 0: automatic */
    float spectral_radius;  /* rho; 0: automatic */
    float coarse;           /* share of the coarse level's displacement; 0: no coarse level */
    float epsilon;          /* eps' = eps / S_ref */
    float tensile;          /* k' = k S_ref */
    float tensile_distance; /* dq / h */
    bool tension;
    int32_t density_kernel, gradient_kernel; /* kernel_kind */
    int32_t substeps;                        /* 0: automatic */
    float compression, expected_depth;
    float motion;    /* spacings a particle may move in a substep */
    float xsph;      /* c, in 1/60 s */
    float vorticity; /* [1/s] */
} pbf_params;

/* world->derived of this method. */
enum { PBF_LOAD, PBF_SPEED, PBF_SUBSTEP, PBF_REFERENCE };

/* The kernels as the inner loops use them. */
typedef struct pbf_pair {
    kernel density, gradient;
    float value_scale, slope_scale;
} pbf_pair;

/* What pbf_prepare derives. */
typedef struct pbf_derived {
    pbf_pair pair;
    forces forces;
    float s_ref;               /* sum_k |grad_k C|^2 of a particle in a full rest lattice [1/m^2] */
    float relaxation, rho;     /* of the iterations, in use */
    float response;            /* what the iterations of a step do to a smooth error, in plain Jacobi iterations */
    float epsilon;             /* eps [1/m^2] */
    float tensile;             /* k' */
    float tensile_scale;       /* 1/W(dq), as the loop has W */
    float tensile_shift_scale; /* 1/S_ref, with the scale of the gradient */
    float self;                /* W(0) */
    bool uniform;              /* all particles have one volume and one mass */
    float volume;              /* that volume, or the largest: m / rho0 [m^DIM] */
    float mass_ref;            /* of the heaviest particles: the unit of masses, on which no result depends [kg] */
} pbf_derived;

/* What a neighbour is made of when particles are not all alike: gathered as a quad. */
typedef struct pbf_trait {
    float volume;       /* m / rho0 */
    float inverse_mass; /* mass_ref / m */
    float mu;
    float unused;
} pbf_trait;

/* Displacements: the sum so far and the one an iteration ago. Of a particle, and of what each of its walls did to it.
   Sums from the start of the step keep their last bits, which a position would lose. */
typedef struct pbf_shift {
    vec now, last;
} pbf_shift;

/* A number that follows the same recursion as the positions. */
typedef struct pbf_history {
    float now, last;
} pbf_history;

/* Compression above this counts as this: two particles on one spot must not throw each other across the room. */
#define COMPRESSION_MAX 0.2f

/* What an iteration's multipliers found at a contact, for its displacements. */
typedef struct pbf_hold {
    float push;          /* gradient of the wall's share, along the normal */
    float along, across; /* what is left of a displacement along the wall, and along its normal */
} pbf_hold;

/* Everything a solve needs, laid out in sim->scratch. */
typedef struct pbf_job {
    rill_world *world;
    const pbf_params *params;
    const pbf_derived *derived;
    place *at;                  /* positions of this iteration */
    place *position_lambda;     /* the same with lambda as `m`; later velocities */
    pbf_shift *shifts;          /* of each particle since it was predicted */
    pbf_history *lambda_sum;    /* sum of the multipliers */
    float *kept;                /* compression that a very short step leaves as it is; NULL: none */
    float *slopes;              /* W'/r for each entry of the neighbour lists */
    vec *tensile_shift;         /* what the artificial pressure moves each particle by */
    pbf_shift *wall_shifts;     /* for each contact */
    pbf_hold *holds;            /* likewise */
    pbf_trait *traits;          /* NULL if all particles are alike */
    struct coarse_cell *coarse; /* cells of the coarse level */
    int coarse_room;            /* how many of them there may be */
    int32_t *coarse_number;     /* of each cell in the box around the particles */
    int32_t *coarse_place;      /* of each particle in that box */
    float dt, keep_off;
    float mended;       /* share of the compression of the last step that this one may mend */
    bool implicit;      /* viscosity */
    float lowest;       /* compression below this does not pull: 0, or -1 with tension */
    float gamma, omega; /* of this iteration */
    float xsph, shear;  /* what velocity differences weighted with W, and W'/r times the viscosity, are multiplied by */
} pbf_job;

/* W and W'/r of a pair, without the factors value_scale and slope_scale, which a sum is multiplied by at its end; and
   the square of W'. One root for all and no division if both kernels are the cubic spline, for which this is made;
   `cubic` is constant where it is inlined. At r = 0 the slope is 0 times a large number; at the null particle, W is 0.
 */
WIDE_FN void pbf_kernels(const pbf_pair *k, bool cubic, wide r2, wide *value, wide *gradient, wide *slope2) {
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

static inline bool pbf_is_cubic(const pbf_derived *d) {
    return d->pair.density.kind == KERNEL_CUBIC && d->pair.gradient.kind == KERNEL_CUBIC;
}

static inline const pbf_params *pbf_params_of(const rill_world *w) {
    return method_params(w);
}
static inline pbf_derived *pbf_derived_of(const rill_world *w) {
    return sim_of(w)->method_data.data;
}

/* Symbols that leave their file, once for each dimension and width (sim/dim_names.h knows no method by name). */
#define rill_pbf_solve              SIM_NAME(rill_pbf_solve)
#define rill_pbf_job_make           SIM_NAME(rill_pbf_job_make)
#define rill_pbf_finish             SIM_NAME(rill_pbf_finish)
#define rill_pbf_coarse_ask         SIM_NAME(rill_pbf_coarse_ask)
#define rill_pbf_coarse_multipliers SIM_NAME(rill_pbf_coarse_multipliers)

/* Parts: multipliers and displacements (pbf_solve.c), velocities (pbf_velocity.c), steps and constants (pbf.c). */
rill_status rill_pbf_solve(rill_world *world, double dt);
/* Asks for the arrays of a job; rill_pbf_finish finds those of rill_pbf_solve where they were. */
void rill_pbf_job_make(rill_world *world, double dt, pbf_job *job, arena *arena);
void rill_pbf_finish(rill_world *world, double dt);
/* The coarse level (pbf_coarse.c): its arrays, and its multipliers for particles whose constraints are in their
   densities. False if the fluid is too scattered to have a coarse level. */
void rill_pbf_coarse_ask(pbf_job *job, arena *arena);
bool rill_pbf_coarse_multipliers(pbf_job *job);

#endif
