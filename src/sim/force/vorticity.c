/* SPDX-License-Identifier: MIT */
/* Vorticity confinement: see vorticity.h. */
#include "sim/force/vorticity.h"

#include "sim/neighbours/neighbours.h"

/* A gradient of |omega| below this times |omega|/h is taken for noise, not for a vortex. */
#define VORTEX_EDGE 0.5f

/* Volumes of eight neighbours. */
WIDE_FN wide volumes_of(const vorticity *v, const int32_t *list) {
    wide volume = wide_set(v->volume), unused[3];
    if (v->traits) wide_gather4(v->traits, list, &volume, &unused[0], &unused[1], &unused[2]);
    return volume;
}

static void spin_block(int begin, int end, void *context) {
    const vorticity *job = context;
    const rill_world *w = job->world;
    const lists *l = &sim_of(w)->lists;
    const kernel gradient = *job->gradient;
    const place *places = places_of(w), *moving = job->motion;
    for (int i = begin; i < end; i++) {
        const int32_t *list = list_of(l, i);
        const wide_vec xi = wide_vec_set(places[i].x), vi = wide_vec_set(moving[i].x);
        wide_vec sum = wide_vec_zero();
        for (int n = 0; n < list_count(l, i); n += WIDE) {
            wide_vec x, v;
            wide m, unused;
            wide_gather_places(places, list + n, &x, &m);
            wide_gather_places(moving, list + n, &v, &unused);
            x = wide_vec_sub(xi, x), v = wide_vec_sub(vi, v);
            const wide g = volumes_of(job, list + n) * kernel_gradient(&gradient, wide_vec_dot(x, x));
#if DIM == 2
            sum.x = sum.x + g * (v.x * x.y - v.y * x.x);
#else
            sum.x = sum.x + g * (v.y * x.z - v.z * x.y);
            sum.y = sum.y + g * (v.z * x.x - v.x * x.z);
            sum.z = sum.z + g * (v.x * x.y - v.y * x.x);
#endif
        }
#if DIM == 2
        job->spins[i] = wide_sum(sum.x);
        job->points[i].m = fabsf(job->spins[i]);
#else
        job->spins[i] = wide_vec_sum(sum);
        job->points[i].m = vec_length(job->spins[i]);
#endif
    }
}

static void confine_block(int begin, int end, void *context) {
    const vorticity *job = context;
    const lists *l = &sim_of(job->world)->lists;
    const kernel gradient = *job->gradient;
    const place *at = job->points;
    const float h = gradient.h, strength = job->strength * h;
    for (int i = begin; i < end; i++) {
        const int32_t *list = list_of(l, i);
        const wide_vec xi = wide_vec_set(at[i].x);
        const wide turn_i = wide_set(at[i].m);
        wide_vec sum = wide_vec_zero();
        for (int n = 0; n < list_count(l, i); n += WIDE) {
            wide_vec x;
            wide turn;
            wide_gather_places(at, list + n, &x, &turn);
            x = wide_vec_sub(xi, x);
            const wide g = volumes_of(job, list + n) * kernel_gradient(&gradient, wide_vec_dot(x, x));
            sum = wide_vec_along(sum, (turn - turn_i) * g, x);
        }
        const vec eta = wide_vec_sum(sum);
        const float length = vec_length(eta) + VORTEX_EDGE * at[i].m / h;
        const vec n = vec_scale(eta, length > 0.0f ? 1.0f / length : 0.0f);
        const spin s = job->spins[i];
#if DIM == 2
        const vec turned = {n.y * s, -n.x * s};
#else
        const vec turned = {n.y * s.z - n.z * s.y, n.z * s.x - n.x * s.z, n.x * s.y - n.y * s.x};
#endif
        job->motion[i].x = vec_along(job->motion[i].x, strength, turned);
    }
}

void rill_vorticity_confine(vorticity *v) {
    const rill_world *w = v->world;
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, spin_block, v);
    rill_halo_exchange(w, &HALO_PLACES(v->points), 1);
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, confine_block, v);
    rill_halo_exchange(w, &HALO_VALUES(v->motion), 1);
}
