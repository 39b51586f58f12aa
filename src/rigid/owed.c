/* SPDX-License-Identifier: MIT */
/* A body in water moves its added mass A of water along. Some methods find the pressure while bodies keep their
   velocities, and hand out reactions afterwards. For them the acceleration is
     M a' = F(a),  F = B - A a,
   with B the lift of a body that is held in place and a the acceleration of the last step. This oscillates, and grows
   by a factor A/M in each step if M < A. The usual cure in fluid-structure coupling is to add A a to both sides, with
   the new acceleration on the left and the last one on the right:
     (M + A) a' = F(a) + A a = B,
   which gives the right acceleration at once. A need not be exact: if it is off by e, an error shrinks to e/(M + A) of
   itself in each step.
   The same in impulses, none of which may be lost: a body receives M (M + A)^-1 of the impulses of a step and of A a,
   and is owed the rest. */
#include "rigid/owed.h"

#include "core/usual_step.h"

#include <math.h>

/* Share of the debt beyond A a that is paid back in a step, and the greatest acceleration of the added water by that,
   in multiples of gravity. */
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

/* The impulse of the fluid in this step, plus that of its collisions after the last one. For a body that has left the
   water (share 0) the latter keeps waiting. */
static dvec with_postponed(double later[3], double share, dvec now) {
    if (!(share > 0)) return now;
    const dvec all = dvec_add(now, dvec_load(later));
    dvec_store(later, (dvec){0});
    return all;
}

static dvec at_most(dvec a, double length) {
    const double now = dvec_length(a);
    return now > length ? dvec_scale(a, length / now) : a;
}

/* The impulse that is shared between body and debt: what was received, and A times the acceleration that the fluid gave
   in the last step. If A changes, that is less or more than the debt. The difference is paid back slowly, at most
   `most` in a step: all at once would throw a body that comes out of the water. */
static dvec impulse_to_share(const double added[3][3], dvec acceleration, double dt, const double owed[3], double most,
                             dvec received) {
    const dvec usual = dvec_scale(mat_apply(added, acceleration), dt);
    const dvec back = dvec_scale(dvec_sub(dvec_load(owed), usual), PAID_BACK);
    return dvec_add(received, dvec_add(usual, at_most(back, most)));
}

/* Updates the debt, and `lift`, the force that the body received. A collision transfers the same impulse in a short
   step as in a long one; divided by a short dt it would be a force many times too large for the next step. So a step
   shorter than usual counts only by its share `lasts`. */
static void record(double owed[3], double lift[3], dvec received, dvec paid, double dt, double lasts) {
    dvec_store(owed, dvec_add(dvec_load(owed), dvec_sub(received, paid)));
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
    const dvec pushed = with_postponed(debt->later, added->share, *push);
    const dvec twisted = with_postponed(debt->later + 3, added->share, *twist);
    const dvec a = rill_body_mass_linear(w, b, dvec_load(debt->lift));
    const dvec turn = rill_body_mass_angular(w, b, dvec_load(debt->lift + 3));
    *push = rill_owed_share_linear(w, b, impulse_to_share(added->mass, a, dt, debt->owed, most, pushed));
    *twist =
        rill_owed_share_angular(w, b, impulse_to_share(added->inertia, turn, dt, debt->owed + 3, most * arm, twisted));
    const double lasts = usual_step_share(&debt->over, dt);
    record(debt->owed, debt->lift, pushed, *push, dt, lasts);
    record(debt->owed + 3, debt->lift + 3, twisted, *twist, dt, lasts);
}

void rill_owed_put_off(body *b, dvec *push, dvec *twist) {
    if (!(b->added.share > 0)) return;
    dvec_store(b->debt.later, dvec_add(dvec_load(b->debt.later), *push));
    dvec_store(b->debt.later + 3, dvec_add(dvec_load(b->debt.later + 3), *twist));
    *push = *twist = (dvec){0};
}
