/* SPDX-License-Identifier: MIT */
/* Forces on a fluid besides pressure. Their constants are computed here, once after every change of the scene. Each
   force has a file of its own, with its equation: viscosity.h, colour_field.h and xsph.h have terms of a pair that a
   method's neighbour loop calls, wall_friction.h acts on a particle and the walls near it, surface_tension.c and
   vorticity.c have their own loops. A method chooses the moment of its step at which a force acts. */
#ifndef RILL_SIM_FORCE_FORCES_H
#define RILL_SIM_FORCE_FORCES_H

#include "sim/boundary/boundary.h"
#include "sim/force/surface_constants.h"

/* The forces that a method asks for. */
typedef struct forces_setting {
    const kernel *density, *gradient; /* kernels of the method's sums, which walls continue */
    laplacian_kind viscous;
    bool colour;             /* surface tension by Mueller's colour field */
    float surface_threshold; /* value of |gradient| h below which there is no surface */
} forces_setting;

typedef struct forces {
    /* By phase; those of cloth have no viscosity and no tension. */
    int count; /* of fluids */
    float rho0[WORLD_PHASES_MAX], inverse_rho0[WORLD_PHASES_MAX];
    float mu[WORLD_PHASES_MAX], nu[WORLD_PHASES_MAX]; /* dynamic and kinematic viscosity */
    float sigma[WORLD_PHASES_MAX];                    /* surface tension */
    bool viscosity, surface_tension;                  /* whether a fluid has it */
    bool colour_tension;                              /* by the colour field instead of surface_tension.c */
    laplacian viscous;
    float viscous_integral; /* [1/m^2] */
    kernel colour;
    float colour_self; /* Laplacian of a particle's own colour, per volume [1/m^(DIM+2)] */
    float surface_threshold;
    float nearest_wall; /* particles nearer to a wall than this get the friction of this distance [m] */
    wall_integrals walls, colour_walls;
    surface_constants surface; /* if there is any */
} forces;

void rill_forces_prepare(forces *f, const rill_world *world, const forces_setting *setting);

/* How friction is integrated. */
typedef enum friction_scheme { FRICTION_EXPLICIT, FRICTION_LEAPFROG } friction_scheme;

/* The longest step in which explicit viscosity is stable [s]; HUGE_VAL if nothing limits it. */
double rill_forces_viscous_dt(const forces *f, friction_scheme scheme);
/* The longest step in which surface tension is stable [s]; HUGE_VAL if nothing limits it. */
double rill_forces_capillary_dt(const forces *f);
/* The longest step in which both are stable [s], with the world's viscosity solver. */
double rill_forces_max_dt(const rill_world *world, const forces *f, friction_scheme scheme);
/* Whether the fluid is thick, like honey: viscosity damps differences of velocity in far less than the time in which a
   particle falls by a spacing, and is solved for implicitly. */
bool rill_forces_are_thick(const rill_world *world, const forces *f);

#endif
