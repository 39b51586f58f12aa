/* SPDX-License-Identifier: MIT */
/* Implicit viscosity: finds v+ so that M (v+ - v) = -dt (K v+ + K_w (v+ - v_w)), with K the Laplacian of the weights
   k_ij = V_i V_j mu_ij L(r) of viscosity.h, and K_w the weights of wall_friction.h. Rayleigh's dissipation function 1/2
   sum k_ij |v_i - v_j|^2 in the discrete variational step gives the same (Bodin, Lacoursiere and Servin 2012, section
   X). The system is symmetric and stable for any viscosity and step. Conjugate gradients solve it from the weights of
   the pairs alone. With M as the preconditioner every iterate has the momentum it started from; walls get the friction
   of the last one. */
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
    const kernel *smooth;  /* kernel that smooths velocities (XSPH); NULL: none */
    float smoothing;       /* its rate [1/s] */
    bool walls;            /* no-slip walls exert friction */
    viscous_trait *traits; /* of each point; filled in by the caller for particles, or by rill_viscosity_traits */
    /* Arrays of the solver. */
    float *weights;   /* k_ij [kg/s], laid out like the neighbour lists */
    place *direction; /* p; `m` unused */
    place *velocity;  /* v */
    vec *residual;    /* M^-1 (b - A v) */
    vec *image;       /* M^-1 A p */
    double alpha, beta;
    const place *operand;
    vec *result;
    bool walls_move;
} viscosity_solve;

/* Whether viscosity is implicit in a step of dt: the world asks for it, or leaves the choice (`viscosity_solver: auto`)
   and dt is longer than explicit viscosity allows. */
bool rill_viscosity_is_implicit(const rill_world *world, const forces *f, double dt);

/* Reserves memory for a solve; called in a step's `solve`, before anything moves. */
rill_status rill_viscosity_reserve(rill_world *world);
/* Lays the arrays out in that memory. */
void rill_viscosity_begin(viscosity_solve *s, rill_world *world, const forces *f, double dt);
/* Fills in the traits from volumes, masses and viscosities of the fluids. */
void rill_viscosity_traits(viscosity_solve *s);
/* Gives the world's velocities the friction of dt, and contacts their part of it. Returns the number of iterations. */
int rill_viscosity_solve(viscosity_solve *s);

#endif
