/* SPDX-License-Identifier: MIT */
/* Bodies that were placed inside each other, where a host without contacts of its own leaves them for ever. A pair is
   found by contact samples of one body that are deep inside the other. */
#include "rigid/piles.h"

#include "rigid/body.h"
#include "rigid/contacts.h"
#include "solid/solid_tree.h"
#include "solid/solids.h"

/* An overlap is deep beyond this share of the smaller body's radius; bodies at rest overlap by a thousandth. */
#define DEEP 0.05

static bool boxes_overlap(const rill_world *w, const body *a, const body *b, double depth) {
    const solid *solids = POOL_ITEMS(w, solid);
    rill_vec low_a, high_a, low_b, high_b;
    if (!solid_operations_of(w)->box(w, &solids[a->solid], &low_a, &high_a) ||
        !solid_operations_of(w)->box(w, &solids[b->solid], &low_b, &high_b))
        return false;
    for (int axis = 0; axis < w->def.dim; axis++) {
        const float low = fmaxf((&low_a.x)[axis], (&low_b.x)[axis]), high = fminf((&high_a.x)[axis], (&high_b.x)[axis]);
        if (!((double)high - (double)low > depth)) return false;
    }
    return true;
}

/* Whether a sample of body a is more than `depth` inside body b. */
static bool reaches_into(const rill_world *w, const body *a, const body *b, double depth) {
    const solid *s = &POOL_ITEMS(w, solid)[b->solid];
    contact_sample samples[CONTACT_SAMPLES_MAX];
    const int count = rill_contact_samples(w, a, samples);
    for (int k = 0; k < count; k++) {
        const dvec arm = rill_body_turn(a, dvec_sub(samples[k].point, dvec_load(a->start)));
        const rill_vec point = dvec_out(dvec_add(dvec_load(a->x), arm));
        rill_vec normal;
        if ((double)solid_operations_of(w)->distance(w, s, point, &normal) - samples[k].radius < -depth) return true;
    }
    return false;
}

static bool in_each_other(const rill_world *w, const body *a, const body *b) {
    const double depth = DEEP * fmin(a->reach, b->reach);
    if (!boxes_overlap(w, a, b, depth)) return false;
    return reaches_into(w, a, b, depth) || reaches_into(w, b, a, depth);
}

static void join_piles(rill_world *w, int32_t into, int32_t from) {
    FOR_ALIVE(w, body, b) if (b->pile == from) b->pile = into;
}

/* Each pair is examined once, from the body in the lower slot. */
static void find_pile_of(rill_world *w, body *a) {
    body *bodies = POOL_ITEMS(w, body);
    const int own = (int)(a - bodies);
    rill_vec low, high;
    if (!solid_operations_of(w)->box(w, &POOL_ITEMS(w, solid)[a->solid], &low, &high)) return;
    near_solids near;
    rill_solids_near(w, low, high, 0.0f, &near);
    for (int n = 0; n < near.count; n++) {
        const int other = POOL_ITEMS(w, solid)[near.slots[n]].body - 1;
        if (other <= own || !in_each_other(w, a, &bodies[other])) continue;
        if (body_is_jointed(w, own) || body_is_jointed(w, other)) continue;
        if (a->pile == 0) a->pile = own + 1;
        if (bodies[other].pile == 0)
            bodies[other].pile = a->pile;
        else if (bodies[other].pile != a->pile)
            join_piles(w, a->pile, bodies[other].pile);
    }
}

void rill_piles_find(rill_world *w) {
    FOR_ALIVE(w, body, b) {
        b->pile = 0;
        if (!(b->reach > 0)) b->reach = rill_contact_reach(w, b);
    }
    if (w->bodies.living_count < 2) return;
    FOR_ALIVE(w, body, b) find_pile_of(w, b);
}
