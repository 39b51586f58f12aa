/* SPDX-License-Identifier: MIT */
/* Viscosity impulses (Algorithm 5), pair by pair, between particles that approach each other. They use the positions at
   the start of the step. Particles are predicted before neighbours are searched, so an impulse changes the prediction
   afterwards: its change of velocity times dt becomes a displacement. An impulse never reverses an approach. */
#include "sim/method/clavet.h"

static void begin_range(int begin, int end, void *context) {
    const clavet_job *job = context;
    const rill_world *w = job->world;
    for (int i = begin; i < end; i++) {
        job->shifts[i].x = velocities_of(w)[i];
        job->starts[i] = (place){.x = vec_along(places_of(w)[i].x, -job->dt, velocities_of(w)[i])};
    }
}

static void end_range(int begin, int end, void *context) {
    const clavet_job *job = context;
    const rill_world *w = job->world;
    for (int i = begin; i < end; i++)
        job->shifts[i].x = vec_scale(vec_sub(job->shifts[i].x, velocities_of(w)[i]), job->dt);
}

/* Values that a loop over pairs reads for each pair. They are copied once, because the compiler cannot know that the
   stores of the loop do not change them. */
typedef struct pair_loop {
    const clavet_job *job;
    place *shifts, *starts;
    float h2, per_h, ticks;
    float sigmas, betas; /* of two particles of the first fluid */
    bool alone, uniform;
} pair_loop;

static inline pair_loop loop_over(const clavet_job *job) {
    const rill_world *w = job->world;
    const clavet_matter *first = &job->derived->matter[first_fluid(w) - POOL_ITEMS(w, fluid)];
    return (pair_loop){.job = job,
                       .shifts = job->shifts,
                       .starts = job->starts,
                       .h2 = w->support * w->support,
                       .per_h = 1.0f / w->support,
                       .ticks = job->ticks,
                       .sigmas = first->sigma + first->sigma,
                       .betas = first->beta + first->beta,
                       .alone = job->derived->alone,
                       .uniform = job->derived->uniform};
}

/* Twice the rate sigma + beta U at which a pair that approaches with `speed` U is slowed down. */
static inline float rate_of(const pair_loop *p, int i, int32_t j, float speed) {
    if (p->alone) return p->sigmas + p->betas * speed;
    const clavet_matter *a = clavet_matter_of(p->job, i), *b = clavet_matter_of(p->job, j);
    return (a->sigma + b->sigma) + (a->beta + b->beta) * speed;
}

/* Applies the impulse between particles i and j, which were `d` apart. About every other pair separates, which branch
   prediction cannot foresee, so such pairs get an impulse of 0 instead of a branch. */
static inline void apply_impulse(const pair_loop *p, int i, int32_t j, quad d) {
    const float r2 = clavet_dot(d, d);
    if (!(r2 < p->h2 && r2 > 0.0f)) return;
    float *first = &p->shifts[i].x.x, *second = &p->shifts[j].x.x;
    const quad v = quad_load(first), other = quad_load(second);
    const float r = sqrtf(r2), away = 1.0f / r, closing = clavet_dot(v - other, d) * away; /* [m/s] */
    const float approach = closing > 0.0f ? closing : 0.0f, speed = approach * ((float)CLAVET_TICK * p->per_h);
    const float rate = 0.5f * rate_of(p, i, j, speed);
    const float wanted = p->ticks * (1.0f - r * p->per_h) * rate, part = wanted < 1.0f ? wanted : 1.0f;
    const float share = p->uniform ? 0.5f : clavet_share(p->job, i, j);
    const quad impulse = (part * approach * away) * d;
    quad_store(first, v - share * impulse);
    quad_store(second, other + (1.0f - share) * impulse);
}

/* Applies the impulse between particle i and entry k of its list, which is particle j or an image of it. The distance
   of an image from its particle does not change in a step. */
static void apply_to_image(const clavet_job *job, int i, int32_t k, int32_t j) {
    const place *places = places_of(job->world);
    const pair_loop loop = loop_over(job);
    apply_impulse(&loop, i, j, clavet_way(&job->starts[i], &job->starts[j]) + clavet_way(&places[j], &places[k]));
}

static void apply_in_turn(const clavet_job *job, int begin, int end) {
    const lists *l = &sim_of(job->world)->lists;
    const pair_loop loop = loop_over(job);
    clavet_turns turns = {.count = 0};
    for (int i = begin; i < end; i++)
        if (!job->serial[i])
            clavet_turns_add(&turns, i, clavet_first_after(list_of(l, i), list_count(l, i), i), list_count(l, i));
    for (; turns.count > 0; clavet_turns_close(&turns))
        for (int k = 0; k < turns.count; k++) {
            const int32_t i = turns.particle[k], j = list_of(l, i)[turns.at[k]++];
            apply_impulse(&loop, i, j, clavet_way(&loop.starts[i], &loop.starts[j]));
        }
}

static void viscosity_rows(const clavet_job *job, int begin, int end, bool images) {
    const lists *l = &sim_of(job->world)->lists;
    for (int i = begin; i < end && !images; i += CLAVET_TURNS)
        apply_in_turn(job, i, end - i < CLAVET_TURNS ? end : i + CLAVET_TURNS);
    for (int i = begin; i < end && images; i++)
        for (int n = 0; n < list_count(l, i); n++) {
            const int32_t k = list_of(l, i)[n], j = halo_owner(job->world, k);
            if (j > i) apply_to_image(job, i, k, j);
        }
}

void rill_clavet_viscosity(clavet_job *job) {
    const rill_world *w = job->world;
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, begin_range, job);
    rill_clavet_sweep(job, &job->colours, viscosity_rows);
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, end_range, job);
}
