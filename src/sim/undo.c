/* SPDX-License-Identifier: MIT */
/* The way back for a step that finds no memory half-way: sizes of neighbour lists and contacts are known only after
   particles were added, removed and moved ahead, so a step keeps a copy of the state it starts from. The copy holds
   what a step changes, byte by byte; pointers in it stay good, because a step releases nothing they point to. */
#include "sim/undo.h"

#include "sim/method/method.h"

/* Numbers of the world that a step changes. */
typedef struct undo_head {
    rill_stats stats;
    float derived[sizeof((rill_world *)0)->derived / sizeof(float)];
    bool scene_changed, in_call;
    double call_time;
    int touch_count, contact_count;
    int particle_count;
    rill_particle_id next_id;
    bool has_particles; /* fields follow, then links */
    int moved_count;
    bool links_stale;
} undo_head;

/* A range of bytes of the state. */
typedef struct part {
    void *data;
    size_t size;
} part;

#define POOL_PART(world, name) \
    ((part){(world)->name##s.items.data, (size_t)(world)->name##s.count * sizeof(struct name)})
#define PARTS 8

static void list_parts(rill_world *w, int touches, int contacts, part parts[PARTS]) {
    parts[0] = POOL_PART(w, solid), parts[1] = POOL_PART(w, body), parts[2] = POOL_PART(w, joint);
    parts[3] = POOL_PART(w, emitter), parts[4] = POOL_PART(w, sink);
    parts[5] = POOL_PART(w, gauge);
    parts[6] = (part){w->contact_memories.data, sizeof(contact_memory) * (size_t)touches};
    parts[7] = (part){w->contacts.data, sizeof(rill_contact) * (size_t)contacts};
}

/* A step that emits, drains, predicts or is cut changes particles before it has all its memory. Otherwise it has only
   sorted them by then, which changes nothing that a repeated step would see. Links name particles by where they are, so
   that both go back together. */
static bool changes_particles_early(const rill_world *w) {
    const method *m = sim_of(w)->method;
    FOR_ALIVE(w, emitter, e) return true;
    FOR_ALIVE(w, sink, s) return true;
    return m->predict || m->substeps || m->link_set_count > 0;
}

/* Bytes of the links, for all that there is room for. */
static size_t size_of_links(const particles *p) {
    size_t size = sizeof(int32_t) * (size_t)p->moved_count;
    for (int k = 0; k < p->link_set_count; k++) {
        const link_set *s = &p->link_sets[k];
        size += sizeof s->count;
        for (int f = 0; f < s->field_count; f++) size += s->fields[f].size * (size_t)s->capacity;
    }
    return size;
}

static char *put(char *at, const void *data, size_t size) {
    if (size > 0) memcpy(at, data, size);
    return at + size;
}

static const char *get(const char *at, void *data, size_t size) {
    if (size > 0) memcpy(data, at, size);
    return at + size;
}

static void put_links(char *at, const particles *p) {
    at = put(at, p->moved_to.data, sizeof(int32_t) * (size_t)p->moved_count);
    for (int k = 0; k < p->link_set_count; k++) {
        const link_set *s = &p->link_sets[k];
        at = put(at, &s->count, sizeof s->count);
        for (int f = 0; f < s->field_count; f++) at = put(at, s->fields[f].data, s->fields[f].size * (size_t)s->count);
    }
}

static void get_links(const char *at, particles *p) {
    at = get(at, p->moved_to.data, sizeof(int32_t) * (size_t)p->moved_count);
    for (int k = 0; k < p->link_set_count; k++) {
        link_set *s = &p->link_sets[k];
        at = get(at, &s->count, sizeof s->count);
        for (int f = 0; f < s->field_count; f++) at = get(at, s->fields[f].data, s->fields[f].size * (size_t)s->count);
    }
}

rill_status rill_undo_keep(rill_world *w) {
    const particles *p = &w->particles;
    undo_head head = {.stats = w->stats,
                      .scene_changed = w->scene_changed,
                      .in_call = w->in_call,
                      .call_time = w->call_time,
                      .touch_count = w->contact_memory_count,
                      .contact_count = w->contact_count,
                      .particle_count = p->count,
                      .next_id = p->next_id,
                      .has_particles = changes_particles_early(w),
                      .moved_count = p->moved_count,
                      .links_stale = p->links_stale};
    memcpy(head.derived, w->derived, sizeof head.derived);
    part parts[PARTS];
    list_parts(w, w->contact_memory_count, w->contact_count, parts);
    size_t size = sizeof head, each = 0;
    for (int k = 0; k < PARTS; k++) size += parts[k].size;
    for (int k = 0; head.has_particles && k < p->field_count; k++) each += p->fields[k].size;
    buffer *undo = &sim_of(w)->undo;
    /* As the particle arrays: so it grows when they do. */
    if (!rill_buffer_reserve(&w->memory, undo, size + each * (size_t)p->capacity + size_of_links(p), 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory to take a step of %d particles back", p->count);
    char *at = put(undo->data, &head, sizeof head);
    for (int k = 0; k < PARTS; k++) at = put(at, parts[k].data, parts[k].size);
    for (int k = 0; head.has_particles && k < p->field_count; k++)
        at = put(at, p->fields[k].data, p->fields[k].size * (size_t)p->count);
    if (head.has_particles) put_links(at, p);
    return RILL_OK;
}

void rill_undo_restore(rill_world *w) {
    particles *p = &w->particles;
    undo_head head;
    const char *at = get(sim_of(w)->undo.data, &head, sizeof head);
    w->stats = head.stats;
    w->scene_changed = head.scene_changed;
    w->in_call = head.in_call, w->call_time = head.call_time;
    memcpy(w->derived, head.derived, sizeof head.derived);
    w->contact_memory_count = head.touch_count, w->contact_count = head.contact_count;
    part parts[PARTS];
    list_parts(w, head.touch_count, head.contact_count, parts);
    for (int k = 0; k < PARTS; k++) at = get(at, parts[k].data, parts[k].size);
    w->placed = false; /* forms are where the step had moved the solids to */
    if (!head.has_particles) return;
    p->count = head.particle_count, p->next_id = head.next_id;
    p->by_id_valid = false;
    for (int k = 0; k < p->field_count; k++) at = get(at, p->fields[k].data, p->fields[k].size * (size_t)p->count);
    p->moved_count = head.moved_count, p->links_stale = head.links_stale;
    get_links(at, p);
}
