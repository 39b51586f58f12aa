/* SPDX-License-Identifier: MIT */
/* Density integrated along the flow (`density_rule: continuity`) instead of summed over the neighbours:

     drho_i/dt = rho_i sum_j V_j (v_i - v_j) . grad W_ij                        (Monaghan 1994, Eq. 2.5)
               + delta h cs sum_j 2 V_j (rho_j - rho_i - rho0 g . (x_j - x_i)/cs^2) (x_j - x_i) . grad W_ij / r^2
                                                       (Molteni and Colagrossi 2009; Fourtakas et al. 2019)

   A sum lacks neighbours at a surface and mistakes it for stretched fluid; an integrated density does not fall off
   there. So stretched fluid may attract itself (`tension`). By the usual force this would tear it into clumps, because
   particles that attract each other by p_i + p_j form pairs. Inside the fluid, where the pressure is below zero, the
   force therefore takes the difference p_j - p_i (tensile instability control: Sun, Colagrossi, Marrone, Antuono and
   Zhang 2018). It forms no pairs, but conserves momentum only as far as the packing is even.

   An integrated density does not notice a packing that becomes uneven, so particles inside the fluid drift towards gaps
   (shifting: Sun et al. 2018, Eq. 8), just fast enough to keep a rotating square from breaking up into strings. */
#include "sim/force/field.h"
#include "sim/method/sph.h"

/* delta of the diffusion, with half the support for h. */
#define DIFFUSION 0.1f
/* A particle lies at a surface if |sum V_j grad W_ij| times the support is larger than this. At a flat surface it is
   1.2 in the first layer and 0.2 in the second. */
#define SURFACE_GRADIENT 0.6f

/* Speed of the drift over the sound speed, and R of the weight 1 + R (W/W(dx))^4 in it, which keeps pairs apart. */
#define DRIFT      0.03f
#define DRIFT_PAIR 0.2f

typedef struct carry_job {
    const rill_world *world;
    const sph_derived *derived;
    sph_carried carried;
    float inverse_value; /* 1/W(dx) */
    vec weight;          /* g/cs^2: how rho/rho0 grows with the depth of fluid at rest [1/m] */
} carry_job;

static float inverse_rho0(const carry_job *job, int i) {
    return job->derived->forces.inverse_rho0[fluids_of(job->world)[i]];
}

static void point_block(int begin, int end, void *context) {
    const carry_job *job = context;
    for (int i = begin; i < end; i++) {
        const place p = places_of(job->world)[i];
        job->carried.points[i] = (place){.x = p.x, .m = p.m * inverse_rho0(job, i)};
    }
}

static void flow_block(int begin, int end, void *context) {
    const carry_job *job = context;
    const rill_world *w = job->world;
    for (int i = begin; i < end; i++) {
        const float last = fabsf(FIELD_AS(w, FIELD_LAST_DENSITY, float)[i]);
        /* A new particle is at rest density. */
        job->carried.flow[i] = (place){.x = velocities_of(w)[i], .m = last > 0.0f ? last * inverse_rho0(job, i) : 1.0f};
    }
}

/* Sums over the neighbours of one particle. */
typedef struct carry_sums {
    wide stretch, spread;
    wide_vec gradient, pairs;
} carry_sums;

WIDE_FN carry_sums sum_neighbours(const carry_job *job, int i) {
    const lists *lists = &sim_of(job->world)->lists;
    const kernel kernel = job->derived->gradient;
    const int32_t *list = list_of(lists, i);
    const int count = list_count(lists, i);
    const wide_vec xi = wide_vec_set(job->carried.points[i].x), vi = wide_vec_set(job->carried.flow[i].x);
    const wide ratio_i = wide_set(job->carried.flow[i].m);
    const wide_vec weight = wide_vec_set(job->weight);
    carry_sums s = {wide_zero(), wide_zero(), wide_vec_zero(), wide_vec_zero()};
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x, v;
        wide volume, ratio;
        wide_gather_places(job->carried.points, list + n, &x, &volume);
        wide_gather_places(job->carried.flow, list + n, &v, &ratio);
        x = wide_vec_sub(xi, x);
        const wide r2 = wide_vec_dot(x, x), slope = volume * kernel_gradient(&kernel, r2);
        const wide near = job->inverse_value * kernel_value(&kernel, r2), near2 = near * near;
        s.stretch = s.stretch + slope * wide_vec_dot(wide_vec_sub(vi, v), x);
        s.spread = s.spread - slope * (ratio - ratio_i + wide_vec_dot(weight, x));
        s.gradient = wide_vec_along(s.gradient, slope, x);
        s.pairs = wide_vec_along(s.pairs, DRIFT_PAIR * slope * near2 * near2, x);
    }
    return s;
}

/* The walls' part of the divergence. The solid continues the fluid, and its flow relative to the wall grows in
   proportion to the distance from the wall. Adds the walls' part to `gradient`. */
static float wall_stretch(const carry_job *job, int i, vec *gradient) {
    const wall_integrals *map = &job->derived->forces.walls;
    int count;
    const wall_contact *c = contacts_of(&sim_of(job->world)->contacts, i, &count);
    float sum = 0.0f;
    for (int k = 0; k < count; k++) {
        const float away = vec_dot(c[k].normal, vec_sub(job->carried.flow[i].x, c[k].velocity));
        const float distance = fmaxf(c[k].distance, job->derived->forces.nearest_wall);
        const float uncovered = wall_uncovered(map, c, count, k);
        sum += uncovered * contact_at(map, map->moment_normal, &c[k]) * away / distance;
        *gradient = vec_along(*gradient, uncovered * contact_at(map, map->gradient, &c[k]), c[k].normal);
    }
    return sum;
}

static void rate_block(int begin, int end, void *context) {
    const carry_job *job = context;
    const float h = job->derived->gradient.h, diffusion = DIFFUSION * h * job->derived->sound_speed;
    for (int i = begin; i < end; i++) {
        const carry_sums s = sum_neighbours(job, i);
        vec gradient = wide_vec_sum(s.gradient);
        const float stretch = wide_sum(s.stretch) + wall_stretch(job, i, &gradient);
        job->carried.rate[i] = job->carried.flow[i].m * stretch + diffusion * wide_sum(s.spread);
        job->carried.inside[i] = vec_length(gradient) * h < SURFACE_GRADIENT;
        job->carried.crowd[i] = vec_add(gradient, wide_vec_sum(s.pairs));
    }
}

static void carry_block(int begin, int end, void *context) {
    const carry_job *job = context;
    const rill_world *w = job->world;
    const float *lag = FIELD_AS(w, FIELD_LAG, float);
    const float drift = DRIFT * job->derived->sound_speed * job->derived->gradient.h;
    for (int i = begin; i < end; i++) {
        vec *x = &job->carried.points[i].x;
        if (job->carried.inside[i]) *x = vec_along(*x, -drift * lag[i], job->carried.crowd[i]);
        const float rho0 = job->derived->forces.rho0[fluids_of(w)[i]];
        densities_of(w)[i] = rho0 * (job->carried.flow[i].m + lag[i] * job->carried.rate[i]);
    }
}

static void settle_block(int begin, int end, void *context) {
    const carry_job *job = context;
    for (int i = begin; i < end; i++) places_of(job->world)[i].x = job->carried.points[i].x;
}

void rill_sph_carry_ask(arena *a, sph_carried *c, int capacity) {
    ARENA_ASK(a, c->points, capacity);
    ARENA_ASK(a, c->flow, capacity);
    ARENA_ASK(a, c->rate, capacity);
    ARENA_ASK(a, c->inside, capacity);
    ARENA_ASK(a, c->crowd, capacity);
}

void rill_sph_carry(rill_world *w, const sph_derived *d, const sph_carried *carried) {
    const int n = w->particles.count, points = n + sim_of(w)->halo.count;
    const float at_spacing = kernel_value_at(&d->gradient, w->def.spacing);
    carry_job job = {.world = w,
                     .derived = d,
                     .carried = *carried,
                     .inverse_value = 1.0f / at_spacing,
                     .weight = vec_scale(field_acceleration(w), 1.0f / (d->sound_speed * d->sound_speed))};
    rill_parallel_for(w->workers, points, REDUCE_BLOCK, point_block, &job);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, flow_block, &job);
    rill_halo_exchange(w, &HALO_VALUES(job.carried.flow), 1);
    job.carried.points[points] = (place){.x = places_of(w)[points].x};
    job.carried.flow[points] = (place){0};
    rill_parallel_for(w->workers, n, LOOP_GRAIN, rate_block, &job);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, carry_block, &job);
    rill_halo_exchange(w, &HALO_PLACES(job.carried.points), 1);
    rill_parallel_for(w->workers, points, REDUCE_BLOCK, settle_block, &job);
}
