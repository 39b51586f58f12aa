/* SPDX-License-Identifier: MIT */
/* Hosted bodies: dynamic bodies whose motion between steps is an engine's. */
#include "rigid/host.h"

#include "rigid/body.h"
#include "rigid/sleep.h"

#include <string.h>

/* ---- what the engine tells ---- */

static dvec plane_or_space(const rill_world *w, rill_vec a) {
    return (dvec){(double)a.x, (double)a.y, w->def.dim == 3 ? (double)a.z : 0};
}

static dvec spin_of(const rill_world *w, rill_vec a) {
    return w->def.dim == 3 ? dvec_of(a) : (dvec){0, 0, (double)a.z};
}

/* Where the body is. The centre of mass is the point that turns and velocities are about. */
static void place_body(const rill_world *w, body *b, const rill_hosted_state *state) {
    const dvec centre = plane_or_space(w, state->centre);
    dvec_store(b->start, centre);
    quat_store(b->q, rill_body_turn_of(w, state->angle, state->quaternion));
    dvec_store(b->x, dvec_add(plane_or_space(w, state->position), rill_body_turn(b, centre)));
    if (w->def.dim == 2) b->angle = (double)state->angle;
    dvec_store(b->v, plane_or_space(w, state->velocity));
    dvec_store(b->w, spin_of(w, state->angular_velocity));
}

static bool has_inverse(const double m[3][3]) {
    const dvec a = dvec_load(m[0]), b = dvec_load(m[1]), c = dvec_load(m[2]);
    return dvec_dot(a, dvec_cross(b, c)) > 0;
}

/* A body that joints hold along every axis still has the mass of its definition, if it can turn: what is moved by
   forces at all is known by its inverse mass. */
static void weigh(const rill_world *w, body *b, const rill_hosted_state *state) {
    const dvec along = plane_or_space(w, state->inverse_mass);
    const double most = fmax(along.x, fmax(along.y, along.z));
    bool turns = false;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const bool counts = w->def.dim == 3 || (r == 2 && c == 2);
            b->inverse_inertia[r][c] = counts ? (double)state->inverse_inertia[r][c] : r == c;
            turns |= counts && b->inverse_inertia[r][c] != 0;
        }
    if (most > 0) b->mass = 1 / most;
    b->inverse_mass = most > 0 || turns ? 1 / b->mass : 0;
    dvec_store(b->loose, most > 0 ? dvec_scale(along, 1 / most) : (dvec){0});
    memset(b->inertia, 0, sizeof b->inertia);
    if (has_inverse(b->inverse_inertia)) rill_body_invert(b->inertia, b->inverse_inertia);
}

/* Rill lets a hosted body rest as long as its engine does, unless the fluid wakes it. */
static void let_rest(rill_world *w, body *b, bool asleep) {
    if (!asleep)
        rill_sleep_wake(w, b);
    else if (!b->asleep)
        rill_sleep_let_rest(w, b);
    b->host.asleep = asleep;
}

void rill_host_take(rill_world *w, body *b, const rill_hosted_state *state) {
    b->host.moves = true;
    weigh(w, b, state);
    place_body(w, b, state);
    b->host.gravity = (double)state->gravity_scale;
    b->host.due = state->foretold;
    b->host.foretold = false;
    dvec_store(b->host.next_v, plane_or_space(w, state->next_velocity));
    dvec_store(b->host.next_w, spin_of(w, state->next_angular_velocity));
    dvec_store(b->force, plane_or_space(w, state->force));
    dvec_store(b->torque, spin_of(w, state->torque));
    if (b->asleep != state->asleep || b->host.asleep != state->asleep) let_rest(w, b, state->asleep);
}

/* ---- in a step ---- */

void rill_host_set_off(body *b, double duration) {
    b->host.due = false;
    b->host.foretold = true;
    for (int k = 0; k < 3; k++) {
        b->host.gain_v[k] = (b->host.next_v[k] - b->v[k]) / duration;
        b->host.gain_w[k] = (b->host.next_w[k] - b->w[k]) / duration;
    }
}

void rill_host_fall(const rill_world *w, const body *b, double dt, dvec *v, dvec *spin) {
    if (b->host.foretold) {
        *v = dvec_along(*v, dt, dvec_load(b->host.gain_v));
        *spin = dvec_along(*spin, dt, dvec_load(b->host.gain_w));
        return;
    }
    const dvec g = dvec_of(w->def.gravity);
    const double share = dt * (double)w->fall * (b->host.moves ? b->host.gravity : 1);
    *v = dvec_along(*v, share, (dvec){g.x * b->loose[0], g.y * b->loose[1], g.z * b->loose[2]});
}

/* ---- what the engine is told ---- */

void rill_host_begin_step(rill_world *w) {
    FOR_ALIVE(w, body, b) {
        memcpy(b->host.taken, b->fluid_impulse, sizeof b->host.taken);
        memcpy(b->host.taken_moment, b->fluid_moment, sizeof b->host.taken_moment);
    }
}

rill_reaction rill_host_reaction(const body *b) {
    rill_reaction reaction = {.velocity = dvec_out(dvec_load(b->v)),
                              .angular_velocity = dvec_out(dvec_load(b->w)),
                              .wake = b->host.asleep && !b->asleep,
                              .wet = b->wetting.wet};
    for (int k = 0; k < 3; k++) {
        reaction.impulse[k] = b->fluid_impulse[k] - b->host.taken[k];
        reaction.moment[k] = b->fluid_moment[k] - b->host.taken_moment[k];
        reaction.owed[k] = b->debt.owed[k] + b->debt.later[k];
        reaction.owed_moment[k] = b->debt.owed[3 + k] + b->debt.later[3 + k];
    }
    return reaction;
}
