/* SPDX-License-Identifier: MIT */
/* Viscosity impulses (Algorithm 5), pair by pair, between particles that approach each other. They act on the
   velocities at the start of the step and the places there: a particle is predicted before its neighbours are searched,
   so what an impulse changes of the prediction is added to it. An impulse never turns an approach around. */
#include "sim/method/clavet.h"

static void begin_range(int begin, int end, void *context) {
    const clavet_job *job = context;
    const rill_world *w = job->world;
    for (int i = begin; i < end; i++) {
        job->shifts[i].x = velocities_of(w)[i];
        job->starts[i] = vec_along(places_of(w)[i].x, -job->dt, velocities_of(w)[i]);
    }
}

static void end_range(int begin, int end, void *context) {
    const clavet_job *job = context;
    const rill_world *w = job->world;
    for (int i = begin; i < end; i++)
        job->shifts[i].x = vec_scale(vec_sub(job->shifts[i].x, velocities_of(w)[i]), job->dt);
}

/* Where entry k of a list was at the start of the step: an image is as far from its particle as it is now. */
static inline vec start_of(const clavet_job *job, int32_t k, int32_t owner) {
    if (k == owner) return job->starts[k];
    const place *places = places_of(job->world);
    return vec_add(job->starts[owner], vec_sub(places[k].x, places[owner].x));
}

static void rub(const clavet_job *job, int i, int32_t k, int32_t j) {
    const rill_world *w = job->world;
    const clavet_matter *a = clavet_matter_of(job, i), *b = clavet_matter_of(job, j);
    const vec d = vec_sub(start_of(job, k, j), job->starts[i]);
    const float h = w->support, r2 = vec_dot(d, d);
    if (!(r2 < h * h && r2 > 0.0f)) return;
    const float r = sqrtf(r2);
    const float approach = vec_dot(vec_sub(job->shifts[i].x, job->shifts[j].x), d) / r; /* [m/s] */
    if (!(approach > 0.0f)) return;
    const float speed = approach * ((float)CLAVET_TICK / h);
    const float rate = 0.5f * ((a->sigma + b->sigma) + (a->beta + b->beta) * speed);
    const float part = fminf(job->ticks * (1.0f - r / h) * rate, 1.0f);
    const vec impulse = vec_scale(d, part * approach / r);
    const float share = clavet_share(&places_of(w)[i], &places_of(w)[j]);
    job->shifts[i].x = vec_along(job->shifts[i].x, -share, impulse);
    job->shifts[j].x = vec_along(job->shifts[j].x, 1.0f - share, impulse);
}

static void viscosity_row(const clavet_job *job, int i, bool images) {
    const lists *l = &sim_of(job->world)->lists;
    const int32_t *list = list_of(l, i);
    for (int n = 0; n < list_count(l, i); n++) {
        const int32_t j = images ? halo_owner(job->world, list[n]) : list[n];
        if (j > i) rub(job, i, list[n], j);
    }
}

void rill_clavet_viscosity(clavet_job *job) {
    const rill_world *w = job->world;
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, begin_range, job);
    rill_clavet_sweep(job, viscosity_row);
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, end_range, job);
}
