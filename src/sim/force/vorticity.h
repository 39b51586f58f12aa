/* SPDX-License-Identifier: MIT */
/* Vorticity confinement: dv = dt eps h N x omega, N along the gradient of |omega|, puts back into vortices what a
   solver takes out of them (Macklin and Mueller 2013, Eqs. 15 and 16). Differences: omega_i = sum V_j (v_i - v_j) x
   grad W, with the volume that the paper leaves out and with the sign of Monaghan 1992; the paper's v_j - v_i gives
   minus the curl, and Eq. 16 then slows every vortex down. */
#ifndef RILL_SIM_FORCE_VORTICITY_H
#define RILL_SIM_FORCE_VORTICITY_H

#include "sim/kernel.h"
#include "sim/sim.h"

#if DIM == 2
typedef float spin; /* a scalar: about z */
#else
typedef vec spin;
#endif

/* Arrays by particle; `points` and `motion` with periodic images and the null particle. */
typedef struct vorticity {
    const rill_world *world;
    const kernel *gradient;
    float strength;      /* dt eps [1] */
    float volume;        /* of each particle */
    const float *traits; /* or quads that begin with its volume; NULL: all have one */
    place *points;       /* positions; `m` becomes |omega| */
    place *motion;       /* velocities, which change */
    spin *spins;         /* room for omega */
} vorticity;

void rill_vorticity_confine(vorticity *v);

#endif
