/* SPDX-License-Identifier: MIT */
/* Position Based Fluids. Macklin and Mueller, ACM Trans. Graph. 32(4), 2013; equation numbers are the paper's. This
   file has the parameters, the constants derived from them, and the choice of substeps; pbf_solve.c has the iteration,
   pbf_velocity.c the velocities.

   Unknowns: positions x at the end of a substep, found through one multiplier lambda per particle.

   Equation: no particle is denser than at rest, with V = m / rho0:
     C_i(x) = sum_j V_j W_ij + (share of the kernel in solids) - 1 <= 0                                [1, 2]

   Iteration: positions are predicted from velocities and gravity, and neighbours are found once. A fixed number of
   Jacobi steps of Newton's method follows,
     lambda_i = -C_i / (sum_k |grad_k C_i|^2 + epsilon)                                                   [11]
     dx_i     = sum_j V (lambda_i + lambda_j + s_corr) grad W_ij                                      [12, 14]
   accelerated by Chebyshev's recurrence. Velocities are the displacements over dt, and pressure is proportional to the
   sum of the multipliers.

   What differs from the paper (docs/methods/pbf.md has the numbers): one kernel for density and gradient; epsilon and
   the artificial pressure are scaled by a full lattice at rest, so that they depend neither on spacing nor on step;
   walls are part of the density, and solids receive the reaction; Chebyshev's acceleration; substeps are chosen from
   the compression that the user allows and from the motion. */
#include "sim/method/pbf.h"

#include "model/table.h"
#include "sim/method/predict.h"

#include <string.h>

static const rill_param rows[] = {
    ROW_INT(pbf_params, iterations, 0, 1000, 0,
            "solver iterations in a substep, at most; 0: 4, or 6 in a thick fluid, whose viscosity costs more",
            "Algorithm 1"),
    ROW_NUMBER(pbf_params, density_error, RILL_PURE, 0, 1, 0,
               "mean compression at which the iterations end early; 0: never", NULL),
    ROW_CHOICE(pbf_params, acceleration, "none|chebyshev", PBF_CHEBYSHEV,
               "plain Jacobi iterations, or Chebyshev's, which extrapolate changes", "docs/methods/pbf.md"),
    ROW_NUMBER(pbf_params, relaxation, RILL_PURE, 0, 1, 0,
               "share of a displacement that is applied; 0: the largest stable one", "docs/methods/pbf.md"),
    ROW_NUMBER(pbf_params, spectral_radius, RILL_PURE, 0, 0.9999, 0,
               "rho of Chebyshev's iterations; 0: from their number", "docs/methods/pbf.md"),
    ROW_NUMBER(pbf_params, coarse, RILL_PURE, 0, 1, 0,
               "share of a displacement by a coarse grid before the iterations; 0: none, 0.1 for deep water",
               "docs/methods/pbf.md"),
    ROW_NUMBER(pbf_params, epsilon, RILL_PURE, 0, 100, 0.1,
               "softness of the constraints (CFM), in units of a full neighbourhood's sum", "Eq. 11"),
    ROW_NUMBER(pbf_params, tensile, RILL_PURE, 0, 1, 0,
               "strength k of the artificial pressure against clumps, in units of a full neighbourhood's sum; 0.02 to "
               "0.1 with tension",
               "Eq. 13"),
    ROW_NUMBER(pbf_params, tensile_distance, RILL_PURE, 0.01, 0.9, 0.2,
               "reference distance of the artificial pressure, in supports", "Eq. 13"),
    ROW_BOOL(pbf_params, tension, 0, "density below rest pulls particles together", "Eq. 1"),
    ROW_CHOICE(pbf_params, density_kernel, KERNEL_CHOICES, KERNEL_AUTO,
               "kernel of the density sum; auto: that of the quality; the paper: poly6", "docs/kernels.md"),
    ROW_CHOICE(pbf_params, gradient_kernel, KERNEL_CHOICES, KERNEL_AUTO,
               "kernel of the gradient; auto: the density's, or spiky with poly6, as in the paper", "docs/kernels.md"),
    ROW_INT(pbf_params, substeps, 0, 1000, 0, "substeps in a step; 0: from the wanted compression and the motion",
            "docs/methods/pbf.md"),
    ROW_NUMBER(pbf_params, compression, RILL_PURE, 1e-5, 0.5, 0.01,
               "mean loss of volume that the automatic substeps allow", "docs/methods/pbf.md"),
    ROW_NUMBER(pbf_params, expected_depth, RILL_LENGTH, 0, 1e6, 0,
               "depth for which automatic substeps are chosen; 0: from the pressure of the last step", NULL),
    ROW_NUMBER(pbf_params, motion, RILL_PURE, 0.05, 100, 2, "spacings that a particle may move in an automatic substep",
               NULL),
    ROW_NUMBER(pbf_params, xsph, RILL_PURE, 0, 1, 0.05,
               "share c of its neighbours' velocity that a particle takes over in 1/60 s", "Eq. 17"),
    ROW_NUMBER(pbf_params, vorticity, RILL_FREQUENCY, 0, 100, 0, "strength of the vorticity confinement", "Eq. 16"),
};
static const rill_table table = TABLE("pbf", "Position Based Fluids", pbf_params, rows);

/* Least softness: keeps a particle without neighbours from dividing by zero. */
#define EPSILON_MIN 1e-6f
/* Largest mean compression with which steps are stable. */
#define COMPRESSION_STABLE 0.1
/* Time in which the lasting load follows the load [s]. */
#define LOAD_LASTS 4.0f
/* Upper bound of the response with which substeps are chosen while there are free bodies. */
#define RESPONSE_WITH_BODIES 4.0
/* Factor of the coarse level on the response of the iterations: 2 in a tank of 10 layers, 3.4 in one of 40; the least
   of them. */
#define COARSE_GAIN 2.0
/* Largest dt sqrt(p/rho) over dx. Measured with a bunny dropped into a pool: 1.2 is stable, 1.8 boils; with the coarse
   level 0.9 is stable, 1.2 boils. */
#define PRESSURE_TRAVEL        1.0
#define PRESSURE_TRAVEL_COARSE 0.7
/* Largest number of automatic substeps. */
#define SUBSTEPS_MAX 100
static kernel_kind density_kernel(const rill_world *w) {
    return method_kernel(w, pbf_params_of(w)->density_kernel, KERNEL_CUBIC);
}

/* ---- constants ---- */

/* Jacobi is stable up to 2 over the largest eigenvalue. That of a disordered packing is larger than that of the
   lattice, which leaves 1.7. */
#define STABLE_RELAXATION 1.7f

/* Chebyshev's T_n(y); `slope` gets its derivative T_n'(y) = n U_n-1(y). */
static double chebyshev(int n, double y, double *slope) {
    double before = 1, t = y, u_before = 0, u = 1; /* T_0, T_1; U_-1, U_0 */
    for (int k = 1; k < n; k++) {
        const double next = 2 * y * t - before, u_next = 2 * y * u - u_before;
        before = t, t = next, u_before = u, u = u_next;
    }
    *slope = n * u;
    return t;
}

/* T_n(1/rho): the factor by which Chebyshev's iterations reduce every mode except the smooth ones. Corrections also
   become velocities, so an error that a step turns into -1/3 of itself grows back to full size in the next
   (docs/methods/pbf.md). The bound is therefore 3; the rest is a margin for what is not linear. */
#define SHRINK 12.0
/* Largest rho. A particle that comes free moves on by 1/(2 - omega) of its last change, omega the limit of the
   recurrence. At rho = 0.866 it rebounds with half its speed, at 0.943 with all of it; beyond that the fluid gains
   energy: at 0.95 a bunny dropped into a pool flew apart after a second (docs/methods/pbf.md). */
#define RADIUS_MAX 0.866

/* rho for n iterations, from T_n(1/rho) = SHRINK. By bisection, because cosh differs between libraries. */
static double stable_radius(int n) {
    double low = 1, high = SHRINK, slope;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if (chebyshev(n, middle, &slope) < SHRINK)
            low = middle;
        else
            high = middle;
    }
    return 1 / high;
}

static void derive_iterations(const rill_world *w, const pbf_params *p, pbf_derived *d) {
    const float dx = w->def.spacing;
    const int n = p->iterations > 0 ? p->iterations : rill_forces_are_thick(w, &d->rows.forces) ? 6 : 4;
    d->iterations = n;
    const float usual = DIM == 3 ? 0.6f : 0.75f, most = rill_density_rows_eigenvalue(&d->rows, dx);
    d->relaxation = p->relaxation > 0.0f               ? p->relaxation
                    : most * usual > STABLE_RELAXATION ? STABLE_RELAXATION / most
                                                       : usual;
    d->rho = 0.0f;
    d->response = d->relaxation * (float)n;
    if (p->acceleration != PBF_CHEBYSHEV || n == 1) return;
    d->rho = p->spectral_radius > 0.0f ? p->spectral_radius : (float)fmin(stable_radius(n), RADIUS_MAX);
    /* A smooth error is multiplied by P(x) = T_n(x/rho)/T_n(1/rho) near x = 1. P'(1) is the number of plain Jacobi
       iterations with the same effect. */
    double slope;
    const double size = chebyshev(n, 1 / (double)d->rho, &slope);
    d->response = d->relaxation * (float)(slope / ((double)d->rho * size));
}

static rill_status prepare(rill_world *w) {
    const pbf_params *p = pbf_params_of(w);
    pbf_derived *d = pbf_derived_of(w);
    density_rows *r = &d->rows;
    const kernel_kind density = density_kernel(w);
    rill_density_rows_prepare(r, w, density, method_gradient_kernel(p->gradient_kernel, density));
    d->epsilon = fmaxf(p->epsilon, EPSILON_MIN) * r->s_ref;
    d->tensile = p->tensile;
    d->tensile_scale = r->pair.value_scale / kernel_value_at(&r->pair.density, p->tensile_distance * w->support);
    d->tensile_shift_scale = r->pair.slope_scale / r->s_ref;
    derive_iterations(w, p, d);
    return RILL_OK;
}

/* ---- substeps ---- */

static rill_status choose(rill_world *w, double dt) {
    (void)dt;
    if (!method_begins(w)) return RILL_OK;
    float low, high, speed = 0.0f;
    const vec gravity = vec_of(w->def.gravity);
    const float g = vec_length(gravity);
    rill_method_extent(w, g > 0.0f ? vec_scale(gravity, -1.0f / g) : (vec){0}, &low, &high, &speed);
    w->derived[PBF_LOAD] = w->derived[PBF_LASTING_LOAD] = rill_density_rows_first_load(w);
    w->derived[PBF_SUBSTEP] = w->derived[PBF_REFERENCE] = 0.0f;
    w->derived[PBF_SPEED] = fmaxf(speed, sqrtf(2.0f * g * fmaxf(high - low, w->def.spacing)));
    return RILL_OK;
}

/* The longest step with a mean compression of at most `compression`: pressure is built up from zero in each step, so
   the fluid is compressed by S_ref dt^2 (p/rho) (1 + eps') / response. */
static double compression_bound(const rill_world *w, double load, double compression) {
    const pbf_params *p = pbf_params_of(w);
    const pbf_derived *d = pbf_derived_of(w);
    if (p->expected_depth > 0.0f) load = 0.5 * (double)p->expected_depth * (double)vec_length(vec_of(w->def.gravity));
    if (!(load > 0)) return HUGE_VAL;
    const bool coarse = p->coarse > 0.0f && d->rows.uniform;
    double response = (double)d->response * (coarse ? COARSE_GAIN : 1);
    /* A floating body moves after the fluid, not with it, so a step that pushes hard throws it up. */
    if (world_has_free_bodies(w)) response = fmin(response, RESPONSE_WITH_BODIES);
    const double stiff = (double)d->rows.s_ref * (1 + (double)p->epsilon) * load;
    /* The direction of the pressure force turns with the particles that it pushes. In longer steps no number of
       iterations keeps a tank from boiling. Pressure at the bottom is twice the mean. */
    const double travel = (coarse ? PRESSURE_TRAVEL_COARSE : PRESSURE_TRAVEL) * (double)w->def.spacing / sqrt(2 * load);
    return fmin(sqrt(compression * response / stiff), travel);
}

static double wanted_substep(const rill_world *w) {
    const pbf_params *p = pbf_params_of(w);
    const pbf_derived *d = pbf_derived_of(w);
    double dt = compression_bound(w, (double)w->derived[PBF_LOAD], (double)p->compression);
    if (w->stats.max_speed > 0) dt = fmin(dt, (double)p->motion * (double)w->def.spacing / w->stats.max_speed);
    return fmin(dt, rill_forces_max_dt(w, &d->rows.forces, FRICTION_EXPLICIT));
}

/* A host that runs late (world->hurry) gets steps as long as it needs, within what is stable. The bound uses the
   lasting load, so that neither a splash nor the pressure of an impact changes these steps: a step shorter than the one
   before would turn the compression that the longer one left into speed. */
static double hurried(const rill_world *w, double dt) {
    const double needed = w->hurry / (double)w->def.cfl;
    if (!(needed > dt)) return dt;
    const double longest = fmin(compression_bound(w, (double)w->derived[PBF_LASTING_LOAD], COMPRESSION_STABLE),
                                rill_forces_max_dt(w, &pbf_derived_of(w)->rows.forces, FRICTION_EXPLICIT));
    return fmax(dt, fmin(needed, longest));
}

static double max_dt(rill_world *w) {
    const pbf_params *p = pbf_params_of(w);
    const int fixed = p->substeps;
    const double wanted = fmin(wanted_substep(w), 1e3), now = (double)w->derived[PBF_SUBSTEP];
    /* The user's substeps may compress the fluid more than `compression`, up to COMPRESSION_STABLE. */
    if (fixed > 0) return fixed * wanted * sqrt(fmax(COMPRESSION_STABLE / (double)p->compression, 1));
    w->derived[PBF_SUBSTEP] = (float)rows_steady_substep(now, wanted);
    return hurried(w, (double)w->derived[PBF_SUBSTEP]);
}

static int substeps(rill_world *w, double dt) {
    const int wanted = pbf_params_of(w)->substeps;
    if (wanted > 0) return wanted;
    return predict_substeps(dt, (double)w->def.cfl * max_dt(w), SUBSTEPS_MAX);
}

/* ---- the step ---- */

static void move(rill_world *w, double dt) {
    rill_pbf_finish(w, dt);
    rill_density_rows_follow_load(w, &pbf_derived_of(w)->rows, dt, &w->derived[PBF_LOAD]);
    float *lasting = &w->derived[PBF_LASTING_LOAD];
    *lasting += (w->derived[PBF_LOAD] - *lasting) * fminf((float)dt / LOAD_LASTS, 1.0f);
}

static double speed_limit(const rill_world *w) {
    return fmax(50.0 * fmax((double)w->derived[PBF_SPEED], 0.1), rill_cloth_speed(w));
}

static bool effective(const rill_world *w, const char *key, double *value) {
    const pbf_derived *d = pbf_derived_of(w);
    if (strcmp(key, "iterations") == 0)
        *value = d->iterations;
    else if (strcmp(key, "relaxation") == 0)
        *value = (double)d->relaxation;
    else if (strcmp(key, "spectral_radius") == 0)
        *value = (double)d->rho;
    else if (strcmp(key, "expected_depth") == 0)
        *value = 2 * (double)w->derived[PBF_LOAD] / fmax((double)vec_length(vec_of(w->def.gravity)), 1e-9);
    else
        return false;
    return true;
}

static bool adds_energy(const rill_world *w) {
    return pbf_params_of(w)->vorticity > 0.0f || rill_cloth_adds_energy(w);
}

static double stored_energy(rill_world *w) {
    return world_has_cloth(w) ? rill_cloth_energy(w) : 0;
}

const method SIM_NAME(rill_pbf_method) = {
    .info = {.name = "pbf",
             .title = "Position Based Fluids",
             .citation = "Macklin and Mueller 2013, doi:10.1145/2461912.2461984",
             .about =
                 "Density constraints solved on positions: stable at the frame rate of a game, with substeps chosen "
                 "from the compression that is wanted. Fast; rotating fluid slows down.",
             .best_for = "games, many frames a second",
             .strengths = RILL_STRENGTH_SPEED,
             .table = &table},
    .accurate_wall_distance = 0.4f,
    .derived_size = sizeof(pbf_derived),
    .clears_seams = true,
    .density_kernel = density_kernel,
    .choose = choose,
    .prepare = prepare,
    .has_cloth = true,
    .predict = rill_predict, /* Algorithm 1, lines 1 to 4 */
    .solve = rill_pbf_solve,
    .substeps = substeps,
    .max_dt = max_dt,
    .move = move,
    .holds_walls = true,
    .speed_limit = speed_limit,
    .adds_energy = adds_energy,
    .stored_energy = stored_energy,
    .blow_up_advice = "take more substeps, or set substeps to 0, or lower vorticity and tensile",
    .effective = effective,
};
