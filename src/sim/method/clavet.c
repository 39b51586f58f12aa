/* SPDX-License-Identifier: MIT */
/* Clavet's viscoelastic fluid. Clavet, Beaudoin and Poulin, "Particle-based Viscoelastic Fluid Simulation", SCA 2005;
   algorithm and equation numbers are the paper's. This file has the order of a substep, the choice of substeps and the
   table of the method; clavet_solve.c has the sweeps over pairs.

   Unknowns: positions x at the end of a substep, and the rest length L of each spring.

   Equations, with lengths in h, times in 1/30 s and u = 1 - r:
     viscosity  pairs that approach at U get the impulse dt u (sigma U + beta U^2)                 [Algorithm 5]
     springs    dx = dt^2 k_spring (1 - L)(L - r) / 2; L follows r beyond the yield ratio       [Algorithms 3, 4]
                before it, dashpots (`spring_damping`) oppose a change of r in the step
     density    rho = sum u^2, near = sum u^3; dx = dt^2 (k (rho - rho0) u + k_near near u^2) / 2   [Algorithm 2]

   Iteration: none. Each displacement is computed once, from the positions at that moment, and applied at once. One
   substep [Algorithm 1] is gravity and prediction, viscosity at the positions of the start, springs, density
   relaxation; displacements over dt are added to the velocities; wet friction and stickiness of walls come last. Pairs
   of unequal particles share displacements by mass.

   What differs from the paper: coloured cells instead of one order of particles, so that threads share the work and
   results do not depend on their number; stiffness, springs and viscosity follow from a compression, a shear modulus
   and a viscosity in Pa s; walls count in both densities, and push with the slope of an energy; bodies receive the
   reaction to the forces on particles; impulses and springs never overshoot; substeps follow from stiffness and motion.
   docs/methods/clavet.md has the numbers. */
#include "sim/method/clavet.h"

#include "core/hash.h"
#include "sim/method/predict.h"

#include <string.h>

/* Largest number of automatic substeps. */
#define SUBSTEPS_MAX 200
/* Steps of the thesis [s]. */
#define THESIS_STEP (1.0 / 120.0)
/* Least depth for which the stiffness is chosen, in spacings. */
#define DEPTH_MIN 4.0f

/* The kernel by which masses are calibrated. The sums of this method do not contain masses, so it is the kernel whose
   lattice sum is nearest to 1, which changes masses least. */
static kernel_kind density_kernel(const rill_world *w) {
    (void)w;
    return KERNEL_CUBIC;
}

/* ---- automatic values ---- */

/* g times the depth of the fluid at the start [m^2/s^2]. The depth is four times the mean distance of the particles
   from their mean height, as in a column. */
static float head_at_start(const rill_world *w) {
    const vec gravity = vec_of(w->def.gravity);
    const int n = w->particles.count;
    double mean = 0, spread = 0;
    for (int i = 0; i < n; i++) mean += (double)vec_dot(gravity, places_of(w)[i].x) / n;
    for (int i = 0; i < n; i++) spread += fabs((double)vec_dot(gravity, places_of(w)[i].x) - mean) / n;
    return (float)(4 * spread);
}

/* Forgets the stored energies of particles when solids were added or removed, because walls are part of the densities
   from which they follow. */
static void forget_gone_walls(rill_world *w) {
    uint64_t walls = 0;
    FOR_ALIVE(w, solid, s) walls = rill_hash_mix(walls ^ (uint64_t)(s - POOL_ITEMS(w, solid) + 1));
    const float digest = (float)(walls >> 40);
    if (w->derived[CLAVET_WALLS] == digest) return;
    w->derived[CLAVET_WALLS] = digest;
    for (int i = 0; i < w->particles.count; i++) clavet_stores_of(w)[i] = (clavet_store){0};
}

static rill_status choose(rill_world *w, double dt) {
    (void)dt;
    forget_gone_walls(w);
    if (!method_begins(w)) return RILL_OK;
    const clavet_params *p = clavet_params_of(w);
    const vec gravity = vec_of(w->def.gravity);
    const float g = vec_length(gravity);
    float low, high, speed = 0.0f;
    rill_method_extent(w, g > 0.0f ? vec_scale(gravity, -1.0f / g) : (vec){0}, &low, &high, &speed);
    const float fall = fmaxf(high - low, w->def.spacing);
    float head = head_at_start(w);
    FOR_ALIVE(w, emitter, e) {
        (void)e;
        head = fmaxf(head, 0.25f * g * fall); /* it is not known how far a jet will fill a vessel */
    }
    head = fmaxf(head, g * DEPTH_MIN * w->def.spacing);
    w->derived[CLAVET_HEAD] = p->expected_depth > 0.0f ? g * p->expected_depth : head;
    w->derived[CLAVET_SPEED] = fmaxf(speed, sqrtf(2.0f * g * fall));
    w->derived[CLAVET_SUBSTEP] = 0.0f;
    return RILL_OK;
}

/* ---- substeps ---- */

static double wanted_substep(const rill_world *w) {
    const clavet_params *p = clavet_params_of(w);
    if (p->numbers == CLAVET_PAPER) return CLAVET_TICK;
    if (p->numbers == CLAVET_THESIS) return THESIS_STEP;
    double dt = (double)clavet_derived_of(w)->bound;
    if (w->stats.max_speed > 0) dt = fmin(dt, (double)p->motion * (double)w->def.spacing / w->stats.max_speed);
    return fmin(dt, 1e3);
}

/* The longest substep, times `substeps` if that is given. The compression of fluid at rest depends on it a little,
   so it is shortened as soon as it is too long, and lengthened only when more than twice the length is allowed. */
static double max_dt(rill_world *w) {
    const clavet_params *p = clavet_params_of(w);
    const double wanted = wanted_substep(w), now = (double)w->derived[CLAVET_SUBSTEP];
    if (p->substeps > 0) return p->substeps * wanted;
    if (p->numbers != CLAVET_AUTOMATIC) return wanted;
    if (!(now > 0) || wanted < now || wanted > 2 * now) w->derived[CLAVET_SUBSTEP] = (float)wanted;
    return (double)w->derived[CLAVET_SUBSTEP];
}

static int substeps(rill_world *w, double dt) {
    const clavet_params *p = clavet_params_of(w);
    if (p->substeps > 0) return p->substeps;
    const double cfl = p->numbers == CLAVET_AUTOMATIC ? (double)w->def.cfl : 1.0;
    return predict_substeps(dt, cfl * max_dt(w), SUBSTEPS_MAX);
}

/* ---- the step ---- */

static double speed_limit(const rill_world *w) {
    return 50.0 * fmax((double)w->derived[CLAVET_SPEED], 0.1);
}

static bool adds_energy(const rill_world *w) {
    return !clavet_derived_of(w)->watched;
}

static bool bodies_were_paid(const rill_world *w) {
    return clavet_params_of(w)->bodies == CLAVET_PRINTED;
}

static const char *ignores(const rill_world *w, const char *key) {
    if (strcmp(key, "surface_tension") == 0) return "the surface tension of clavet comes from its near pressure";
    if (strcmp(key, "viscosity") == 0 && clavet_params_of(w)->numbers == CLAVET_THESIS)
        return "the thesis leaves viscosity out (clavet.numbers)";
    return NULL;
}

/* The depth for which the stiffness was chosen. */
static bool effective(const rill_world *w, const char *key, double *value) {
    if (strcmp(key, "expected_depth") != 0) return false;
    *value = (double)w->derived[CLAVET_HEAD] / fmax((double)vec_length(vec_of(w->def.gravity)), 1e-9);
    return true;
}

static const field_def fields[] = {
    {"bound", "", "1 once its fixed springs exist", RILL_SCALAR_UINT32, 1, 1, FIELD_SORT},
    {"store", "", "densities and stretch of springs, for the energy that they store", RILL_SCALAR_FLOAT, 3, 3,
     FIELD_SORT},
};

const method SIM_NAME(rill_clavet_method) = {
    .info = {.name = "clavet",
             .title = "Clavet's viscoelastic fluid",
             .citation = "Clavet, Beaudoin and Poulin 2005, doi:10.1145/1073368.1073400",
             .about = "Goo, clay, gel and paint by springs and double density relaxation: for looks, at few steps in a "
                      "frame. Softer than real water unless substeps are taken.",
             .best_for = "goo, gel, clay and paint",
             .strengths = RILL_STRENGTH_ELASTICITY,
             .table = &rill_clavet_table,
             .fluid_table = &rill_clavet_fluid_table,
             .solid_table = &rill_clavet_solid_table},
    .fields = fields,
    .field_count = 2,
    .links = rill_clavet_links,
    .link_set_count = 1,
    .derived_size = sizeof(clavet_derived),
    .density_kernel = density_kernel,
    .choose = choose,
    .prepare = rill_clavet_prepare,
    .predict = rill_predict, /* Algorithm 1, lines 1 to 3 and 6 to 10 */
    .solve = rill_clavet_solve,
    .substeps = substeps,
    .max_dt = max_dt,
    .move = rill_clavet_finish,
    .bodies_were_paid = bodies_were_paid,
    .deep_seams = true,
    .holds_walls = true,
    .speed_limit = speed_limit,
    .stored_energy = rill_clavet_energy,
    .adds_energy = adds_energy,
    .blow_up_advice = "take more substeps, or set substeps to 0, or lower stiffness and shear_modulus",
    .ignores = ignores,
    .effective = effective,
};
