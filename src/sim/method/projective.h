/* SPDX-License-Identifier: MIT */
/* Projective Fluids: declarations shared by the files of the method. Equations: docs/methods/projective.md. */
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
    float density_error_max; /* greatest compression at which the rounds end; 0: any */
    bool acceleration;
    int32_t newton;      /* Newton rounds of a projection */
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

/* Constants that `prepare` derives. */
typedef struct projective_derived {
    density_rows rows;
    float sound_speed;     /* in use [m/s] */
    float compression_max; /* upper bound of the compression that acts */
    float eigenvalue;      /* largest eigenvalue of the constraints' part of A over w in a lattice, times DISORDER */
    float members;         /* number of particles in a constraint, in a full lattice */
    float outrun;          /* how far particles may move before lists are rebuilt [m] */
} projective_derived;

/* Everything a step needs. Arrays are in sim->scratch, and by particle unless said otherwise. */
typedef struct projective_job {
    rill_world *world;
    const projective_params *params;
    const projective_derived *derived;
    local_global frame;
    cloth_job *cloth;       /* NULL: there is none */
    place *position_lambda; /* where a constraint was evaluated, W times its multiplier as `m`; later velocities */
    row_hold *holds;        /* for each contact */
    vec *jet_pull;          /* by particle held in a nozzle: the pull of the last round, which does not move it */
    row_trait *traits;      /* NULL if all particles are alike */
    place *means;           /* mean of `direction` over the particles of a constraint; differential coordinates only */
    const place *direction;
    vec *image;
    float *diagonal;
    float remembered; /* share of the last step's compression that is subtracted from this one's: damps sound */
    float weight;     /* W = w dt^2/m, m the heaviest particle's mass */
    float share;      /* of W that A contains for each particle of a constraint */
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
   the velocities after them (projective_solve.c), steps and constants (projective.c). */
constraints rill_projective_density_kind(projective_job *job);
constraints rill_projective_nozzle_kind(projective_job *job);
/* Before the rounds: moves jets to where their nozzles send them in this step. After the rounds: bodies under nozzles
   take the reaction, and the work of the jets is counted as energy given to the fluid. */
void rill_projective_send_jets(rill_world *world, double dt);
void rill_projective_pay_jets(const projective_job *job);
rill_status rill_projective_solve(rill_world *world, double dt);
void rill_projective_finish(rill_world *world, double dt);

#endif
