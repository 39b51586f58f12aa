/* SPDX-License-Identifier: MIT */
/* Force-based SPH, shared by the methods muller and wcsph. The two differ in their defaults only, which muller.c and
   wcsph.c list. Equations: sph.c and docs/methods/sph.md. */
#ifndef RILL_SIM_METHOD_SPH_H
#define RILL_SIM_METHOD_SPH_H

#include "core/arena.h"
#include "model/table.h"
#include "sim/force/forces.h"
#include "sim/method/method.h"

typedef enum sph_pressure { SPH_STIFFNESS, SPH_SOUND, SPH_TAIT } sph_pressure;
typedef enum sph_rule { SPH_RULE_FIXED, SPH_RULE_DEPTH, SPH_RULE_STABLE } sph_rule;
typedef enum sph_symmetry { SPH_MEAN, SPH_SYMMETRIC } sph_symmetry;
typedef enum sph_density { SPH_SUM, SPH_CONTINUITY } sph_density;
typedef enum sph_surface { SPH_STRESS, SPH_COLOUR } sph_surface;
typedef enum sph_integrator { SPH_EULER, SPH_LEAPFROG } sph_integrator;

typedef struct sph_params {
    int32_t pressure;       /* sph_pressure */
    int32_t stiffness_rule; /* sph_rule */
    float stiffness;        /* k [m^2/s^2] */
    float sound_speed;      /* cs [m/s] */
    int32_t gamma;
    float expected_depth, expected_speed, compression;
    int32_t symmetry;                        /* sph_symmetry */
    bool tension;                            /* keep negative pressures */
    int32_t density_rule;                    /* sph_density */
    int32_t density_kernel, gradient_kernel; /* kernel_kind */
    int32_t viscosity_operator;              /* laplacian_kind */
    float artificial_viscosity;              /* alpha */
    float sound_damping;                     /* chi */
    int32_t surface_tension_model;           /* sph_surface */
    float surface_threshold;                 /* |n| h below which there is no surface */
    int32_t integrator;                      /* sph_integrator */
} sph_params;

/* The rows of a method's table. Arguments are the defaults in which the two methods differ. */
#define SPH_ROWS(pressure_, rule_, gamma_, symmetry_, tension_, operator_, integrator_)                               \
    ROW_CHOICE(sph_params, pressure, "stiffness|sound|tait", pressure_,                                               \
               "equation of state: k(rho-rho0), cs^2(rho-rho0) or Tait's", "thesis 3.21, 3.22, 3.23"),                \
        ROW_CHOICE(sph_params, stiffness_rule, "fixed|depth|stable", rule_,                                           \
                   "choice of the stiffness: by the user, the expected depth and speed, or the largest stable one",   \
                   "docs/methods/sph.md"),                                                                            \
        ROW_NUMBER(sph_params, stiffness, RILL_STIFFNESS, 0, 1e9, 100, "k of pressure 'stiffness' with rule 'fixed'", \
                   "thesis 3.21"),                                                                                    \
        ROW_NUMBER(sph_params, sound_speed, RILL_SPEED, 0, 1e5, 20, "cs of 'sound' and 'tait' with rule 'fixed'",     \
                   "thesis 3.22"),                                                                                    \
        ROW_INT(sph_params, gamma, 1, 7, gamma_, "exponent of Tait's equation", "thesis 3.23"),                       \
        ROW_NUMBER(sph_params, expected_depth, RILL_LENGTH, 0, 1e6, 0,                                                \
                   "largest depth of water expected, for rule 'depth'; 0: from the scene", NULL),                     \
        ROW_NUMBER(sph_params, expected_speed, RILL_SPEED, 0, 1e5, 0,                                                 \
                   "fastest flow expected, for rules 'depth' and 'stable'; 0: from the scene", NULL),                 \
        ROW_NUMBER(sph_params, compression, RILL_PURE, 1e-5, 0.5, 0.01,                                               \
                   "density variation that rule 'depth' allows: cs^2 = max(v^2, 2 g H) / compression",                \
                   "Monaghan 1994"),                                                                                  \
        ROW_CHOICE(sph_params, symmetry, "mean|symmetric", symmetry_,                                                 \
                   "pressure force: Mueller's mean (half the gradient) or p/rho^2 of both", "thesis 3.28, 3.27"),     \
        ROW_BOOL(sph_params, tension, tension_, "density below rest pulls particles together", "thesis 3.22"),        \
        ROW_CHOICE(                                                                                                   \
            sph_params, density_rule, "sum|continuity", SPH_SUM,                                                      \
            "density as a sum over neighbours, or integrated along the flow: the latter does not fall off at a "      \
            "surface, and stretched fluid pulls without tearing (with tension)",                                      \
            "Monaghan 1994; Sun et al. 2018"),                                                                        \
        ROW_CHOICE(sph_params, density_kernel, KERNEL_CHOICES, KERNEL_AUTO,                                           \
                   "kernel of the density sum; auto: that of the quality", "docs/kernels.md"),                        \
        ROW_CHOICE(sph_params, gradient_kernel, KERNEL_CHOICES, KERNEL_AUTO,                                          \
                   "kernel of the pressure gradient; auto: the density's, or spiky with poly6", "docs/kernels.md"),   \
        ROW_CHOICE(sph_params, viscosity_operator, LAPLACIAN_CHOICES, operator_,                                      \
                   "Laplacian of the velocity: consistent, the thesis's 2D constant, or from the gradient",           \
                   "thesis 3.32; Morris 1997, Eq. 22"),                                                               \
        ROW_NUMBER(sph_params, artificial_viscosity, RILL_PURE, -1, 10, -1,                                           \
                   "alpha of Monaghan's damping of approaching pairs; below 0: 0.08, or 0.16 with poly6, and 0.02 "   \
                   "if quality is accurate",                                                                          \
                   "Monaghan 1992, Eq. 4.1"),                                                                         \
        ROW_NUMBER(sph_params, sound_damping, RILL_PURE, 0, 1, 0.3,                                                   \
                   "damps sound, not flow: adds chi cs h drho/dt to the pressure", "Sun et al. 2023"),                \
        ROW_CHOICE(sph_params, surface_tension_model, "stress|colour", SPH_STRESS,                                    \
                   "surface tension in N/m by a stress in the surface, or Mueller's colour field", "docs/forces.md"), \
        ROW_NUMBER(sph_params, surface_threshold, RILL_PURE, 0, 100, 0.3,                                             \
                   "length of the colour field's gradient, times h, below which there is no surface", "thesis 3.50"), \
        ROW_CHOICE(sph_params, integrator, "euler|leapfrog", integrator_, "semi-implicit Euler or leap-frog",         \
                   "thesis table 4.2")

/* world->derived of these methods. */
enum { SPH_CHOSEN_SOUND_SPEED, SPH_CHOSEN_SPEED };

enum { FIELD_ACCELERATION = FIELD_METHOD, FIELD_LAG, FIELD_LAST_DENSITY };
extern const field_def rill_sph_fields[];
#define SPH_FIELD_COUNT 3

/* The functions of a method table; `info` names it. */
#define SPH_METHOD(info_, density_kernel_)                                                                             \
    {                                                                                                                  \
        .info = info_, .fields = rill_sph_fields, .field_count = SPH_FIELD_COUNT, .derived_size = sizeof(sph_derived), \
        .density_kernel = (density_kernel_), .calibrates_sum = true, .choose = rill_sph_choose,                        \
        .prepare = rill_sph_prepare, .solve = rill_sph_solve, .friction = rill_sph_friction,                           \
        .max_dt = rill_sph_max_dt, .move = rill_sph_move, .holds_walls = true, .speed_limit = rill_sph_speed_limit,    \
        .stored_energy = rill_sph_stored_energy, .midway = rill_sph_midway,                                            \
        .blow_up_advice = "take shorter steps (smaller dt or world.cfl), a smaller sound_speed, or more viscosity",    \
        .effective = rill_sph_effective                                                                                \
    }

rill_status rill_sph_choose(rill_world *world, double dt);
rill_status rill_sph_prepare(rill_world *world);
rill_status rill_sph_solve(rill_world *world, double dt);
void rill_sph_friction(rill_world *world, double dt);
double rill_sph_max_dt(rill_world *world);
void rill_sph_move(rill_world *world, double dt);
bool rill_sph_midway(const rill_world *world);
double rill_sph_speed_limit(const rill_world *world);
double rill_sph_stored_energy(rill_world *world);
bool rill_sph_effective(const rill_world *world, const char *key, double *value);

/* Numbers derived from parameters and scene by rill_sph_prepare. */
typedef struct sph_derived {
    kernel density, gradient;
    forces forces;
    float calibration[WORLD_PHASES_MAX]; /* of the density sum, by the fluid of a particle */
    float sound_speed;                   /* in use */
    float artificial_viscosity;          /* in use */
    float max_speed, max_acceleration;   /* of the last solve */
    bool implicit;                       /* viscosity, in this step */
    bool mixture;                        /* fluids differ in their densities at rest */
} sph_derived;

/* Arrays of `density_rule: continuity` (sph_continuity.c). */
typedef struct sph_carried {
    place *points; /* positions; `m` is the volume */
    place *flow;   /* velocities; `m` is rho/rho0 at the end of the last step */
    float *rate;   /* of rho/rho0 [1/s] */
    bool *inside;  /* whether the particle is not at a surface */
    vec *crowd;    /* direction in which particles lie closer together [1/m] */
} sph_carried;
void rill_sph_carry_ask(arena *a, sph_carried *carried, int capacity);
void rill_sph_carry(rill_world *world, const sph_derived *d, const sph_carried *carried);

#endif
