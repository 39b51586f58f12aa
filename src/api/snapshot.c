/* SPDX-License-Identifier: MIT */
/* Snapshots: the whole state of a world as bytes, so that a loaded world continues bit for bit.
   Layout: "RILLSNAP", version, layout hash, payload size, payload, hash of the payload. The payload is written from the
   parameter tables and the field table; the layout hash covers both, so a build with other tables says so instead of
   guessing. */
#include "api/archive.h"
#include "api/world.h"
#include "core/hash.h"
#include "rigid/body.h"

#include <math.h>
#include <string.h>

#define MAGIC   "RILLSNAP"
#define VERSION 1u
/* Objects of a kind in one snapshot; far above sense, far below harm. */
#define OBJECTS_MAX 65536
#define PARTS_MAX   64

/* ---- tables ---- */

static void archive_points(archive *a, rill_world *w, rill_points *points) {
    int count = points->count;
    const int64_t most = a->mode == ARCHIVE_READ ? (int64_t)(a->left / sizeof(rill_vec)) : INT32_MAX;
    archive_count(a, &count, most);
    if (a->mode != ARCHIVE_READ) {
        for (int k = 0; k < count; k++) {
            rill_vec p = points->data[k];
            archive_bytes(a, &p, sizeof p);
        }
        return;
    }
    *points = (rill_points){0};
    if (!a->ok || count == 0) return;
    rill_vec *data = memory_get(&w->memory, sizeof(rill_vec) * (size_t)count);
    archive_need(a, data != NULL);
    if (!data) return;
    archive_bytes(a, data, sizeof(rill_vec) * (size_t)count);
    *points = (rill_points){data, count};
}

static void archive_numbers(archive *a, rill_world *w, rill_numbers *numbers) {
    int count = numbers->count;
    const int64_t most = a->mode == ARCHIVE_READ ? (int64_t)(a->left / sizeof(float)) : INT32_MAX;
    archive_count(a, &count, most);
    if (a->mode != ARCHIVE_READ) {
        for (int k = 0; k < count; k++) {
            float x = numbers->data[k];
            archive_bytes(a, &x, sizeof x);
        }
        return;
    }
    *numbers = (rill_numbers){0};
    if (!a->ok || count == 0) return;
    float *data = memory_get(&w->memory, sizeof(float) * (size_t)count);
    archive_need(a, data != NULL);
    if (!data) return;
    archive_bytes(a, data, sizeof(float) * (size_t)count);
    *numbers = (rill_numbers){data, count};
}

static size_t size_of(rill_type type) {
    switch (type) {
    case RILL_TYPE_BOOL:
        return sizeof(bool);
    case RILL_TYPE_INT:
    case RILL_TYPE_CHOICE:
        return sizeof(int32_t);
    case RILL_TYPE_NUMBER:
        return sizeof(float);
    case RILL_TYPE_VEC:
        return sizeof(rill_vec);
    case RILL_TYPE_NAME:
        return RILL_NAME_SIZE;
    case RILL_TYPE_FILE:
        return RILL_FILE_SIZE;
    case RILL_TYPE_POINTS:
    case RILL_TYPE_NUMBERS:
        break;
    }
    return 0;
}

/* Every member that the table knows, checked when read. */
static void archive_table(archive *a, rill_world *w, const rill_table *table, void *object) {
    for (int k = 0; a->ok && k < table->count; k++) {
        const rill_param *p = &table->params[k];
        void *member = (char *)object + p->offset;
        if (p->type == RILL_TYPE_POINTS)
            archive_points(a, w, member);
        else if (p->type == RILL_TYPE_NUMBERS)
            archive_numbers(a, w, member);
        else if (p->type == RILL_TYPE_BOOL)
            archive_bool(a, member);
        else
            archive_bytes(a, member, size_of(p->type));
        if (p->type == RILL_TYPE_NAME || p->type == RILL_TYPE_FILE)
            archive_expect(a, memchr(member, 0, size_of(p->type)) != NULL);
    }
    if (a->ok && a->mode == ARCHIVE_READ) archive_expect(a, rill_table_check(table, object, NULL) == RILL_OK);
}

static void archive_object(archive *a, rill_world *w, rill_object kind, void *object) {
    archive_table(a, w, rill_object_table(kind), object);
}

/* ---- objects ---- */

/* Compounds are not nested, so a part has none of its own. */
static void archive_parts(archive *a, rill_world *w, rill_shape *shape) {
    int count = shape->parts.count;
    archive_count(a, &count, PARTS_MAX);
    if (a->mode != ARCHIVE_READ) {
        for (int k = 0; k < count; k++) {
            rill_shape part = shape->parts.data[k];
            archive_object(a, w, RILL_OBJECT_SHAPE, &part);
        }
        return;
    }
    shape->parts = (rill_parts){0};
    if (!a->ok || count == 0) return;
    rill_shape *parts = memory_get(&w->memory, sizeof *parts * (size_t)count);
    archive_need(a, parts != NULL);
    if (!parts) return;
    memset(parts, 0, sizeof *parts * (size_t)count);
    shape->parts = (rill_parts){parts, count};
    for (int k = 0; a->ok && k < count; k++) archive_object(a, w, RILL_OBJECT_SHAPE, &parts[k]);
}

static void archive_shape(archive *a, rill_world *w, rill_shape *shape, shape_models *models) {
    archive_object(a, w, RILL_OBJECT_SHAPE, shape);
    archive_parts(a, w, shape);
    if (!a->ok || a->mode != ARCHIVE_READ) return;
    const shape_context context = shape_context_of(w);
    archive_expect(a, check_shape(w, shape) == RILL_OK);
    if (a->ok) archive_expect(a, shape_models_take(&w->shapes, &context, shape, models, &w->error) == RILL_OK);
}

static void archive_motion(archive *a, rill_world *w, rill_motion *motion) {
    archive_object(a, w, RILL_OBJECT_MOTION, motion);
    if (a->ok && a->mode == ARCHIVE_READ) archive_expect(a, check_motion(w, motion) == RILL_OK);
}

static void archive_doubles(archive *a, double *values, int count) {
    for (int k = 0; k < count; k++) archive_double(a, &values[k]);
}

static void archive_slot(archive *a, slot *s) {
    archive_bool(a, &s->alive);
    archive_u32(a, &s->age);
}

static void archive_fluid(archive *a, rill_world *w, void *object) {
    fluid *f = object;
    archive_object(a, w, RILL_OBJECT_FLUID, &f->def);
    archive_bytes(a, &f->mass, sizeof f->mass);
    archive_expect(a, f->mass > 0.0f && isfinite(f->mass));
}

static void archive_solid(archive *a, rill_world *w, void *object) {
    solid *s = object;
    archive_object(a, w, RILL_OBJECT_SOLID, &s->def);
    archive_motion(a, w, &s->def.motion);
    archive_shape(a, w, &s->def.shape, &s->models);
    for (int axis = 0; axis < 3; axis++) archive_double(a, &s->impulse[axis]);
    archive_doubles(a, s->moment, 3);
    archive_double(a, &s->impulse_time);
    archive_bool(a, &s->impulse_read);
    archive_bytes(a, &s->body, sizeof s->body);
}

static void archive_i32(archive *a, int32_t *value, int32_t low, int32_t high) {
    archive_bytes(a, value, sizeof *value);
    archive_expect(a, *value >= low && *value <= high);
}

static void archive_body(archive *a, rill_world *w, void *object) {
    body *b = object;
    archive_object(a, w, RILL_OBJECT_BODY, &b->def);
    archive_i32(a, &b->solid, 0, w->solids.count - 1);
    /* What follows from the definition is made anew; then the motion takes its place. */
    if (a->ok && a->mode == ARCHIVE_READ) {
        archive_expect(a, POOL_ITEMS(w, solid)[b->solid].slot.alive);
        b->def.shape = POOL_ITEMS(w, solid)[b->solid].def.shape; /* the surface keeps points and keyframes */
        b->def.motion = POOL_ITEMS(w, solid)[b->solid].def.motion;
        if (a->ok) archive_expect(a, make_touch_points(w, b) == RILL_OK && body_start(w, b) == RILL_OK);
    }
    archive_doubles(a, b->x, 3);
    archive_doubles(a, b->q, 4);
    archive_doubles(a, b->v, 3);
    archive_doubles(a, b->w, 3);
    archive_doubles(a, b->force, 3);
    archive_doubles(a, b->torque, 3);
    archive_doubles(a, b->fluid_force, 3);
    archive_doubles(a, b->fluid_torque, 3);
    archive_double(a, &b->angle);
    archive_bool(a, &b->asleep);
    archive_i32(a, &b->island, 0, w->bodies.count - 1);
    archive_double(a, &b->rest_time);
    archive_doubles(a, b->calm, 6);
    archive_doubles(a, b->drift, 6);
    const double length = b->q[0] * b->q[0] + b->q[1] * b->q[1] + b->q[2] * b->q[2] + b->q[3] * b->q[3];
    archive_expect(a, length > 0.5 && length < 2);
}

static void archive_joint(archive *a, rill_world *w, void *object) {
    joint *j = object;
    archive_object(a, w, RILL_OBJECT_JOINT, &j->def);
    archive_i32(a, &j->a, 0, w->bodies.count - 1);
    archive_i32(a, &j->b, -1, w->bodies.count - 1);
    archive_doubles(a, j->arm_a, 3);
    archive_doubles(a, j->arm_b, 3);
    archive_doubles(a, j->axis_a, 3);
    archive_doubles(a, j->axis_b, 3);
    archive_doubles(a, j->rest, 4);
    archive_double(a, &j->length);
    archive_doubles(a, j->lambda, JOINT_ROWS_MAX);
    archive_double(a, &j->load_force);
    archive_double(a, &j->load_torque);
    archive_double(a, &j->position);
    archive_double(a, &j->speed);
    archive_bool(a, &j->broken);
}

/* The contacts' impulses, in the order of their keys. */
static void archive_touches(archive *a, rill_world *w) {
    archive_count(a, &w->touch_count, a->mode == ARCHIVE_READ ? (int64_t)(a->left / 32) : INT32_MAX);
    if (a->mode == ARCHIVE_READ && !a->ok) w->touch_count = 0;
    if (a->ok && a->mode == ARCHIVE_READ && w->touch_count > 0)
        archive_need(a, buffer_reserve(&w->memory, &w->touches, sizeof(touch_memory) * (size_t)w->touch_count, 0));
    touch_memory *items = w->touches.data;
    for (int k = 0; a->ok && k < w->touch_count; k++) {
        archive_u64(a, &items[k].key);
        archive_doubles(a, items[k].lambda, 3);
        archive_expect(a, k == 0 || items[k - 1].key <= items[k].key);
    }
}

static void archive_vec(archive *a, rill_vec *v) {
    archive_bytes(a, v, sizeof *v);
    archive_expect(a, isfinite(v->x) && isfinite(v->y) && isfinite(v->z));
}

static void archive_id(archive *a, uint32_t *index1, uint32_t *age, int most) {
    archive_u32(a, index1);
    archive_u32(a, age);
    archive_expect(a, *index1 <= (uint32_t)most);
}

/* Events of the last step, by which the next one tells what begins from what goes on. */
static void archive_contacts(archive *a, rill_world *w) {
    archive_count(a, &w->contact_count, a->mode == ARCHIVE_READ ? (int64_t)(a->left / 80) : INT32_MAX);
    if (a->mode == ARCHIVE_READ && !a->ok) w->contact_count = 0;
    if (a->ok && a->mode == ARCHIVE_READ && w->contact_count > 0)
        archive_need(a, buffer_reserve(&w->memory, &w->contacts, sizeof(rill_contact) * (size_t)w->contact_count, 0));
    rill_contact *items = w->contacts.data;
    for (int k = 0; a->ok && k < w->contact_count; k++) {
        rill_contact *c = &items[k];
        if (a->mode == ARCHIVE_READ) *c = (rill_contact){0};
        archive_i32(a, &c->kind, RILL_CONTACT_BEGIN, RILL_CONTACT_END);
        archive_id(a, &c->a.index1, &c->a.age, w->solids.count);
        archive_id(a, &c->b.index1, &c->b.age, w->solids.count);
        archive_id(a, &c->body_a.index1, &c->body_a.age, w->bodies.count);
        archive_id(a, &c->body_b.index1, &c->body_b.age, w->bodies.count);
        archive_expect(a, c->body_a.index1 > 0 && c->b.index1 > 0);
        archive_vec(a, &c->point);
        archive_vec(a, &c->normal);
        archive_vec(a, &c->impulse);
        archive_bytes(a, &c->pressing, sizeof c->pressing);
        archive_bytes(a, &c->depth, sizeof c->depth);
    }
}

/* Bodies, surfaces and joints must fit together. */
static void check_bodies(archive *a, const rill_world *w) {
    FOR_ALIVE(w, solid, s)
    archive_expect(a, s->body >= 0 && s->body <= w->bodies.count &&
                          (s->body == 0 || POOL_ITEMS(w, body)[s->body - 1].slot.alive));
    FOR_ALIVE(w, body, b)
    archive_expect(a, POOL_ITEMS(w, solid)[b->solid].slot.alive &&
                          POOL_ITEMS(w, solid)[b->solid].body == (int32_t)(b - POOL_ITEMS(w, body)) + 1);
    FOR_ALIVE(w, joint, j)
    archive_expect(a, POOL_ITEMS(w, body)[j->a].slot.alive && (j->b < 0 || POOL_ITEMS(w, body)[j->b].slot.alive));
}

static void archive_emitter(archive *a, rill_world *w, void *object) {
    emitter *e = object;
    archive_object(a, w, RILL_OBJECT_EMITTER, &e->def);
    if (a->ok && a->mode == ARCHIVE_READ) archive_expect(a, check_emitter(w, &e->def) == RILL_OK);
    archive_i64(a, &e->emitted);
    archive_i64(a, &e->layers);
    archive_expect(a, e->emitted >= 0 && e->layers >= 0);
}

static void archive_sink(archive *a, rill_world *w, void *object) {
    sink *s = object;
    archive_object(a, w, RILL_OBJECT_SINK, &s->def);
    archive_shape(a, w, &s->def.shape, &s->models);
    archive_i64(a, &s->removed);
}

static void archive_gauge(archive *a, rill_world *w, void *object) {
    archive_object(a, w, RILL_OBJECT_GAUGE, &((gauge *)object)->def);
}

/* Slots are kept as they are, dead ones too: handles of the host stay good. */
static void archive_pool(archive *a, rill_world *w, pool *p, size_t size, int most,
                         void (*object)(archive *, rill_world *, void *)) {
    int count = p->count;
    archive_count(a, &count, most);
    if (!a->ok) return;
    if (a->mode == ARCHIVE_READ) {
        archive_need(a, buffer_reserve(&w->memory, &p->items, (size_t)count * size, 0));
        if (!a->ok) return;
        if (count > 0) memset(p->items.data, 0, (size_t)count * size);
        p->count = count;
    }
    for (int k = 0; a->ok && k < count; k++) {
        slot *s = (slot *)(void *)((char *)p->items.data + (size_t)k * size);
        archive_slot(a, s);
        if (s->alive) object(a, w, s);
        if (object == archive_fluid) archive_expect(a, s->alive); /* fluids are never removed */
    }
    if (a->ok && a->mode == ARCHIVE_READ) archive_need(a, pool_list_living(&w->memory, p, size));
}

/* ---- particles ---- */

static size_t particle_bytes(const particles *p) {
    size_t size = 0;
    for (int k = 0; k < p->field_count; k++) size += p->fields[k].size;
    return size;
}

/* What neighbour search and methods take for granted. */
static void check_particles(archive *a, const rill_world *w) {
    const particles *p = &w->particles;
    const uint32_t *id = p->fields[FIELD_ID].data, *fluid_index = p->fields[FIELD_FLUID].data;
    const float *place = p->fields[FIELD_PLACE].data, *velocity = p->fields[FIELD_VELOCITY].data;
    for (int i = 0; a->ok && i < p->count; i++) {
        bool fine = id[i] < p->next_id && fluid_index[i] < (uint32_t)w->fluids.count;
        for (int k = 0; k < 4; k++) fine = fine && isfinite(place[4 * (size_t)i + (size_t)k]);
        for (int k = 0; k < p->dim; k++) fine = fine && isfinite(velocity[(size_t)p->dim * (size_t)i + (size_t)k]);
        archive_expect(a, fine);
    }
}

static void archive_particles(archive *a, rill_world *w) {
    particles *p = &w->particles;
    int count = p->count;
    archive_u32(a, &p->next_id);
    const size_t each = particle_bytes(p), most = each > 0 ? a->left / each : 0;
    archive_count(a, &count, a->mode == ARCHIVE_READ ? (int64_t)most : INT32_MAX);
    if (a->ok && a->mode == ARCHIVE_READ) {
        archive_need(a, particles_reserve(&w->memory, p, count));
        if (a->ok) p->count = count;
    }
    for (int k = 0; a->ok && k < p->field_count; k++)
        archive_bytes(a, p->fields[k].data, (size_t)count * p->fields[k].size);
    if (a->mode == ARCHIVE_READ) check_particles(a, w);
}

/* ---- the whole ---- */

static void archive_stats(archive *a, rill_stats *s) {
    archive_i64(a, &s->step);
    archive_double(a, &s->time);
    archive_double(a, &s->dt);
    archive_double(a, &s->dt_bound);
    archive_double(a, &s->density_error_mean);
    archive_double(a, &s->density_error_max);
    archive_double(a, &s->neighbours_mean);
    archive_double(a, &s->max_speed);
    archive_double(a, &s->kinetic_energy);
    archive_double(a, &s->potential_energy);
    archive_i64(a, &s->emitted);
    archive_i64(a, &s->removed);
    archive_i64(a, &s->left_out);
    archive_expect(a, s->step >= 0 && s->time >= 0);
}

/* Everything after the world's definition. */
static void archive_state(archive *a, rill_world *w) {
    archive_table(a, w, rill_world_method(w)->table, w->params.data);
    archive_bool(a, &w->params_dirty);
    archive_bool(a, &w->failed);
    archive_bytes(a, w->derived, sizeof w->derived);
    archive_bytes(a, &w->support, sizeof w->support);
    archive_expect(a, w->support > 1e-20f && w->support < 1e20f);
    archive_stats(a, &w->stats);
    archive_pool(a, w, &w->fluids, sizeof(fluid), WORLD_FLUIDS_MAX, archive_fluid);
    archive_pool(a, w, &w->solids, sizeof(solid), OBJECTS_MAX, archive_solid);
    archive_pool(a, w, &w->bodies, sizeof(body), OBJECTS_MAX, archive_body);
    archive_pool(a, w, &w->joints, sizeof(joint), OBJECTS_MAX, archive_joint);
    archive_touches(a, w);
    archive_contacts(a, w);
    if (a->ok && a->mode == ARCHIVE_READ) check_bodies(a, w);
    archive_pool(a, w, &w->emitters, sizeof(emitter), OBJECTS_MAX, archive_emitter);
    archive_pool(a, w, &w->sinks, sizeof(sink), OBJECTS_MAX, archive_sink);
    archive_pool(a, w, &w->gauges, sizeof(gauge), OBJECTS_MAX, archive_gauge);
    archive_particles(a, w);
}

static uint64_t hash_table(uint64_t h, const rill_table *table) {
    for (int k = 0; k < table->count; k++) {
        const rill_param *p = &table->params[k];
        h = hash_bytes(h, p->key, strlen(p->key));
        const uint32_t type = (uint32_t)p->type;
        h = hash_bytes(h, &type, sizeof type);
        if (p->type == RILL_TYPE_CHOICE) h = hash_bytes(h, p->choices, strlen(p->choices));
    }
    return h;
}

/* Of everything that decides what the bytes mean. */
static uint64_t layout_hash(void) {
    uint64_t h = HASH_START;
    for (int k = 0; k < RILL_OBJECT_COUNT; k++) h = hash_table(h, rill_object_table((rill_object)k));
    for (int k = 0; k < rill_method_count(); k++) h = hash_table(h, rill_method(k)->table);
    return hash_mix(h);
}

rill_status rill_world_save(rill_world *w, rill_write_fn *write, void *context) {
    if (!w) return RILL_INVALID;
    if (!write) return rill_fail(&w->error, RILL_INVALID, "save: the write function is NULL");
    archive measure = {.mode = ARCHIVE_MEASURE, .ok = true};
    archive_object(&measure, w, RILL_OBJECT_WORLD, &w->def);
    archive_state(&measure, w);

    archive a = {.mode = ARCHIVE_WRITE, .ok = true, .write = write, .context = context};
    char magic[] = MAGIC;
    uint32_t version = VERSION, endian = 1;
    uint64_t layout = layout_hash(), size = measure.size;
    archive_bytes(&a, magic, 8);
    archive_u32(&a, &version);
    archive_u32(&a, &endian);
    archive_u64(&a, &layout);
    archive_u64(&a, &size);
    archive_object(&a, w, RILL_OBJECT_WORLD, &w->def);
    archive_state(&a, w);
    uint64_t sum = archive_sum(&a);
    archive_u64(&a, &sum);
    return a.ok ? RILL_OK : rill_fail(&w->error, RILL_IO, "save: the snapshot could not be written");
}

/* The head: who wrote it, how long it is, whether it is whole. Leaves the archive at the payload. */
static rill_status read_head(archive *a, rill_error *error) {
    const unsigned char *begin = a->data;
    const size_t whole = a->left;
    char magic[8] = {0};
    uint32_t version = 0, endian = 0;
    uint64_t layout = 0, size = 0, sum = 0;
    archive_bytes(a, magic, 8);
    archive_u32(a, &version);
    archive_u32(a, &endian);
    archive_u64(a, &layout);
    archive_u64(a, &size);
    if (!a->ok || memcmp(magic, MAGIC, 8) != 0) return rill_fail(error, RILL_FORMAT, "this is not a Rill snapshot");
    if (version != VERSION || endian != 1)
        return rill_fail(error, RILL_FORMAT, "snapshot version %u is not the %u that this program reads", version,
                         VERSION);
    if (layout != layout_hash())
        return rill_fail(error, RILL_FORMAT, "the snapshot was written by a build of Rill with other parameters");
    if (a->left < 8 || size != a->left - 8)
        return rill_fail(error, RILL_FORMAT, "the snapshot is cut short or has bytes to spare: %zu of %.0f bytes",
                         whole, (double)(whole - a->left) + (double)size + 8);
    memcpy(&sum, begin + whole - 8, 8);
    const bool intact = sum == archive_checksum(begin, whole - 8);
    return intact ? RILL_OK : rill_fail(error, RILL_FORMAT, "the snapshot is damaged: its checksum is wrong");
}

rill_world *rill_world_load(const void *data, size_t size, const rill_world_def *hooks, rill_error *error) {
    if (!data) {
        rill_fail(error, RILL_INVALID, "load: the data is NULL");
        return NULL;
    }
    archive a = {.mode = ARCHIVE_READ, .ok = true, .data = data, .left = size};
    if (read_head(&a, error) != RILL_OK) return NULL;
    a.left -= 8; /* the checksum */
    rill_world_def def = rill_world_def_default(2);
    if (hooks) def.allocator = hooks->allocator, def.tasks = hooks->tasks, def.cache = hooks->cache;
    archive_object(&a, NULL, RILL_OBJECT_WORLD, &def);
    def.workers = hooks ? hooks->workers : 0;
    def.simd = hooks ? hooks->simd : RILL_SIMD_AUTO;
    if (!a.ok) {
        rill_fail(error, RILL_FORMAT, "the snapshot's world makes no sense");
        return NULL;
    }
    rill_world *w = world_make(&def, error);
    if (!w) return NULL;
    archive_state(&a, w);
    if (a.ok && a.left == 0 && w->operations->derive(w) == RILL_OK) {
        w->stats.particles = w->particles.count;
        return w;
    }
    if (a.no_memory || w->error.status == RILL_MEMORY)
        rill_fail(error, RILL_MEMORY, "no memory for the snapshot's contents");
    else
        rill_fail(error, RILL_FORMAT, "the snapshot's contents make no sense");
    rill_world_destroy(w);
    return NULL;
}
