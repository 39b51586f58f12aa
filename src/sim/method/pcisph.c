/* SPDX-License-Identifier: MIT */
/* Predictive-corrective incompressible SPH. Solenthaler and Pajarola, ACM Trans. Graph. 28(3), 2009. Equation numbers
   are the paper's. pressure_solve.c has densities, walls and the accelerations by pressure, shared with dfsph.c.

   Unknowns: pressures p_i >= 0 of one step.

   Equation: no particle is compressed at the predicted positions, and where there is pressure the density is at rest:
     rho_i(x + dt v(p)) <= rho0, with equality where p_i > 0                                              [4]

   Iteration: predict positions and densities with the present pressures, then correct the pressures,
     p_i <- max(0, p_i + gamma (rho*_i / rho0 - 1) / (dt^2 A))                                         [8, 9]
   where A is the diagonal of the operator in a full lattice, one number for all particles, computed once. There are at
   least `min_iterations`, until the densest particle is within `max_density_error`. Pressures start from zero in every
   step.

   What differs from the paper: gamma is 1/2, because the paper's A assumes that all neighbours have the particle's own
   pressure, and less for wide supports, where the operator's largest eigenvalue requires it; after `min_iterations` an
   error of half the tolerance is not corrected, so that a few particles in a corner do not lift all others; walls are
   kernel integrals. docs/methods/pcisph.md has the measured effect of each. */
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

/* Largest dt sqrt(p/rho) over dx. Pressure that starts from zero in every step is noisy and shakes a tank. Viscosity of
   thick fluids removes this noise within the step, which may then be as long as in dfsph. */
#define PRESSURE_REACH       0.2f
#define PRESSURE_REACH_THICK 0.45f
/* Times in which the step follows a rising and a falling pressure [s]. Here pressure is built up from the compression
   in every step and changes with the square of its length: steps that followed it at once would feed back on
   themselves. */
#define HEAD_RISE 0.2f
#define HEAD_FALL 0.5f
/* Compression that every step may correct if `max_density_error` is 0 (any). */
#define CORRECTED_ANYWAY 0.05f
/* Error of the density by the rounding of positions, for each spacing of distance from the origin. */
#define PLACE_ROUNDING 4e-7f
/* Share of a Jacobi step in the paper's Eq. 8, which assumes that all neighbours have the particle's own pressure. */
#define PAPER_SHARE 0.5f

enum { FIELD_LAST_PRESSURE = FIELD_METHOD };
static const field_def fields[] = {
    {"last_pressure", "Pa", "pressure of the last step, for the damping of noise", RILL_SCALAR_FLOAT, 1, 1, FIELD_SORT},
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

/* Density error that a step leaves as it is. All pressure comes from compression here, so a step that corrected a share
   of the compression would have that share of the pressure. Short steps therefore correct all of it, unless they are
   much shorter than the steps before (method_correctable_share). The limit `most` exceeds the error at which iterations
   stop, or such errors would add up from step to step. Short steps do not correct the rounding error of positions. */
static float kept_error(const pressure_solve *f, int i) {
    const rill_world *w = f->world;
    const float stop = params_of(w)->max_density_error, error = f->ratio[i] - f->rest;
    const float most = f->correction_most + (stop > 0.0f ? stop : CORRECTED_ANYWAY);
    const float rounding = PLACE_ROUNDING * (1.0f + vec_length(places_of(w)[i].x) / w->def.spacing);
    const float coarse = fminf(f->corrected, f->correction_share);
    return error - f->corrected * fminf(error, most) + (1.0f - coarse) * rounding;
}

/* The walls' share of the kernel at a pinched particle, beyond the part that counts (rill_pressure_counted_share).
   Predicted ratios contain it, and no step can correct it. The increase while the walls close does count, and drives
   the particle out. */
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

/* Share of the kernel that lies in solids, at the predicted position of the particle. */
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

/* The neighbours' part of the density ratio at the predicted positions of particle i and its neighbours (Eq. 4 with
   x*), before lanes are added up. */
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

/* The predicted density ratio of particle i; `others` is its neighbours' part. */
static inline float predicted_ratio(const pressure_solve *f, int i, float self, float others) {
    int walls;
    const wall_contact *c = contacts_of(&sim_of(f->world)->contacts, i, &walls);
    return places_of(f->world)[i].m * f->motion[i].m * self + others + predicted_share(f, i, c, walls);
}

typedef struct correction {
    const pressure_solve *solve;
    float share; /* of a Jacobi step that is taken */
    float slack; /* compression that is not corrected */
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

/* Predicts densities and corrects pressures: p += delta (rho* - rho0) (Eq. 9), never below zero. */
static totals correct_block(int begin, int end, void *context) {
    const correction *c = context;
    kernel kernel = c->solve->d->kernel;
    if (kernel.kind != KERNEL_CUBIC) return correct_range(c, begin, end, &kernel);
    kernel.kind = KERNEL_CUBIC; /* the usual kernel, constant here: its loop has no branch for the kind */
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
        /* Without slack, iterations for a few particles that stay too dense would make all the others spring up. */
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

/* Number of layers of still water up to which the rms speed was measured to stay below 1 % of sqrt(g H). It is 0.4 % at
   200. */
#define CALM_LAYERS 200

/* Iterations and errors of the last step, by the key that limits them, and values in use. `calm_layers` is for `rill
   check`. */
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
    .blow_up_advice = "take shorter steps: PCISPH needs about ten in 16 ms",
    .effective = effective,
};
