/* SPDX-License-Identifier: MIT */
/* A droplet that falls off the level falls for ever: its speed would bound everybody's step, and its depth everybody's
   pressure. Worlds have bounds: those that are asked for, or, where all solids end somewhere, a box far around them. */
#include "sim/strays.h"

#include "sim/boundary/boundary.h"

/* Automatic bounds reach so many times the size of all solids beyond them, and so many supports at least. */
#define MARGIN_SIZES    4.0f
#define MARGIN_SUPPORTS 50.0f
/* Boxes that are larger have no end. */
#define ENDLESS 1e8f

/* The box around all solids; false if there are none, or one that has no end. */
static bool solids_box(const rill_world *w, vec *low, vec *high) {
    bool any = false;
    FOR_ALIVE(w, solid, s) {
        const placed_shape *f = &placed_shapes_of(w)[s - POOL_ITEMS(w, solid)];
        const rill_shape *shape = &s->def.shape;
        if (shape->inside || shape->kind == RILL_HALF_SPACE || shape->kind == RILL_HEIGHTFIELD) return false;
        for (int axis = 0; axis < DIM; axis++)
            if (!(vec_get(f->low, axis) > -ENDLESS && vec_get(f->high, axis) < ENDLESS)) return false;
        *low = any ? vec_min(*low, f->low) : f->low;
        *high = any ? vec_max(*high, f->high) : f->high;
        any = true;
    }
    return any;
}

typedef struct bounds_job {
    const rill_world *world;
    vec low, high;
    uint8_t *keep;
} bounds_job;

/* Far around the solids. */
static bool find_automatic(const rill_world *w, bounds_job *job) {
    if (!solids_box(w, &job->low, &job->high)) return false;
    FOR_ALIVE(w, emitter, e) {
        job->low = vec_min(job->low, vec_of(e->def.position));
        job->high = vec_max(job->high, vec_of(e->def.position));
    }
    float size = 0.0f;
    for (int axis = 0; axis < DIM; axis++) size = fmaxf(size, vec_get(job->high, axis) - vec_get(job->low, axis));
    const float margin = fmaxf(MARGIN_SIZES * size, MARGIN_SUPPORTS * w->support);
    for (int axis = 0; axis < DIM; axis++) (&job->low.x)[axis] -= margin, (&job->high.x)[axis] += margin;
    return true;
}

static bool find_bounds(const rill_world *w, bounds_job *job) {
    if (w->def.bounds == RILL_BOUNDS_OPEN) return false;
    if (w->def.bounds == RILL_BOUNDS_AUTO) return find_automatic(w, job);
    job->low = vec_of(w->def.bounds_min), job->high = vec_of(w->def.bounds_max);
    return true;
}

float rill_strays_floor(const rill_world *w, vec up) {
    bounds_job job = {.world = w};
    if (!w->placed || !find_automatic(w, &job)) return -INFINITY;
    float floor = 0;
    for (int axis = 0; axis < DIM; axis++)
        floor += vec_get(up, axis) * (vec_get(up, axis) > 0.0f ? vec_get(job.low, axis) : vec_get(job.high, axis));
    return floor;
}

static bool is_outside(const bounds_job *job, int i) {
    const vec x = places_of(job->world)[i].x;
    bool outside = false;
    for (int axis = 0; axis < DIM; axis++)
        outside |= vec_get(x, axis) < vec_get(job->low, axis) || vec_get(x, axis) > vec_get(job->high, axis);
    return outside;
}

static double count_outside(int begin, int end, void *context) {
    int count = 0;
    for (int i = begin; i < end; i++) count += is_outside(context, i);
    return count;
}

static void keep_block(int begin, int end, void *context) {
    const bounds_job *job = context;
    for (int i = begin; i < end; i++) job->keep[i] = (uint8_t)!is_outside(job, i);
}

static rill_status refuse(rill_world *w, const bounds_job *job) {
    int i = 0;
    while (!is_outside(job, i)) i++;
    const rill_vec x = vec_out(places_of(w)[i].x);
    w->failed = true;
    return rill_fail(&w->error, RILL_BLOW_UP,
                     "t = %g s: particle %llu at (%g, %g, %g) has left the world's bounds; widen them, or let "
                     "world.bounds be 'remove'",
                     w->stats.time, (unsigned long long)ids_of(w)[i], (double)x.x, (double)x.y, (double)x.z);
}

rill_status rill_strays_settle(rill_world *w) {
    bounds_job job = {.world = w};
    if (!find_bounds(w, &job) || !(world_sum(w, count_outside, &job) > 0)) return RILL_OK;
    if (w->def.bounds == RILL_BOUNDS_STOP) return refuse(w, &job);
    if (!rill_buffer_reserve(&w->memory, &sim_of(w)->keep, (size_t)w->particles.capacity, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory to remove particles");
    job.keep = sim_of(w)->keep.data;
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, keep_block, &job);
    const int gone = rill_particles_keep(&w->particles, job.keep);
    w->stats.removed += gone;
    w->stats.strayed += gone;
    return RILL_OK;
}

static void clamp_block(int begin, int end, void *context) {
    const rill_world *w = context;
    const float most = w->def.speed_clamp;
    for (int i = begin; i < end; i++) {
        vec *v = &velocities_of(w)[i];
        const float speed2 = vec_dot(*v, *v);
        if (speed2 > most * most) *v = vec_scale(*v, most / sqrtf(speed2));
    }
}

void rill_strays_clamp(rill_world *w) {
    if (w->def.speed_clamp > 0.0f) rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, clamp_block, w);
}
