/* SPDX-License-Identifier: MIT */
/* Hosted bodies: dynamic bodies that another engine moves between steps. */
#include "rigid/host.h"

#include "rigid/body.h"
#include "rigid/sleep.h"

#include <string.h>

/* ---- reports of the engine ---- */

/* The least mass of a body in the fluid's solver: this share of the fluid that it displaces, or the mass of so many
   particles if that is more, but for their sake no more than the share LIGHTEST_MOST. With a share of 0.025, cubes of
   five particles along a side still hop with dfsph. */
#define LIGHTEST              0.0299
#define LIGHTEST_PARTICLES_2D 1.9
#define LIGHTEST_PARTICLES_3D 3.7
#define LIGHTEST_MOST         0.25
/* An engine that learns the impulses of several steps at once moves its body with the last velocity, as if it had had
   that all the time. The errors throw bodies that are up to this many times as heavy. */
#define UNTOLD_MOST 3.0

static dvec plane_or_space(const rill_world *w, rill_vec a) {
    return (dvec){(double)a.x, (double)a.y, w->def.dim == 3 ? (double)a.z : 0};
}

static dvec spin_of(const rill_world *w, rill_vec a) {
    return w->def.dim == 3 ? dvec_of(a) : (dvec){0, 0, (double)a.z};
}

/* Sets pose and velocities. They refer to the centre of mass. */
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

static double lightest_fluid(const rill_world *w) {
    double least = 0;
    FOR_ALIVE(w, fluid, f) {
        const double density = (double)f->def.density;
        if (least == 0 || density < least) least = density;
    }
    return least;
}

static double lightest_mass(const rill_world *w, const body *b) {
    const double density = lightest_fluid(w), displaced = density * b->volume, dx = (double)w->def.spacing;
    const double few = w->def.dim == 3 ? LIGHTEST_PARTICLES_3D * dx : LIGHTEST_PARTICLES_2D;
    const double least = fmax(LIGHTEST * displaced, density * dx * dx * few);
    return fmin(least * fmin(fmax((double)b->host.untold, 1), UNTOLD_MOST), LIGHTEST_MOST * displaced);
}

/* A body lighter than the few particles that push it at a time is thrown, however well their impulse is shared. So it
   is made heavier here. Forces on it are scaled up in proportion and the impulses reported to its engine are scaled
   down: the engine does not know of the ballast, and its body moves like one of that mass. */
static void load_ballast(const rill_world *w, body *b) {
    const double least = lightest_mass(w, b);
    b->host.ballast = b->mass < least ? least / b->mass - 1 : 0;
    const double times = 1 + b->host.ballast;
    b->mass *= times;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) b->inverse_inertia[r][c] /= times;
}

/* A body that joints hold along all axes keeps the mass of its definition if it can rotate, because an inverse mass of
   0 marks bodies that no force moves. */
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
    b->host.ballast = 0;
    if (most > 0) {
        b->mass = 1 / most;
        load_ballast(w, b);
    }
    b->inverse_mass = most > 0 || turns ? 1 / b->mass : 0;
    dvec_store(b->loose, most > 0 ? dvec_scale(along, 1 / most) : (dvec){0});
    memset(b->inertia, 0, sizeof b->inertia);
    if (has_inverse(b->inverse_inertia)) rill_body_invert(b->inertia, b->inverse_inertia);
}

/* A hosted body sleeps as long as its engine lets it rest, unless the fluid wakes it. */
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
    dvec_store(b->force, dvec_scale(plane_or_space(w, state->force), 1 + b->host.ballast));
    dvec_store(b->torque, dvec_scale(spin_of(w, state->torque), 1 + b->host.ballast));
    b->host.untold = 0;
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

/* ---- reactions ---- */

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
    const double own = 1 / (1 + b->host.ballast);
    for (int k = 0; k < 3; k++) {
        reaction.impulse[k] = own * (b->fluid_impulse[k] - b->host.taken[k]);
        reaction.moment[k] = own * (b->fluid_moment[k] - b->host.taken_moment[k]);
        reaction.owed[k] = own * (b->debt.owed[k] + b->debt.later[k]);
        reaction.owed_moment[k] = own * (b->debt.owed[3 + k] + b->debt.later[3 + k]);
    }
    return reaction;
}
