/* SPDX-License-Identifier: MIT */
/* A body in water moves its added mass A of water along. Methods that find the pressure while bodies go on as they do,
   and hand out reactions afterwards, make
     M a' = F(a),  F = B - A a
   of it, B the lift of a body held in place and a the acceleration of the last step: it goes to and fro, each time A/M
   times as wide as before, where M < A. As is usual where structures are coupled to fluids, A a is added to both sides,
   on the left with the acceleration to come, on the right with the last one:
     (M + A) a' = F(a) + A a = B
   which is what a should be, at once. A need not be known well: where it is off by e, errors shrink to e/(M + A) of
   themselves in each step.
   In impulses, of which none may be lost: a body gets M (M + A)^-1 of what comes in a step and of A a, and is owed the
   rest. */
#include "rigid/owed.h"

#include "core/usual_step.h"

#include <math.h>

/* The share of what is owed beyond A a that is paid back in a step, and how fast the water that moves along may become
   by that, in gravity's pull. */
#define PAID_BACK      0.02
#define PAID_BACK_FALL 0.05

/* M (M + A)^-1 = (1 + A M^-1)^-1, from A and the columns of M^-1. */
static dvec share(const double added[3][3], const dvec columns[3], dvec a) {
    double m[3][3], inverse[3][3];
    for (int k = 0; k < 3; k++) {
        const dvec column = mat_apply(added, columns[k]);
        m[0][k] = column.x, m[1][k] = column.y, m[2][k] = column.z;
        m[k][k] += 1;
    }
    rill_body_invert(inverse, m);
    return mat_apply(inverse, a);
}

static const dvec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

dvec rill_owed_share_linear(const rill_world *w, const body *b, dvec impulse) {
    if (!(b->added.share > 0)) return impulse;
    dvec columns[3];
    for (int k = 0; k < 3; k++) columns[k] = rill_body_mass_linear(w, b, axes[k]);
    return share(b->added.mass, columns, impulse);
}

dvec rill_owed_share_angular(const rill_world *w, const body *b, dvec moment) {
    if (!(b->added.share > 0)) return moment;
    dvec columns[3];
    for (int k = 0; k < 3; k++) columns[k] = rill_body_mass_angular(w, b, axes[k]);
    return share(b->added.inertia, columns, moment);
}

/* What the fluid gave in this step and, in collisions, after the last one. That waits on for a body that has left the
   water. */
static dvec come(double later[3], double share, dvec now) {
    if (!(share > 0)) return now;
    const dvec all = dvec_add(now, dvec_load(later));
    dvec_store(later, (dvec){0});
    return all;
}

static dvec at_most(dvec a, double length) {
    const double now = dvec_length(a);
    return now > length ? dvec_scale(a, length / now) : a;
}

/* `come`, and what goes on being owed: A times the acceleration that the fluid gave in the last step. Where A changes
   that is not all, or more than is owed. The difference is paid back while the body is in water, and never more than
   `most`: to give it at once would throw a body that comes out. */
static dvec due(const double added[3][3], dvec acceleration, double dt, const double owed[3], double most, dvec come) {
    const dvec usual = dvec_scale(mat_apply(added, acceleration), dt);
    const dvec back = dvec_scale(dvec_sub(dvec_load(owed), usual), PAID_BACK);
    return dvec_add(come, dvec_add(usual, at_most(back, most)));
}

/* What collides gives a short step as much as a long one: as a force that would be many times too much for the next. */
static void book(double owed[3], double lift[3], dvec come, dvec paid, double dt, double lasts) {
    dvec_store(owed, dvec_add(dvec_load(owed), dvec_sub(come, paid)));
    const dvec force = dvec_scale(paid, 1 / dt);
    if (lasts < 1)
        dvec_store(lift, dvec_along(dvec_load(lift), lasts, dvec_sub(force, dvec_load(lift))));
    else
        dvec_store(lift, force);
}

void rill_owed_pay(const rill_world *w, body *b, double dt, dvec *push, dvec *twist) {
    const added_mass *added = &b->added;
    fluid_debt *debt = &b->debt;
    const double water = mat_trace(added->mass), arm = water > 0 ? sqrt(mat_trace(added->inertia) / water) : 0;
    const double most = PAID_BACK_FALL * dvec_length(dvec_of(w->def.gravity)) * dt * water;
    const dvec pushed = come(debt->later, added->share, *push);
    const dvec twisted = come(debt->later + 3, added->share, *twist);
    const dvec a = rill_body_mass_linear(w, b, dvec_load(debt->lift));
    const dvec turn = rill_body_mass_angular(w, b, dvec_load(debt->lift + 3));
    *push = rill_owed_share_linear(w, b, due(added->mass, a, dt, debt->owed, most, pushed));
    *twist = rill_owed_share_angular(w, b, due(added->inertia, turn, dt, debt->owed + 3, most * arm, twisted));
    const double lasts = usual_step_share(&debt->over, dt);
    book(debt->owed, debt->lift, pushed, *push, dt, lasts);
    book(debt->owed + 3, debt->lift + 3, twisted, *twist, dt, lasts);
}

void rill_owed_put_off(body *b, dvec *push, dvec *twist) {
    if (!(b->added.share > 0)) return;
    dvec_store(b->debt.later, dvec_add(dvec_load(b->debt.later), *push));
    dvec_store(b->debt.later + 3, dvec_add(dvec_load(b->debt.later + 3), *twist));
    *push = *twist = (dvec){0};
}
