/* SPDX-License-Identifier: MIT */
/* How high and how fast a scene is, for methods that choose their numbers from it. */
#include "sim/method/method.h"

void method_extent(const rill_world *w, vec up, float *low, float *high, float *speed) {
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < w->particles.count; i++) {
        const float s = vec_dot(places_of(w)[i].x, up);
        *low = fminf(*low, s), *high = fmaxf(*high, s);
        *speed = fmaxf(*speed, vec_length(velocities_of(w)[i]));
    }
    FOR_ALIVE(w, emitter, e) {
        const float s = vec_dot(vec_of(e->def.position), up);
        *low = fminf(*low, s), *high = fmaxf(*high, s);
        *speed = fmaxf(*speed, e->def.speed);
    }
    FOR_ALIVE(w, solid, s) {
        const rill_motion *m = &s->def.motion;
        const float swing = 6.2831853f * m->frequency;
        *speed = fmaxf(*speed, vec_length(vec_of(m->velocity)) + swing * vec_length(vec_of(m->amplitude)));
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
