/* SPDX-License-Identifier: MIT */
/* Clavet's viscoelastic fluid: what the files of the method share. Equations: docs/methods/clavet.md. */
#ifndef RILL_SIM_METHOD_CLAVET_H
#define RILL_SIM_METHOD_CLAVET_H

#include "core/arena.h"
#include "sim/method/method.h"
#include "sim/solve/colour.h"

/* The paper's unit of time [s]; its unit of length is h. */
#define CLAVET_TICK (1.0 / 30.0)

typedef enum clavet_numbers { CLAVET_AUTOMATIC, CLAVET_PAPER, CLAVET_THESIS } clavet_numbers;
typedef enum clavet_kernels { CLAVET_NORMAL, CLAVET_HYBRID, CLAVET_SQUARED } clavet_kernels;
typedef enum clavet_sweep { CLAVET_COLOURED, CLAVET_SEQUENTIAL } clavet_sweep;
typedef enum clavet_bodies { CLAVET_CONSERVING, CLAVET_PRINTED } clavet_bodies;
typedef enum clavet_making { CLAVET_NONE, CLAVET_FLOWING, CLAVET_FIXED } clavet_making;

typedef struct clavet_params {
    int32_t numbers, kernels, sweep, bodies; /* as the enums above */
    float compression, expected_depth;
    int32_t substeps; /* 0: automatic */
    float motion;     /* spacings a particle may move in an automatic substep */
    bool wall_density;
    float stick_distance; /* in h */
} clavet_params;

typedef struct clavet_fluid {
    int32_t look;
    float rest_density, stiffness, near_ratio;
    int32_t springs;                     /* clavet_making */
    float shear_modulus;                 /* [Pa] */
    float spring_stiffness;              /* the paper's k_spring */
    float stretch_rate, compress_rate;   /* alpha [1/s] */
    float stretch_yield, compress_yield; /* gamma */
    float linear_viscosity;              /* sigma [1/s] */
    float quadratic_viscosity;           /* beta h */
} clavet_fluid;

typedef struct clavet_solid {
    float stickiness;   /* largest pull [m/s^2] */
    float wet_friction; /* share of the sliding that 1/30 s removes */
    float wetting;      /* share of the pull that fluid in its place would have */
} clavet_solid;

/* world->derived of this method. */
enum { CLAVET_HEAD, CLAVET_SPEED, CLAVET_SUBSTEP };

/* What a fluid is made of, lengths in h and times in ticks. */
typedef struct clavet_matter {
    float rest, stiffness, near;
    clavet_making making;
    float spring, stretch_rate, compress_rate, stretch_yield, compress_yield;
    float sigma, beta;
} clavet_matter;

/* Sums over a lattice at rest, without the particle itself. u is the core of the kernels, q the distance in h. */
typedef struct clavet_sums {
    float density, near;       /* of u^2 and u^3 */
    float virial, near_virial; /* of q u and q u^2: what turns pressures into a pressure */
    float spread;              /* of u */
    float stiff;               /* of (1-q) q^2: what turns springs into a modulus */
} clavet_sums;

/* What the share and the gradient of a map of walls are multiplied by. */
typedef struct clavet_wall {
    float density, push;
} clavet_wall;

/* What clavet_prepare derives. */
typedef struct clavet_derived {
    clavet_kernels kernels;
    clavet_matter matter[WORLD_FLUIDS_MAX];
    float rho0[WORLD_FLUIDS_MAX]; /* [kg/m^3] */
    clavet_sums rest;             /* at the spacing of the world */
    wall_integrals walls, near_walls;
    clavet_wall wall, near_wall;
    bool uniform; /* all particles have one mass */
    bool viscous, springy, sticky;
    float bound; /* substep that stiffness and springs allow [s] */
} clavet_derived;

/* A particle in the shuffled order. */
typedef struct clavet_ticket {
    uint64_t number;
    int32_t index;
} clavet_ticket;

/* Everything a solve needs, laid out in sim->scratch. */
typedef struct clavet_job {
    rill_world *world;
    const clavet_params *params;
    const clavet_derived *derived;
    /* What each particle was moved by since it was predicted; while viscosity acts, its velocity. Sums from the start
       of the step keep their last bits, which a position would lose. */
    place *shifts;
    vec *starts;          /* where the step began, while viscosity acts */
    bool *serial;         /* particles with neighbours behind a periodic face: swept by one thread */
    clavet_ticket *order; /* of the sequential sweep */
    colouring colours;
    float dt;    /* [s] */
    float ticks; /* dt in ticks */
} clavet_job;

/* Works on all pairs that particle i comes first in; `images`: neighbours may be periodic images. */
typedef void clavet_row_fn(const clavet_job *job, int i, bool images);

static inline const clavet_params *clavet_params_of(const rill_world *w) {
    return method_params(w);
}
static inline clavet_derived *clavet_derived_of(const rill_world *w) {
    return sim_of(w)->method_data.data;
}
static inline const clavet_matter *clavet_matter_of(const clavet_job *job, int i) {
    return &job->derived->matter[fluids_of(job->world)[i]];
}

/* Share of a pair's displacement or impulse that the first takes: half, or as the other is heavier. */
static inline float clavet_share(const place *first, const place *second) {
    return first->m == second->m ? 0.5f : second->m / (first->m + second->m);
}

/* Symbols that leave their file, once for each dimension and width (sim/dim_names.h knows no method by name). */
#define rill_clavet_look        SIM_NAME(rill_clavet_look)
#define rill_clavet_prepare     SIM_NAME(rill_clavet_prepare)
#define rill_clavet_table       SIM_NAME(rill_clavet_table)
#define rill_clavet_fluid_table SIM_NAME(rill_clavet_fluid_table)
#define rill_clavet_solid_table SIM_NAME(rill_clavet_solid_table)
#define rill_clavet_solve       SIM_NAME(rill_clavet_solve)
#define rill_clavet_job_make    SIM_NAME(rill_clavet_job_make)
#define rill_clavet_sweep       SIM_NAME(rill_clavet_sweep)
#define rill_clavet_relax_row   SIM_NAME(rill_clavet_relax_row)
#define rill_clavet_springs     SIM_NAME(rill_clavet_springs)
#define rill_clavet_viscosity   SIM_NAME(rill_clavet_viscosity)
#define rill_clavet_finish      SIM_NAME(rill_clavet_finish)
#define rill_clavet_links       SIM_NAME(rill_clavet_links)

/* Parameters (clavet_params.c) and what follows from them (clavet_setup.c). */
extern const rill_table rill_clavet_table, rill_clavet_fluid_table, rill_clavet_solid_table;
/* The row itself, or what its look stands for. */
const clavet_fluid *rill_clavet_look(const clavet_fluid *row);
rill_status rill_clavet_prepare(rill_world *world);

/* Asks for the arrays of a job; rill_clavet_finish finds those of rill_clavet_solve where they were. */
void rill_clavet_job_make(rill_world *world, double dt, clavet_job *job, arena *arena);
/* Visits the rows of all particles, in colours or one after the other. */
void rill_clavet_sweep(clavet_job *job, clavet_row_fn *row);
/* The parts of a step: Algorithms 5 (clavet_viscosity.c), 3 and 4 (clavet_springs.c), 2 (clavet_relax.c). */
void rill_clavet_viscosity(clavet_job *job);
rill_status rill_clavet_springs(clavet_job *job);
void rill_clavet_relax_row(const clavet_job *job, int i, bool images);
rill_status rill_clavet_solve(rill_world *world, double dt);
/* New velocities and positions; stickiness and wet friction (clavet_finish.c). */
void rill_clavet_finish(rill_world *world, double dt);

/* The springs, and their only value. */
extern const link_set_def rill_clavet_links[];
enum { CLAVET_SPRINGS };     /* sets */
enum { CLAVET_SPRING_REST }; /* values */
enum { CLAVET_FIELD_BOUND = FIELD_METHOD };

#endif
