/* SPDX-License-Identifier: MIT */
/* Position Based Fluids: declarations shared by the files of the method. Equations: docs/methods/pbf.md. */
#ifndef RILL_SIM_METHOD_PBF_H
#define RILL_SIM_METHOD_PBF_H

#include "core/arena.h"
#include "sim/boundary/give_way.h"
#include "sim/cloth/cloth.h"
#include "sim/method/density_rows.h"

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
enum { PBF_LOAD, PBF_SPEED, PBF_SUBSTEP, PBF_REFERENCE, PBF_LASTING_LOAD };

/* Numbers derived from parameters and scene by `prepare`. */
typedef struct pbf_derived {
    density_rows rows;
    int iterations;            /* largest number, in use */
    float relaxation, rho;     /* of the iterations, in use */
    float response;            /* effect of a step's iterations on a smooth error, in plain unrelaxed iterations */
    float epsilon;             /* eps [1/m^2] */
    float tensile;             /* k' */
    float tensile_scale;       /* 1/W(dq), over the scale that W has in the loop */
    float tensile_shift_scale; /* 1/S_ref, with the scale of the gradient */
} pbf_derived;

/* Displacement since the start of the substep, now and one iteration ago: of a particle, or of the part of it that is
   due to one wall. A displacement keeps low bits that would be lost in a position. */
typedef struct pbf_shift {
    vec now, last;
} pbf_shift;

/* A number that follows the same recursion as the displacements (Chebyshev). */
typedef struct pbf_history {
    float now, last;
} pbf_history;

/* Everything a solve needs. Arrays are in sim->scratch. */
typedef struct pbf_job {
    rill_world *world;
    const pbf_params *params;
    const pbf_derived *derived;
    place *at;                  /* positions of this iteration */
    place *position_lambda;     /* these positions with lambda as `m`; after the solve, velocities */
    pbf_shift *shifts;          /* displacement of each particle from its predicted position */
    pbf_history *lambda_sum;    /* sum of the multipliers, by particle */
    float *kept;                /* compression that a very short step leaves; below 0: not found yet. NULL: none */
    float *slopes;              /* W'/r for each entry of the neighbour lists */
    vec *tensile_shift;         /* displacement of each particle by the artificial pressure */
    pbf_shift *wall_shifts;     /* for each contact */
    row_hold *holds;            /* for each contact */
    row_trait *traits;          /* NULL if all particles are alike */
    struct coarse_cell *coarse; /* cells of the coarse level */
    int coarse_room;            /* capacity of `coarse` */
    int32_t *coarse_number;     /* index in `coarse`, of each cell of the box around the particles */
    int32_t *coarse_place;      /* cell of that box, of each particle */
    float dt, keep_off;
    float corrected;    /* share of the compression, and of the depth inside walls, that this step may correct */
    bool implicit;      /* viscosity */
    float lowest;       /* lower bound of the compression that acts: 0, or -1 with tension */
    float gamma, omega; /* of this iteration */
    cloth_job *cloth;   /* the cloth's part of the step; NULL: there is no cloth */
    giving_way bodies;
} pbf_job;

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
#define rill_pbf_cloth_start        SIM_NAME(rill_pbf_cloth_start)
#define rill_pbf_cloth_iterate      SIM_NAME(rill_pbf_cloth_iterate)
#define rill_pbf_cloth_wants_more   SIM_NAME(rill_pbf_cloth_wants_more)
#define rill_pbf_cloth_finish       SIM_NAME(rill_pbf_cloth_finish)

/* Parts: multipliers and displacements (pbf_solve.c), velocities (pbf_velocity.c), steps and constants (pbf.c). */
rill_status rill_pbf_solve(rill_world *world, double dt);
/* Fills in a job and asks for its arrays. rill_pbf_finish makes the job again, and finds the arrays of rill_pbf_solve
   in the same places. */
void rill_pbf_job_make(rill_world *world, double dt, pbf_job *job, arena *arena);
void rill_pbf_finish(rill_world *world, double dt);
/* The coarse level (pbf_coarse.c): asks for its arrays, and finds its multipliers from the constraints, which
   find_multipliers left in the densities. False if the fluid is too scattered to have a coarse level. */
void rill_pbf_coarse_ask(pbf_job *job, arena *arena);
bool rill_pbf_coarse_multipliers(pbf_job *job);
/* Cloth (pbf_cloth.c): before the iterations, at the end of each, and after them. In a world without fluid, cloth
   decides on the number of iterations. */
void rill_pbf_cloth_start(const pbf_job *job);
void rill_pbf_cloth_iterate(pbf_job *job);
bool rill_pbf_cloth_wants_more(const pbf_job *job, int iteration);
void rill_pbf_cloth_finish(pbf_job *job);

#endif
