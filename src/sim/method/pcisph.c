/* SPDX-License-Identifier: MIT */
/* Predictive-corrective incompressible SPH. Solenthaler and Pajarola, ACM Trans. Graph. 28(3), 2009; equation numbers
   are the paper's, "Eq." with a page those of docs/methods/dfsph.md. pressure_solve.c has densities, walls and what a
   pressure does, shared with dfsph.c.

   Unknowns: pressures p_i >= 0 of one step.

   Equation: the density at the predicted positions is that at rest, where there is pressure:
     rho_i(x + dt v(p)) <= rho0, with equality where p_i > 0                                              [4]

   Iteration: positions and densities are predicted with the pressures as they are, and
     p_i <- max(0, p_i + gamma (rho*_i / rho0 - 1) / (dt^2 A))                                         [8, 9]
   where A is the diagonal of the operator in a full lattice: one number for all particles, computed once. At least
   `min_iterations`, until the densest particle is within `max_density_error`. Pressures begin at zero in every step.

   What differs from the paper: gamma is 1/2, since the paper's A takes all neighbours to have the particle's own
   pressure, and less for wide supports, where the operator's largest eigenvalue asks for it; after the first iterations
   half of the tolerance is left alone, so that a few particles in a corner do not lift all others; walls by kernel
   integrals. docs/methods/pcisph.md has what each was measured to do. */
#include "sim/force/noise_damping.h"
#include "sim/method/pressure_solve.h"

#include <string.h>

typedef struct pcisph_params {
    float max_density_error, density_error;
    int32_t min_iterations, max_iterations;
    float particle_volume;
    int32_t kernel; /* kernel_kind */
    float reach, noise_damping;
} pcisph_params;

static const rill_param rows[] = {
    ROW_NUMBER(pcisph_params, max_density_error, RILL_PURE, 0, 1, 0.01,
               "predicted compression of the densest particle at which iterations stop; 0: any", "paper, Alg. 2"),
    ROW_NUMBER(pcisph_params, density_error, RILL_PURE, 0, 1, 0,
               "mean predicted compression at which iterations stop; 0: any", NULL),
    ROW_INT(pcisph_params, min_iterations, 1, 1000, 3, "fewest iterations", "paper, Alg. 2"),
    ROW_INT(pcisph_params, max_iterations, 1, 10000, 50, "most iterations", NULL),
    ROW_NUMBER(pcisph_params, particle_volume, RILL_PURE, 0.5, 1, 1,
               "volume of a particle as a share of the true one; SPlisHSPlasH has 0.8", NULL),
    ROW_CHOICE(pcisph_params, kernel, KERNEL_CHOICES, KERNEL_AUTO,
               "kernel of density and pressure; auto: that of the quality", "docs/kernels.md"),
    ROW_NUMBER(pcisph_params, reach, RILL_PURE, 0.01, 2, 0.4,
               "longest distance that a particle moves in an adaptive step, in spacings", NULL),
    ROW_NUMBER(pcisph_params, noise_damping, RILL_PURE, -1, 1, -1,
               "alpha of the viscosity alpha dx sqrt(p/rho), which damps the rearrangement of packings; below 0: 0.04, "
               "or 0.02 "
               "if quality is accurate",
               "docs/methods/pcisph.md"),
};
static const rill_table table = TABLE("pcisph", "predictive-corrective incompressible SPH", pcisph_params, rows);

/* dt sqrt(p/rho) in spacings, at most. Pressure that a step builds up afresh is noisy and shakes a tank; where
   viscosity takes that away within the step, steps may be as long as dfsph's. */
#define PRESSURE_REACH       0.2f
#define PRESSURE_REACH_THICK 0.45f
/* Pressure that every step builds up afresh from the compression changes with the square of the step: steps that
   followed it at once would follow themselves [s]. */
#define HEAD_RISE 0.2f
#define HEAD_FALL 0.5f
/* Compression that a step corrects in any case where `max_density_error` is 0. */
#define CORRECTED_ANYWAY 0.05f
/* Compression that a place of one spacing is rounded by, with those of its neighbours. */
#define PLACE_ROUNDING 4e-7f
/* Share of a Jacobi step in the paper's Eq. 8, which takes all neighbours to have the particle's own pressure. */
#define PAPER_SHARE 0.5f

enum { FIELD_LAST_PRESSURE = FIELD_METHOD };
static const field_def fields[] = {
    {"last_pressure", "Pa", "of the last step, for the damping of noise", RILL_SCALAR_FLOAT, 1, 1, FIELD_SORT},
};

typedef struct pcisph_derived {
    pressure_derived pressure;
    int iterations;
    pressure_error error;
} pcisph_derived;

static const pcisph_params *params_of(const rill_world *w) {
    return method_params(w);
}

static pcisph_derived *derived_of(const rill_world *w) {
    return sim_of(w)->method_data.data;
}

static kernel_kind density_kernel(const rill_world *w) {
    return method_kernel(w, params_of(w)->kernel, KERNEL_CUBIC);
}

static rill_status prepare(rill_world *w) {
    const pcisph_params *p = params_of(w);
    const pressure_setting setting = {.kernel = density_kernel(w),
                                      .particle_volume = p->particle_volume,
                                      .noise_damping = noise_damping(w, p->noise_damping),
                                      .reach = p->reach,
                                      .pressure_reach = PRESSURE_REACH,
                                      .head_rise = HEAD_RISE,
                                      .head_fall = HEAD_FALL};
    pressure_derived *d = &derived_of(w)->pressure;
    TRY(rill_pressure_prepare(w, d, &setting));
    if (rill_forces_are_thick(w, &d->forces)) d->setting.pressure_reach = PRESSURE_REACH_THICK;
    return RILL_OK;
}

/* The paper's Eq. 8 without its 2 dt^2: 1/(beta sum grad W . grad W) of a full lattice. */
static void diagonal_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    for (int i = begin; i < end; i++) {
        const float specific = f->d->specific_volume[fluids_of(f->world)[i]];
        f->inverse_diagonal[i] = 1.0f / (specific * f->d->lattice_diagonal);
    }
}

/* The density error that a step may leave as it is. All pressure comes from compression here, and a share of it would
   be that share of the pressure: short steps correct all of it, too, as long as those before were as short. They
   correct more than the error at which iterations stop, or those errors would add up. A step much shorter than those
   before corrects less. Short steps leave the error by the rounding of places. */
static float kept_error(const pressure_solve *f, int i) {
    const rill_world *w = f->world;
    const float stop = params_of(w)->max_density_error, error = f->ratio[i] - f->rest;
    const float most = f->correction_most + (stop > 0.0f ? stop : CORRECTED_ANYWAY);
    const float rounding = PLACE_ROUNDING * (1.0f + vec_length(places_of(w)[i].x) / w->def.spacing);
    const float coarse = fminf(f->corrected, f->correction_share);
    return error - f->corrected * fminf(error, most) + (1.0f - coarse) * rounding;
}

/* What walls that pinch a particle take of the kernel beyond what counts: predicted ratios have it, and no step can
   correct it. What the walls add while they close counts, and drives the particle out. */
static float pinched_excess(const pressure_solve *f, int i) {
    int count;
    const wall_contact *c = contacts_of(&sim_of(f->world)->contacts, i, &count);
    if (count < 2) return 0.0f;
    const float share = wall_share(&f->d->forces.walls, c, count);
    return share - rill_pressure_counted_share(f, c, count, share);
}

static void start_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    const rill_world *w = f->world;
    for (int i = begin; i < end; i++) {
        f->points[i] = (place){.x = places_of(w)[i].x};
        f->start[i] = velocities_of(w)[i];
        f->motion[i].m = f->d->specific_volume[fluids_of(w)[i]];
        f->source_term[i] = kept_error(f, i) + pinched_excess(f, i);
    }
}

/* Share of the kernel that lies in the walls where the particle will be. */
static float predicted_share(const pressure_solve *f, int i, const wall_contact *c, int count) {
    const wall_integrals *map = &f->d->forces.walls;
    float open = 1.0f, sum = 0.0f;
    for (int k = 0; k < count; k++) {
        wall_contact ahead = c[k];
        ahead.distance += f->dt * vec_dot(c[k].normal, vec_sub(f->motion[i].x, c[k].velocity));
        const float share = contact_at(map, map->value, &ahead);
        open *= 1.0f - share;
        sum += share;
    }
    return map->additive ? sum : 1.0f - open;
}

/* Sum of the density ratio where particle i and its neighbours will be (paper, Eq. 4, with x*), before lanes are added
   up. */
WIDE_FN wide predicted_sum(const pressure_solve *f, int i, const kernel *kernel) {
    const sim *sim = sim_of(f->world);
    const place *places = places_of(f->world);
    const int32_t *list = list_of(&sim->lists, i);
    const int count = list_count(&sim->lists, i);
    const wide_vec xi = wide_vec_set(vec_along(places[i].x, f->dt, f->motion[i].x));
    const wide dt = wide_set(f->dt);
    wide sum = wide_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x, v;
        wide mass, specific;
        wide_prefetch(list, n);
        wide_gather_places(places, list + n, &x, &mass);
        wide_gather_places(f->motion, list + n, &v, &specific);
        x = wide_vec_sub(xi, wide_vec_along(x, dt, v));
        sum = sum + mass * specific * kernel_value(kernel, wide_vec_dot(x, x));
    }
    return sum;
}

/* The ratio of particle i, whose neighbours add `others` to it. */
static inline float predicted_ratio(const pressure_solve *f, int i, float self, float others) {
    int walls;
    const wall_contact *c = contacts_of(&sim_of(f->world)->contacts, i, &walls);
    return places_of(f->world)[i].m * f->motion[i].m * self + others + predicted_share(f, i, c, walls);
}

typedef struct correction {
    const pressure_solve *solve;
    float share; /* of a Jacobi step that is taken */
    float slack; /* compression that is left alone */
} correction;

static inline void correct(const correction *correct, int i, float ratio, pressure_error *sum) {
    const pressure_solve *f = correct->solve;
    const float step = correct->share / (f->dt * f->dt), error = ratio - f->rest - f->source_term[i];
    const float excess = error - correct->slack, dense = excess > 0.0f ? excess : 0.0f;
    const float next = f->points[i].m + step * f->inverse_diagonal[i] * (error > 0.0f ? dense : error);
    f->points[i].m = next > 0.0f ? next : 0.0f;
    if (!(error > 0.0f)) return;
    sum->mean += (double)error;
    sum->most = error > sum->most ? error : sum->most;
}

WIDE_FN totals correct_range(const correction *c, int begin, int end, const kernel *kernel) {
    const pressure_solve *f = c->solve;
    const float self = kernel_value_at(kernel, 0.0f);
    pressure_error sum = {0};
    wide sums[WIDE] = {{0}};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) sums[k] = predicted_sum(f, i + k, kernel);
        const wide others = wide_sum_each(sums);
        for (int k = 0; k < count; k++) correct(c, i + k, predicted_ratio(f, i + k, self, others[k]), &sum);
    }
    return pressure_part(sum);
}

/* Predicts densities and corrects pressures: p += delta (rho* - rho0) (paper, Eq. 9), never below zero. */
static totals correct_block(int begin, int end, void *context) {
    const correction *c = context;
    kernel kernel = c->solve->d->kernel;
    if (kernel.kind != KERNEL_CUBIC) return correct_range(c, begin, end, &kernel);
    kernel.kind = KERNEL_CUBIC; /* the usual one: a loop that does not ask which */
    return correct_range(c, begin, end, &kernel);
}

static void end_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    const rill_world *w = f->world;
    for (int i = begin; i < end; i++) {
        velocities_of(w)[i] = f->motion[i].x;
        pressures_of(w)[i] = FIELD_AS(w, FIELD_LAST_PRESSURE, float)[i] = f->points[i].m;
    }
}

static bool reached(const pcisph_params *p, pressure_error error, int iterations) {
    if (iterations >= p->max_iterations) return true;
    return iterations >= p->min_iterations && (p->max_density_error <= 0.0f || error.most <= p->max_density_error) &&
           (p->density_error <= 0.0f || error.mean <= (double)p->density_error);
}

static rill_status solve(rill_world *w, double dt) {
    pcisph_derived *d = derived_of(w);
    pressure_solve f;
    const rill_status status = rill_pressure_begin(&f, w, &d->pressure, dt);
    if (status != RILL_OK || w->particles.count == 0) return status;
    f.corrected = method_correctable_share(&w->derived[FLOW_REFERENCE], dt);
    rill_pressure_measure(&f);
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, diagonal_block, &f);
    correction correct = {.solve = &f, .share = rill_pressure_relaxation(&f, f.inverse_diagonal, PAPER_SHARE)};
    TRY(rill_pressure_push(&f, FIELD_AS(w, FIELD_LAST_PRESSURE, float)));
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, start_block, &f);
    rill_give_way_find(&f.bodies, GIVE_WAY_DENSITY);
    rill_pressure_accelerate(&f);
    rill_pressure_give_way(&f);
    d->iterations = 0;
    do {
        d->error = rill_pressure_reduce(&f, correct_block, &correct);
        rill_pressure_accelerate(&f);
        rill_pressure_give_way(&f);
        d->iterations++;
        /* A few particles that stay too dense must not make the others, which are dense enough, spring up. */
        if (d->iterations >= params_of(w)->min_iterations) correct.slack = 0.5f * params_of(w)->max_density_error;
    } while (!reached(params_of(w), d->error, d->iterations));
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, end_block, &f);
    rill_give_way_keep(&f.bodies);
    rill_pressure_keep_pushes(&f);
    w->stats.iterations = d->iterations;
    return RILL_OK;
}

static double max_dt(rill_world *w) {
    return rill_pressure_max_dt(w, &derived_of(w)->pressure, FIELD_AS(w, FIELD_LAST_PRESSURE, float));
}

/* Layers of still water up to which its rms speed was measured to stay below 1 % of sqrt(g H): 0.4 % at 200. */
#define CALM_LAYERS 200

/* Iterations and errors of the last step by the key that limits them, and the depth that `rill check` asks for. */
static bool effective(const rill_world *w, const char *key, double *value) {
    const pcisph_derived *d = derived_of(w);
    if (strcmp(key, "max_iterations") == 0)
        *value = d->iterations;
    else if (strcmp(key, "max_density_error") == 0)
        *value = (double)d->error.most;
    else if (strcmp(key, "density_error") == 0)
        *value = d->error.mean;
    else if (strcmp(key, "calm_layers") == 0)
        *value = CALM_LAYERS;
    else if (strcmp(key, "noise_damping") == 0)
        *value = (double)d->pressure.setting.noise_damping;
    else
        return false;
    return true;
}

const method SIM_NAME(rill_pcisph_method) = {
    .info = {.name = "pcisph",
             .title = "Predictive-corrective incompressible SPH",
             .citation = "Solenthaler and Pajarola 2009, doi:10.1145/1531326.1531346",
             .about = "Corrects pressures until the predicted density is at rest. Longer steps than an equation of "
                      "state allows; the paper on Position Based Fluids compares itself with it.",
             .best_for = "comparing with published SPH",
             .table = &table},
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .derived_size = sizeof(pcisph_derived),
    .deep_seams = true,
    .density_kernel = density_kernel,
    .choose = rill_pressure_choose,
    .prepare = prepare,
    .step_first = true,
    .solve = solve,
    .max_dt = max_dt,
    .move = rill_pressure_move,
    .speed_limit = rill_pressure_speed_limit,
    .blow_up_advice = "take shorter steps: PCISPH needs some ten in 16 ms",
    .effective = effective,
};
