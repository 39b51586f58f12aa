/* SPDX-License-Identifier: MIT */
/* One event for each pair of surfaces, ordered by the slots of both, made by merging this step's points of contact with
   the last step's events. */
#include "rigid/events.h"

#include "core/sort.h"
#include "rigid/sleep.h"

bool rill_events_reserve(rill_world *w, size_t points, size_t pairs) {
    const size_t events = sizeof(rill_contact) * (pairs + (size_t)w->contact_count);
    return rill_buffer_grow(&w->memory, &w->rigid_marks, sizeof(touch_mark) * points, 0) &&
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

rill_status rill_events_mark(rill_world *w, int a, int other, touch_mark mark) {
    const size_t used = sizeof(touch_mark) * (size_t)w->mark_count;
    if (used + sizeof mark > w->rigid_marks.size &&
        !rill_buffer_reserve(&w->memory, &w->rigid_marks, 2 * used + 64 * sizeof mark, used))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the contacts of bodies");
    /* Of two bodies the one in the lower slot is a. */
    const int b = POOL_ITEMS(w, solid)[other].body - 1;
    if (b >= 0 && b < a) {
        other = POOL_ITEMS(w, body)[a].solid;
        a = b;
        mark.normal = dvec_scale(mark.normal, -1);
        mark.impulse = dvec_scale(mark.impulse, -1);
    }
    mark.pair = pair_key(a, other);
    mark.order = w->mark_count;
    ((touch_mark *)w->rigid_marks.data)[w->mark_count++] = mark;
    return RILL_OK;
}

static int compare_marks(const void *a, const void *b) {
    const touch_mark *x = a, *y = b;
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

/* The marks of one pair as one contact: means weighted by how hard each point presses. */
static rill_contact contact_of(const rill_world *w, const touch_mark *marks, int count) {
    const int a = (int)(marks->pair >> 32), other = (int)(marks->pair & 0xffffffffu);
    dvec point = {0}, normal = {0}, impulse = {0};
    double pressing = 0, weight = 0, depth = 0;
    for (int k = 0; k < count; k++) pressing += marks[k].pressing;
    for (int k = 0; k < count; k++) {
        const double share = pressing > 0 ? marks[k].pressing : 1;
        point = dvec_along(point, share, marks[k].point);
        normal = dvec_along(normal, share, marks[k].normal);
        impulse = dvec_add(impulse, marks[k].impulse);
        weight += share;
        depth = fmax(depth, -marks[k].gap);
    }
    return (rill_contact){.kind = RILL_CONTACT_BEGIN,
                          .a = solid_id(w, POOL_ITEMS(w, body)[a].solid),
                          .b = solid_id(w, other),
                          .body_a = body_id(w, a),
                          .body_b = body_id(w, POOL_ITEMS(w, solid)[other].body - 1),
                          .point = dvec_out(dvec_scale(point, 1 / weight)),
                          .normal = dvec_out(dvec_direction(normal)),
                          .impulse = dvec_out(impulse),
                          .pressing = (float)pressing,
                          .depth = (float)depth};
}

static bool same_pair(const rill_contact *x, const rill_contact *y) {
    return event_key(x) == event_key(y) && x->body_a.age == y->body_a.age && x->b.age == y->b.age;
}

/* What becomes of an event that has no mark in this step: it sleeps on, or it ends. */
static rill_contact without_mark(const rill_world *w, rill_contact c) {
    const int a = (int)c.body_a.index1 - 1, other = (int)c.b.index1 - 1;
    const bool there =
        rill_touch_sleeps(w, a, other) && body_id(w, a).age == c.body_a.age && solid_id(w, other).age == c.b.age;
    c.kind = there ? RILL_CONTACT_PERSIST : RILL_CONTACT_END;
    if (!there) c.impulse = (rill_vec){0}, c.pressing = c.depth = 0.0f;
    return c;
}

rill_status rill_events_end(rill_world *w) {
    touch_mark *marks = w->rigid_marks.data;
    rill_sort_items(marks, w->mark_count, sizeof *marks, compare_marks);
    size_t most = (size_t)w->contact_count;
    for (int k = 0; k < w->mark_count; k++) most += k == 0 || marks[k].pair != marks[k - 1].pair;
    if (!rill_buffer_reserve(&w->memory, &w->rigid_events, sizeof(rill_contact) * most, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the contacts of bodies");
    const rill_contact *before = w->contacts.data;
    rill_contact *now = w->rigid_events.data;
    int count = 0, at = 0;
    for (int last = 0; at < w->mark_count || last < w->contact_count;) {
        if (last < w->contact_count && before[last].kind == RILL_CONTACT_END) {
            last++;
            continue;
        }
        const uint64_t old = last < w->contact_count ? event_key(&before[last]) : UINT64_MAX;
        if (at == w->mark_count || old < marks[at].pair) {
            now[count++] = without_mark(w, before[last++]);
            continue;
        }
        int end = at + 1;
        while (end < w->mark_count && marks[end].pair == marks[at].pair) end++;
        rill_contact c = contact_of(w, &marks[at], end - at);
        if (old == marks[at].pair) {
            if (same_pair(&c, &before[last]))
                c.kind = RILL_CONTACT_PERSIST, last++;
            else /* another object in the same slot */
                now[count++] = without_mark(w, before[last++]);
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
