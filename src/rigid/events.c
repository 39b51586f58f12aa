/* SPDX-License-Identifier: MIT */
/* One event for each pair of surfaces, ordered by the slots of both. Each step's contact points are merged with the
   events that the host's call has had so far. */
#include "rigid/events.h"

#include "core/sort.h"
#include "rigid/sleep.h"

bool rill_events_reserve(rill_world *w, size_t points, size_t pairs) {
    const size_t events = sizeof(rill_contact) * (pairs + (size_t)w->contact_count);
    return rill_buffer_grow(&w->memory, &w->rigid_marks, sizeof(contact_mark) * points, 0) &&
           rill_buffer_grow(&w->memory, &w->rigid_events, events, 0) &&
           rill_buffer_grow(&w->memory, &w->contacts, events, sizeof(rill_contact) * (size_t)w->contact_count);
}

void rill_events_begin(rill_world *w) {
    w->mark_count = 0;
}

static uint64_t pair_key(int body_slot, int solid_slot) {
    return (uint64_t)(uint32_t)body_slot << 32 | (uint32_t)solid_slot;
}

static uint64_t event_key(const rill_contact *c) {
    return pair_key((int)c->body_a.index1 - 1, (int)c->b.index1 - 1);
}

rill_status rill_events_mark(rill_world *w, int a, int other, contact_mark mark) {
    const size_t used = sizeof(contact_mark) * (size_t)w->mark_count;
    if (used + sizeof mark > w->rigid_marks.size &&
        !rill_buffer_reserve(&w->memory, &w->rigid_marks, 2 * used + 64 * sizeof mark, used))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the contacts of bodies");
    /* Of two bodies, a is the one in the lower slot. */
    const int b = POOL_ITEMS(w, solid)[other].body - 1;
    if (b >= 0 && b < a) {
        other = POOL_ITEMS(w, body)[a].solid;
        a = b;
        mark.normal = dvec_scale(mark.normal, -1);
        mark.impulse = dvec_scale(mark.impulse, -1);
    }
    mark.pair = pair_key(a, other);
    mark.order = w->mark_count;
    ((contact_mark *)w->rigid_marks.data)[w->mark_count++] = mark;
    return RILL_OK;
}

/* By pair, and within a pair in the order of arrival, so that sums over them do not depend on the sort. */
static int compare_marks(const void *a, const void *b) {
    const contact_mark *x = a, *y = b;
    if (x->pair != y->pair) return x->pair < y->pair ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static rill_body_id body_id(const rill_world *w, int slot_index) {
    return slot_index >= 0 ? (rill_body_id){(uint32_t)slot_index + 1, POOL_ITEMS(w, body)[slot_index].slot.age}
                           : (rill_body_id){0};
}

static rill_solid_id solid_id(const rill_world *w, int slot_index) {
    return (rill_solid_id){(uint32_t)slot_index + 1, POOL_ITEMS(w, solid)[slot_index].slot.age};
}

/* Combines the marks of one pair into a contact; means are weighted by the normal impulses of the points. */
static rill_contact contact_of(const rill_world *w, const contact_mark *marks, int count, double dt) {
    const int a = (int)(marks->pair >> 32), other = (int)(marks->pair & 0xffffffffu);
    dvec point = {0}, normal = {0}, impulse = {0};
    double pressing = 0, weight = 0, depth = 0, approach = 0;
    for (int k = 0; k < count; k++) pressing += marks[k].pressing;
    for (int k = 0; k < count; k++) {
        const double share = pressing > 0 ? marks[k].pressing : 1;
        point = dvec_along(point, share, marks[k].point);
        normal = dvec_along(normal, share, marks[k].normal);
        impulse = dvec_add(impulse, marks[k].impulse);
        weight += share;
        depth = fmax(depth, -marks[k].gap);
        approach = fmax(approach, marks[k].approach);
    }
    return (rill_contact){.touching = true,
                          .began = true,
                          .a = solid_id(w, POOL_ITEMS(w, body)[a].solid),
                          .b = solid_id(w, other),
                          .body_a = body_id(w, a),
                          .body_b = body_id(w, POOL_ITEMS(w, solid)[other].body - 1),
                          .point = dvec_out(dvec_scale(point, 1 / weight)),
                          .normal = dvec_out(dvec_direction(normal)),
                          .impulse = dvec_out(impulse),
                          .force = dvec_out(dvec_scale(impulse, 1 / dt)),
                          .pressing = (float)pressing,
                          .hit_speed = (float)approach,
                          .depth = (float)depth};
}

/* Slots are reused; the ages in the ids say whether the objects in them are still the same. */
static bool same_pair(const rill_contact *x, const rill_contact *y) {
    return event_key(x) == event_key(y) && x->body_a.age == y->body_a.age && x->b.age == y->b.age;
}

static rill_vec vec_along(rill_vec a, float s, rill_vec b) {
    return (rill_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* An event without a mark in this step: its contact is asleep and continues, or it ends. */
static rill_contact without_mark(const rill_world *w, rill_contact c, double dt) {
    if (!c.touching) return c;
    const int a = (int)c.body_a.index1 - 1, other = (int)c.b.index1 - 1;
    if (rill_contact_sleeps(w, a, other) && body_id(w, a).age == c.body_a.age && solid_id(w, other).age == c.b.age) {
        c.impulse = vec_along(c.impulse, (float)dt, c.force);
        c.pressing += (float)(dt * dvec_dot(dvec_of(c.force), dvec_of(c.normal)));
        return c;
    }
    c.touching = false, c.ended = true;
    c.force = (rill_vec){0};
    return c;
}

/* An event of the call, with this step added. */
static rill_contact joined(rill_contact c, const rill_contact *before) {
    c.began = before->began || !before->touching;
    c.ended = before->ended;
    c.impulse = vec_along(c.impulse, 1.0f, before->impulse);
    c.pressing += before->pressing;
    c.hit_speed = fmaxf(c.hit_speed, before->hit_speed);
    c.depth = fmaxf(c.depth, before->depth);
    return c;
}

/* Whether the surfaces of a pair have not been removed. */
static bool is_there(const rill_world *w, const rill_contact *c) {
    return POOL_GET(w, body, c->body_a) && POOL_GET(w, solid, c->b);
}

/* A call starts with the pairs that touched at the end of the last one, and with sums of zero. The contacts of removed
   bodies and solids end in it. */
void rill_events_call_begin(rill_world *w) {
    rill_contact *contacts = w->contacts.data;
    int count = 0;
    for (int k = 0; k < w->contact_count; k++) {
        rill_contact c = contacts[k];
        if (!c.touching) continue;
        c.began = c.ended = false;
        c.impulse = (rill_vec){0};
        c.pressing = c.hit_speed = c.depth = 0.0f;
        if (!is_there(w, &c)) c.touching = false, c.ended = true, c.force = (rill_vec){0};
        contacts[count++] = c;
    }
    w->contact_count = count;
}

/* Merges two lists, the events so far and the marks of this step, in one pass. Both are in the order of their pairs,
   and so is the result. */
rill_status rill_events_end(rill_world *w, double dt) {
    contact_mark *marks = w->rigid_marks.data;
    rill_sort_items(marks, w->mark_count, sizeof *marks, compare_marks);
    size_t most = (size_t)w->contact_count;
    for (int k = 0; k < w->mark_count; k++) most += k == 0 || marks[k].pair != marks[k - 1].pair;
    if (!rill_buffer_reserve(&w->memory, &w->rigid_events, sizeof(rill_contact) * most, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the contacts of bodies");
    const rill_contact *before = w->contacts.data;
    rill_contact *now = w->rigid_events.data;
    int count = 0, at = 0;
    for (int last = 0; at < w->mark_count || last < w->contact_count;) {
        const uint64_t old = last < w->contact_count ? event_key(&before[last]) : UINT64_MAX;
        if (at == w->mark_count || old < marks[at].pair) {
            now[count++] = without_mark(w, before[last++], dt);
            continue;
        }
        int end = at + 1;
        while (end < w->mark_count && marks[end].pair == marks[at].pair) end++;
        rill_contact c = contact_of(w, &marks[at], end - at, dt);
        if (old == marks[at].pair) {
            if (!same_pair(&c, &before[last])) { /* another object used the same slot */
                now[count++] = without_mark(w, before[last++], dt);
                continue;
            }
            c = joined(c, &before[last++]);
        }
        now[count++] = c;
        at = end;
    }
    const buffer swap = w->contacts;
    w->contacts = w->rigid_events;
    w->rigid_events = swap;
    w->contact_count = count;
    return RILL_OK;
}
