/* SPDX-License-Identifier: MIT */
/* Vorticity confinement: dv = dt eps h N x omega, N along the gradient of |omega|, restores the rotation that a solver
   dissipates (Macklin and Mueller 2013, Eqs. 15 and 16). Differences: omega_i = sum V_j (v_i - v_j) x grad W has the
   volume that the paper omits and the sign of Monaghan 1992. The paper's v_j - v_i gives minus the curl, and Eq. 16
   then slows every vortex down. */
#ifndef RILL_SIM_FORCE_VORTICITY_H
#define RILL_SIM_FORCE_VORTICITY_H

#include "sim/kernel.h"
#include "sim/sim.h"

#if DIM == 2
typedef float spin; /* a scalar: about z */
#else
typedef vec spin;
#endif

/* Arrays by particle; `points` and `motion` include periodic images and the null particle. */
typedef struct vorticity {
    const rill_world *world;
    const kernel *gradient;
    float strength;      /* dt eps [1] */
    float volume;        /* of every particle, without `traits` */
    const float *traits; /* quads that begin with a particle's volume; NULL: all have `volume` */
    place *points;       /* positions; `m` becomes |omega| */
    place *motion;       /* velocities, which change */
    spin *spins;         /* room for omega */
} vorticity;

void rill_vorticity_confine(vorticity *v);

#endif
