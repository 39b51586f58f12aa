/* SPDX-License-Identifier: MIT */
/* Divergence-free SPH. Bender and Koschier, SCA 2015 and IEEE TVCG 23(3), 2017. Equation numbers are those of
   docs/methods/dfsph.md, where the derivations are; pressure_solve.c has what this file shares with pcisph.c.

   Unknowns: two sets of pressures p_i >= 0 in every step: one removes the divergence of the velocities, the other,
   after the other forces have acted, keeps the density at rest.

   Equation: a linear complementarity problem. At the end of the step no particle is compressed, e_i <= 0, and e_i = 0
   where p_i > 0 (Eq. 3), with
     e_i  = dt sum_j V_j grad W_ij . (v_i - v_j) + walls + c_i                                        (Eq. 2)
     c_i  = 0 for the divergence, the density error for the density                                   (Eq. 5)
     dv_i = -dt (V_i / m_i) sum_j V_j (p_i + p_j) grad W_ij + walls                                   (Eq. 4)
   Eq. 4 is the exact transpose of Eq. 2, so the operator is symmetric and momentum is conserved to rounding.

   Iteration: projected Jacobi with Chebyshev's acceleration, relaxed according to the operator's largest eigenvalue
   (pressure_solve_spectrum.c) and started from the pressures of the last step. It ends when the mean error is below
   `density_error`; pressure that is too high counts as an error, like compression.

   What differs from the papers: volumes instead of densities, so that fluids of different density may touch; the true
   volume of particles; pressure never pulls; gaps close gradually (`landing`); walls are kernel integrals, and a row
   inside the iteration keeps particles off them; the divergence is solved at the beginning of a step, when the
   neighbours are known, instead of at its end. */
#include "sim/force/noise_damping.h"
#include "sim/method/pressure_solve.h"

#include <string.h>

/* Largest dt sqrt(p/rho) over dx. The direction of the pressure force turns with the particles that it pushes, so
   beyond 1 a tank boils with any number of iterations (measured: in 2D 0.55 is calm, 0.66 trembles, 1.1 boils; in 3D
   0.8 is calm, 1.3 boils). */
#define PRESSURE_REACH 0.5f
/* Times in which the step follows a rising and a falling pressure [s]. A solved pressure is exact at once, so a rise is
   followed within a few steps. */
#define HEAD_RISE 0.005f
#define HEAD_FALL 0.1f

typedef struct dfsph_params {
    float density_error, max_density_error, divergence_error;
    int32_t min_iterations, max_iterations, max_divergence_iterations;
    float warm_start, acceleration, relaxation;
    float landing;
    float particle_volume;
    int32_t kernel; /* kernel_kind */
    float reach, noise_damping;
} dfsph_params;

static const rill_param rows[] = {
    ROW_NUMBER(dfsph_params, density_error, RILL_PURE, 1e-8, 1, 1e-4,
               "mean error of the density at which its solver stops: compression, and expansion by pressure",
               "paper, Alg. 3"),
    ROW_NUMBER(dfsph_params, max_density_error, RILL_PURE, 0, 1, 0,
               "compression of the densest particle at which the density solver stops; 0: any", NULL),
    ROW_NUMBER(dfsph_params, divergence_error, RILL_PURE, 0, 1, 1e-3,
               "mean compression predicted for one step at which the divergence solver stops; 0: no divergence solver",
               "paper, Alg. 2"),
    ROW_INT(dfsph_params, min_iterations, 1, 1000, 2, "fewest iterations of the density solver", NULL),
    ROW_INT(dfsph_params, max_iterations, 1, 10000, 100, "most iterations of the density solver", NULL),
    ROW_INT(dfsph_params, max_divergence_iterations, 1, 10000, 100, "most iterations of the divergence solver", NULL),
    ROW_NUMBER(dfsph_params, warm_start, RILL_PURE, 0, 1, 1, "share of the last step's pressure to start from",
               "paper, section 3.4"),
    ROW_NUMBER(dfsph_params, acceleration, RILL_PURE, 0, 0.9999, 0.97,
               "rho of Chebyshev's acceleration of the iterations; 0: plain Jacobi", "docs/methods/dfsph.md, Eq. 7"),
    ROW_NUMBER(dfsph_params, relaxation, RILL_PURE, 0.01, 1, 0.5,
               "share of a Jacobi step that is taken, or less if the packing allows less",
               "docs/methods/dfsph.md, Eq. 7"),
    ROW_NUMBER(dfsph_params, landing, RILL_PURE, 0, 1, 0.1,
               "lack of density over which a closing gap is slowed down; 0: it closes in one step, as in the paper",
               "docs/methods/dfsph.md, Eq. 5"),
    ROW_NUMBER(dfsph_params, particle_volume, RILL_PURE, 0.5, 1, 1,
               "volume of a particle as a share of the true one; SPlisHSPlasH has 0.8", NULL),
    ROW_CHOICE(dfsph_params, kernel, KERNEL_CHOICES, KERNEL_AUTO,
               "kernel of density and pressure; auto: that of the quality", "docs/kernels.md"),
    ROW_NUMBER(dfsph_params, reach, RILL_PURE, 0.01, 2, 0.4,
               "longest distance that a particle moves in an adaptive step, in spacings", "paper, section 3.1"),
    ROW_NUMBER(dfsph_params, noise_damping, RILL_PURE, -1, 1, -1,
               "alpha of the viscosity alpha dx sqrt(p/rho), which damps the rearrangement of packings; below 0: 0.04, "
               "or 0.02 "
               "if quality is accurate",
               "docs/methods/dfsph.md, Eq. 11"),
};
static const rill_table table = TABLE("dfsph", "divergence-free SPH", dfsph_params, rows);

enum { FIELD_DENSITY_PRESSURE = FIELD_METHOD, FIELD_DIVERGENCE_PRESSURE };
static const field_def fields[] = {
    {"density_pressure", "Pa", "pressure of the density solver, kept for the next step", RILL_SCALAR_FLOAT, 1, 1,
     FIELD_SORT},
    {"divergence_pressure", "Pa", "pressure of the divergence solver, kept for the next step", RILL_SCALAR_FLOAT, 1, 1,
     FIELD_SORT},
};

/* Iterations and error of a solver in the last step. */
typedef struct outcome {
    int iterations;
    pressure_error error;
} outcome;

typedef struct dfsph_derived {
    pressure_derived pressure;
    outcome density, divergence;
    float relaxation; /* in use */
} dfsph_derived;

static const dfsph_params *params_of(const rill_world *w) {
    return method_params(w);
}

static dfsph_derived *derived_of(const rill_world *w) {
    return sim_of(w)->method_data.data;
}

static kernel_kind density_kernel(const rill_world *w) {
    return method_kernel(w, params_of(w)->kernel, KERNEL_CUBIC);
}

static rill_status prepare(rill_world *w) {
    const dfsph_params *p = params_of(w);
    const pressure_setting setting = {.kernel = density_kernel(w),
                                      .particle_volume = p->particle_volume,
                                      .noise_damping = noise_damping(w, p->noise_damping),
                                      .reach = p->reach,
                                      .pressure_reach = PRESSURE_REACH,
                                      .head_rise = HEAD_RISE,
                                      .head_fall = HEAD_FALL};
    return rill_pressure_prepare(w, &derived_of(w)->pressure, &setting);
}

/* ---- the solvers ---- */

/* Source term of particles without pressure: so negative that no velocity makes the error positive. */
#define NO_PRESSURE (-1e6f)

typedef struct solver {
    pressure_solve *solve;
    bool divergence; /* whether this is the divergence solver or the density solver */
    float *memory;   /* pressures to start from, and to start the next step from */
    float omega;     /* of Chebyshev's recurrence, in this iteration */
    float shift;     /* mean of the source terms in a full container, where no pressure can correct it */
    float share;     /* of a Jacobi step that is taken (relaxation) */
    float head;      /* largest p/rho from which the next step may start */
    bool settled;    /* the last iteration found an error small enough, so the pressures it computed have not acted */
} solver;

/* Whether a particle has so few neighbours that it is spray, whose divergence is meaningless (paper, section 3.3: fewer
   than 20, in 2D 7; here walls count as neighbours). */
static bool is_spray(const pressure_solve *f, int i) {
    int walls;
    const wall_contact *c = contacts_of(&sim_of(f->world)->contacts, i, &walls);
    const float full = f->d->full_count, count = (float)list_count(&sim_of(f->world)->lists, i);
    return count + full * wall_share(&f->d->forces.walls, c, walls) < 0.6f * full;
}

/* Source term of the density solver (Eq. 5): the compression to correct, or, below rest density, minus the part of the
   lack that may close in this step. If all of the lack could close, fluid a millionth below rest density would fall
   freely for one step and hit itself in the next, and still water would chatter. */
static float compression(const pressure_solve *f, float ratio, float landing) {
    const float lack = f->rest - ratio;
    if (lack > 0.0f) return f->correction_share * (lack < landing ? -lack * lack / landing : -lack);
    return fminf(f->correction_share * -lack, f->correction_most);
}

static totals start_block(int begin, int end, void *context) {
    const solver *s = context;
    const pressure_solve *f = s->solve;
    const dfsph_params *params = params_of(f->world);
    pressure_error sum = {0};
    for (int i = begin; i < end; i++) {
        const bool alone = s->divergence && is_spray(f, i);
        const float p = alone ? 0.0f : params->warm_start * s->memory[i];
        f->points[i] = (place){.x = places_of(f->world)[i].x, .m = p};
        f->previous_pressure[i] = p;
        f->start[i] = velocities_of(f->world)[i];
        if (s->divergence)
            f->source_term[i] = alone ? NO_PRESSURE : 0.0f;
        else
            f->source_term[i] = compression(f, f->ratio[i], params->landing);
        sum.mean += (double)f->source_term[i];
    }
    return pressure_part(sum);
}

/* The walls' part of the rate of the density ratio (Eq. 2). */
static float wall_rates(const pressure_solve *f, int i, float rate) {
    int walls;
    const wall_contact *c = contacts_of(&sim_of(f->world)->contacts, i, &walls);
    const pressure_wall *wall = pressure_walls(f, c);
    for (int k = 0; k < walls; k++)
        rate += wall[k].share * vec_dot(c[k].normal, vec_sub(f->motion[i].x, c[k].velocity));
    return rate;
}

/* New pressures of `count` particles from i on, from the error to which their velocities lead (Eq. 5 to 7). Lanes past
   the last particle compute on whatever lies there. */
WIDE_FN void press(const solver *s, int i, int count, wide rates, pressure_error *sum) {
    const pressure_solve *f = s->solve;
    const float dt = f->dt, step = s->share / (dt * dt);
    const wide zero = wide_zero(), p = wide_masses(f->points + i), last = wide_load(f->previous_pressure + i);
    const wide error = dt * rates + wide_load(f->source_term + i) - s->shift;
    const wide next = wide_max(last + s->omega * (p + step * wide_load(f->inverse_diagonal + i) * error - last), zero);
    /* Too much pressure is an error as well: it throws particles up. */
    const wide above = wide_max(error, zero), wrong = wide_select((p > zero) & (error < zero), -error, above);
    wide_store_some(f->previous_pressure + i, p, count);
    for (int k = 0; k < count; k++) {
        f->points[i + k].m = next[k];
        sum->mean += (double)wrong[k];
        sum->most = above[k] > sum->most ? above[k] : sum->most;
    }
}

/* One iteration, eight particles at a time. */
static totals iterate_block(int begin, int end, void *context) {
    const solver *s = context;
    const pressure_solve *f = s->solve;
    pressure_error sum = {0};
    wide sums[WIDE] = {{0}};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) sums[k] = pressure_density_rate(f, i + k);
        wide rates = wide_sum_each(sums);
        if (any_at_wall(&sim_of(f->world)->contacts, i, count))
            for (int k = 0; k < count; k++) rates[k] = wall_rates(f, i + k, rates[k]);
        press(s, i, count, rates, &sum);
    }
    return pressure_part(sum);
}

static void end_block(int begin, int end, void *context) {
    const solver *s = context;
    const pressure_solve *f = s->solve;
    float *pressure = pressures_of(f->world);
    for (int i = begin; i < end; i++) {
        const float acted = s->settled ? f->previous_pressure[i] : f->points[i].m;
        velocities_of(f->world)[i] = f->motion[i].x;
        /* Where the fluid has no room, pressures grow with every iteration; the bound keeps them from growing from step
           to step. */
        const float p = f->points[i].m, most = s->head * f->d->forces.rho0[fluids_of(f->world)[i]];
        s->memory[i] = p < most ? p : most;
        pressure[i] = s->divergence ? acted : pressure[i] + acted;
    }
}

/* When to stop. */
typedef struct goal {
    double mean, most; /* errors; most 0: any */
    int fewest, limit; /* iterations */
} goal;

static bool reached(const goal *g, const outcome *o) {
    return o->iterations >= g->fewest && o->error.mean <= g->mean && (g->most <= 0 || (double)o->error.most <= g->most);
}

/* Projected Jacobi with Chebyshev's acceleration (Eq. 7): p >= 0, and no compression where p > 0. An iteration
   evaluates the error of the velocities and computes new pressures. If the error is small enough, the new pressures do
   not act any more but start the next step. */
static outcome solve_pressure(solver *s, const goal *g) {
    pressure_solve *f = s->solve;
    const rill_world *w = f->world;
    const float rho2 = params_of(w)->acceleration * params_of(w)->acceleration;
    outcome o = {0};
    s->head = rill_pressure_head_limit(w);
    /* In a full container the rates sum to zero, so only source terms that sum to zero have a solution (Eq. 9). */
    const pressure_error wanted = rill_pressure_reduce(f, start_block, s);
    s->shift = f->full && wanted.mean > 0 ? (float)wanted.mean : 0.0f;
    s->omega = 1.0f;
    rill_give_way_find(&f->bodies, s->divergence ? GIVE_WAY_DIVERGENCE : GIVE_WAY_DENSITY);
    rill_pressure_accelerate(f);
    rill_pressure_give_way(f);
    while (!s->settled && o.iterations < g->limit) {
        o.error = rill_pressure_reduce(f, iterate_block, s);
        s->omega = o.iterations == 0 ? 2.0f / (2.0f - rho2) : 4.0f / (4.0f - rho2 * s->omega);
        o.iterations++;
        s->settled = reached(g, &o);
        if (s->settled) break;
        rill_pressure_accelerate(f);
        rill_pressure_give_way(f);
    }
    rill_give_way_keep(&f->bodies);
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, end_block, s);
    rill_pressure_keep_pushes(f);
    return o;
}

/* Error at which a solver may stop. An error divided by dt is a speed, so a short step has to be solved better, but not
   below 1e-6: floats resolve densities to 1e-7. */
static double allowed(const pressure_solve *f, float error) {
    return fmax((double)(error * f->correction_share), fmin((double)error, 1e-6));
}

/* An error e of all densities moves the surface of water of depth H by e H in one step; e H / dt is the speed at which
   it trembles. In steps of PRESSURE_REACH this speed is to stay below 0.01 sqrt(g H), which needs an error below the
   default from fifty layers on. */
static float calm_error(const rill_world *w, float wanted) {
    const float g = vec_length(vec_of(w->def.gravity)), head = w->derived[FLOW_HEAD];
    const float calm = 0.01f * PRESSURE_REACH * g * w->def.spacing;
    return calm > 0.0f && calm < wanted * head ? calm / head : wanted;
}

/* One step. Neighbours are searched once, so the divergence of the velocities with which the last step ended is removed
   here, where the neighbours at the new positions are known, and not at the end of that step (paper, Alg. 1). */
static rill_status solve(rill_world *w, double dt) {
    const dfsph_params *p = params_of(w);
    dfsph_derived *d = derived_of(w);
    pressure_solve f;
    const rill_status status = rill_pressure_begin(&f, w, &d->pressure, dt);
    if (status != RILL_OK || w->particles.count == 0) return status;
    rill_pressure_measure(&f);
    memset(pressures_of(w), 0, sizeof(float) * (size_t)w->particles.count);
    d->divergence = (outcome){0};
    d->relaxation = rill_pressure_relaxation(&f, f.inverse_diagonal, p->relaxation);
    if (p->divergence_error > 0.0f) {
        solver s = {.solve = &f,
                    .divergence = true,
                    .share = d->relaxation,
                    .memory = FIELD_AS(w, FIELD_DIVERGENCE_PRESSURE, float)};
        d->divergence =
            solve_pressure(&s, &(goal){allowed(&f, p->divergence_error), 0, 1, p->max_divergence_iterations});
    }
    solver s = {.solve = &f, .share = d->relaxation, .memory = FIELD_AS(w, FIELD_DENSITY_PRESSURE, float)};
    TRY(rill_pressure_push(&f, s.memory));
    const goal still = {allowed(&f, calm_error(w, p->density_error)), (double)p->max_density_error, p->min_iterations,
                        p->max_iterations};
    d->density = solve_pressure(&s, &still);
    w->stats.iterations = d->divergence.iterations + d->density.iterations;
    return RILL_OK;
}

static double max_dt(rill_world *w) {
    return rill_pressure_max_dt(w, &derived_of(w)->pressure, FIELD_AS(w, FIELD_DENSITY_PRESSURE, float));
}

/* Iterations and errors of the last step, by the key that limits them. */
static bool effective(const rill_world *w, const char *key, double *value) {
    const dfsph_derived *d = derived_of(w);
    if (strcmp(key, "max_iterations") == 0)
        *value = d->density.iterations;
    else if (strcmp(key, "max_divergence_iterations") == 0)
        *value = d->divergence.iterations;
    else if (strcmp(key, "density_error") == 0)
        *value = d->density.error.mean;
    else if (strcmp(key, "max_density_error") == 0)
        *value = (double)d->density.error.most;
    else if (strcmp(key, "relaxation") == 0)
        *value = (double)d->relaxation;
    else if (strcmp(key, "divergence_error") == 0)
        *value = d->divergence.error.mean;
    else if (strcmp(key, "noise_damping") == 0)
        *value = (double)d->pressure.setting.noise_damping;
    else
        return false;
    return true;
}

const method SIM_NAME(rill_dfsph_method) = {
    .info = {.name = "dfsph",
             .title = "Divergence-free SPH",
             .citation = "Bender and Koschier 2015, doi:10.1145/2786784.2786796; 2017, doi:10.1109/TVCG.2016.2578335",
             .about = "Solves for the pressure that keeps the density at rest and the flow free of divergence, to any "
                      "accuracy asked for. Long steps, true volume; waves last with accurate quality.",
             .best_for = "films of splashing water, waves, pressures",
             .strengths = RILL_STRENGTH_ACCURACY,
             .table = &table},
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .accurate_wall_distance = 0.4f,
    .derived_size = sizeof(dfsph_derived),
    .clears_seams = true,
    .deep_seams = true,
    .density_kernel = density_kernel,
    .choose = rill_pressure_choose,
    .prepare = prepare,
    .step_first = true,
    .solve = solve,
    .max_dt = max_dt,
    .move = rill_pressure_move,
    .speed_limit = rill_pressure_speed_limit,
    .blow_up_advice = "take shorter steps (smaller dt or reach), or check whether particles start too close together",
    .effective = effective,
};
