/* SPDX-License-Identifier: MIT */
/* Air presses on cloth as on a plate: p = drag/2 rho u_n |u_n|, with u_n the normal component of the air's velocity
   relative to the piece. The pressure changes the predicted positions of particles. */
#include "sim/cloth/cloth.h"

#include "sim/force/field.h"

#define AIR_DENSITY 1.2f /* kg/m^3, at 20 degrees */

/* The area of a piece times its normal. */
static vec area_of(const rill_world *w, int element, const int32_t *ends, int count) {
    const place *x = places_of(w);
    const vec a = vec_sub(x[ends[1]].x, x[ends[0]].x);
#if DIM == 2
    (void)element, (void)count;
    return (vec){-a.y, a.x};
#else
    if (count == 3) return vec_scale(vec_cross(a, vec_sub(x[ends[2]].x, x[ends[0]].x)), 0.5f);
    /* a rope has the same width from every side, and faces the wind */
    const vec wind = vec_of(cloth_of(w, ends[0])->def.wind), along = vec_direction(a);
    const vec across = vec_direction(vec_along(wind, -vec_dot(wind, along), along));
    const float width = LINK_VALUES(links_in(w, CLOTH_SEGMENTS), SEGMENT_WIDTH, float)[element];
    return vec_scale(across, vec_length(a) * width);
#endif
}

/* The velocity at the beginning of the step. `gain` is what gravity has added to particles that no pin holds. */
static vec velocity_before(const rill_world *w, int32_t i, vec gain) {
    return cloth_pins(w)[i] > 0 ? velocities_of(w)[i] : vec_sub(velocities_of(w)[i], gain);
}

/* Applies a force over the step: to the pin if one holds the particle, otherwise to its predicted position. */
static void push(rill_world *w, int32_t i, vec force, float dt) {
    if (cloth_pins(w)[i] > 0) {
        rill_cloth_pull_pin(w, i, force, dt);
        return;
    }
    const vec gain = vec_scale(force, dt / places_of(w)[i].m);
    velocities_of(w)[i] = vec_add(velocities_of(w)[i], gain);
    places_of(w)[i].x = vec_along(places_of(w)[i].x, dt, gain);
}

/* Applies the pressure on a piece in equal shares to its corners. It is explicit, and limited so that it cannot reverse
   the relative velocity. */
static void press(rill_world *w, int element, float dt) {
    const int32_t *ends;
    const int count = cloth_element(w, element, &ends);
    const rill_cloth_def *def = &cloth_of(w, ends[0])->def;
    if (!(def->drag > 0.0f)) return;
    const vec area = area_of(w, element, ends, count), n = vec_direction(area);
    const vec gain = vec_scale(field_acceleration(w), dt);
    vec v = {0};
    float mass = 0.0f;
    for (int k = 0; k < count; k++) {
        v = vec_along(v, 1.0f / (float)count, velocity_before(w, ends[k], gain));
        mass += places_of(w)[ends[k]].m / (count == 3 ? 6.0f : 2.0f); /* divided by the pieces that share it */
    }
    const float across = vec_dot(vec_sub(vec_of(def->wind), v), n);
    const float rate = 0.5f * def->drag * AIR_DENSITY * fabsf(across) * vec_length(area);
    /* light cloth comes at most halfway to the wind's speed in a step */
    const float force = fminf(rate, 0.5f * mass / dt) * across;
    for (int k = 0; k < count; k++) push(w, ends[k], vec_scale(n, force / (float)count), dt);
}

void rill_cloth_blow(rill_world *w, double dt) {
    bool any = false;
    FOR_ALIVE(w, cloth, c) any |= c->def.drag > 0.0f;
    for (int e = 0; any && e < cloth_element_count(w); e++) press(w, e, (float)dt);
}
