/* SPDX-License-Identifier: MIT */
/* Implicit viscosity: velocities v+ with which M (v+ - v) = -dt (K v+ + K_w (v+ - v_w)), K the Laplacian of the weights
   k_ij = V_i V_j mu_ij L(r) of viscosity.h, K_w those of wall_friction.h. Rayleigh's dissipation function
   1/2 sum k_ij |v_i - v_j|^2, put into the discrete variational step, is the same (Bodin, Lacoursiere and Servin 2012,
   section X). Symmetric, stable for any viscosity and step, and solved by conjugate gradients without ever building the
   matrix. With M as the preconditioner every iterate has the momentum it started from, and walls get what the last one
   rubs them with. */
#ifndef RILL_SIM_FORCE_IMPLICIT_VISCOSITY_H
#define RILL_SIM_FORCE_IMPLICIT_VISCOSITY_H

#include "sim/force/forces.h"

/* Constants of a point besides its velocity: one quad, gathered like places. */
typedef struct viscous_trait {
    float volume;
    float mu; /* between particles, damping of noise included */
    float mass, density;
} viscous_trait;

typedef struct viscosity_solve {
    rill_world *world;
    const forces *forces;
    double dt;
    const kernel *smooth;  /* kernel of the smoothing of velocities (XSPH); NULL: none */
    float smoothing;       /* its rate [1/s] */
    bool walls;            /* no-slip walls rub */
    viscous_trait *traits; /* of each point; filled in by the caller for particles, or by rill_viscosity_traits */
    /* Arrays of the solver. */
    float *weights;   /* k_ij [kg/s] as the lists lie */
    place *direction; /* p; `m` unused */
    place *velocity;  /* v */
    vec *residual;    /* M^-1 (b - A v) */
    vec *image;       /* M^-1 A p */
    double alpha, beta;
    const place *operand;
    vec *result;
    bool walls_move;
} viscosity_solve;

/* The longest dt for which `viscosity_solver: auto` of the world leaves viscosity explicit is exceeded, or the world
   asks for it. */
bool rill_viscosity_is_implicit(const rill_world *world, const forces *f, double dt);

/* Memory for a solve: in a step's `solve`, before anything moved. */
rill_status rill_viscosity_reserve(rill_world *world);
/* Lays the arrays out in it. */
void rill_viscosity_begin(viscosity_solve *s, rill_world *world, const forces *f, double dt);
/* Volumes, masses and viscosities of the fluids. */
void rill_viscosity_traits(viscosity_solve *s);
/* The world's velocities after the friction of dt; contacts get their part of it. Returns the iterations. */
int rill_viscosity_solve(viscosity_solve *s);

#endif
