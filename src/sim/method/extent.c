/* SPDX-License-Identifier: MIT */
/* Height and greatest speed of a scene, from which methods choose their automatic values. */
#include "sim/method/method.h"
#include "sim/strays.h"

typedef struct extent_job {
    const rill_world *world;
    vec up;
    float floor; /* particles below it have fallen off and are ignored */
} extent_job;

enum { MOST_HEIGHT, MOST_DEPTH, MOST_SPEED };

static totals extent_block(int begin, int end, void *context) {
    const extent_job *job = context;
    float low = INFINITY, high = -INFINITY, speed = 0.0f;
    for (int i = begin; i < end; i++) {
        const float s = vec_dot(places_of(job->world)[i].x, job->up);
        if (s < job->floor) continue;
        low = fminf(low, s), high = fmaxf(high, s);
        speed = fmaxf(speed, vec_length(velocities_of(job->world)[i]));
    }
    return (totals){.most = {[MOST_HEIGHT] = (double)high, [MOST_DEPTH] = -(double)low, [MOST_SPEED] = (double)speed}};
}

/* Distance of a solid's farthest point from the pivot about which it turns. 0 for a half-space, which has no end. */
static float longest_arm(const rill_world *w, const solid *s) {
    if (s->def.shape.kind == RILL_HALF_SPACE) return 0.0f;
    const placed_shape *f = &placed_shapes_of(w)[s - POOL_ITEMS(w, solid)];
    const vec pivot = vec_add(vec_of(s->pose.pivot), vec_of(s->pose.offset));
    return vec_length(vec_max(vec_sub(f->high, pivot), vec_sub(pivot, f->low)));
}

/* Peak speed of the smooth motion between two keys, over its mean speed. */
#define KEYS_PEAK 1.5f

static float key_distance(const rill_points *keys, int k) {
    return vec_length(vec_sub(vec_of(keys->data[k + 1]), vec_of(keys->data[k])));
}

static float fastest_keys(const rill_motion *m, float arm) {
    float fastest = 0.0f;
    for (int k = 0; k + 1 < m->times.count; k++) {
        float way = 0.0f;
        if (m->offsets.count > 0) way += key_distance(&m->offsets, k);
        if (m->angles.count > 0) way += arm * fabsf(m->angles.data[k + 1] - m->angles.data[k]);
        if (m->turns.count > 0) way += arm * key_distance(&m->turns, k);
        fastest = fmaxf(fastest, KEYS_PEAK * way / (m->times.data[k + 1] - m->times.data[k]));
    }
    return fastest;
}

static float fastest_motion(const rill_world *w, const solid *s) {
    const rill_motion *m = &s->def.motion;
    const float swing = 6.2831853f * m->frequency, arm = longest_arm(w, s);
    return vec_length(vec_of(m->velocity)) + swing * vec_length(vec_of(m->amplitude)) +
           arm * (fabsf(m->spin) + swing * fabsf(m->swing)) + fastest_keys(m, arm);
}

void rill_method_extent(const rill_world *w, vec up, float *low, float *high, float *speed) {
    *low = INFINITY, *high = -INFINITY;
    if (w->particles.count > 0) {
        const totals all = world_totals(w, extent_block, &(extent_job){w, up, rill_strays_floor(w, up)});
        *low = -(float)all.most[MOST_DEPTH], *high = (float)all.most[MOST_HEIGHT];
        *speed = fmaxf(*speed, (float)all.most[MOST_SPEED]);
    }
    FOR_ALIVE(w, emitter, e) {
        const float s = vec_dot(vec_of(e->def.position), up);
        *low = fminf(*low, s), *high = fmaxf(*high, s);
        *speed = fmaxf(*speed, e->def.speed);
    }
    FOR_ALIVE(w, solid, s) {
        *speed = fmaxf(*speed, fastest_motion(w, s));
        *speed = fmaxf(*speed, vec_length(vec_of(s->def.surface_velocity)));
        if (!s->def.shape.inside && s->def.shape.kind != RILL_HALF_SPACE) continue;
        const placed_shape *f = &placed_shapes_of(w)[s - POOL_ITEMS(w, solid)];
        /* The floor: a container's lowest corner, or a half-space that faces up. */
        if (s->def.shape.kind == RILL_HALF_SPACE) {
            if (vec_dot(f->normal, up) > 0.7f) *low = fminf(*low, vec_dot(f->origin, up));
            continue;
        }
        float corner = 0;
        for (int axis = 0; axis < DIM; axis++)
            corner += vec_get(up, axis) * (vec_get(up, axis) > 0.0f ? vec_get(f->low, axis) : vec_get(f->high, axis));
        *low = fminf(*low, corner);
    }
}

static totals box_block(int begin, int end, void *context) {
    const place *places = places_of(context);
    vec low = places[begin].x, high = low;
    for (int i = begin + 1; i < end; i++) low = vec_min(low, places[i].x), high = vec_max(high, places[i].x);
    totals box = {0};
    for (int axis = 0; axis < DIM; axis++)
        box.most[axis] = (double)vec_get(high, axis), box.most[DIM + axis] = -(double)vec_get(low, axis);
    return box;
}

void rill_method_box(rill_world *w, vec *low, vec *high) {
    const totals box = world_totals(w, box_block, w);
    for (int axis = 0; axis < DIM; axis++)
        (&high->x)[axis] = (float)box.most[axis], (&low->x)[axis] = -(float)box.most[DIM + axis];
}
