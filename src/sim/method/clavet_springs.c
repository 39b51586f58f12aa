/* SPDX-License-Identifier: MIT */
/* Springs between particles: rest lengths that follow what is done to them (Algorithm 4), and displacements (Algorithm
   3). Flowing springs are made as in the paper, at rest length h, where they pull nothing yet; fixed ones once, at the
   length that they have. Algorithm 4 as printed changes rest lengths within h only, so that none would ever exceed h
   and be removed: here all springs are adjusted. */
#include "sim/method/clavet.h"

#include "core/error.h"

static const field_def values[] = {{"rest", "m", "length at rest", RILL_SCALAR_FLOAT, 1, 1, 0}};
const link_set_def rill_clavet_links[] = {{"springs", "between particles", 2, values, 1, LINK_SHOW | LINK_SAVE}};

static inline vec spring_vector(const clavet_job *job, int i, int j) {
    return vec_add(link_vector(job->world, i, j), vec_sub(job->shifts[j].x, job->shifts[i].x));
}

/* ---- pairs of fluids ---- */

/* Whether, and how, particles of two fluids are joined: fixed springs only if both have them. */
static inline clavet_making making_between(const clavet_matter *a, const clavet_matter *b) {
    if (a->making == CLAVET_NONE || b->making == CLAVET_NONE) return CLAVET_NONE;
    return a->making == CLAVET_FIXED && b->making == CLAVET_FIXED ? CLAVET_FIXED : CLAVET_FLOWING;
}

/* Springs in series: the harmonic mean, nothing if one of them has none. */
static inline float stiffness_between(const clavet_matter *a, const clavet_matter *b) {
    const float sum = a->spring + b->spring;
    return sum > 0.0f ? 2.0f * a->spring * b->spring / sum : 0.0f;
}

static inline float mean(float a, float b) {
    return 0.5f * (a + b);
}

/* ---- Algorithm 4 ---- */

/* Lines 6 to 11, or Eq. 8: rest length after a step, for a spring that is r long now. */
static float adjusted(float rest, float r, const clavet_matter *a, const clavet_matter *b, float ticks) {
    const float longest = rest * (1.0f + mean(a->stretch_yield, b->stretch_yield));
    const float shortest = rest * (1.0f - mean(a->compress_yield, b->compress_yield));
    if (r > longest) return rest + fminf(ticks * mean(a->stretch_rate, b->stretch_rate), 1.0f) * (r - longest);
    if (r < shortest) return rest - fminf(ticks * mean(a->compress_rate, b->compress_rate), 1.0f) * (shortest - r);
    return rest;
}

static bool adjust(const link_set *springs, int link, void *context) {
    const clavet_job *job = context;
    const int32_t *ends = link_ends(springs, link);
    const clavet_matter *a = clavet_matter_of(job, ends[0]), *b = clavet_matter_of(job, ends[1]);
    if (making_between(a, b) == CLAVET_NONE) return false;
    float *rest = &LINK_VALUES(springs, CLAVET_SPRING_REST, float)[link];
    *rest = adjusted(*rest, vec_length(spring_vector(job, ends[0], ends[1])), a, b, job->ticks);
    return *rest <= job->world->support;
}

/* Whether each of the neighbours of particle i has a spring to it: then there are as many near springs. */
static bool is_joined_to_all(const clavet_job *job, const link_set *springs, int i) {
    const rill_world *w = job->world;
    const float h2 = w->support * w->support;
    int count, near = 0;
    const int32_t *mine = links_of(springs, i, &count);
    for (int n = 0; n < count; n++) {
        const int32_t *ends = link_ends(springs, mine[n]);
        if (ends[0] < 0) continue; /* removed just now */
        const vec d = link_vector(w, ends[0], ends[1]);
        near += vec_dot(d, d) < h2;
    }
    return near == list_count(&sim_of(w)->lists, i);
}

/* Lines 4 and 5: each pair once, by the one that comes first in memory. */
static void join(const clavet_job *job, const link_set *springs, int i, link_writer *writer) {
    const rill_world *w = job->world;
    const lists *l = &sim_of(w)->lists;
    const int32_t *list = list_of(l, i);
    const uint32_t *bound = FIELD_AS(w, CLAVET_FIELD_BOUND, uint32_t);
    for (int n = 0; n < list_count(l, i); n++) {
        const int32_t ends[2] = {i, halo_owner(w, list[n])};
        if (ends[1] <= i) continue;
        const clavet_making making = making_between(clavet_matter_of(job, i), clavet_matter_of(job, ends[1]));
        if (making == CLAVET_NONE || (making == CLAVET_FIXED && bound[i] && bound[ends[1]])) continue;
        if (links_find(springs, i, ends[1]) >= 0) continue;
        const float length = vec_length(spring_vector(job, i, ends[1]));
        if (making == CLAVET_FIXED && !(length < w->support)) continue;
        const int link = rill_link_add(writer, ends);
        if (link >= 0)
            LINK_VALUES(springs, CLAVET_SPRING_REST, float)[link] = making == CLAVET_FIXED ? length : w->support;
    }
}

static void join_range(int begin, int end, link_writer *writer, void *context) {
    const clavet_job *job = context;
    const link_set *springs = links_in(job->world, CLAVET_SPRINGS);
    for (int i = begin; i < end; i++)
        if (clavet_matter_of(job, i)->making != CLAVET_NONE && !is_joined_to_all(job, springs, i))
            join(job, springs, i, writer);
}

/* Fixed springs of a particle are made in one step. */
static void bind_range(int begin, int end, void *context) {
    const clavet_job *job = context;
    uint32_t *bound = FIELD_AS(job->world, CLAVET_FIELD_BOUND, uint32_t);
    for (int i = begin; i < end; i++) bound[i] = clavet_matter_of(job, i)->making == CLAVET_FIXED;
}

/* ---- Algorithm 3 ---- */

/* Whether the coloured sweep may move both ends: cells of its blocks are one support wide. */
static inline bool is_near(const rill_world *w, const int32_t *ends) {
    const vec d = vec_sub(places_of(w)[ends[1]].x, places_of(w)[ends[0]].x);
    return vec_dot(d, d) < w->support * w->support;
}

/* A spring is never taken past its rest length by one displacement. */
static void displace(const clavet_job *job, const link_set *springs, int link) {
    const rill_world *w = job->world;
    const int32_t *ends = link_ends(springs, link);
    const float rest = LINK_VALUES(springs, CLAVET_SPRING_REST, float)[link];
    const float stiffness = stiffness_between(clavet_matter_of(job, ends[0]), clavet_matter_of(job, ends[1]));
    const float part = fminf(job->ticks * job->ticks * stiffness * (1.0f - rest / w->support), 1.0f);
    const vec d = spring_vector(job, ends[0], ends[1]);
    const float r = vec_length(d);
    if (!(r > 0.0f)) return;
    const vec by = vec_scale(d, part * (rest - r) / r);
    const float share = clavet_share(&places_of(w)[ends[0]], &places_of(w)[ends[1]]);
    job->shifts[ends[0]].x = vec_along(job->shifts[ends[0]].x, -share, by);
    job->shifts[ends[1]].x = vec_along(job->shifts[ends[1]].x, 1.0f - share, by);
}

/* Springs that belong to particle i. */
static void spring_row(const clavet_job *job, int i, bool images) {
    const link_set *springs = links_in(job->world, CLAVET_SPRINGS);
    int link, end;
    for (links_owned(springs, i, &link, &end); link < end; link++)
        if (images || is_near(job->world, link_ends(springs, link))) displace(job, springs, link);
}

static double count_far(int begin, int end, void *context) {
    const clavet_job *job = context;
    const link_set *springs = links_in(job->world, CLAVET_SPRINGS);
    int count = 0;
    for (int link = begin; link < end; link++) count += !is_near(job->world, link_ends(springs, link));
    return count;
}

/* Springs longer than a cell, and those across periodic faces, come last, one after the other. */
static void displace_far(clavet_job *job) {
    const rill_world *w = job->world;
    const link_set *springs = links_in(w, CLAVET_SPRINGS);
    if (!(rill_reduce_sum(w->workers, springs->count, LINK_GRAIN, count_far, job) > 0)) return;
    for (int i = 0; i < w->particles.count; i++) {
        int link, end;
        if (job->serial[i]) continue; /* its row had all of them */
        for (links_owned(springs, i, &link, &end); link < end; link++)
            if (!is_near(w, link_ends(springs, link))) displace(job, springs, link);
    }
}

rill_status rill_clavet_springs(clavet_job *job) {
    rill_world *w = job->world;
    const link_set *springs = links_in(w, CLAVET_SPRINGS);
    if (!job->derived->springy && springs->count == 0) return RILL_OK;
    TRY(world_change_links(w, CLAVET_SPRINGS, adjust, join_range, job));
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, bind_range, job);
    rill_clavet_sweep(job, spring_row);
    if (job->params->sweep == CLAVET_COLOURED) displace_far(job);
    return RILL_OK;
}
