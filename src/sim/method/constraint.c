/* SPDX-License-Identifier: MIT */
/* Constraint fluids. Bodin, Lacoursiere and Servin, IEEE TVCG 18(3), 2012; equation numbers are the paper's. This file
   has the parameters, their automatic values and the order of a step (Alg. VIII.1); constraint_rows.c has the rows,
   constraint_sweep.c the sweeps, constraint_nonlinear.c and constraint_gradient.c their acceleration.

   Unknowns: velocities v of all particles and bodies at the end of a substep, and one impulse lambda per row.

   Equation: a mixed linear complementarity problem with these rows:
     density   c_i = s - sum_j V_j W_ij - walls >= 0, lambda_i >= 0                                  [21 to 24]
     walls     n . (v - v_wall) >= -(distance - wall_distance dx) / dt                                     [26]
     bodies    joints, motors, limits, contacts and friction of src/rigid                            [27 to 29]
   Steps are those of SPOOK: J v + e lambda = -a c + xi J v0, with a, e and xi from the relaxation time tau and the
   softness epsilon [15]. All rows are in one system, so pressure acts on a body within the solve, and buoyancy needs no
   formula of its own.

   Iteration: projected Gauss-Seidel on velocities, matrix-free. Rows are coloured so that two of one colour share no
   particle. Sweeps alternate in direction and are accelerated by a nonlinear conjugate gradient (`solver`). They start
   from the impulses of the last step.

   What differs from the paper: density rows only push, unless `equality` is on; s is the density sum of the packing to
   which fluid settles, not 1; epsilon follows from the compression that the user allows at the scene's depth; friction
   is solved after the warm start and before the sweeps; bodies may count as smaller than they are (`body_gap`).
   docs/methods/constraint.md has the numbers. */
#include "sim/method/constraint.h"
#include "sim/force/field.h"
#include "sim/force/noise_damping.h"
#include "sim/force/surface_tension.h"

#include <string.h>

/* Largest ratio of the residual that a sweep measures row by row to the one that it leaves. */
#define MET_OVER_LEFT 2.0
/* Conjugate gradients in a round of `solver: gradients`. */
#define GRADIENTS 20
/* Largest number of automatic substeps. A run that needs more has gone wrong, and a later check reports it. */
#define SUBSTEPS_MAX 1000
/* Margin below the longest stable substep that is required before the number of substeps falls. */
#define CAUTION 1.15
/* Factor of the stability number in thick fluids. If friction leaves the share D of a velocity in a substep, v <- D (v
   - k x) is stable for k < 2 + 2/D: twice as much as without friction if D < 1/3, and D of thick fluids is far less. k
   goes with the square of the step (docs/methods/constraint.md, Viscosity). */
#define STABILITY_THICK 1.4

static const rill_param constraint_rows[] = {
    ROW_CHOICE(constraint_params, kernel, KERNEL_CHOICES, KERNEL_AUTO,
               "kernel of the density and of its gradient; auto: that of the quality; the paper's is poly6, the "
               "thesis's direction poly6h",
               "Eq. 21; thesis A.40"),
    ROW_CHOICE(constraint_params, solver, "gauss_seidel|nncg|gradients", CONSTRAINT_NNCG,
               "projected Gauss-Seidel, the same with a nonlinear conjugate gradient on top, or conjugate gradients on "
               "the rows that press",
               "Alg. VII.1; Silcowitz-Hansen 2010; section X"),
    ROW_INT(constraint_params, iterations, 1, 10000, 20, "sweeps in a step, at most", "section IX"),
    ROW_NUMBER(constraint_params, tolerance, RILL_PURE, 0, 1, 0.02,
               "residual of all rows, relative to a start without impulses, at which sweeps end; 0: never", "Eq. 33"),
    ROW_NUMBER(constraint_params, tau, RILL_TIME, 0, 10, 0.033, "relaxation time of density errors", "Eq. 12"),
    ROW_NUMBER(constraint_params, epsilon, RILL_PURE, 0, 1e6, 0,
               "regularisation eps of a row [1/J]: static compression is eps V p; 0: from compression and depth",
               "Eq. 12"),
    ROW_NUMBER(constraint_params, compression, RILL_PURE, 0, 0.5, 1e-3,
               "compression wanted at `depth`, if epsilon is 0", NULL),
    ROW_NUMBER(constraint_params, depth, RILL_LENGTH, 0, 1e6, 0, "depth of the wanted compression; 0: from the scene",
               NULL),
    ROW_BOOL(constraint_params, equality, false, "density rows also pull, as in the paper", "Eq. 21"),
    ROW_NUMBER(constraint_params, warm_start, RILL_PURE, 0, 1, 1,
               "share of the last step's impulses that a step starts from", "section X"),
    ROW_INT(constraint_params, substeps, 0, 1000, 0, "substeps in a step; 0: as stability and courant require", NULL),
    ROW_NUMBER(constraint_params, stability, RILL_PURE, 0.1, 2, 0.5,
               "largest dt sqrt(p/rho0)/dx of a substep: beyond 0.9 deep water boils", "docs/methods"),
    ROW_NUMBER(constraint_params, courant, RILL_PURE, 0.1, 4, 1.5,
               "longest distance that a particle moves in a substep, in dx", NULL),
    ROW_CHOICE(constraint_params, viscosity_rule, "damping|rows", CONSTRAINT_VISCOSITY_ROWS,
               "viscosity as noise damping alone, or implicit by Rayleigh's dissipation", "section X"),
    ROW_NUMBER(constraint_params, noise_damping, RILL_PURE, -1, 1, -1,
               "alpha of the viscosity alpha dx sqrt(p/rho), which damps the rearrangement of packings; below 0: 0.04, "
               "or 0.02 "
               "if quality is accurate",
               "docs/methods/constraint.md, Viscosity"),
    ROW_NUMBER(constraint_params, body_margin, RILL_PURE, 0, 4, 0,
               "gap of bodies to solids and to each other, in dx: room for fluid under bodies that lie on the floor",
               NULL),
    ROW_NUMBER(constraint_params, body_gap, RILL_PURE, -1, 0.5, -1,
               "amount by which bodies count as smaller on every side, in dx: particles do not line up along a body as "
               "along a wall, and would lift it too much; below 0: 0.05, or none if quality is accurate",
               "docs/methods/constraint.md, Rows"),
    ROW_BOOL(constraint_params, wall_density, true,
             "walls count in the density sum; otherwise they only keep particles off, as in the paper in 3D", "Eq. 26"),
};
static const rill_table constraint_table = TABLE("constraint", "constraint fluid", constraint_params, constraint_rows);

static const field_def fields[] = {
    {"last_pressure", "Pa", "pressure of the last step, from which the next one starts", RILL_SCALAR_FLOAT, 1, 1,
     FIELD_SORT},
    {"wall_load", "N", "force of its walls in the last step", RILL_SCALAR_FLOAT, 0, 0, FIELD_SORT},
};

static kernel_kind density_kernel(const rill_world *w) {
    return method_kernel(w, constraint_params_of(w)->kernel, KERNEL_CUBIC);
}

/* ---- automatic values ---- */

/* Height from the floor, or the lowest particle, to the highest particle or emitter, along gravity. */
static float depth_of(const rill_world *w, vec gravity, float g) {
    if (!(g > 0.0f)) return 0.0f;
    float low, high, speed = 0.0f;
    rill_method_extent(w, vec_scale(gravity, -1.0f / g), &low, &high, &speed);
    return high >= low ? high - low + w->def.spacing : 0.0f;
}

static double heaviest(const rill_world *w) {
    double density = 0;
    FOR_ALIVE(w, fluid, f) density = fmax(density, (double)f->def.density);
    return density;
}

/* Pressure of the flow and of surface tension, or of a flow of 1 m/s if nothing moves yet. A closed box is a little too
   full for a settled packing (settled_sum). If its fluid were stiffer than the flow requires, it would press far more
   than the flow, until the packing bursts. */
static float pressure_without_depth(const rill_world *w, float density) {
    float low, high, speed = 0.0f;
    rill_method_extent(w, (vec){0}, &low, &high, &speed);
    float pressure = 0.5f * density * speed * speed;
    FOR_ALIVE(w, fluid, f) pressure = fmaxf(pressure, f->def.surface_tension / w->def.spacing);
    return pressure > 0.0f ? pressure : 0.5f * density;
}

static rill_status choose(rill_world *w, double dt) {
    (void)dt;
    const constraint_params *p = constraint_params_of(w);
    const vec gravity = vec_of(w->def.gravity);
    const float g = vec_length(gravity), seen = depth_of(w, gravity, g);
    const float density = (float)heaviest(w);
    const float depth = p->depth > 0.0f ? p->depth : seen;
    float pressure = density * g * depth;
    if (!(pressure > 0.0f)) pressure = pressure_without_depth(w, density);
    w->derived[CONSTRAINT_CHOSEN_PRESSURE] = pressure;
    /* Before the first step the pressure is estimated from the depth; later the multipliers give it. */
    if (method_begins(w)) w->derived[CONSTRAINT_CHOSEN_PEAK] = g * seen;
    return RILL_OK;
}

/* Sum of W at a particle in a close packing (hexagonal in 2D, face-centred cubic in 3D) of one particle per dx^DIM. */
static double packed_sum(const kernel *k, double dx) {
    /* Edge of a rectangle of two, sqrt(2/sqrt(3)) dx, or of a cube of four, cbrt(4) dx. */
    const double edge = dx * (DIM == 2 ? 1.0745699318235418 : 1.5874010519681994), tall = DIM == 2 ? sqrt(3.0) : 1;
    const int reach = (int)((double)k->h / edge) + 2, deep = DIM == 3 ? 2 * reach : 0;
    double sum = 0;
    /* In units of half an edge: lattice sites are those whose coordinates have an even sum. */
    for (int c = -deep; c <= deep; c++)
        for (int b = -2 * reach; b <= 2 * reach; b++)
            for (int a = -2 * reach; a <= 2 * reach; a++) {
                if ((a + b + c) % 2 != 0) continue;
                const double x = 0.5 * a * edge, y = 0.5 * b * edge * tall, z = 0.5 * c * edge;
                sum += (double)kernel_value_at(k, (float)sqrt(x * x + y * y + z * z));
            }
    return sum;
}

/* The density sum s of fluid that has settled. Masses are calibrated so that the lattice with which fluid starts has
   its rest density. The fluid settles into nearly a close packing, whose sum is 0.4 % less in 2D and 0.25 % less in 3D,
   and with s = 1 it would shrink by as much. */
static float settled_sum(const rill_world *w, const kernel *k) {
    const fluid *f = first_fluid(w);
    if (!f || !w->def.calibrate_mass) return 1.0f;
    return (float)((double)f->mass / (double)f->def.density * packed_sum(k, (double)w->def.spacing));
}

/* The gap in use, in dx. Particles along a body lie in disorder. Wall rows at half a spacing hold back the nearer ones,
   so that the mean distance is too large. In accurate quality wall rows stand at 0.4 dx, and the density decides where
   particles lie. */
static float body_gap(const rill_world *w, float asked) {
    if (asked >= 0.0f) return asked;
    return w->def.quality == RILL_QUALITY_ACCURATE ? 0.0f : 0.05f;
}

static rill_status prepare(rill_world *w) {
    const constraint_params *p = constraint_params_of(w);
    constraint_derived *d = constraint_derived_of(w);
    d->kernel = rill_kernel_make(density_kernel(w), w->support);
    rill_forces_prepare(
        &d->forces, w, &(forces_setting){.density = &d->kernel, .gradient = &d->kernel, .viscous = LAPLACIAN_GRADIENT});
    d->rest = settled_sum(w, &d->kernel);
    d->noise_damping = noise_damping(w, p->noise_damping);
    d->relief = rill_forces_are_thick(w, &d->forces) ? STABILITY_THICK : 1;
    d->mirrors = w->def.quality == RILL_QUALITY_ACCURATE && p->wall_density && !d->forces.walls.additive;
    w->body_margin = p->body_margin * w->def.spacing;
    w->body_gap = body_gap(w, p->body_gap) * w->def.spacing;
    return RILL_OK;
}

/* The longest substep. It is bounded by the stability number S = dt sqrt(p/rho0)/dx, because of the curvature of the
   density condition, however well a step is solved. */
static double longest_substep(const rill_world *w) {
    const constraint_params *p = constraint_params_of(w);
    const constraint_derived *d = constraint_derived_of(w);
    const double dx = (double)w->def.spacing, peak = (double)w->derived[CONSTRAINT_CHOSEN_PEAK];
    double dt = HUGE_VAL;
    if (peak > 0) dt = (double)p->stability * d->relief * dx / sqrt(peak);
    if (w->stats.max_speed > 0) dt = fmin(dt, (double)p->courant * dx / w->stats.max_speed);
    dt = fmin(dt, rill_forces_capillary_dt(&d->forces));
    dt = fmin(dt, rill_rigid_max_dt(w));
    return dt < HUGE_VAL ? dt : (double)w->def.dt_max;
}

static double max_dt(rill_world *w) {
    const int fixed = constraint_params_of(w)->substeps;
    return longest_substep(w) * (fixed > 0 ? fixed : 1);
}

static int substeps(rill_world *w, double dt) {
    const int fixed = constraint_params_of(w)->substeps;
    if (fixed > 0) return fixed;
    const double needed = dt / ((double)w->def.cfl * longest_substep(w)) - 1e-6;
    /* The number of substeps falls only by a margin: water at rest trembles when it flickers. */
    float *last = &w->derived[CONSTRAINT_CHOSEN_SUBSTEPS];
    const double count = fmax(ceil(needed), fmin((double)*last, ceil(CAUTION * needed)));
    *last = (float)fmin(fmax(count, 1), SUBSTEPS_MAX);
    return (int)*last;
}

/* ---- the step ---- */

static void fall_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    const float dt = (float)s->dt;
    for (int i = begin; i < end; i++) {
        s->speeds[i].v = vec_add(s->speeds[i].v, s->fall);
        if (s->tension) s->speeds[i].v = vec_along(s->speeds[i].v, dt, s->tension[i]);
    }
}

static void place_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    for (int i = begin; i < end; i++) s->points[i] = (point){.x = places_of(s->world)[i].x};
}

/* Viscosity of noise damping for each particle, from the pressure of the last step. */
static void noise_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    const rill_world *w = s->world;
    const float reach = s->derived->noise_damping * w->def.spacing, *pressure = FIELD_AS(w, FIELD_LAST_PRESSURE, float);
    for (int i = begin; i < end; i++)
        s->noise[i] = noise_viscosity(reach, s->derived->forces.rho0[fluids_of(w)[i]], pressure[i]);
}

/* The largest p/rho0, and the largest g.x and -g.x of all particles [m^2/s^2]. */
enum { MOST_LOAD, MOST_FALL, MOST_RISE };

/* Stores velocities, densities, forces of contacts, and the pressure of the multipliers: J^T lambda/dt is the force, so
   p = lambda/(V dt). */
static totals store_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    const rill_world *w = s->world;
    const float inverse_dt = 1.0f / (float)s->dt;
    const vec gravity = vec_of(w->def.gravity);
    double peak = 0, low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = begin; i < end; i++) {
        const uint32_t kind = fluids_of(w)[i];
        const float per_mass = s->rows[i].lambda * inverse_dt * constraint_inverse_mass(s, i); /* p/rho0 */
        velocities_of(w)[i] = s->speeds[i].v;
        densities_of(w)[i] = s->derived->forces.rho0[kind] * (1.0f - s->gap[i]);
        pressures_of(w)[i] = FIELD_AS(w, FIELD_LAST_PRESSURE, float)[i] = per_mass * s->derived->forces.rho0[kind];
        const double fall = (double)vec_dot(gravity, places_of(w)[i].x);
        if ((double)per_mass > peak) peak = (double)per_mass;
        if (fall < low) low = fall;
        if (fall > high) high = fall;
        int count;
        wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
        const wall_row *walls = constraint_walls(s, i, &count);
        vec load = {0};
        for (int k = 0; k < count; k++) {
            c[k].force =
                vec_along(c[k].force, (walls[k].lambda - walls[k].slope * s->rows[i].lambda) * inverse_dt, c[k].normal);
            c[k].held = walls[k].lambda * inverse_dt;
            load = vec_along(load, c[k].held, c[k].normal);
        }
        FIELD_AS(w, FIELD_WALL_LOAD, vec)[i] = load;
    }
    return (totals){.most = {[MOST_LOAD] = peak, [MOST_FALL] = high, [MOST_RISE] = -low}};
}

static void store(constraint_system *s) {
    const totals all = world_totals(s->world, store_block, s);
    if (s->derived->mirrors) rill_constraint_load_walls(s);
    const double depth = all.most[MOST_FALL] + all.most[MOST_RISE]; /* times g */
    float *derived = s->world->derived;
    derived[CONSTRAINT_CHOSEN_PEAK] = (float)all.most[MOST_LOAD];
    if (s->params->depth > 0.0f) return;
    /* A tank that is being filled outgrows the depth from which epsilon was chosen, and without gravity a flow outgrows
       its speed. The pressure itself must not be used: in a closed box that is too full it would raise the stiffness,
       which would raise the pressure. */
    const double speed = s->world->stats.max_speed, load = depth > 0 ? depth : 0.5 * speed * speed;
    derived[CONSTRAINT_CHOSEN_PRESSURE] =
        fmaxf(derived[CONSTRAINT_CHOSEN_PRESSURE], (float)(load * heaviest(s->world)));
}

/* ---- residuals ---- */

/* Root of a residual, relative to that of all rows without impulses. */
static double relative(const constraint_system *s, double energy) {
    return s->start > 0 ? sqrt(energy / s->start) : 0;
}

void rill_constraint_note(constraint_system *s, double met) {
    rill_stats *stats = &s->world->stats;
    stats->residual = relative(s, met);
    if (stats->iterations < RILL_RESIDUALS_MAX) stats->residuals[stats->iterations] = (float)stats->residual;
    stats->iterations++;
}

static double all_rows(const residual_groups *r) {
    return r->density + r->walls + r->contacts + r->joints;
}

/* Reports the residual after the last iteration, in place of the one that it met row by row. */
static void report_residual(constraint_system *s) {
    const residual_groups left = rill_constraint_residual(s, false);
    rill_stats *stats = &s->world->stats;
    stats->residual = relative(s, all_rows(&left));
    stats->residual_density = relative(s, left.density), stats->residual_walls = relative(s, left.walls);
    stats->residual_contacts = relative(s, left.contacts), stats->residual_joints = relative(s, left.joints);
    if (stats->iterations <= RILL_RESIDUALS_MAX) stats->residuals[stats->iterations - 1] = (float)stats->residual;
}

bool rill_constraint_enough(constraint_system *s) {
    const rill_stats *stats = &s->world->stats;
    const double wanted = (double)s->params->tolerance;
    const bool last = stats->iterations >= s->params->iterations;
    /* The residual that is left costs a loop of its own. It is computed only if the larger one that the sweep met is
       near the goal. */
    if (!last && !(stats->residual < MET_OVER_LEFT * wanted)) return false;
    if (last) rill_constraint_close_joints(s);
    report_residual(s);
    return last || stats->residual < wanted;
}

/* Sweeps forward and back in turn; each counts as an iteration. */
static void sweep_only(constraint_system *s) {
    const rill_stats *stats = &s->world->stats;
    do rill_constraint_note(s, rill_constraint_sweep(s, stats->iterations % 2 == 0));
    while (!rill_constraint_enough(s));
}

/* Rounds of two sweeps, which find the rows that press, and conjugate gradients, which solve for those rows. */
static void sweep_gradients(constraint_system *s) {
    const rill_stats *stats = &s->world->stats;
    for (;;) {
        for (int there = 1; there >= 0; there--) {
            rill_constraint_note(s, rill_constraint_sweep(s, there));
            if (rill_constraint_enough(s)) return;
        }
        /* Two sweeps are left for the end, because conjugate gradients ignore bounds. */
        const int left = s->params->iterations - stats->iterations - 2;
        if (left > 0) rill_constraint_gradients(s, left < GRADIENTS ? left : GRADIENTS);
    }
}

static void iterate(constraint_system *s) {
    s->world->stats.iterations = 0;
    switch ((constraint_solver)s->params->solver) {
    case CONSTRAINT_GAUSS_SEIDEL:
        sweep_only(s);
        break;
    case CONSTRAINT_NNCG:
        rill_constraint_nonlinear(s);
        break;
    case CONSTRAINT_GRADIENTS:
        sweep_gradients(s);
        break;
    }
}

static rill_status solve(rill_world *w, double dt) {
    constraint_system s = {.world = w,
                           .params = constraint_params_of(w),
                           .derived = constraint_derived_of(w),
                           .dt = dt,
                           .count = w->particles.count};
    s.has_friction = s.derived->noise_damping > 0.0f ||
                     (s.params->viscosity_rule != CONSTRAINT_VISCOSITY_DAMPING && s.derived->forces.viscosity);
    TRY(rill_rigid_start(w, dt, &s.bodies));
    FOR_ALIVE(w, body, b) s.has_bodies |= b->inverse_mass > 0 && !b->asleep;
    TRY(rill_constraint_layout(&s));
    TRY(rill_surface_tension(w, &s.derived->forces, &s.tension));
    rill_parallel_for(w->workers, s.count + sim_of(w)->halo.count, REDUCE_BLOCK, place_block, &s);
    s.fall = vec_scale(field_acceleration(w), (float)dt);
    rill_parallel_for(w->workers, s.count, REDUCE_BLOCK, noise_block, &s);
    rill_constraint_build(&s);
    rill_parallel_for(w->workers, s.count, REDUCE_BLOCK, fall_block, &s);
    const residual_groups without = rill_constraint_residual(&s, true);
    s.start = all_rows(&without);
    rill_rows_warm_start(&s.bodies);
    /* Friction comes after the warm start, so that it damps in the same step the motion by the last impulses along rows
       that have turned since. One step later, it would halve the stable step (docs/methods/constraint.md). */
    rill_constraint_apply(&s);
    rill_constraint_friction_solve(&s);
    iterate(&s);
    store(&s);
    return RILL_OK;
}

static void move_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    const rill_world *w = s->world;
    for (int i = begin; i < end; i++)
        places_of(w)[i].x = vec_along(places_of(w)[i].x, (float)s->dt, velocities_of(w)[i]);
}

static void move(rill_world *w, double dt) {
    constraint_system s = {.world = w, .dt = dt};
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, move_block, &s);
}

/* ---- the speed limit and values in use ---- */

static double speed_limit(const rill_world *w) {
    const double g = (double)vec_length(vec_of(w->def.gravity));
    const double flow = sqrt((double)w->derived[CONSTRAINT_CHOSEN_PRESSURE] / 500);
    return 100 * fmax(sqrt(2 * g * 10), fmax(flow, 1));
}

static bool effective(const rill_world *w, const char *key, double *value) {
    const constraint_params *p = constraint_params_of(w);
    const double pressure = (double)w->derived[CONSTRAINT_CHOSEN_PRESSURE];
    if (strcmp(key, "noise_damping") == 0) return *value = (double)constraint_derived_of(w)->noise_damping, true;
    if (strcmp(key, "body_gap") == 0) return *value = (double)body_gap(w, p->body_gap), true;
    if (strcmp(key, "epsilon") != 0) return false;
    *value = p->epsilon > 0.0f ? (double)p->epsilon
                               : (double)p->compression / (pressure * (double)dim_power(w->def.spacing));
    return true;
}

static const char *ignores(const rill_world *w, const char *key) {
    const constraint_viscosity rule = (constraint_viscosity)constraint_params_of(w)->viscosity_rule;
    if (strcmp(key, "viscosity") != 0) return NULL;
    if (rule == CONSTRAINT_VISCOSITY_DAMPING)
        return "viscosity_rule 'damping' only damps noise; take 'rows', or set the viscosity to 0";
    if (rule == CONSTRAINT_VISCOSITY_ROWS && w->def.viscosity_solver == RILL_VISCOSITY_EXPLICIT)
        return "viscosity_rule 'rows' is implicit; take viscosity_solver 'auto' or 'implicit'";
    return NULL;
}

const method SIM_NAME(rill_constraint_method) = {
    .info = {.name = "constraint",
             .title = "Constraint fluid",
             .citation = "Bodin, Lacoursiere and Servin 2012, doi:10.1109/TVCG.2011.29",
             .about = "Incompressibility as a condition for each particle, solved with contacts, joints and motors of "
                      "bodies in one system. Large steps, true volume, correct buoyancy.",
             .best_for = "floating bodies, joints, motors and pumps",
             .strengths = RILL_STRENGTH_MACHINES | RILL_STRENGTH_ACCURACY,
             .table = &constraint_table},
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .accurate_wall_distance = 0.4f,
    .derived_size = sizeof(constraint_derived),
    .step_first = true,
    .solves_bodies = true,
    .deep_seams = true,
    .density_kernel = density_kernel,
    .choose = choose,
    .prepare = prepare,
    .solve = solve,
    .max_dt = max_dt,
    .substeps = substeps,
    .move = move,
    .speed_limit = speed_limit,
    .blow_up_advice = "set substeps to 0, or take a smaller stability number",
    .ignores = ignores,
    .effective = effective,
};
