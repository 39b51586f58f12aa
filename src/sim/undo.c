/* SPDX-License-Identifier: MIT */
/* Undoes a step that fails half-way. The sizes of neighbour lists and contacts are known only after particles were
   added, removed and predicted, so a step may run out of memory then: it keeps a copy of the state that it starts from.
   The copy holds what a step changes, byte by byte. Pointers in it stay valid, because a step releases nothing that
   they point to. It is kept until the next step, so that the world can be shown between the two (sim/look.c). */
#include "sim/undo.h"

#include "sim/method/method.h"
#include "sim/strays.h"

/* Scalars of the world that a step changes. */
typedef struct undo_head {
    rill_stats stats;
    float derived[sizeof((rill_world *)0)->derived / sizeof(float)];
    bool scene_changed, in_call;
    double call_time, push_time, last_dt;
    energy_watch energy;
    int touch_count, contact_count;
    int removal_count, passage_count, change_count;
    int particle_count;
    rill_particle_id next_id;
    bool has_all; /* all fields of particles, and links; otherwise only the fields that rill_look_begin needs */
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
#define PARTS 11

/* Counts are those of the copy. */
static void list_parts(rill_world *w, const undo_head *head, part parts[PARTS]) {
    parts[0] = POOL_PART(w, solid), parts[1] = POOL_PART(w, body), parts[2] = POOL_PART(w, joint);
    parts[3] = POOL_PART(w, emitter), parts[4] = POOL_PART(w, sink);
    parts[5] = POOL_PART(w, gauge);
    parts[6] = (part){w->contact_memories.data, sizeof(contact_memory) * (size_t)head->touch_count};
    parts[8] = POOL_PART(w, pin);
    parts[7] = (part){w->contacts.data, sizeof(rill_contact) * (size_t)head->contact_count};
    parts[9] = (part){w->removals.data, sizeof(rill_removal) * (size_t)head->removal_count};
    parts[10] = (part){w->passages.data, sizeof(rill_passage) * (size_t)head->passage_count};
}

/* A step that emits, drains, removes old or stray particles, has areas or links, predicts or takes substeps changes
   particles before it has reserved all its memory. Any other step has only sorted them by then, which a repeated step
   would not notice. Links name particles by index, so both are restored together. */
static bool changes_particles_early(const rill_world *w) {
    const method *m = sim_of(w)->method;
    FOR_ALIVE(w, emitter, e) return true;
    FOR_ALIVE(w, sink, s) return true;
    FOR_ALIVE(w, area, a) return true;
    if (particles_extra(&w->particles, EXTRA_LIFE) || w->def.particle_limit > 0) return true;
    return m->predict || m->substeps || m->link_set_count > 0 || rill_strays_wait(w);
}

/* Bytes of all links up to their capacity. */
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

/* Rounds up to 16 bytes, so that parts and fields are aligned for their types. */
static size_t aligned(size_t size) {
    return (size + 15) & ~(size_t)15;
}

static char *put_aligned(char *at, const void *data, size_t size) {
    put(at, data, size);
    return at + aligned(size);
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
        s->grouped = 0;
        for (int f = 0; f < s->field_count; f++) at = get(at, s->fields[f].data, s->fields[f].size * (size_t)s->count);
    }
}

/* Whether the copy holds a field. Positions, velocities and ids are always kept, for sim/look.c. */
static bool keeps(const undo_head *head, int field) {
    return head->has_all || field == FIELD_PLACE || field == FIELD_VELOCITY || field == FIELD_ID;
}

typedef struct copy_job {
    const particles *particles;
    const undo_head *head;
    char *to;
} copy_job;

/* Copies the kept fields of a block of particles; each field has its own range in the copy. */
static void copy_block(int begin, int end, void *context) {
    const copy_job *job = context;
    const particles *p = job->particles;
    char *at = job->to;
    for (int k = 0; k < p->field_count; k++) {
        if (!keeps(job->head, k)) continue;
        const size_t size = p->fields[k].size, from = size * (size_t)begin;
        memcpy(at + from, (const char *)p->fields[k].data + from, size * (size_t)(end - begin));
        at += aligned(size * (size_t)p->count);
    }
}

/* Records where the copy lies and its time, for sim/look.c. */
static void note_start(rill_world *w, const part parts[PARTS], const void *const copies[PARTS]) {
    last_step *last = &sim_of(w)->last_step;
    last->bodies = copies[1], last->body_count = (int)(parts[1].size / sizeof(body));
    last->gauges = copies[5], last->gauge_count = (int)(parts[5].size / sizeof(gauge));
    last->dt = w->last_dt;
    last->time = w->stats.time, last->count = w->particles.count;
    last->known = true;
}

rill_status rill_undo_keep(rill_world *w) {
    const particles *p = &w->particles;
    undo_head head = {.stats = w->stats,
                      .scene_changed = w->scene_changed,
                      .in_call = w->in_call,
                      .call_time = w->call_time,
                      .push_time = w->push_time,
                      .last_dt = w->last_dt,
                      .energy = w->energy,
                      .touch_count = w->contact_memory_count,
                      .contact_count = w->contact_count,
                      .removal_count = w->removal_count,
                      .passage_count = w->passage_count,
                      .change_count = w->change_count,
                      .particle_count = p->count,
                      .next_id = p->next_id,
                      .has_all = changes_particles_early(w),
                      .moved_count = p->moved_count,
                      .links_stale = p->links_stale};
    memcpy(head.derived, w->derived, sizeof head.derived);
    part parts[PARTS];
    list_parts(w, &head, parts);
    size_t size = aligned(sizeof head);
    for (int k = 0; k < PARTS; k++) size += aligned(parts[k].size);
    for (int k = 0; k < p->field_count; k++)
        if (keeps(&head, k)) size += aligned(p->fields[k].size * (size_t)p->capacity);
    buffer *undo = &sim_of(w)->undo;
    sim_of(w)->last_step.known = false;
    /* Sized by the capacity of the particle arrays, so that it grows when they do. */
    if (!rill_buffer_reserve(&w->memory, undo, size + size_of_links(p), 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory to undo a step of %d particles", p->count);
    char *at = put_aligned(undo->data, &head, sizeof head);
    const void *copies[PARTS];
    for (int k = 0; k < PARTS; k++) copies[k] = at, at = put_aligned(at, parts[k].data, parts[k].size);
    copy_job job = {p, &head, at};
    for (int k = 0; k < p->field_count; k++) {
        if (!keeps(&head, k)) continue;
        if (k == FIELD_PLACE) sim_of(w)->last_step.places = (const void *)at;
        if (k == FIELD_VELOCITY) sim_of(w)->last_step.velocities = (const void *)at;
        if (k == FIELD_ID) sim_of(w)->last_step.ids = (const void *)at;
        at += aligned(p->fields[k].size * (size_t)p->count);
    }
    rill_parallel_for(w->workers, p->count, REDUCE_BLOCK, copy_block, &job);
    if (head.has_all) put_links(at, p);
    note_start(w, parts, copies);
    return RILL_OK;
}

void rill_undo_restore(rill_world *w) {
    particles *p = &w->particles;
    undo_head head;
    const char *at = sim_of(w)->undo.data;
    get(at, &head, sizeof head);
    at += aligned(sizeof head);
    w->stats = head.stats;
    w->scene_changed = head.scene_changed;
    w->in_call = head.in_call, w->call_time = head.call_time, w->push_time = head.push_time;
    w->last_dt = head.last_dt, w->energy = head.energy;
    memcpy(w->derived, head.derived, sizeof head.derived);
    w->contact_memory_count = head.touch_count, w->contact_count = head.contact_count;
    w->removal_count = head.removal_count, w->passage_count = head.passage_count;
    w->change_count = head.change_count;
    part parts[PARTS];
    list_parts(w, &head, parts);
    for (int k = 0; k < PARTS; k++) {
        get(at, parts[k].data, parts[k].size);
        at += aligned(parts[k].size);
    }
    w->placed = false; /* shapes are still where the step placed them */
    sim_of(w)->last_step.known = false;
    if (!head.has_all) return;
    p->count = head.particle_count, p->next_id = head.next_id;
    p->by_id_valid = false;
    for (int k = 0; k < p->field_count; k++) {
        get(at, p->fields[k].data, p->fields[k].size * (size_t)p->count);
        at += aligned(p->fields[k].size * (size_t)p->count);
    }
    p->moved_count = head.moved_count, p->links_stale = head.links_stale;
    get_links(at, p);
}
