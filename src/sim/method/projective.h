/* SPDX-License-Identifier: MIT */
/* Projective Fluids: what the files of the method share. Equations: docs/methods/projective.md. */
#ifndef RILL_SIM_METHOD_PROJECTIVE_H
#define RILL_SIM_METHOD_PROJECTIVE_H

#include "sim/cloth/cloth.h"
#include "sim/method/density_rows.h"
#include "sim/solve/local_global.h"

typedef enum projective_diagonal { DIAGONAL_SPECTRUM, DIAGONAL_NEIGHBOURS } projective_diagonal;
typedef enum projective_coordinates { COORDINATES_ABSOLUTE, COORDINATES_DIFFERENTIAL } projective_coordinates;

typedef struct projective_params {
    int32_t rounds;
    float density_error;     /* mean compression at which the rounds end; 0: always all of them */
    float density_error_max; /* greatest one; 0: not asked for */
    bool acceleration;
    int32_t newton;      /* rounds of a projection */
    int32_t diagonal;    /* projective_diagonal */
    int32_t coordinates; /* projective_coordinates */
    int32_t solver;      /* global_solver */
    float stiffness;     /* w [N/m]; 0: from the speed of sound */
    float sound_speed;   /* [m/s]; 0: from the compression */
    float compression, expected_depth;
    int32_t kernel;   /* kernel_kind */
    int32_t substeps; /* 0: automatic */
    float motion;     /* spacings a particle may move in a substep */
    float outrun;     /* spacings a particle may move in the rounds before lists are rebuilt */
    float xsph;       /* c, in 1/60 s */
} projective_params;

/* world->derived of this method. */
enum { PROJECTIVE_SOUND, PROJECTIVE_BOTTOM, PROJECTIVE_SPEED, PROJECTIVE_LOAD, PROJECTIVE_SUBSTEP };

/* What `prepare` derives. */
typedef struct projective_derived {
    density_rows rows;
    float sound_speed;     /* in use [m/s] */
    float compression_max; /* what is above counts as this */
    float eigenvalue;      /* largest of what the constraints of a lattice add to A over w, with some to spare */
    float members;         /* particles of a constraint in a full lattice */
    float outrun;          /* how far particles may move before lists are rebuilt [m] */
} projective_derived;

/* Arrays of a step: for each particle the place where its constraint was projected, the multiplier, and the like. */
typedef struct projective_job {
    rill_world *world;
    const projective_params *params;
    const projective_derived *derived;
    local_global frame;
    cloth_job *cloth;       /* NULL: there is none */
    place *position_lambda; /* where a constraint looked, and W times its multiplier as `m`; later velocities */
    row_hold *holds;        /* for each contact */
    vec *jet_pull;          /* of each particle that a nozzle holds: what the last round would have moved it by */
    row_trait *traits;      /* NULL if all particles are alike */
    place *means;           /* of a direction over each constraint's particles; differential coordinates only */
    const place *direction;
    vec *image;
    float *diagonal;
    float remembered; /* share of the last step's compression that is taken off this one's: damps sound */
    float weight;     /* W = w dt^2/m, m the heaviest particle's mass */
    float share;      /* of W with which the global step counts each particle of a constraint */
    bool implicit;    /* viscosity */
} projective_job;

/* Compression at the end of the last step. */
static inline float *compressions_of(const rill_world *w) {
    return FIELD_AS(w, FIELD_METHOD, float);
}

static inline const projective_params *projective_params_of(const rill_world *w) {
    return method_params(w);
}
static inline projective_derived *projective_derived_of(const rill_world *w) {
    return sim_of(w)->method_data.data;
}

/* Symbols that leave their file, once for each dimension and width (sim/dim_names.h knows no method by name). */
#define rill_projective_density_kind SIM_NAME(rill_projective_density_kind)
#define rill_projective_nozzle_kind  SIM_NAME(rill_projective_nozzle_kind)
#define rill_projective_send_jets    SIM_NAME(rill_projective_send_jets)
#define rill_projective_pay_jets     SIM_NAME(rill_projective_pay_jets)
#define rill_projective_solve        SIM_NAME(rill_projective_solve)
#define rill_projective_finish       SIM_NAME(rill_projective_finish)

/* Parts: the density constraints (projective_density.c), nozzles in the rounds (projective_nozzles.c), the rounds and
   what follows them (projective_solve.c), steps and constants (projective.c). */
constraints rill_projective_density_kind(projective_job *job);
constraints rill_projective_nozzle_kind(projective_job *job);
/* Before the rounds: jets are where their nozzles send them at the end of the step. After it: who pays for that. */
void rill_projective_send_jets(rill_world *world, double dt);
void rill_projective_pay_jets(const projective_job *job);
rill_status rill_projective_solve(rill_world *world, double dt);
void rill_projective_finish(rill_world *world, double dt);

#endif
