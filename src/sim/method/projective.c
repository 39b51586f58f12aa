/* SPDX-License-Identifier: MIT */
/* Projective Fluids. Weiler, Koschier and Bender, Motion in Games 2016; equation numbers are the paper's. This file has
   the parameters, the constants derived from them, and the choice of steps; projective_density.c has the constraints,
   sim/solve/local_global.c the solver, which takes other kinds of constraints too, and projective_solve.c a step.

   Unknowns: positions x at the end of a step.

   Equation: implicit Euler, as the minimum of inertia and the energy of the constraints [4], with V = m / rho0:
     1/(2 dt^2) sum m |x - s|^2 + sum_i w/2 |S_i x - p_i|^2,
   where s = x_0 + dt (v + dt g) are the predicted positions, S_i selects the particles of constraint i, and p_i are
   their nearest positions with C_i = max(0, sum_j V_j W_ij + walls - 1) = 0.

   Iteration: start from s. Each round has a local step, which projects every constraint on its own copies of its
   particles (p_i), and a global step, which finds the minimum for fixed p_i. The paper's D = P = I makes the matrix
   diagonal, and the global step one division per particle.

   What differs from the paper (docs/methods/projective.md has the numbers): the stiffness is given by a speed of sound,
   so that it depends neither on spacing nor on step; the diagonal takes the largest eigenvalue of the constraints
   around a particle instead of their number; Nesterov's momentum accelerates rounds; a projection takes one Newton
   round; walls continue the fluid and receive the reaction; neighbours are searched again inside a step when particles
   outrun their lists. */
#include "sim/method/projective.h"

#include "model/table.h"
#include "sim/method/predict.h"

#include <string.h>

static const rill_param rows[] = {
    ROW_INT(projective_params, rounds, 1, 10000, 30, "local and global steps in a substep, at most", "section 5"),
    ROW_NUMBER(projective_params, density_error, RILL_PURE, 0, 1, 0,
               "mean compression at which the rounds end early; 0: never", NULL),
    ROW_NUMBER(projective_params, density_error_max, RILL_PURE, 0, 1, 0,
               "greatest compression at which the rounds end early; 0: never", NULL),
    ROW_BOOL(projective_params, acceleration, 1, "extrapolate rounds (Nesterov, with restarts); plain rounds otherwise",
             "docs/methods/projective.md"),
    ROW_INT(projective_params, newton, 1, 20, 1, "Newton rounds of a projection, at most", "Algorithm 1"),
    ROW_CHOICE(projective_params, diagonal, "spectrum|neighbours", DIAGONAL_SPECTRUM,
               "weight of a particle in the matrix: the largest eigenvalue of its constraints, or their number, as in "
               "the paper",
               "docs/methods/projective.md"),
    ROW_CHOICE(projective_params, coordinates, "absolute|differential", COORDINATES_ABSOLUTE,
               "coordinates that constraints measure: positions, or positions relative to the mean of their particles",
               "section 3.4"),
    ROW_CHOICE(projective_params, solver, "auto|division|gradients", GLOBAL_AUTO,
               "global step; auto: conjugate gradients if constraints couple particles, else a division each",
               "section 3.4"),
    ROW_NUMBER(projective_params, stiffness, RILL_SURFACE_TENSION, 0, 1e15, 0,
               "weight w of the heaviest particles' constraints; 0: from the speed of sound; the paper: 1e6", "Eq. 3"),
    ROW_NUMBER(projective_params, sound_speed, RILL_SPEED, 0, 1e6, 0,
               "speed of sound, which decides the stiffness; 0: from the compression", "docs/methods/projective.md"),
    ROW_NUMBER(projective_params, compression, RILL_PURE, 1e-6, 0.5, 0.001,
               "compression at the bottom that the automatic speed of sound allows; less if rounds end at less",
               "docs/methods/projective.md"),
    ROW_NUMBER(projective_params, expected_depth, RILL_LENGTH, 0, 1e6, 0,
               "depth for which the speed of sound is chosen; 0: from the scene", NULL),
    ROW_CHOICE(projective_params, kernel, KERNEL_CHOICES, KERNEL_AUTO,
               "kernel of the density; auto: that of the quality; the paper: cubic", "docs/kernels.md"),
    ROW_INT(projective_params, substeps, 0, 1000, 0, "substeps in a step; 0: from the motion and the pressure", NULL),
    ROW_NUMBER(projective_params, motion, RILL_PURE, 0.05, 100, 0.5,
               "spacings that a particle may move in an automatic substep; the paper: its radius", "section 5"),
    ROW_NUMBER(projective_params, outrun, RILL_PURE, 0, 100, 0.2,
               "spacings that a particle may move in the rounds before neighbours are searched again; 0: never",
               "docs/methods/projective.md"),
    ROW_NUMBER(projective_params, xsph, RILL_PURE, -1, 1, -1,
               "share c of its neighbours' velocity that a particle takes over in 1/60 s; below 0: 0.05, or none with "
               "accurate quality",
               "section 4"),
};
static const rill_table table = TABLE("projective", "Projective Fluids", projective_params, rows);

/* Largest eigenvalue of a disordered packing, over that of the lattice. */
#define DISORDER 1.1f
/* Largest dt sqrt(p/rho) over dx. */
#define PRESSURE_TRAVEL 1.0
/* Mean compression that rounds may leave by not converging, over the parameter `compression`. */
#define LEFT_OVER 5.0
/* Upper bound of the response with which steps are chosen while there are free bodies. Without it, a box of twice the
   density of water that sank to the floor of a tank gained a tenth of all energy. */
#define RESPONSE_WITH_BODIES 4.0
/* Pressure of an impact over that at the bottom: 16 where the jet of the experiment `inlet` meets its walls. */
#define IMPACT 25.0f
/* Largest compression that acts, over that at the bottom: an impact compresses soft fluid more than its weight does. */
#define SOFT_ROOM 5.0f
/* Largest error that a pair missing from the lists may hide, over `density_error_max`. */
#define HIDDEN 0.25f
/* Largest dt in accurate quality, over sqrt(dx/g). */
#define WAVE_SHARE 0.1
/* Largest number of automatic substeps. */
#define SUBSTEPS_MAX 100

static kernel_kind density_kernel(const rill_world *w) {
    return method_kernel(w, projective_params_of(w)->kernel, KERNEL_CUBIC);
}

/* ---- constants ---- */

/* Number of lattice points within the support of a point, itself included. */
static float lattice_members(float support, float dx) {
    const int reach = (int)(support / dx) + 1, depth = DIM == 3 ? reach : 0;
    const float most = support / dx;
    int count = 0;
    for (int c = -depth; c <= depth; c++)
        for (int b = -reach; b <= reach; b++)
            for (int a = -reach; a <= reach; a++) count += (float)(a * a + b * b + c * c) < most * most;
    return (float)count;
}

/* Distance that particles may move in the rounds before lists are rebuilt [m]: `outrun`, or less where two particles
   missing from each other's lists could hide too much of `density_error_max`. */
static float fresh_enough(const rill_world *w, const density_rows *density) {
    const projective_params *p = projective_params_of(w);
    float outrun = p->outrun * w->def.spacing;
    if (!(p->density_error_max > 0.0f)) return outrun;
    for (int k = 0; k < 40; k++, outrun *= 0.8f) {
        const float r = fmaxf(w->support - 2.0f * outrun, 0.0f);
        wide value, gradient, slope2;
        row_kernels_of(&density->pair, false, wide_set(r * r), &value, &gradient, &slope2);
        if (density->volume * density->pair.value_scale * value[0] <= HIDDEN * p->density_error_max) break;
    }
    return outrun;
}

static rill_status prepare(rill_world *w) {
    const projective_params *p = projective_params_of(w);
    projective_derived *d = projective_derived_of(w);
    const kernel_kind kernel = density_kernel(w);
    rill_density_rows_prepare(&d->rows, w, kernel, method_gradient_kernel(KERNEL_AUTO, kernel));
    d->eigenvalue = DISORDER * rill_density_rows_eigenvalue(&d->rows, w->def.spacing);
    d->members = lattice_members(w->support, w->def.spacing);
    d->outrun = fresh_enough(w, &d->rows);
    /* w |S x - p|^2 / 2 with |S x - p| = C / |grad C| is the energy m c^2 C^2 / 2 of a compressible fluid. */
    const float stiff = p->stiffness / (d->rows.mass_ref * d->rows.s_ref);
    const float chosen = p->sound_speed > 0.0f ? p->sound_speed : w->derived[PROJECTIVE_SOUND];
    d->sound_speed = p->stiffness > 0.0f ? sqrtf(stiff) : chosen;
    const float expected = w->derived[PROJECTIVE_BOTTOM] / (d->sound_speed * d->sound_speed);
    d->compression_max = fmaxf(COMPRESSION_MAX, SOFT_ROOM * expected);
    return RILL_OK;
}

/* Compression that the stiffness itself may leave. It is less than the errors at which rounds are to end, or the rounds
   would never reach those. */
static float allowed_compression(const projective_params *p) {
    float allowed = p->compression;
    if (p->density_error > 0.0f) allowed = fminf(allowed, p->density_error);
    if (p->density_error_max > 0.0f) allowed = fminf(allowed, p->density_error_max / IMPACT);
    return allowed;
}

static rill_status choose(rill_world *w, double dt) {
    (void)dt;
    if (!method_begins(w)) return RILL_OK;
    const projective_params *p = projective_params_of(w);
    const vec gravity = vec_of(w->def.gravity);
    const float g = vec_length(gravity);
    float low, high, speed = 0.0f;
    rill_method_extent(w, g > 0.0f ? vec_scale(gravity, -1.0f / g) : (vec){0}, &low, &high, &speed);
    const float depth = p->expected_depth > 0.0f ? p->expected_depth : fmaxf(high - low, w->def.spacing);
    float load = fmaxf(g * depth, 0.5f * speed * speed); /* p / rho at the bottom, or where a jet ends */
    FOR_ALIVE(w, fluid, f) load = fmaxf(load, f->def.surface_tension / (f->def.density * w->support));
    if (!(load > 0.0f)) load = 0.01f;
    w->derived[PROJECTIVE_SOUND] = sqrtf(load / allowed_compression(p));
    w->derived[PROJECTIVE_BOTTOM] = load;
    w->derived[PROJECTIVE_SPEED] = fmaxf(speed, sqrtf(2.0f * g * depth));
    w->derived[PROJECTIVE_LOAD] = rill_density_rows_first_load(w);
    w->derived[PROJECTIVE_SUBSTEP] = 0.0f;
    return RILL_OK;
}

/* ---- steps ---- */

/* Effect of a step's rounds on a smooth load. One round has 1/eigenvalue of a full correction; n rounds have n^2/4
   times the effect of one with momentum, n times without. Each step starts from zero. */
static double response(const rill_world *w) {
    const projective_params *p = projective_params_of(w);
    const projective_derived *d = projective_derived_of(w);
    const double holds = p->diagonal == DIAGONAL_NEIGHBOURS ? (double)d->members : (double)d->eigenvalue, n = p->rounds;
    return (p->acceleration ? n * n / 4 : n) / holds;
}

/* The longest step in which the rounds keep the mean compression near what the stiffness allows. */
static double pressure_bound(const rill_world *w) {
    const projective_params *p = projective_params_of(w);
    const projective_derived *d = projective_derived_of(w);
    const double load = (double)w->derived[PROJECTIVE_LOAD];
    if (!(load > 0)) return HUGE_VAL;
    /* A free body moves after the fluid, not with it, so a step that pushes hard throws both. */
    const double pushes = world_has_free_bodies(w) ? fmin(response(w), RESPONSE_WITH_BODIES) : response(w);
    const double left_over = LEFT_OVER * (double)p->compression * pushes / ((double)d->rows.s_ref * load);
    return fmin(sqrt(left_over), PRESSURE_TRAVEL * (double)w->def.spacing / sqrt(2 * load));
}

/* The longest step in accurate quality. Implicit Euler takes the share pi omega dt of a wave's height in a period; with
   this bound waves of 40 spacings lose an eighth of theirs. */
static double wave_bound(const rill_world *w) {
    const double g = (double)vec_length(vec_of(w->def.gravity));
    if (w->def.quality != RILL_QUALITY_ACCURATE || !(g > 0)) return HUGE_VAL;
    return WAVE_SHARE * sqrt((double)w->def.spacing / g);
}

static double wanted_substep(const rill_world *w) {
    const projective_params *p = projective_params_of(w);
    double dt = fmin(pressure_bound(w), wave_bound(w));
    if (w->stats.max_speed > 0) dt = fmin(dt, (double)p->motion * (double)w->def.spacing / w->stats.max_speed);
    return fmin(dt, rill_forces_max_dt(w, &projective_derived_of(w)->rows.forces, FRICTION_EXPLICIT));
}

static double max_dt(rill_world *w) {
    const double wanted = fmin(wanted_substep(w), 1e3), now = (double)w->derived[PROJECTIVE_SUBSTEP];
    const int fixed = projective_params_of(w)->substeps;
    if (fixed > 0) return fixed * wanted;
    return (double)(w->derived[PROJECTIVE_SUBSTEP] = (float)rows_steady_substep(now, wanted));
}

static int substeps(rill_world *w, double dt) {
    const int wanted = projective_params_of(w)->substeps;
    if (wanted > 0) return wanted;
    return predict_substeps(dt, (double)w->def.cfl * max_dt(w), SUBSTEPS_MAX);
}

static void move(rill_world *w, double dt) {
    rill_projective_finish(w, dt);
    rill_density_rows_follow_load(w, &projective_derived_of(w)->rows, dt, &w->derived[PROJECTIVE_LOAD]);
}

static double speed_limit(const rill_world *w) {
    return fmax(50.0 * fmax((double)w->derived[PROJECTIVE_SPEED], 0.1), rill_cloth_speed(w));
}

static double stored_block(int begin, int end, void *context) {
    const rill_world *w = context;
    const projective_derived *d = projective_derived_of(w);
    double sum = 0;
    for (int i = begin; i < end; i++) {
        const float c = densities_of(w)[i] * d->rows.forces.inverse_rho0[fluids_of(w)[i]] - 1.0f;
        if (c > 0.0f && is_fluid(w, i)) sum += 0.5 * (double)places_of(w)[i].m * (double)(c * c);
    }
    return sum;
}

/* Energy of violated constraints: m c^2 C^2 / 2 of each, or the part of it that the rounds of a step can return. */
static double stored_energy(rill_world *w) {
    const projective_derived *d = projective_derived_of(w);
    const double speed = (double)d->sound_speed, travel = speed * w->last_dt;
    const double elastic = world_has_cloth(w) ? rill_cloth_energy(w) : 0;
    if (!(speed > 0)) return elastic;
    const double softer = 1 + travel * travel * (double)d->rows.s_ref / response(w);
    return elastic + speed * speed / softer * world_sum(w, stored_block, w);
}

static bool effective(const rill_world *w, const char *key, double *value) {
    const projective_derived *d = projective_derived_of(w);
    if (strcmp(key, "sound_speed") == 0)
        *value = (double)d->sound_speed;
    else if (strcmp(key, "stiffness") == 0)
        *value = (double)(d->rows.mass_ref * d->sound_speed * d->sound_speed * d->rows.s_ref);
    else
        return false;
    return true;
}

static const field_def fields[] = {
    {"compression", "", "compression at the end of the last step", RILL_SCALAR_FLOAT, 1, 1, FIELD_SORT}};

const method SIM_NAME(rill_projective_method) = {
    .info = {.name = "projective",
             .title = "Projective Fluids",
             .citation = "Weiler, Koschier and Bender 2016, doi:10.1145/2994258.2994282",
             .about =
                 "Density constraints and inertia in one minimisation: implicit, calm at any stiffness, and open to "
                 "other constraints in the same solve. Slower than others, with short steps for fast flow.",
             .best_for = "long implicit steps at any stiffness",
             .table = &table},
    .accurate_wall_distance = 0.4f,
    .fields = fields,
    .field_count = (int)(sizeof fields / sizeof *fields),
    .has_cloth = true,
    .derived_size = sizeof(projective_derived),
    .density_kernel = density_kernel,
    .choose = choose,
    .prepare = prepare,
    .predict = rill_predict,
    .solve = rill_projective_solve,
    .substeps = substeps,
    .max_dt = max_dt,
    .move = move,
    .speed_limit = speed_limit,
    .blow_up_advice = "take more substeps, or set substeps to 0, or lower stiffness and sound_speed",
    .stored_energy = stored_energy,
    .adds_energy = rill_cloth_adds_energy,
    .effective = effective,
};
