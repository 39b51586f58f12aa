/* SPDX-License-Identifier: MIT */
/* Each body looks up nearby solids in their tree. Boxes are enlarged by the distance that their solids may move in the
   step. Solids without a box (half-spaces, containers) are paired with every body. */
#include "rigid/broad_phase.h"

#include "core/sort.h"
#include "rigid/body.h"
#include "rigid/contacts.h"
#include "rigid/sleep.h"
#include "solid/solid_tree.h"
#include "solid/solids.h"

#include <stdlib.h>

typedef struct box {
    double low[3], high[3];
    double growth; /* by which low and high were enlarged on each side [m] */
    bool open;     /* the solid has no finite box */
} box;

static const body *body_of(const rill_world *w, const solid *s) {
    return s->body > 0 ? &POOL_ITEMS(w, body)[s->body - 1] : NULL;
}

static double body_speed(const body *b) {
    return dvec_length(dvec_load(b->v)) + b->reach * dvec_length(dvec_load(b->w));
}

/* The gap up to which surfaces get contact rows: twice the distance of approach in the step, because forces act after
   the search, and at least 2 % of the body's reach, because a body at rest may start to fall. */
double rill_broad_margin(const rill_world *w, const body *a, const solid *s, double dt) {
    const body *b = body_of(w, s);
    const double speed = body_speed(a) + (b ? dvec_length(dvec_load(b->v)) : dvec_length(dvec_of(s->pose.velocity)));
    return fmax(2 * speed * dt, 0.02 * a->reach) + (double)w->body_margin;
}

/* ---- boxes ---- */

/* Speed of the fastest corner of a solid that belongs to no body. */
static double solid_speed(const solid *s, const box *b) {
    const dvec pivot = dvec_add(dvec_of(s->pose.pivot), dvec_of(s->pose.offset));
    dvec arm = {0};
    for (int axis = 0; axis < 3; axis++)
        (&arm.x)[axis] = fmax(fabs(b->low[axis] - (&pivot.x)[axis]), fabs(b->high[axis] - (&pivot.x)[axis]));
    return dvec_length(dvec_of(s->pose.velocity)) + dvec_length(dvec_of(s->pose.angular)) * dvec_length(arm);
}

static box box_of(rill_world *w, const solid *s, double dt) {
    box item = {0};
    rill_vec low, high;
    item.open = !solid_operations_of(w)->box(w, s, &low, &high);
    if (item.open) return item;
    dvec_store(item.low, dvec_of(low));
    dvec_store(item.high, dvec_of(high));
    const body *b = body_of(w, s);
    const double margin = b ? fmax(2 * body_speed(b) * dt, 0.02 * b->reach) : 2 * solid_speed(s, &item) * dt;
    item.growth = margin + (double)w->body_margin;
    for (int axis = 0; axis < 3; axis++) item.low[axis] -= item.growth, item.high[axis] += item.growth;
    return item;
}

static bool boxes_overlap(const box *a, const box *b) {
    for (int axis = 0; axis < 3; axis++)
        if (a->low[axis] > b->high[axis] || b->low[axis] > a->high[axis]) return false;
    return true;
}

/* ---- which pairs may touch ---- */

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t joined_key(int a, int b) {
    return a < b ? (uint64_t)(uint32_t)a << 32 | (uint32_t)b : (uint64_t)(uint32_t)b << 32 | (uint32_t)a;
}

/* Lists the pairs of bodies that joints connect, sorted: they do not collide. */
static rill_status list_joined(rill_world *w, int *count) {
    *count = 0;
    if (w->joints.count == 0) return RILL_OK;
    if (!rill_buffer_reserve(&w->memory, &w->rigid_joined, sizeof(uint64_t) * (size_t)w->joints.count, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the pairs of %d joints", w->joints.count);
    uint64_t *keys = w->rigid_joined.data;
    FOR_ALIVE(w, joint, j) if (!j->broken && j->b >= 0) keys[(*count)++] = joined_key(j->a, j->b);
    rill_sort_items(keys, *count, sizeof *keys, compare_keys);
    return RILL_OK;
}

typedef struct pairing {
    rill_world *world;
    int joined, count, capacity;
} pairing;

/* Bodies in a common pile, which their engine does not push apart; so Rill's prediction does not either. */
static bool left_in_each_other(const body *a, const body *b) {
    return a->host.moves && b->host.moves && a->pile > 0 && a->pile == b->pile;
}

/* Between bodies, each one's mask must have a layer of the other. Pairs that are joined, asleep or immovable are left
   out. */
static bool may_touch(const pairing *p, const body *a, const solid *s) {
    const rill_world *w = p->world;
    const body *b = body_of(w, s);
    if (b == a) return false;
    if (a->inverse_mass == 0 && (!b || b->inverse_mass == 0)) return false;
    if (rill_body_still(a) && (b ? rill_body_still(b) : !rill_solid_moves(s))) return false;
    if (!b) return (a->def.mask & s->def.layer) != 0;
    if (!(a->def.layer & b->def.mask) || !(b->def.layer & a->def.mask) || left_in_each_other(a, b)) return false;
    const uint64_t key = joined_key((int)(a - POOL_ITEMS(w, body)), (int)(b - POOL_ITEMS(w, body)));
    return p->joined == 0 || !bsearch(&key, w->rigid_joined.data, (size_t)p->joined, sizeof key, compare_keys);
}

static rill_status pair_up(pairing *p, int32_t of, int32_t with) {
    rill_world *w = p->world;
    const solid *solids = POOL_ITEMS(w, solid);
    const body *a = body_of(w, &solids[of]);
    if (!a || !may_touch(p, a, &solids[with])) return RILL_OK;
    if (p->count == p->capacity) {
        const int capacity = p->capacity ? 2 * p->capacity : 64;
        if (!rill_buffer_reserve(&w->memory, &w->rigid_pairs, sizeof(near_pair) * (size_t)capacity,
                                 sizeof(near_pair) * (size_t)p->count))
            return rill_fail(&w->error, RILL_MEMORY, "no memory for %d pairs of bodies", capacity);
        p->capacity = capacity;
    }
    ((near_pair *)w->rigid_pairs.data)[p->count++] = (near_pair){solids[of].body - 1, with};
    return RILL_OK;
}

/* ---- search ---- */

/* Fills in the boxes of all solids, by slot. Returns the largest growth. */
static double make_boxes(rill_world *w, double dt, box *boxes) {
    double most = 0;
    FOR_ALIVE(w, body, b) if (!(b->reach > 0)) b->reach = rill_contact_reach(w, b);
    FOR_ALIVE(w, solid, s) {
        box *item = &boxes[s - POOL_ITEMS(w, solid)];
        *item = box_of(w, s, dt);
        most = fmax(most, item->growth);
    }
    return most;
}

/* The tree has boxes before their growth, so the box of the query is enlarged by the largest growth of all. */
static rill_status pair_body(pairing *p, const body *b, const box *boxes, double most) {
    const box *own = &boxes[b->solid];
    near_solids near;
    rill_solids_near(p->world, dvec_out(dvec_load(own->low)), dvec_out(dvec_load(own->high)), (float)(1.001 * most),
                     &near);
    for (int n = 0; n < near.count; n++) {
        const box *other = &boxes[near.slots[n]];
        if (!other->open && !boxes_overlap(own, other)) continue;
        TRY(pair_up(p, b->solid, near.slots[n]));
    }
    return RILL_OK;
}

rill_status rill_broad_find(rill_world *w, double dt, const near_pair **pairs, int *count) {
    *count = 0;
    if (!rill_buffer_reserve(&w->memory, &w->rigid_boxes, sizeof(box) * (size_t)w->solids.count, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the boxes of %d solids", w->solids.count);
    pairing p = {.world = w, .capacity = (int)(w->rigid_pairs.size / sizeof(near_pair))};
    rill_status status = list_joined(w, &p.joined);
    if (status != RILL_OK) return status;
    box *boxes = w->rigid_boxes.data;
    const double most = make_boxes(w, dt, boxes);
    FOR_ALIVE(w, body, b) if (status == RILL_OK) status = pair_body(&p, b, boxes, most);
    *pairs = w->rigid_pairs.data;
    *count = p.count;
    return status;
}
