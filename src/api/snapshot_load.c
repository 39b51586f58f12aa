/* SPDX-License-Identifier: MIT */
/* Loading: turns a snapshot of this or another build into a world, or refuses it with the name of the part that does
   not fit. */
#include "api/snapshot.h"
#include "api/world.h"
#include "api/world_layout.h"
#include "rigid/body.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PARTS_MAX 64

/* ---- the head ---- */

_Static_assert(sizeof(snapshot_head) == SNAPSHOT_HEAD_SIZE, "the header has padding");

static rill_status check_head(const void *data, size_t size, snapshot_head *head, rill_error *error) {
    archive a = rill_archive_of(data, size);
    rill_archive_bytes(&a, head, sizeof *head);
    if (!a.ok || memcmp(head->magic, SNAPSHOT_MAGIC, sizeof head->magic) != 0)
        return rill_fail(error, RILL_FORMAT, "this is not a Rill snapshot");
    if (head->byte_order != 1)
        return rill_fail(error, RILL_FORMAT, "the snapshot was written on a machine with another byte order");
    if (head->version != SNAPSHOT_VERSION)
        return rill_fail(error, RILL_FORMAT,
                         "the snapshot has format version %u, and this build (Rill %s) reads version %u; use the build "
                         "that wrote it",
                         head->version, rill_version(), SNAPSHOT_VERSION);
    uint64_t sum;
    const uint64_t around = sizeof *head + sizeof sum;
    if (size < around || head->size != size - around)
        return rill_fail(error, RILL_FORMAT, "the snapshot is truncated or too long: %zu of %.0f bytes", size,
                         (double)head->size + (double)around);
    memcpy(&sum, (const char *)data + size - sizeof sum, sizeof sum);
    if (sum != rill_archive_checksum(data, size - sizeof sum))
        return rill_fail(error, RILL_FORMAT, "the snapshot is damaged: its checksum is wrong");
    if (!rill_chunks_are_sound((const char *)data + sizeof *head, (size_t)head->size))
        return rill_fail(error, RILL_FORMAT, "the snapshot's chunks are invalid");
    return RILL_OK;
}

/* Chunks of links are checked later (refuse_link_sets), once the world has its method and so its link sets. */
static bool is_links_chunk(const char *name) {
    return strncmp(name, CHUNK_LINKS, strlen(CHUNK_LINKS)) == 0;
}

static bool knows_chunk(const char *name) {
    if (is_links_chunk(name)) return true;
    static const char *const names[] = {CHUNK_WORLD,   CHUNK_METHOD,   CHUNK_STATE,
                                        CHUNK_TOUCHES, CHUNK_CONTACTS, CHUNK_PARTICLES};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0) return true;
    for (int k = 0; k < POOL_COUNT; k++) {
        char parts[CHUNK_NAME_SIZE];
        snprintf(parts, sizeof parts, CHUNK_PARTS, rill_pool_layouts[k].name);
        if (strcmp(name, rill_pool_layouts[k].name) == 0) return true;
        if (rill_pool_layouts[k].shape_at && strcmp(name, parts) == 0) return true;
    }
    return false;
}

static void refuse_chunk(row_reader *r, const char *name) {
    REFUSE(r, "the snapshot has '%s', which this build of Rill does not know and cannot go on without", name);
}

static void refuse_chunks(row_reader *r) {
    archive a = rill_archive_of(r->data, r->size);
    while (!r->status && a.left > 0) {
        chunk c = {0};
        rill_archive_chunk(&a, &c);
        if ((c.flags & CHUNK_REQUIRED) && !knows_chunk(c.name)) refuse_chunk(r, c.name);
    }
}

/* ---- objects ---- */

static void expect(row_reader *r, bool condition, const char *what) {
    if (!condition) REFUSE(r, "the snapshot's '%s' are invalid", what);
}

/* Refuses the snapshot if one of the world's own checks of an object failed. */
static void expect_ok(row_reader *r, rill_world *w, rill_status status, const char *what) {
    if (status == RILL_OK) return;
    rill_need_memory(r, status != RILL_MEMORY);
    REFUSE(r, "the snapshot's '%s' are invalid: %.300s", what, w->error.text);
}

/* Gives consecutive rows with the same owner to that owner's shape. */
static void attach_parts(row_reader *r, rill_world *w, const pool_layout *layout, part_row *rows, int count) {
    const row_set owners = rill_pool_rows(layout, w);
    const int owner = rows->owner;
    if (owner < 0 || owner >= owners.count || !rill_row_is_alive(&owners, owner) || count > PARTS_MAX) {
        expect(r, false, "parts");
        return;
    }
    rill_shape *shape = (void *)((char *)rill_row_at(&owners, owner) + layout->shape_at);
    expect(r, shape->parts.count == 0, "parts");
    rill_shape *parts = r->status ? NULL : rill_memory_get(&w->memory, sizeof *parts * (size_t)count);
    rill_need_memory(r, parts != NULL);
    if (!parts) return;
    for (int k = 0; k < count; k++) {
        parts[k] = rows[k].shape;
        rows[k].shape.points = (rill_points){0}; /* the shape owns them now */
    }
    shape->parts = (rill_parts){parts, count};
}

static void get_part_rows(row_reader *r, rill_world *w, const pool_layout *layout) {
    char name[CHUNK_NAME_SIZE];
    snprintf(name, sizeof name, CHUNK_PARTS, layout->name);
    const chunk c = rill_get_chunk(r, name);
    rill_refuse_unknown(r, &c, rill_part_row_parts, PARTS_OF_PART);
    const size_t size = sizeof(part_row) * (size_t)c.rows;
    expect(r, c.rows <= (uint64_t)layout->most * PARTS_MAX, name);
    if (r->status || c.rows == 0) return;
    part_row *rows = rill_memory_get(&w->memory, size);
    rill_need_memory(r, rows != NULL);
    if (!rows) return;
    memset(rows, 0, size);
    const int count = (int)c.rows;
    for (int k = 0; k < PARTS_OF_PART; k++)
        rill_get_part(r, &c, &rill_part_row_parts[k], &ROWS(rows, sizeof *rows, count));
    for (int first = 0, last; first < count && !r->status; first = last) {
        for (last = first + 1; last < count && rows[last].owner == rows[first].owner;) last++;
        attach_parts(r, w, layout, &rows[first], last - first);
    }
    for (int k = 0; k < count; k++) rill_shape_release(w, &rows[k].shape);
    rill_memory_release(&w->memory, rows, size);
}

static void settle_fluids(row_reader *r, rill_world *w) {
    const fluid *fluids = POOL_ITEMS(w, fluid);
    for (int k = 0; k < w->fluids.count; k++) expect(r, !fluids[k].slot.alive || fluids[k].mass > 0.0f, "fluids");
}

static void settle_shape(row_reader *r, rill_world *w, rill_shape *shape, shape_models *models, const char *what) {
    const shape_context context = rill_shape_context_of(w);
    if (!r->status) expect_ok(r, w, rill_check_shape(w, shape), what);
    if (!r->status) expect_ok(r, w, rill_shape_models_take(&w->shapes, &context, shape, models, &w->error), what);
}

static void settle_solids(row_reader *r, rill_world *w) {
    FOR_ALIVE(w, solid, s) {
        if (!r->status) expect_ok(r, w, rill_check_motion(w, &s->def.motion), "solids");
        settle_shape(r, w, &s->def.shape, &s->models, "solids");
    }
}

static bool is_turn(const double q[4]) {
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return length > 0.5 && length < 2;
}

static bool is_weight(double value) {
    return value >= 0 && isfinite(value);
}

/* Derives the values that follow from the definition. The saved state overwrites them afterwards (get_pool). */
static void settle_bodies(row_reader *r, rill_world *w) {
    const solid *solids = POOL_ITEMS(w, solid);
    FOR_ALIVE(w, body, b) {
        expect(r, b->solid >= 0 && b->solid < w->solids.count && solids[b->solid].slot.alive, "bodies");
        expect(r, b->island >= 0 && b->island < w->bodies.count, "bodies");
        const drive *d = &b->drive;
        expect(r, is_turn(b->q), "bodies");
        if (d->by_host) expect(r, is_turn(d->q) && is_turn(d->goal_q) && d->since <= d->until, "bodies");
        expect(r, (d->by_host || !d->due) && (b->def.kind == RILL_BODY_KINEMATIC || !d->by_host), "bodies");
        expect(r, is_weight(b->mass) && is_weight(b->inverse_mass) && isfinite(b->host.gravity), "bodies");
        expect(r, is_weight(b->host.ballast) && b->host.untold >= 0 && is_weight((double)b->debt.over), "bodies");
        for (int k = 0; k < 2; k++) expect(r, is_weight((double)b->pressed_over[k]), "bodies");
        if (r->status) return;
        b->def.shape = solids[b->solid].def.shape; /* the surface owns points and keyframes */
        b->def.motion = solids[b->solid].def.motion;
        expect_ok(r, w, rill_make_contact_samples(w, b), "bodies");
        if (!r->status) expect_ok(r, w, rill_body_start(w, b), "bodies");
    }
}

/* Checks that bodies, surfaces and joints refer to each other consistently. */
static void settle_joints(row_reader *r, rill_world *w) {
    const body *bodies = POOL_ITEMS(w, body);
    FOR_ALIVE(w, solid, s)
    expect(r, s->body >= 0 && s->body <= w->bodies.count && (s->body == 0 || bodies[s->body - 1].slot.alive), "solids");
    FOR_ALIVE(w, body, b)
    expect(r, POOL_ITEMS(w, solid)[b->solid].body == (int32_t)(b - bodies) + 1, "bodies");
    FOR_ALIVE(w, joint, j) {
        /* Earlier builds saved a stiffness for joints without a spring; nothing reads it. */
        const int32_t kind = j->def.kind;
        if (kind != RILL_JOINT_HINGE && kind != RILL_JOINT_SLIDER && kind != RILL_JOINT_SPRING) j->def.stiffness = 0;
        expect(r, j->a >= 0 && j->a < w->bodies.count && bodies[j->a].slot.alive, "joints");
        expect(r, j->b >= -1 && j->b < w->bodies.count && (j->b < 0 || bodies[j->b].slot.alive), "joints");
        if (r->status) return;
        j->def.a = OBJECT_ID(w, body, &bodies[j->a]);
        if (j->b >= 0) j->def.b = OBJECT_ID(w, body, &bodies[j->b]);
    }
    FOR_ALIVE(w, joint, j) {
        if (j->def.kind != RILL_JOINT_GEAR || r->status) continue;
        expect(r, rill_refer_joint(w, &j->def) == RILL_OK, "joints");
        expect(r, j->gear_a == (int32_t)j->def.joint_a.index1 - 1, "joints");
        expect(r, j->gear_b == (int32_t)j->def.joint_b.index1 - 1, "joints");
    }
}

static void settle_emitters(row_reader *r, rill_world *w) {
    FOR_ALIVE(w, emitter, e) {
        if (!r->status) expect_ok(r, w, rill_check_emitter(w, &e->def), "emitters");
        e->first_due = (double)e->def.start_time; /* for snapshots without it */
        expect(r, e->emitted >= 0 && e->layers >= 0, "emitters");
    }
}

static void settle_sinks(row_reader *r, rill_world *w) {
    FOR_ALIVE(w, sink, s) {
        settle_shape(r, w, &s->def.shape, &s->models, "sinks");
        if (!r->status) expect_ok(r, w, rill_refer_sink(w, &s->def), "sinks");
    }
}

static void settle_pins(row_reader *r, rill_world *w) {
    FOR_ALIVE(w, pin, p) {
        if (!r->status) expect_ok(r, w, rill_check_motion(w, &p->def.motion), "pins");
        if (!r->status) expect_ok(r, w, rill_refer_pin(w, &p->def), "pins");
    }
}

static void settle_groups(row_reader *r, rill_world *w) {
    FOR_ALIVE(w, group, g) if (!r->status) expect_ok(r, w, rill_check_group(w, &g->def), "groups");
}

static void settle_areas(row_reader *r, rill_world *w) {
    FOR_ALIVE(w, area, a) {
        settle_shape(r, w, &a->def.shape, &a->models, "areas");
        if (!r->status) expect_ok(r, w, rill_refer_area(w, &a->def), "areas");
        expect(r, !a->def.watch || a - POOL_ITEMS(w, area) < RILL_AREAS_WATCHED, "areas");
    }
}

/* The object of a gauge may have been removed before the snapshot. */
static void settle_gauges(row_reader *r, rill_world *w) {
    FOR_ALIVE(w, gauge, g) {
        const rill_status status = r->status ? RILL_OK : rill_refer_gauge(w, &g->def);
        if (status != RILL_NOT_FOUND) expect_ok(r, w, status, "gauges");
        expect(r, g->def.fluid.index1 > 0 || !*g->def.fluid_name, "gauges");
    }
}

typedef void settle_fn(row_reader *r, rill_world *w);
static settle_fn *const settle[POOL_COUNT] = {
    [POOL_FLUIDS] = settle_fluids, [POOL_SOLIDS] = settle_solids,     [POOL_BODIES] = settle_bodies,
    [POOL_JOINTS] = settle_joints, [POOL_EMITTERS] = settle_emitters, [POOL_SINKS] = settle_sinks,
    [POOL_PINS] = settle_pins,     [POOL_GAUGES] = settle_gauges,     [POOL_GROUPS] = settle_groups,
    [POOL_AREAS] = settle_areas,
};

/* Reserves `size` bytes, set to zero. */
static bool get_room(row_reader *r, rill_world *w, buffer *to, size_t size) {
    rill_need_memory(r, rill_buffer_reserve(&w->memory, to, size, 0));
    if (!r->status && size > 0) memset(to->data, 0, size);
    return !r->status;
}

/* Slots stay as they were, dead ones too, so that handles of the host stay valid. */
static void get_pool(row_reader *r, rill_world *w, int kind) {
    const pool_layout *layout = &rill_pool_layouts[kind];
    chunk c;
    if (layout->optional && !rill_chunk_find(r->data, r->size, layout->name, &c)) return;
    c = rill_get_chunk(r, layout->name);
    row_part parts[POOL_PARTS_MAX];
    const int part_count = rill_pool_parts(layout, w, parts);
    rill_refuse_unknown(r, &c, parts, part_count);
    expect(r, c.rows <= (uint64_t)layout->most, layout->name);
    if (r->status) return;
    pool *p = rill_pool_of(layout, w);
    if (!get_room(r, w, &p->items, (size_t)c.rows * layout->size)) return;
    if (p->method_table && !get_room(r, w, &p->method_rows, (size_t)c.rows * p->method_table->size)) return;
    p->count = (int)c.rows;
    row_set rows = rill_pool_rows(layout, w);
    rows.slots = false;
    rill_get_part(r, &c, &parts[0], &rows);
    rows.slots = true;
    if (!r->status) rill_need_memory(r, rill_pool_list_living(&w->memory, p, layout->size));
    for (int k = 1; k < part_count; k++) rill_get_part(r, &c, &parts[k], &rows);
    if (layout->shape_at) get_part_rows(r, w, layout);
    if (r->status || !settle[kind]) return;
    settle[kind](r, w);
    rill_get_part(r, &c, &parts[part_count - 1], &rows);
}

/* ---- contacts ---- */

static row_set get_list(row_reader *r, rill_world *w, const char *name, const row_part *part, buffer *to, size_t each) {
    row_set rows = {.stride = each};
    const chunk c = rill_get_chunk(r, name);
    rill_refuse_unknown(r, &c, part, 1);
    if (r->status || !get_room(r, w, to, (size_t)c.rows * each)) return rows;
    rows.data = to->data;
    rows.count = (int)c.rows;
    rill_get_part(r, &c, part, &rows);
    return rows;
}

static void get_contacts(row_reader *r, rill_world *w) {
    const row_set touches =
        get_list(r, w, CHUNK_TOUCHES, &rill_contact_memory_part, &w->contact_memories, sizeof(contact_memory));
    const contact_memory *t = touches.data;
    for (int k = 1; k < touches.count; k++) expect(r, t[k - 1].key <= t[k].key, CHUNK_TOUCHES);
    const row_set contacts = get_list(r, w, CHUNK_CONTACTS, &rill_contact_part, &w->contacts, sizeof(rill_contact));
    const uint32_t solids = (uint32_t)w->solids.count, bodies = (uint32_t)w->bodies.count;
    for (int k = 0; k < contacts.count; k++) {
        const rill_contact *c = rill_row_at(&contacts, k);
        expect(r, c->a.index1 <= solids && c->b.index1 > 0 && c->b.index1 <= solids, CHUNK_CONTACTS);
        expect(r, c->body_a.index1 > 0 && c->body_a.index1 <= bodies && c->body_b.index1 <= bodies, CHUNK_CONTACTS);
    }
    if (r->status) return;
    w->contact_memory_count = touches.count;
    w->contact_count = contacts.count;
}

/* ---- particles ---- */

static bool phase_is_there(const rill_world *w, uint32_t phase) {
    if (phase_is_fluid(phase)) return phase < (uint32_t)w->fluids.count && POOL_ITEMS(w, fluid)[phase].slot.alive;
    const uint32_t k = phase - WORLD_FLUIDS_MAX;
    return k < (uint32_t)w->cloths.count && POOL_ITEMS(w, cloth)[k].slot.alive;
}

/* Checks what neighbour search and methods rely on. */
static void check_particles(row_reader *r, const rill_world *w) {
    const particles *p = &w->particles;
    const rill_particle_id *id = p->fields[FIELD_ID].data;
    const uint32_t *fluid_index = p->fields[FIELD_FLUID].data;
    const float *place = p->fields[FIELD_PLACE].data, *velocity = p->fields[FIELD_VELOCITY].data;
    for (int i = 0; !r->status && i < p->count; i++) {
        bool fine = id[i] < p->next_id && phase_is_there(w, fluid_index[i]);
        for (int k = 0; k < 4; k++) fine = fine && isfinite(place[4 * (size_t)i + (size_t)k]);
        for (int k = 0; k < p->dim; k++) fine = fine && isfinite(velocity[(size_t)p->dim * (size_t)i + (size_t)k]);
        expect(r, fine, CHUNK_PARTICLES);
    }
}

/* Refuses fields that this build does not know: the snapshot's method needs them to continue. */
static void refuse_fields(row_reader *r, const chunk *c, const field *fields, int count) {
    archive a = rill_archive_of(c->data, (size_t)c->bytes);
    while (!r->status && a.left > 0) {
        column found = {0};
        bool known = false;
        rill_archive_column(&a, &found, c->rows);
        for (int k = 0; k < count && !known; k++)
            known = !(fields[k].def.flags & FIELD_INTERNAL) && strcmp(fields[k].def.name, found.name) == 0;
        if (!known) rill_refuse_column(r, c, &found);
    }
}

/* Adds the optional fields that the snapshot's world had. */
static void use_extra_fields(row_reader *r, rill_world *w, const chunk *c) {
    archive a = rill_archive_of(c->data, (size_t)c->bytes);
    while (!r->status && a.left > 0) {
        column found = {0};
        rill_archive_column(&a, &found, c->rows);
        for (int k = 0; k < EXTRA_COUNT; k++)
            if (strcmp(found.name, rill_particles_extra_name((extra_field)k)) == 0)
                rill_need_memory(r, rill_particles_use(&w->memory, &w->particles, (extra_field)k));
    }
}

static void check_extra_fields(row_reader *r, const rill_world *w) {
    const uint32_t *groups = particles_extra(&w->particles, EXTRA_GROUP);
    const uint32_t *pins = particles_extra(&w->particles, EXTRA_PIN);
    const float *lives = particles_extra(&w->particles, EXTRA_LIFE),
                *colours = particles_extra(&w->particles, EXTRA_COLOUR),
                *anchors = particles_extra(&w->particles, EXTRA_ANCHOR);
    const size_t dim = (size_t)w->def.dim;
    for (int i = 0; !r->status && i < w->particles.count; i++) {
        bool fine = !groups || groups[i] == 0 ||
                    (groups[i] <= (uint32_t)w->groups.count && POOL_ITEMS(w, group)[groups[i] - 1].slot.alive);
        fine = fine && (!pins || pins[i] == 0 ||
                        (pins[i] <= (uint32_t)w->pins.count && POOL_ITEMS(w, pin)[pins[i] - 1].slot.alive));
        fine = fine && (!lives || isfinite(lives[i]));
        for (size_t k = 0; anchors && k < dim; k++) fine = fine && isfinite(anchors[dim * (size_t)i + k]);
        for (int k = 0; colours && k < 4; k++) fine = fine && isfinite(colours[4 * (size_t)i + (size_t)k]);
        expect(r, fine, CHUNK_PARTICLES);
    }
}

/* Checks that the columns of all fields are there, and no others. */
static void check_fields(row_reader *r, const chunk *c, const field *fields, int count) {
    refuse_fields(r, c, fields, count);
    for (int k = 0; k < count && !r->status; k++) {
        const row_value v = rill_field_value(&fields[k]);
        column from;
        if (!(fields[k].def.flags & FIELD_INTERNAL)) rill_find_column(r, c, &v, &from);
    }
}

static void get_fields(row_reader *r, const chunk *c, const field *fields, int count) {
    for (int k = 0; k < count && !r->status; k++) {
        const row_value v = rill_field_value(&fields[k]);
        column from;
        if (fields[k].def.flags & FIELD_INTERNAL) continue;
        if (rill_find_column(r, c, &v, &from)) rill_copy_values(fields[k].data, &v, &from, 0, (size_t)c->rows);
    }
}

/* A world has the fields and links of cloth from its first cloth on; in snapshots of earlier builds it has them without
   any. */
static void use_cloth(row_reader *r, rill_world *w) {
    archive a = rill_archive_of(r->data, r->size);
    bool any = w->cloths.count > 0;
    while (!r->status && a.left > 0) {
        chunk c = {0};
        rill_archive_chunk(&a, &c);
        any = any || strcmp(c.name, CHUNK_LINKS "segments") == 0;
    }
    if (any && !r->status) expect_ok(r, w, w->operations->use_cloth(w), "cloths");
}

static void get_particles(row_reader *r, rill_world *w) {
    particles *p = &w->particles;
    const chunk c = rill_get_chunk(r, CHUNK_PARTICLES);
    use_extra_fields(r, w, &c);
    check_fields(r, &c, p->fields, p->field_count); /* before any memory is reserved */
    if (!r->status) rill_need_memory(r, rill_particles_reserve(&w->memory, p, (int)c.rows));
    if (r->status) return;
    p->count = (int)c.rows;
    get_fields(r, &c, p->fields, p->field_count);
    check_particles(r, w);
    check_extra_fields(r, w);
}

/* ---- links ---- */

static bool values_are_finite(const link_set *s) {
    bool finite = true;
    for (const field *f = s->fields; f < s->fields + s->field_count; f++)
        for (size_t k = 0; f->def.scalar == RILL_SCALAR_FLOAT && k < (size_t)f->def.width * (size_t)s->count; k++)
            finite = finite && isfinite(((const float *)f->data)[k]);
    return finite;
}

static void get_link_set(row_reader *r, rill_world *w, link_set *s) {
    char name[CHUNK_NAME_SIZE];
    snprintf(name, sizeof name, CHUNK_LINKS "%s", s->def.name);
    const chunk c = rill_get_chunk(r, name);
    check_fields(r, &c, s->fields, s->field_count);
    if (!r->status) rill_need_memory(r, rill_links_reserve(&w->memory, s, (int)c.rows));
    if (r->status) return;
    s->count = (int)c.rows;
    get_fields(r, &c, s->fields, s->field_count);
    expect(r, rill_links_are_sound(s, w->particles.count) && values_are_finite(s), name);
}

/* Refuses link sets that the method does not have in this build. */
static void refuse_link_sets(row_reader *r, const particles *p) {
    archive a = rill_archive_of(r->data, r->size);
    while (!r->status && a.left > 0) {
        chunk c = {0};
        rill_archive_chunk(&a, &c);
        bool known = !is_links_chunk(c.name) || !(c.flags & CHUNK_REQUIRED);
        for (int k = 0; k < p->link_set_count && !known; k++)
            known = (p->link_sets[k].def.flags & LINK_SAVE) &&
                    strcmp(c.name + strlen(CHUNK_LINKS), p->link_sets[k].def.name) == 0;
        if (!known) refuse_chunk(r, c.name);
    }
}

static void get_links(row_reader *r, rill_world *w) {
    particles *p = &w->particles;
    refuse_link_sets(r, p);
    for (int k = 0; k < p->link_set_count && !r->status; k++)
        if (p->link_sets[k].def.flags & LINK_SAVE) get_link_set(r, w, &p->link_sets[k]);
    if (!r->status) rill_need_memory(r, rill_particles_adopt_links(&w->memory, p, w->workers));
}

/* ---- the world ---- */

static void get_state(row_reader *r, rill_world *w) {
    const row_part method = rill_method_part(w);
    const chunk params = rill_get_chunk(r, CHUNK_METHOD);
    rill_refuse_unknown(r, &params, &method, 1);
    expect(r, params.rows == 1, CHUNK_METHOD);
    if (!r->status) rill_get_part(r, &params, &method, &ROWS(w->params.data, method.table->size, 1));
    const chunk state = rill_get_chunk(r, CHUNK_STATE);
    rill_refuse_unknown(r, &state, &rill_world_state_part, 1);
    expect(r, state.rows == 1, CHUNK_STATE);
    if (!r->status) rill_get_part(r, &state, &rill_world_state_part, &ROWS(w, sizeof *w, 1));
    expect(r, w->support > 1e-20f && w->support < 1e20f, CHUNK_STATE);
    expect(r, w->stats.step >= 0 && w->stats.time >= 0, CHUNK_STATE);
    for (int k = 0; k < POOL_COUNT && !r->status; k++) get_pool(r, w, k);
    get_contacts(r, w);
    use_cloth(r, w);
    get_particles(r, w);
    get_links(r, w);
}

static rill_world *make_world(row_reader *r, const rill_world_def *hooks) {
    rill_world_def def = rill_world_def_default(2);
    if (hooks) def.allocator = hooks->allocator, def.tasks = hooks->tasks, def.cache = hooks->cache;
    const chunk c = rill_get_chunk(r, CHUNK_WORLD);
    const row_part part = rill_world_def_part();
    rill_refuse_unknown(r, &c, &part, 1);
    expect(r, c.rows == 1, CHUNK_WORLD);
    if (!r->status) rill_get_part(r, &c, &part, &ROWS(&def, sizeof def, 1));
    def.workers = hooks ? hooks->workers : 0;
    def.simd = hooks ? hooks->simd : RILL_SIMD_AUTO;
    if (!r->status && !rill_method_find(def.method))
        REFUSE(r, "the snapshot's method '%s' is not in this build of Rill", def.method);
    return r->status ? NULL : rill_world_make(&def, r->error);
}

rill_world *rill_world_load(const void *data, size_t size, const rill_world_def *hooks, rill_error *error) {
    rill_error unread;
    snapshot_head head;
    if (!error) error = &unread;
    if (!data) {
        rill_fail(error, RILL_INVALID, "load: the data is NULL");
        return NULL;
    }
    if (check_head(data, size, &head, error) != RILL_OK) return NULL;
    row_reader r = {.data = (const unsigned char *)data + sizeof head, .size = (size_t)head.size, .error = error};
    refuse_chunks(&r);
    rill_world *w = make_world(&r, hooks);
    if (!w) return NULL;
    r.memory = &w->memory;
    get_state(&r, w);
    if (!r.status) expect_ok(&r, w, w->operations->derive(w), "contents");
    w->stats.particles = w->particles.count;
    if (!r.status) return w;
    rill_world_destroy(w);
    return NULL;
}
