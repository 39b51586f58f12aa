/* SPDX-License-Identifier: MIT */
/* The parameters of Clavet's method, and the looks, each of which sets all parameters of a fluid. */
#include "model/table.h"
#include "sim/method/clavet.h"

#define PAGE "docs/methods/clavet.md"

static const rill_param rows[] = {
    ROW_CHOICE(
        clavet_params, numbers, "automatic|paper|thesis", CLAVET_AUTOMATIC,
        "stiffness from the wanted compression, or the numbers of section 7.3, or those of the thesis's Table 6.2 "
        "without springs and viscosity",
        PAGE),
    ROW_CHOICE(clavet_params, kernels, "normal|hybrid|squared", CLAVET_NORMAL,
               "kernels of the paper, or the two kinds of the thesis", "Eqs. 1 and 4; thesis A.3, A.4"),
    ROW_CHOICE(clavet_params, sweep, "coloured|sequential", CLAVET_COLOURED,
               "cells in colours, in parallel; or particles one by one in a shuffled order", "section 4.3"),
    ROW_CHOICE(clavet_params, bodies, "conserving|printed", CLAVET_CONSERVING,
               "action of a particle on a body: the reaction to the body's own, or an impulse computed for it",
               "Algorithm 6"),
    ROW_NUMBER(clavet_params, compression, RILL_PURE, 1e-4, 0.5, 0.05,
               "loss of volume at the expected depth that the automatic stiffness allows", PAGE),
    ROW_NUMBER(clavet_params, expected_depth, RILL_LENGTH, 0, 1e6, 0,
               "depth for which the stiffness is chosen; 0: from the place where the fluid starts", PAGE),
    ROW_INT(clavet_params, substeps, 0, 1000, 0, "substeps in a step; 0: as stiffness, springs and motion require",
            PAGE),
    ROW_NUMBER(clavet_params, motion, RILL_PURE, 0.05, 100, 2,
               "spacings that a particle may move in an automatic substep", NULL),
    ROW_BOOL(clavet_params, wall_density, 1, "walls add to both densities, as fluid behind them would; the paper: no",
             PAGE),
    ROW_NUMBER(clavet_params, stick_distance, RILL_PURE, 0.01, 1, 0.5,
               "distance within which sticky walls pull, in supports", "Eq. 12"),
};
const rill_table rill_clavet_table = TABLE("clavet", "Clavet's viscoelastic fluid", clavet_params, rows);

static const rill_param fluid_rows[] = {
    ROW_CHOICE(clavet_fluid, look, "custom|water|paint|mud|gel|clay|rubber", 0,
               "kind of matter: custom, or one that sets all rows below", PAGE),
    ROW_NUMBER(clavet_fluid, rest_density, RILL_PURE, 0, 1e4, 0,
               "rho0, a sum over neighbours; 0: the sum at the spacing of the world", "Eq. 2"),
    ROW_NUMBER(clavet_fluid, stiffness, RILL_PURE, 0, 1e4, 0,
               "k, lengths in supports and times in 1/30 s; 0: from the wanted compression", "Eq. 2"),
    ROW_NUMBER(
        clavet_fluid, near_ratio, RILL_PURE, -1, 1e4, (double)CLAVET_AUTO_RATIO,
        "k_near over k; -1: the paper's 2.5, or the value that carries 6 spacings of fluid at rest if that is less",
        PAGE),
    ROW_CHOICE(clavet_fluid, springs, "none|flowing|fixed", CLAVET_NONE,
               "no springs; springs made when particles come near, with rest length h; or springs made once, with "
               "their present lengths",
               "Algorithm 4"),
    ROW_NUMBER(
        clavet_fluid, spring_reach, RILL_PURE, 1, 4, 1,
        "distance over which fixed springs are made, in supports: beyond 1 they brace sheets and rods that are a "
        "particle or two thick",
        PAGE),
    ROW_NUMBER(clavet_fluid, shear_modulus, RILL_PRESSURE, 0, 1e9, 1000,
               "shear modulus of the fluid with all its springs at rest", PAGE),
    ROW_NUMBER(clavet_fluid, spring_stiffness, RILL_PURE, 0, 1e4, 0,
               "k_spring, times in 1/30 s; 0: from the shear modulus", "Algorithm 3"),
    ROW_NUMBER(clavet_fluid, spring_damping, RILL_TIME, 0, 1e3, 0,
               "a dashpot beside each spring: viscosity over shear modulus, the time in which a released spring creeps "
               "back; 0: none, the paper's",
               PAGE),
    ROW_NUMBER(clavet_fluid, stretch_rate, RILL_FREQUENCY, 0, 1e4, 0,
               "alpha: rate at which stretched springs grow longer", "Eq. 7"),
    ROW_NUMBER(clavet_fluid, compress_rate, RILL_FREQUENCY, 0, 1e4, 0,
               "alpha: rate at which compressed springs grow shorter", "Eq. 7"),
    ROW_NUMBER(clavet_fluid, stretch_yield, RILL_PURE, 0, 10, 0.1,
               "gamma: stretch that springs withstand before they flow", "Eq. 8"),
    ROW_NUMBER(clavet_fluid, compress_yield, RILL_PURE, 0, 1, 0.1,
               "gamma: compression that springs withstand before they flow", "Eq. 8"),
    ROW_NUMBER(clavet_fluid, linear_viscosity, RILL_FREQUENCY, 0, 1e6, 0, "sigma; 0: from the fluid's viscosity",
               "Algorithm 5"),
    ROW_NUMBER(clavet_fluid, quadratic_viscosity, RILL_PURE, 0, 1e3, 0.2, "beta, lengths in supports", "Algorithm 5"),
};
const rill_table rill_clavet_fluid_table = TABLE("clavet_fluid", "A viscoelastic fluid", clavet_fluid, fluid_rows);

static const rill_param solid_rows[] = {
    ROW_NUMBER(clavet_solid, stickiness, RILL_ACCELERATION, 0, 1e5, 0,
               "largest pull on particles near the surface; 10 holds a drop", "Eq. 12"),
    ROW_NUMBER(clavet_solid, wet_friction, RILL_PURE, 0, 1, 0,
               "mu: share of the sliding of particles at the surface that 1/30 s removes; 1: no slip", "Eq. 11"),
    ROW_NUMBER(clavet_solid, wetting, RILL_PURE, 0, 1, 0.5,
               "pull on the fluid, as a share of the pull of fluid in its place; 0: no pull, 0.5: free surfaces meet "
               "it at a right angle",
               PAGE),
};
const rill_table rill_clavet_solid_table =
    TABLE("clavet_solid", "A surface in a viscoelastic fluid", clavet_solid, solid_rows);

/* ---- looks ---- */

/* In the order of the choices of `look`, without `custom`. Moduli are in Pa, rates in 1/s; all springs reach h. */
static const clavet_fluid looks[] = {
    {.near_ratio = CLAVET_AUTO_RATIO, .quadratic_viscosity = 0.2f}, /* water */
    {.near_ratio = CLAVET_AUTO_RATIO,
     .springs = CLAVET_FLOWING, /* paint: threads that lose their elasticity within hundredths of a second */
     .shear_modulus = 100,
     .stretch_rate = 30,
     .compress_rate = 30,
     .linear_viscosity = 30,
     .quadratic_viscosity = 0.2f},
    {.near_ratio = CLAVET_AUTO_RATIO,
     .springs = CLAVET_FLOWING, /* mud: like the paper's, stiff enough for a heap */
     .shear_modulus = 2000,
     .stretch_rate = 9,
     .compress_rate = 9,
     .stretch_yield = 0.1f,
     .compress_yield = 0.1f,
     .linear_viscosity = 30,
     .quadratic_viscosity = 0.2f},
    {.near_ratio = CLAVET_AUTO_RATIO,
     .springs = CLAVET_FIXED, /* gel: purely elastic */
     .shear_modulus = 3000,
     .linear_viscosity = 5,
     .quadratic_viscosity = 0.2f},
    {.near_ratio = CLAVET_AUTO_RATIO,
     .springs = CLAVET_FIXED, /* clay: deforms permanently under a load, but not under its own weight */
     .shear_modulus = 20000,
     .stretch_rate = 30,
     .compress_rate = 30,
     .stretch_yield = 0.1f,
     .compress_yield = 0.1f,
     .linear_viscosity = 30,
     .quadratic_viscosity = 0.2f},
    {.near_ratio = CLAVET_AUTO_RATIO,
     .springs = CLAVET_FIXED, /* rubber: elastic and stiff */
     .shear_modulus = 50000,
     .linear_viscosity = 5,
     .quadratic_viscosity = 0.2f},
};

const clavet_fluid *rill_clavet_look(const clavet_fluid *row) {
    return row->look > 0 ? &looks[row->look - 1] : row;
}
