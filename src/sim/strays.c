/* SPDX-License-Identifier: MIT */
/* Bounds of the world. A droplet that falls off the level falls for ever: its speed would limit the time step, and its
   depth would set the scale of all pressures. So worlds have bounds: those that were asked for or, where all solids are
   finite, a box far around the places where they were added. Fluid at rest there stays, and a body that falls off the
   level does not take the bounds along. Solids whose motion is prescribed may carry fluid, so their present places
   count as well. */
#include "sim/strays.h"

#include "sim/boundary/boundary.h"
#include "sim/upkeep.h"

#include <float.h>

/* Automatic bounds extend beyond the solids by MARGIN_SIZES times their size, and at least MARGIN_SUPPORTS supports. */
#define MARGIN_SIZES    4.0f
#define MARGIN_SUPPORTS 50.0f
/* Coordinates beyond this count as infinite. */
#define ENDLESS 1e8f

typedef struct bounds_job {
    const rill_world *world;
    vec low, high;
    uint8_t *keep;
} bounds_job;

static bool is_unbounded(const rill_shape *shape, const placed_shape *f) {
    bool unbounded = shape->inside || shape->kind == RILL_HALF_SPACE || shape->kind == RILL_HEIGHTFIELD;
    for (int axis = 0; axis < DIM; axis++)
        unbounded |= !(vec_get(f->low, axis) > -ENDLESS && vec_get(f->high, axis) < ENDLESS);
    return unbounded;
}

/* How far the centre of a solid's box has moved since the solid was added. */
static vec way_of(const solid *s, const placed_shape *f) {
    const vec pivot = vec_of(s->pose.pivot), offset = vec_of(s->pose.offset);
    const vec arm = vec_sub(vec_sub(vec_scale(vec_add(f->low, f->high), 0.5f), pivot), offset);
    vec way = offset;
    for (int row = 0; row < DIM; row++)
        for (int c = 0; c < DIM; c++)
            (&way.x)[row] += ((row == c ? 1.0f : 0.0f) - s->pose.turn[c][row]) * vec_get(arm, c);
    return way;
}

static void grow(bounds_job *job, vec low, vec high) {
    job->low = vec_min(job->low, low), job->high = vec_max(job->high, high);
}

/* Finds the box around all solids where they were added; false if there are none, or one is unbounded. */
static bool start_box(const rill_world *w, bounds_job *job) {
    for (int axis = 0; axis < DIM; axis++) (&job->low.x)[axis] = FLT_MAX, (&job->high.x)[axis] = -FLT_MAX;
    FOR_ALIVE(w, solid, s) {
        const placed_shape *f = &placed_shapes_of(w)[s - POOL_ITEMS(w, solid)];
        if (is_unbounded(&s->def.shape, f)) return false;
        const vec way = way_of(s, f);
        grow(job, vec_sub(f->low, way), vec_sub(f->high, way));
    }
    return job->low.x <= job->high.x;
}

static bool is_prescribed(const rill_world *w, const solid *s) {
    return s->body == 0 || POOL_ITEMS(w, body)[s->body - 1].def.kind != RILL_BODY_DYNAMIC;
}

/* Bounds far around the solids and emitters; false if there are none. */
static bool find_automatic(const rill_world *w, bounds_job *job) {
    if (!start_box(w, job)) return false;
    FOR_ALIVE(w, emitter, e) grow(job, vec_of(e->def.position), vec_of(e->def.position));
    float size = 0.0f;
    for (int axis = 0; axis < DIM; axis++) size = fmaxf(size, vec_get(job->high, axis) - vec_get(job->low, axis));
    FOR_ALIVE(w, solid, s) {
        const placed_shape *f = &placed_shapes_of(w)[s - POOL_ITEMS(w, solid)];
        if (is_prescribed(w, s)) grow(job, f->low, f->high);
    }
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
    const rill_vec x = vec_out(places_of(w)[i].x), from = w->def.origin;
    w->failed = true;
    return rill_fail(&w->error, RILL_BLOW_UP,
                     "t = %g s: particle %llu at (%g, %g, %g) has left the world's bounds; widen them, or set "
                     "world.bounds to 'remove'",
                     w->stats.time, (unsigned long long)ids_of(w)[i], (double)(from.x + x.x), (double)(from.y + x.y),
                     (double)(from.z + x.z));
}

/* ---- particles that run away ---- */

/* Lists and contacts must stay valid until the step ends. A particle that must go is therefore marked by an impossible
   density, moved to the place of a good one, and removed before the next step. */
#define GONE (-1.0f)

/* Whether particle i must go before a step: it was given up in the last one, or the host has made it so fast that the
   square of its speed overflows, which methods choose their steps by. */
static bool must_go(const rill_world *w, int i) {
    return densities_of(w)[i] == GONE || !vec_finite(velocities_of(w)[i]);
}

static double count_gone(int begin, int end, void *context) {
    const bounds_job *job = context;
    int count = 0;
    for (int i = begin; i < end; i++) count += must_go(job->world, i);
    return count;
}

static bool any_gone(const rill_world *w) {
    bounds_job job = {.world = w};
    return w->def.failure != RILL_FAILURE_STOP && world_sum(w, count_gone, &job) > 0;
}

rill_status rill_strays_remove_runaways(rill_world *w) {
    if (!any_gone(w)) return RILL_OK;
    TRY(rill_upkeep_reserve(w));
    uint8_t *keep = sim_of(w)->keep.data;
    for (int i = 0; i < w->particles.count; i++) {
        keep[i] = (uint8_t)!must_go(w, i);
        w->stats.runaways += !keep[i] && densities_of(w)[i] != GONE;
    }
    int gone;
    return rill_upkeep_remove(w, keep, RILL_REMOVED_BY_FAILURE, &gone);
}

static bool runs_away(const rill_world *w, int i, float limit) {
    const vec x = places_of(w)[i].x, v = velocities_of(w)[i];
    return !(vec_dot(v, v) + 0.0f * vec_dot(x, x) < limit * limit);
}

/* Reduces a particle's speed to just below the limit, and its move to what it would have been at that speed. */
static void slow_down(rill_world *w, int i, float limit, double dt) {
    vec *v = &velocities_of(w)[i];
    const vec slow = vec_scale(*v, 0.99f * limit / vec_length(*v));
    places_of(w)[i].x = vec_along(places_of(w)[i].x, (float)-dt, vec_sub(*v, slow));
    *v = slow;
}

/* Gives a particle up: puts it at rest in the place of the first good one, where no force on it overflows. */
static void put_aside(rill_world *w, int i, float limit) {
    int well = 0;
    while (well < w->particles.count && runs_away(w, well, limit)) well++;
    places_of(w)[i].x = well < w->particles.count ? places_of(w)[well].x : (vec){0};
    velocities_of(w)[i] = (vec){0};
    densities_of(w)[i] = GONE;
}

void rill_strays_tame(rill_world *w, double limit, double dt) {
    const float most = (float)limit;
    for (int i = 0; i < w->particles.count; i++) {
        if (!runs_away(w, i, most)) continue;
        const vec x = places_of(w)[i].x, v = velocities_of(w)[i];
        const bool number = vec_finite(x) && vec_finite(v) && isfinite(vec_dot(v, v));
        if (number && w->def.failure == RILL_FAILURE_CLAMP)
            slow_down(w, i, most, dt);
        else
            put_aside(w, i, most);
        w->stats.runaways++;
        w->energy.lost = true;
    }
}

rill_status rill_strays_settle(rill_world *w) {
    bounds_job job = {.world = w};
    if (!find_bounds(w, &job) || !(world_sum(w, count_outside, &job) > 0)) return RILL_OK;
    if (w->def.bounds == RILL_BOUNDS_STOP) return refuse(w, &job);
    TRY(rill_upkeep_reserve(w));
    job.keep = sim_of(w)->keep.data;
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, keep_block, &job);
    int gone;
    TRY(rill_upkeep_remove(w, job.keep, RILL_REMOVED_BY_BOUNDS, &gone));
    w->stats.strayed += gone;
    return RILL_OK;
}

bool rill_strays_wait(const rill_world *w) {
    bounds_job job = {.world = w};
    if (any_gone(w)) return true;
    if (w->def.bounds == RILL_BOUNDS_AUTO && !w->placed) return true; /* the bounds are not known yet */
    return find_bounds(w, &job) && world_sum(w, count_outside, &job) > 0;
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
