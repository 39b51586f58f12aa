/* SPDX-License-Identifier: MIT */
/* Constants of surface tension, from kernels and spacing alone. docs/forces.md has the derivations. */
#ifndef RILL_SIM_FORCE_SURFACE_CONSTANTS_H
#define RILL_SIM_FORCE_SURFACE_CONSTANTS_H

#include "sim/boundary/boundary.h"

/* Reach of the kernel, in spacings. */
#define SURFACE_REACH 4.0f
/* Share b of the stress normal to the surface that is removed; the rest is cohesion. */
#define SURFACE_SHARE 0.8f
/* delta, in spacings: with it the pressure in drops of concentric rings is proportional to 1/R, within 2.5 % from 10 to
   40 spacings, and in drops of shells within 1.5 % (test_surface_tension). */
#define SURFACE_DEPTH (DIM == 2 ? 2.0f : 1.25f)
/* The divisor 1 + x of the curvature correction, x = delta kappa, and the range of x in which it is known. A layer that
   lies s below the surface presses what it encloses R/(R - s) times too much, and its own curvature kappa is (d - 1)/(R
   - s): the factor is 1 + s kappa/(d - 1). */
#define SURFACE_BENT_MIN -0.3f
#define SURFACE_BENT_MAX 0.6f
static inline float surface_bent(float x) {
    return 1.0f + fminf(fmaxf(x, SURFACE_BENT_MIN), SURFACE_BENT_MAX);
}

typedef struct surface_constants {
    kernel kernel;
    float strength;     /* k of the stress */
    float depth;        /* delta: depth of the pulling layer below the surface [m] */
    float gradient_min; /* |g| below which there is no surface [1/m] */
    wall_integrals walls;
    float adhesion[WALL_INTEGRALS_SIZE + 1]; /* slope of the kernel's integral over the plane of a wall [1/m^2] */
} surface_constants;

/* `pressure`: kernel of the method's pressure force, which balances the cohesion. */
void rill_surface_prepare(surface_constants *s, const kernel *pressure, float spacing);

#endif
