/* SPDX-License-Identifier: MIT */
/* The density constraints of Projective Fluids (Weiler, Koschier and Bender 2016, sections 3.2 to 3.4), as a kind of
   constraints for sim/solve/local_global.c.

   A constraint projects its own copies of its particle and neighbours along its gradient until they are no denser than
   at rest: p = x + lambda grad C, in one Newton round with lambda = -C/|grad C|^2 (Eq. 11). No copies are stored,
   because both particles of a pair can compute its gradient: a particle gathers the pull of all constraints around it,
   sum_i w (p_i - x) = w sum_j V (lambda_i + lambda_j) grad W_ij. Distances of the projection are weighted with masses,
   so that a pair of unequal particles conserves momentum. */
#include "sim/method/projective.h"

/* Least |grad C|^2, over that of a full lattice. Particles pressed onto one spot have almost none, and would throw each
   other far apart. */
#define LEAST_SQUARES 0.1f

/* ---- multipliers: the local step ---- */

/* Sums of the constraints of eight particles, before their lanes are added up in one go. */
typedef struct row_sums {
    wide density[WIDE], squares[WIDE];
    wide_vecs gradient;
} row_sums;

/* Sums of the constraint of particle i, the kth of eight, over eight neighbours at a time. The flags are constant at
   each call, so that the inlined loop has no branch for them. */
WIDE_FN void sum_row(const projective_job *job, int i, bool cubic, bool uniform, row_sums *all, int k) {
    const lists *l = &sim_of(job->world)->lists;
    const row_kernels pair = job->derived->rows.pair;
    const place *at = job->frame.at;
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    const wide_vec xi = wide_vec_set(at[i].x);
    wide density = wide_zero(), squares = wide_zero();
    wide_vec gradient = wide_vec_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide unused, w, g, slope2;
        wide_prefetch(list, n);
        wide_gather_places(at, list + n, &x, &unused);
        x = wide_vec_sub(xi, x);
        row_kernels_of(&pair, cubic, wide_vec_dot(x, x), &w, &g, &slope2);
        if (!uniform) {
            wide volume, inverse_mass, mu;
            wide_gather4((const float *)job->traits, list + n, &volume, &inverse_mass, &mu, &unused);
            w = volume * w, g = volume * g, slope2 = inverse_mass * (volume * volume) * slope2;
        }
        density = density + w;                     /* Eq. 7 */
        squares = squares + slope2;                /* |grad C|^2 of the neighbours */
        gradient = wide_vec_along(gradient, g, x); /* grad C of the particle itself */
    }
    all->density[k] = density, all->squares[k] = squares;
    wide_vecs_put(&all->gradient, k, gradient);
}

static __attribute__((noinline)) void add_walls(const projective_job *job, int i, int count, wide *c,
                                                wide_vec *gradient) {
    for (int k = 0; k < count; k++) {
        int walls;
        int32_t first;
        const wall_contact *contact = row_contacts(job->world, i + k, &walls, &first);
        if (walls == 0) continue;
        float share = (*c)[k];
        vec slope = wide_vec_get(gradient, k);
        row_add_walls(&job->derived->rows.forces.walls, contact, walls, job->frame.shifts[i + k].ahead,
                      job->holds + first, &share, &slope);
        (*c)[k] = share;
        wide_vec_put(gradient, k, slope);
    }
}

/* The walls' share in the density of particle i, at a distance `away` from where it is evaluated. */
static float walls_at(const projective_job *job, int i, vec away) {
    const wall_integrals *map = &job->derived->rows.forces.walls;
    int count;
    const wall_contact *c = contacts_of(&sim_of(job->world)->contacts, i, &count);
    const vec shift = vec_add(job->frame.shifts[i].ahead, away);
    float open = 1.0f, sum = 0.0f;
    for (int k = 0; k < count; k++) {
        const float share = c[k].scale * wall_integral_at(map, map->value, c[k].distance + vec_dot(shift, c[k].normal));
        open *= 1.0f - share, sum += share;
    }
    return map->additive ? sum : 1.0f - open;
}

/* The constraint of particle i on its copies, after they moved along its gradient by lambda. */
static float projected(const projective_job *job, int i, vec gradient, float lambda) {
    const density_rows *rows = &job->derived->rows;
    const lists *l = &sim_of(job->world)->lists;
    const place *at = job->frame.at;
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    const bool cubic = rows_are_cubic(rows);
    const row_trait own = job->traits ? job->traits[i] : (row_trait){rows->volume, 1.0f, 0, 0};
    const vec moved = vec_scale(gradient, lambda * own.inverse_mass);
    const wide_vec xi = wide_vec_set(at[i].x), away = wide_vec_set(moved);
    wide density = wide_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide unused, w, g, slope2, mu, volume = wide_set(rows->volume), inverse_mass = wide_set(1.0f);
        wide_gather_places(at, list + n, &x, &unused);
        if (job->traits) wide_gather4((const float *)job->traits, list + n, &volume, &inverse_mass, &mu, &unused);
        x = wide_vec_sub(xi, x);
        row_kernels_of(&rows->pair, cubic, wide_vec_dot(x, x), &w, &g, &slope2);
        /* x_i - x_j after both have moved; the neighbour moves against the gradient of the pair */
        x = wide_vec_along(wide_vec_along(x, lambda * inverse_mass * volume * rows->pair.slope_scale * g, x),
                           wide_set(1.0f), away);
        row_kernels_of(&rows->pair, cubic, wide_vec_dot(x, x), &w, &g, &slope2);
        density = density + volume * w;
    }
    return rows->pair.value_scale * wide_sum(density) + own.volume * rows->self + walls_at(job, i, moved) - 1.0f;
}

/* Newton rounds after the first. They use |grad C|^2 of the first, which hardly changes. */
static __attribute__((noinline)) float project_on(const projective_job *job, int i, vec gradient, float squares,
                                                  float lambda) {
    for (int k = 1; k < job->params->newton; k++) {
        const float c = projected(job, i, gradient, lambda);
        lambda -= c / squares;
        if (fabsf(c) < 1e-7f) break; /* the resolution of floats */
    }
    return fminf(lambda, 0.0f);
}

/* Finds W lambda of `count` particles from i on, eight at most (Eq. 11). */
WIDE_FN void find_multipliers(const projective_job *job, int i, int count, bool uniform, const row_sums *s) {
    const density_rows *d = &job->derived->rows;
    wide volume, inverse_mass;
    row_traits_of(d, job->traits, i, uniform, &volume, &inverse_mass);
    const wide scale = uniform ? volume : wide_set(1.0f), slope = scale * d->pair.slope_scale;
    wide c = scale * d->pair.value_scale * wide_sum_each(s->density) + volume * d->self - 1.0f; /* Eq. 8 */
    wide_vec gradient = wide_vec_scale(wide_vecs_sum(&s->gradient), slope);
    if (any_at_wall(&sim_of(job->world)->contacts, i, count)) add_walls(job, i, count, &c, &gradient);
    const wide squares =
        wide_max(slope * slope * wide_sum_each(s->squares) + inverse_mass * wide_vec_dot(gradient, gradient),
                 inverse_mass * (LEAST_SQUARES * d->s_ref));
    const wide counts = c - job->remembered * wide_load(compressions_of(job->world) + i);
    /* minus the compression that acts */
    const wide acts = wide_max(-wide_max(counts, wide_zero()), wide_set(-job->derived->compression_max));
    const wide lambda = acts / squares;
    for (int k = 0; k < count; k++) {
        float l = lambda[k];
        if (job->params->newton > 1 && l < 0.0f) l = project_on(job, i + k, wide_vec_get(&gradient, k), squares[k], l);
        job->position_lambda[i + k] = (place){.x = job->frame.at[i + k].x, .m = job->weight * l};
        densities_of(job->world)[i + k] = c[k]; /* for error_block, until the density replaces it */
    }
}

WIDE_FN void multiplier_range(const projective_job *job, int begin, int end, bool cubic, bool uniform) {
    row_sums s = {0};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) sum_row(job, i + k, cubic, uniform, &s, k);
        find_multipliers(job, i, count, uniform, &s);
    }
}

/* One loop for each case, so that none has branches for the flags. */
static void multiplier_block(int begin, int end, void *context) {
    const projective_job *job = context;
    const bool cubic = rows_are_cubic(&job->derived->rows);
    if (cubic && job->derived->rows.uniform)
        multiplier_range(job, begin, end, true, true);
    else if (cubic)
        multiplier_range(job, begin, end, true, false);
    else if (job->derived->rows.uniform)
        multiplier_range(job, begin, end, false, true);
    else
        multiplier_range(job, begin, end, false, false);
}

/* ---- pulls, which the global step takes ---- */

/* The pull of the constraints around particle i, before lanes are added up. */
WIDE_FN wide_vec sum_pulls(const projective_job *job, int i, bool cubic, bool uniform) {
    const lists *l = &sim_of(job->world)->lists;
    const row_kernels pair = job->derived->rows.pair;
    const place *position_lambda = job->position_lambda;
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    const wide_vec xi = wide_vec_set(position_lambda[i].x);
    const wide li = wide_set(position_lambda[i].m);
    const float vi = uniform ? 0.0f : job->traits[i].volume;
    wide_vec sum = wide_vec_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide lambda, w, g, slope2;
        wide_prefetch(list, n);
        wide_gather_places(position_lambda, list + n, &x, &lambda);
        x = wide_vec_sub(xi, x);
        row_kernels_of(&pair, cubic, wide_vec_dot(x, x), &w, &g, &slope2);
        lambda = row_pair_multiplier(job->traits, list + n, uniform, li, vi, lambda);
        sum = wide_vec_along(sum, lambda * g, x);
    }
    return sum;
}

/* Adds the pull of walls on particle i to `pull`, that of its neighbours. The solid continues the fluid, first with the
   particle's own multiplier, then with the gradient of the multipliers. */
static __attribute__((noinline)) vec pull_of_walls(const projective_job *job, int i, vec pull) {
    int count;
    int32_t first;
    const wall_contact *c = row_contacts(job->world, i, &count, &first);
    const row_hold *hold = job->holds + first;
    vec *wall_pull = job->frame.wall_pull + first;
    const float twice = 2.0f * job->position_lambda[i].m * (job->traits ? job->traits[i].inverse_mass : 1.0f);
    for (int k = 0; k < count; k++) pull = vec_along(pull, twice * hold[k].push, c[k].normal);
    for (int k = 0; k < count; k++) {
        const vec corrected = row_wall_corrected(&hold[k], c[k].normal, pull);
        const vec push = vec_along(vec_sub(corrected, pull), twice * hold[k].push, c[k].normal);
        pull = corrected;
        wall_pull[k] = vec_add(wall_pull[k], push);
    }
    return pull;
}

WIDE_FN void pull_range(const projective_job *job, int begin, int end, bool cubic, bool uniform) {
    wide_vecs sums = {0};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) wide_vecs_put(&sums, k, sum_pulls(job, i + k, cubic, uniform));
        wide volume, inverse_mass;
        row_traits_of(&job->derived->rows, job->traits, i, uniform, &volume, &inverse_mass);
        const wide scale = (uniform ? volume : inverse_mass) * job->derived->rows.pair.slope_scale;
        const wide_vec pulls = wide_vec_scale(wide_vecs_sum(&sums), scale);
        const bool walls = any_at_wall(&sim_of(job->world)->contacts, i, count);
        for (int k = 0; k < count; k++) {
            vec pull = wide_vec_get(&pulls, k);
            if (walls && any_at_wall(&sim_of(job->world)->contacts, i + k, 1)) pull = pull_of_walls(job, i + k, pull);
            job->frame.pull[i + k] = vec_add(job->frame.pull[i + k], pull);
            job->frame.value_pull[i + k] += job->position_lambda[i + k].m;
        }
    }
}

static void pull_block(int begin, int end, void *context) {
    const projective_job *job = context;
    const bool cubic = rows_are_cubic(&job->derived->rows);
    if (cubic && job->derived->rows.uniform)
        pull_range(job, begin, end, true, true);
    else if (cubic)
        pull_range(job, begin, end, true, false);
    else if (job->derived->rows.uniform)
        pull_range(job, begin, end, false, true);
    else
        pull_range(job, begin, end, false, false);
}

static void project(void *context) {
    projective_job *job = context;
    parallel *workers = job->world->workers;
    const int n = fluid_count(job->world);
    rill_parallel_for(workers, n, LOOP_GRAIN, multiplier_block, job);
    rill_halo_exchange(job->world, &HALO_PLACES(job->position_lambda), 1);
    rill_parallel_for(workers, n, LOOP_GRAIN, pull_block, job);
}

/* ---- the matrix ---- */

/* The diagonal of A. In the paper (D = P = I, section 3.4) every constraint that contains a particle adds w. These
   never all pull it the same way: in a lattice the largest eigenvalue of their sum is a tenth of their number. It is
   enough for convergence, and because it is the same for all particles, momentum is conserved. */
static void weigh_block(int begin, int end, void *context) {
    const projective_job *job = context;
    const bool all =
        job->params->diagonal == DIAGONAL_NEIGHBOURS || job->params->coordinates == COORDINATES_DIFFERENTIAL;
    for (int i = begin; i < end; i++) {
        const float members = all ? (float)(list_count(&sim_of(job->world)->lists, i) + 1) : job->derived->members;
        job->diagonal[i] += job->weight * job->share * members;
    }
}

static void weigh(void *context, float *diagonal) {
    projective_job *job = context;
    job->diagonal = diagonal;
    rill_parallel_for(job->world->workers, fluid_count(job->world), REDUCE_BLOCK, weigh_block, job);
}

/* Sum of `values` over the neighbours of particle i, weighted with masses if `mass` is not NULL, which gets the sum of
   the masses. Used for differential coordinates (Bouaziz et al. 2014): a constraint then holds the positions of its
   particles relative to their mean, so that it does not resist a motion of their centre of mass. */
WIDE_FN vec sum_around(const projective_job *job, const place *values, int i, float *mass) {
    const lists *l = &sim_of(job->world)->lists;
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    wide_vec sum = wide_vec_zero();
    wide masses = wide_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec v, x;
        wide unused, m = wide_set(1.0f);
        wide_gather_places(values, list + n, &v, &unused);
        if (mass) wide_gather_places(places_of(job->world), list + n, &x, &m);
        masses = masses + m;
        sum = wide_vec_along(sum, m, v);
    }
    if (mass) *mass = wide_sum(masses);
    return wide_vec_sum(sum);
}

static void mean_block(int begin, int end, void *context) {
    const projective_job *job = context;
    for (int i = begin; i < end; i++) {
        const float m = places_of(job->world)[i].m;
        float mass;
        const vec sum = sum_around(job, job->direction, i, &mass);
        job->means[i] = (place){.x = vec_scale(vec_along(sum, m, job->direction[i].x), 1.0f / (mass + m))};
    }
}

static void couple_block(int begin, int end, void *context) {
    const projective_job *job = context;
    const float scale = job->weight * job->share;
    for (int i = begin; i < end; i++) {
        const vec sum = vec_add(sum_around(job, job->means, i, NULL), job->means[i].x);
        job->image[i] = vec_along(job->image[i], -scale, sum);
    }
}

static void couple(void *context, const place *direction, vec *image) {
    projective_job *job = context;
    parallel *workers = job->world->workers;
    const int n = job->world->particles.count;
    job->direction = direction, job->image = image;
    rill_parallel_for(workers, n, LOOP_GRAIN, mean_block, job);
    job->means[n + sim_of(job->world)->halo.count] = (place){0};
    rill_halo_exchange(job->world, &HALO_VALUES(job->means), 1);
    rill_parallel_for(workers, n, LOOP_GRAIN, couple_block, job);
}

constraints rill_projective_density_kind(projective_job *job) {
    const bool differential = job->params->coordinates == COORDINATES_DIFFERENTIAL;
    return (constraints){.context = job, .project = project, .weigh = weigh, .couple = differential ? couple : NULL};
}
