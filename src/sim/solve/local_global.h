/* SPDX-License-Identifier: MIT */
/* Implicit Euler by local projections and a global solve (Projective Dynamics: Bouaziz, Martin, Liu, Kavan and Pauly
   2014). The new positions minimise
     1/(2 dt^2) |M^1/2 (x - s)|^2 + sum_i w_i/2 |D_i S_i x - P_i p_i|^2,   p_i on constraint i,
   s where particles would go by themselves. A round is a local step, in which every constraint projects its own copies
   of its particles, and a global one: with p_i held, x solves the linear system
     A (x' - x) = M/dt^2 (s - x) + sum_i w_i S_i^T D_i^T (P_i p_i - D_i S_i x),   A = M/dt^2 + sum_i w_i S_i^T D_i^T D_i
   S_i. Everything here is divided by m/dt^2, so that what constraints do is a displacement.

   Constraints come in kinds: a kind adds what its constraints pull to every particle, its part of A's diagonal, and, if
   its particles are coupled in A, the rest of its part. Without such a kind the system is solved by one division for
   each particle, with one by conjugate gradients. Walls act on all particles alike, through contacts: they keep them at
   their distance, and get back what they gave, contact by contact. */
#ifndef RILL_SIM_SOLVE_LOCAL_GLOBAL_H
#define RILL_SIM_SOLVE_LOCAL_GLOBAL_H

#include "core/arena.h"
#include "sim/boundary/give_way.h"
#include "sim/neighbours/neighbours.h"
#include "sim/sim.h"

/* A displacement since the prediction, of a particle or of what one of its walls did to it: where a round ended, and
   where the next one looks, farther along the same way (Nesterov 1983). */
typedef struct lead {
    vec here, ahead;
} lead;

/* A number of each particle that follows the same recursion. */
typedef struct lead_value {
    float here, ahead;
} lead_value;

/* The table of a kind of constraints. Functions run the loops of their kind themselves. */
typedef struct constraints {
    void *context;
    /* The local step where particles are `ahead`: adds dt^2/m sum w D^T (P p - D S x) to `pull`. */
    void (*project)(void *context);
    /* Adds its part of A's diagonal, times dt^2/m. Once for each set of neighbour lists. */
    void (*weigh)(void *context, float *diagonal);
    /* Adds the rest of its part of A, times a direction whose images are up to date; NULL: there is no rest. */
    void (*couple)(void *context, const place *direction, vec *image);
    /* Where `couple` reaches few particles: solves their part of the system, with the diagonal of the others, into
       `change`; the rest is divided. Returns its iterations. NULL: all particles are solved for together. */
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
    bool accelerate; /* look ahead; plain rounds otherwise */
    float convexity; /* least eigenvalue of the whole over the largest, of which momentum knows: 0 to 1 */
    global_solver solver;
    float outrun; /* how far particles may move before lists are rebuilt [m]; 0: as far as they like */
    /* Asked after each local step, with the rounds before it: whether these are enough. NULL: never. */
    bool (*enough)(void *context, int round);
    void *context;

    /* For each particle. Kinds add to the pulls, the global step empties them. */
    place *at; /* where constraints look; images included */
    lead *shifts;
    vec *pull;
    float *value_pull; /* what `values` are pulled by: a multiplier, for example */
    lead_value *values;
    float *diagonal;
    vec *change;   /* of this round */
    place *listed; /* where particles were when lists were made; NULL without `outrun` */
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
    float carry;           /* share of the last change by which the next round looks ahead */
    bool coupled;
    bool stopped;       /* rounds were enough: they ended where the last one looked */
    double alpha, beta; /* of conjugate gradients */
} local_global;

/* Asks for the arrays: after rounds, solver, outrun and kinds are set. */
void rill_local_global_ask(local_global *g, arena *a);
/* Rounds from the predicted positions on, which are those of the world's particles, lists and contacts made for them.
   Contacts are left with the forces that acted, at the distances of the end. */
rill_status rill_local_global_run(local_global *g);

#endif
