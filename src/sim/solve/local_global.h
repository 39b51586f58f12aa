/* SPDX-License-Identifier: MIT */
/* Implicit Euler by local projections and a global solve (Projective Dynamics: Bouaziz, Martin, Liu, Kavan and Pauly
   2014). The new positions minimise
     1/(2 dt^2) |M^1/2 (x - s)|^2 + sum_i w_i/2 |D_i S_i x - P_i p_i|^2,   p_i on constraint i,
   with s the positions that particles would reach without constraints. A round consists of a local step, in which every
   constraint projects its own copies of its particles, and a global step, in which the p_i are held and x solves
     A (x' - x) = M/dt^2 (s - x) + sum_i w_i S_i^T D_i^T (P_i p_i - D_i S_i x),
     A = M/dt^2 + sum_i w_i S_i^T D_i^T D_i S_i.
   Everything here is divided by m/dt^2, so that constraints contribute displacements.

   Constraints come in kinds. A kind adds the pull of its constraints to every particle, its part of A's diagonal and,
   if it couples particles in A, the rest of its part. Without such a kind the system is solved by one division for each
   particle, with one by conjugate gradients. Walls act on all particles alike, through contacts: they keep particles at
   their distance, and each contact gets the reaction to its push. */
#ifndef RILL_SIM_SOLVE_LOCAL_GLOBAL_H
#define RILL_SIM_SOLVE_LOCAL_GLOBAL_H

#include "core/arena.h"
#include "sim/boundary/give_way.h"
#include "sim/neighbours/neighbours.h"
#include "sim/sim.h"

/* A displacement since the prediction, of a particle or by one of its walls: where a round ended, and the point farther
   along the same way at which the next round evaluates (Nesterov 1983). */
typedef struct lead {
    vec here, ahead;
} lead;

/* A scalar of each particle that follows the same recursion. */
typedef struct lead_value {
    float here, ahead;
} lead_value;

/* The functions of a kind of constraints. Each runs the loops of its kind itself. */
typedef struct constraints {
    void *context;
    /* The local step, evaluated at `ahead`: adds dt^2/m sum w D^T (P p - D S x) to `pull`. */
    void (*project)(void *context);
    /* Adds its part of A's diagonal, times dt^2/m. Called once for each set of neighbour lists. */
    void (*weigh)(void *context, float *diagonal);
    /* Adds the rest of its part of A times `direction`, whose images are up to date. NULL: there is no rest. */
    void (*couple)(void *context, const place *direction, vec *image);
    /* For a kind that couples few particles: solves their part of the system, with the diagonal of the others, into
       `change`; all other particles are solved for by division. Returns its iterations. NULL: all particles are solved
       for together. */
    int (*solve)(void *context);
} constraints;

#define CONSTRAINTS_MAX 8

typedef enum global_solver { GLOBAL_AUTO, GLOBAL_DIVISION, GLOBAL_GRADIENTS } global_solver;

typedef struct local_global {
    rill_world *world;
    float dt;
    constraints kinds[CONSTRAINTS_MAX];
    int kind_count;
    int rounds;      /* at most */
    bool accelerate; /* with momentum (Nesterov); plain rounds otherwise */
    float convexity; /* least eigenvalue over the largest, assumed by the momentum: 0 to 1 */
    global_solver solver;
    float outrun; /* distance that particles may move before lists are rebuilt [m]; 0: lists are kept */
    /* Called after each local step with the number of rounds before it: whether these are enough. NULL: never. */
    bool (*enough)(void *context, int round);
    void *context;

    /* For each particle. Kinds add to the pulls, the end of a round clears them. */
    place *at; /* where constraints are evaluated; images included */
    lead *shifts;
    vec *pull;
    float *value_pull; /* the pull on `values`, which may be multipliers */
    lead_value *values;
    float *diagonal;
    vec *change;   /* in this round */
    place *listed; /* where particles were when lists were built; NULL without `outrun` */
    /* For each contact. */
    vec *wall_pull;
    lead *wall_shifts;
    giving_way bodies;
    /* For conjugate gradients. */
    place *direction;
    vec *residual, *image;

    /* Of the run. */
    int done;              /* rounds */
    int renewals;          /* of the lists */
    int solver_iterations; /* of conjugate gradients, in all rounds */
    double momentum;       /* Nesterov's t */
    float carry;           /* share of the last change by which the next round is evaluated ahead */
    bool coupled;
    bool stopped;       /* `enough` ended the rounds, where the last one was evaluated */
    double alpha, beta; /* of conjugate gradients */
} local_global;

/* Asks for the arrays. Rounds, solver, outrun and kinds are set before. */
void rill_local_global_ask(local_global *g, arena *a);
/* Runs the rounds from the predicted positions, in which the world's particles are, with lists and contacts made for
   them. Contacts end with the forces that acted, and at their final distances. */
rill_status rill_local_global_run(local_global *g);

#endif
