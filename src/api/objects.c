/* SPDX-License-Identifier: MIT */
/* Fluids, solids, emitters, sinks and gauges: adding, finding, removing. */
#include "api/world.h"
#include "core/hash.h"
#include "model/gauge_kind.h"
#include "rigid/sleep.h"
#include "solid/motion.h"
#include "solid/solids.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- motions ---- */

rill_status rill_check_motion(rill_world *w, const rill_motion *motion) {
    const rill_status status = rill_table_check(rill_object_table(RILL_OBJECT_MOTION), motion, &w->error);
    return status == RILL_OK ? rill_motion_check(motion, &w->error) : status;
}

static bool copy_list(rill_world *w, const void **data, int count, size_t each) {
    if (count <= 0) {
        *data = NULL;
        return true;
    }
    void *copy = rill_memory_get(&w->memory, each * (size_t)count);
    if (copy) memcpy(copy, *data, each * (size_t)count);
    *data = copy;
    return copy != NULL;
}

static void release_list(rill_world *w, const void *data, int count, size_t each) {
    void *copy; /* the world made it itself, so it may be released */
    memcpy(&copy, &data, sizeof copy);
    rill_memory_release(&w->memory, copy, each * (size_t)count);
}

rill_status rill_motion_own(rill_world *w, rill_motion *m) {
    const void *lists[] = {m->times.data, m->offsets.data, m->angles.data, m->turns.data};
    const int counts[] = {m->times.count, m->offsets.count, m->angles.count, m->turns.count};
    const size_t sizes[] = {sizeof(float), sizeof(rill_vec), sizeof(float), sizeof(rill_vec)};
    for (int k = 0; k < 4; k++) {
        if (copy_list(w, &lists[k], counts[k], sizes[k])) continue;
        while (k-- > 0) release_list(w, lists[k], counts[k], sizes[k]);
        return rill_fail(&w->error, RILL_MEMORY, "no memory for %d keyframes", m->times.count);
    }
    m->times.data = lists[0], m->offsets.data = lists[1], m->angles.data = lists[2], m->turns.data = lists[3];
    return RILL_OK;
}

void rill_motion_release(rill_world *w, rill_motion *m) {
    release_list(w, m->times.data, m->times.count, sizeof(float));
    release_list(w, m->offsets.data, m->offsets.count, sizeof(rill_vec));
    release_list(w, m->angles.data, m->angles.count, sizeof(float));
    release_list(w, m->turns.data, m->turns.count, sizeof(rill_vec));
    m->times = m->angles = (rill_numbers){0};
    m->offsets = m->turns = (rill_points){0};
}

/* ---- names ---- */

static const char *name_of(const object_kind *k, const void *object) {
    return (const char *)object + k->name_offset;
}

static void *object_at(const pool *p, const object_kind *k, int32_t index) {
    return (char *)p->items.data + (size_t)index * k->size;
}

/* Where the search for a name begins; `room` is a power of two. */
static size_t first_place(const char *name, size_t room) {
    return (size_t)rill_hash_mix(rill_hash_bytes(HASH_START, name, strlen(name))) & (room - 1);
}

static void enter_name(pool *p, const char *name, int32_t index) {
    const size_t room = p->names.size / sizeof(int32_t);
    int32_t *places = p->names.data;
    size_t at = first_place(name, room);
    while (places[at] > 0) at = (at + 1) & (room - 1);
    places[at] = index + 1;
    p->name_count++;
}

/* Room for one more name. Entries of the dead stay until the table is full, and are then left out. */
static bool make_name_room(memory *m, pool *p, const object_kind *k) {
    size_t room = p->names.size / sizeof(int32_t);
    if (2 * ((size_t)p->name_count + 1) <= room) return true;
    for (room = 64; room < 4 * ((size_t)p->living_count + 1);) room *= 2;
    buffer names = {0};
    if (!rill_buffer_reserve(m, &names, sizeof(int32_t) * room, 0)) return false;
    rill_buffer_free(m, &p->names);
    p->names = names;
    p->name_count = 0;
    memset(names.data, 0, names.size);
    for (int n = 0; n < p->living_count; n++) {
        const int32_t index = ((const int32_t *)p->living.data)[n];
        enter_name(p, name_of(k, object_at(p, k, index)), index);
    }
    return true;
}

void *rill_object_find(const pool *p, object_kind k, const char *name) {
    const size_t room = p->names.size / sizeof(int32_t);
    const int32_t *places = p->names.data;
    if (!name) return NULL;
    for (int n = 0; room == 0 && n < p->living_count; n++) { /* a world from a snapshot has no table yet */
        void *object = rill_pool_at(p, k.size, n);
        if (strcmp(name_of(&k, object), name) == 0) return object;
    }
    for (size_t at = room > 0 ? first_place(name, room) : 0; room > 0 && places[at] > 0; at = (at + 1) & (room - 1)) {
        void *object = object_at(p, &k, places[at] - 1);
        if (((const slot *)object)->alive && strcmp(name_of(&k, object), name) == 0) return object;
    }
    return NULL;
}

/* Takes a slot for a definition with this name; an empty name becomes fluid1, solid2, ... */
void *rill_object_take(rill_world *w, pool *p, object_kind k, char name[RILL_NAME_SIZE], uint32_t *index) {
    if (!memchr(name, 0, RILL_NAME_SIZE)) {
        rill_fail(&w->error, RILL_INVALID, "%s: the name is longer than %d characters", k.noun, RILL_NAME_SIZE - 1);
        return NULL;
    }
    if (*name && rill_object_find(p, k, name)) {
        rill_fail(&w->error, RILL_INVALID, "%s: there is already one named '%s'", k.noun, name);
        return NULL;
    }
    for (int n = p->living_count + 1; !*name || rill_object_find(p, k, name); n++)
        snprintf(name, RILL_NAME_SIZE, "%s%d", k.noun, n);
    char *object = make_name_room(&w->memory, p, &k) ? rill_pool_take(&w->memory, p, k.size, index) : NULL;
    if (!object) {
        rill_fail(&w->error, RILL_MEMORY, "no memory for another %s", k.noun);
        return NULL;
    }
    memcpy(object + k.name_offset, name, RILL_NAME_SIZE);
    enter_name(p, name, (int32_t)*index);
    return object;
}

/* ---- adding ---- */

#define REQUIRE_DEF(noun)        \
    if (!w) return RILL_INVALID; \
    if (!given) return rill_fail(&w->error, RILL_INVALID, noun ": the definition is NULL")

static rill_status fail_with(const rill_world *w) {
    return w->error.status;
}

rill_status rill_world_add_fluid(rill_world *w, const rill_fluid_def *given, rill_fluid_id *id) {
    REQUIRE_DEF("fluid");
    rill_fluid_def def = *given;
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_FLUID), &def, &w->error));
    if (w->fluids.living_count >= WORLD_FLUIDS_MAX)
        return rill_fail(&w->error, RILL_LIMIT, "fluid: a world holds at most %d", WORLD_FLUIDS_MAX);
    uint32_t index;
    fluid *f = rill_object_take(w, &w->fluids, OBJECT_KIND(fluid), def.name, &index);
    if (!f) return fail_with(w);
    f->def = def;
    w->operations->set_fluid_mass(w, f);
    w->params_dirty = true;
    if (id) *id = (rill_fluid_id){index + 1, f->slot.age};
    return RILL_OK;
}

rill_status rill_world_add_solid(rill_world *w, const rill_solid_def *given, rill_solid_id *id) {
    const rill_status status = rill_solid_add(w, given, id);
    if (status == RILL_OK) rill_sleep_wake_all(w); /* it may be in the way of those who sleep */
    return status;
}

/* Impulse walls have no contacts through which a viscous stress could act. */
static rill_status check_no_slip(rill_world *w, const rill_solid_def *def) {
    if (!def->no_slip || w->def.walls != RILL_WALLS_IMPULSE) return RILL_OK;
    return rill_fail(&w->error, RILL_INVALID,
                     "no_slip: impulse walls have no viscous stress; expected false, or another kind of world.walls");
}

rill_status rill_solid_add(rill_world *w, const rill_solid_def *given, rill_solid_id *id) {
    REQUIRE_DEF("solid");
    rill_solid_def def = *given;
    rill_status status = rill_table_check(rill_object_table(RILL_OBJECT_SOLID), &def, &w->error);
    if (status == RILL_OK) status = check_no_slip(w, &def);
    if (status == RILL_OK) status = rill_check_motion(w, &def.motion);
    if (status == RILL_OK) status = rill_motion_own(w, &def.motion);
    if (status != RILL_OK) return status;
    shape_models models;
    status = rill_shape_keep(w, &def.shape, &models);
    if (status != RILL_OK) rill_motion_release(w, &def.motion);
    if (status != RILL_OK) return status;
    uint32_t index;
    solid *s = rill_object_take(w, &w->solids, OBJECT_KIND(solid), def.name, &index);
    if (!s) {
        rill_motion_release(w, &def.motion);
        rill_shape_let_go(w, &def.shape, &models);
        return fail_with(w);
    }
    s->def = def;
    s->models = models;
    w->placed = false;
    rill_motion_at(&s->def.motion, w->def.dim, w->stats.time, &s->pose);
    w->params_dirty = true;
    if (w->operations->clear_solid(w, s) != RILL_OK) {
        rill_solid_remove(w, s);
        return fail_with(w);
    }
    if (id) *id = (rill_solid_id){index + 1, s->slot.age};
    return RILL_OK;
}

/* Particles in a sheet at most: a nozzle beyond this is a slip of the unit. */
#define SHEET_MAX 1e6

/* Particles that fit into the nozzle, roughly. */
static double sheet_size(const rill_world *w, const rill_emitter_def *def) {
    const double dx = (double)w->def.spacing, diameter = 2.0 * (double)def->radius;
    const bool round = def->nozzle == RILL_NOZZLE_ROUND;
    const double width = round ? diameter : (double)def->width, height = round ? diameter : (double)def->height;
    return fmax(width / dx, 1) * (w->def.dim == 3 ? fmax(height / dx, 1) : 1);
}

rill_status rill_check_emitter(rill_world *w, const rill_emitter_def *def) {
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_EMITTER), def, &w->error));
    if (!(def->speed > 0.0f)) return rill_fail(&w->error, RILL_INVALID, "emitter: speed must be greater than 0");
    if (def->direction.x == 0.0f && def->direction.y == 0.0f && (w->def.dim == 2 || def->direction.z == 0.0f))
        return rill_fail(&w->error, RILL_INVALID, "emitter: direction must not be zero");
    if (*def->fluid && !rill_object_find(&w->fluids, OBJECT_KIND(fluid), def->fluid))
        return rill_fail(&w->error, RILL_NOT_FOUND, "emitter: there is no fluid '%s'; add it first", def->fluid);
    if (w->fluids.living_count == 0) return rill_fail(&w->error, RILL_NOT_FOUND, "emitter: add a fluid first");
    if (sheet_size(w, def) > SHEET_MAX)
        return rill_fail(&w->error, RILL_LIMIT,
                         "emitter: %g particles fit into the nozzle; expected at most %g: make it smaller or "
                         "world.spacing larger",
                         sheet_size(w, def), SHEET_MAX);
    const double full = w->operations->nozzle_flow(w, def);
    if ((double)def->rate > full * 1.001)
        return rill_fail(
            &w->error, RILL_INVALID,
            "emitter: rate %g m^3/s is more than the nozzle passes at this speed (%g m^3/s); raise speed or size",
            (double)def->rate, full);
    return RILL_OK;
}

/* Sheets that were due before the emitter was there are not made up for. */
static int64_t sheets_missed(const rill_world *w, const rill_emitter_def *def) {
    const double late = w->stats.time - (double)def->start_time;
    if (!(late > 0)) return 0;
    const double full = w->operations->nozzle_flow(w, def), flow = def->rate > 0.0f ? (double)def->rate : full;
    return (int64_t)ceil(late * (double)def->speed / (double)w->def.spacing * flow / full);
}

rill_status rill_world_add_emitter(rill_world *w, const rill_emitter_def *given, rill_emitter_id *id) {
    REQUIRE_DEF("emitter");
    rill_emitter_def def = *given;
    TRY(rill_check_emitter(w, &def));
    uint32_t index;
    emitter *e = rill_object_take(w, &w->emitters, OBJECT_KIND(emitter), def.name, &index);
    if (!e) return fail_with(w);
    e->def = def;
    e->layers = sheets_missed(w, &def);
    w->params_dirty = true;
    if (id) *id = (rill_emitter_id){index + 1, e->slot.age};
    return RILL_OK;
}

rill_status rill_world_add_sink(rill_world *w, const rill_sink_def *given, rill_sink_id *id) {
    REQUIRE_DEF("sink");
    rill_sink_def def = *given;
    rill_status status = rill_table_check(rill_object_table(RILL_OBJECT_SINK), &def, &w->error);
    shape_models models;
    if (status == RILL_OK) status = rill_shape_keep(w, &def.shape, &models);
    if (status != RILL_OK) return status;
    uint32_t index;
    sink *s = rill_object_take(w, &w->sinks, OBJECT_KIND(sink), def.name, &index);
    if (!s) {
        rill_shape_let_go(w, &def.shape, &models);
        return fail_with(w);
    }
    s->def = def;
    s->models = models;
    if (id) *id = (rill_sink_id){index + 1, s->slot.age};
    return RILL_OK;
}

rill_status rill_world_add_gauge(rill_world *w, const rill_gauge_def *given, rill_gauge_id *id) {
    REQUIRE_DEF("gauge");
    rill_gauge_def def = *given;
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_GAUGE), &def, &w->error));
    if (*def.fluid && !rill_object_find(&w->fluids, OBJECT_KIND(fluid), def.fluid))
        return rill_fail(&w->error, RILL_NOT_FOUND, "gauge: there is no fluid '%s'; add it first", def.fluid);
    const gauge_subject subject = rill_gauge_kind_at(def.kind)->subject;
    if (subject == GAUGE_SURFACE && !rill_object_find(&w->solids, OBJECT_KIND(solid), def.solid))
        return rill_fail(&w->error, RILL_NOT_FOUND,
                         "gauge: there is no solid '%s' to measure the force on; add it first", def.solid);
    if ((subject == GAUGE_BODY || subject == GAUGE_TURN) && !rill_object_find(&w->bodies, OBJECT_KIND(body), def.body))
        return rill_fail(&w->error, RILL_NOT_FOUND, "gauge: there is no body '%s'; add it first", def.body);
    if (subject == GAUGE_JOINT && !rill_object_find(&w->joints, OBJECT_KIND(joint), def.joint))
        return rill_fail(&w->error, RILL_NOT_FOUND, "gauge: there is no joint '%s'; add it first", def.joint);
    uint32_t index;
    gauge *g = rill_object_take(w, &w->gauges, OBJECT_KIND(gauge), def.name, &index);
    if (!g) return fail_with(w);
    g->def = def;
    if (id) *id = (rill_gauge_id){index + 1, g->slot.age};
    return RILL_OK;
}

/* ---- removing, finding, listing ---- */

#define GET(w, type, id) ((struct type *)rill_pool_get(&(w)->type##s, sizeof(struct type), (id).index1, (id).age))

#define REMOVE(type, before)                                                                          \
    rill_status rill_world_remove_##type(rill_world *w, rill_##type##_id id) {                        \
        if (!w) return RILL_INVALID;                                                                  \
        struct type *object = GET(w, type, id);                                                       \
        if (!object) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_" #type ": no such " #type); \
        before;                                                                                       \
        rill_pool_drop(&w->type##s, sizeof *object, object);                                          \
        return RILL_OK;                                                                               \
    }
REMOVE(emitter, (void)0)
REMOVE(sink, rill_shape_let_go(w, &object->def.shape, &object->models))
REMOVE(gauge, (void)0)

void rill_solid_remove(rill_world *w, solid *s) {
    rill_shape_let_go(w, &s->def.shape, &s->models);
    rill_motion_release(w, &s->def.motion);
    rill_pool_drop(&w->solids, sizeof *s, s);
    w->placed = false;
    w->params_dirty = true;
}

rill_status rill_world_remove_solid(rill_world *w, rill_solid_id id) {
    if (!w) return RILL_INVALID;
    solid *s = GET(w, solid, id);
    if (!s) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_solid: no such solid");
    if (s->body > 0)
        return rill_fail(&w->error, RILL_INVALID, "remove_solid: '%s' is the surface of a body; remove the body",
                         s->def.name);
    rill_sleep_wake_touching(w, (int)(s - POOL_ITEMS(w, solid)));
    rill_solid_remove(w, s);
    return RILL_OK;
}

rill_fluid_id rill_world_find_fluid(const rill_world *w, const char *name) {
    const fluid *f = w ? rill_object_find(&w->fluids, OBJECT_KIND(fluid), name) : NULL;
    return f ? (rill_fluid_id){(uint32_t)(f - POOL_ITEMS(w, fluid)) + 1, f->slot.age} : (rill_fluid_id){0};
}

rill_solid_id rill_world_find_solid(const rill_world *w, const char *name) {
    const solid *s = w ? rill_object_find(&w->solids, OBJECT_KIND(solid), name) : NULL;
    return s ? (rill_solid_id){(uint32_t)(s - POOL_ITEMS(w, solid)) + 1, s->slot.age} : (rill_solid_id){0};
}

#define LIST(type)                                                                                    \
    int rill_world_##type##_count(const rill_world *w) {                                              \
        return w ? w->type##s.living_count : 0;                                                       \
    }                                                                                                 \
    const rill_##type##_def *rill_world_##type(const rill_world *w, int index) {                      \
        const struct type *object = w ? rill_pool_at(&w->type##s, sizeof(struct type), index) : NULL; \
        return object ? &object->def : NULL;                                                          \
    }
LIST(fluid)
LIST(solid)
LIST(gauge)

rill_status rill_world_solid_pose(const rill_world *w, int index, rill_vec *offset, float *angle) {
    const solid *s = w ? rill_pool_at(&w->solids, sizeof *s, index) : NULL;
    if (!s || !offset || !angle) return RILL_NOT_FOUND;
    *offset = s->pose.offset;
    *angle = s->pose.angle;
    return RILL_OK;
}

rill_transform rill_transform_of(const pose *p) {
    const float pivot[3] = {p->pivot.x, p->pivot.y, p->pivot.z}, offset[3] = {p->offset.x, p->offset.y, p->offset.z};
    rill_transform t = {.velocity = p->velocity, .angular_velocity = p->angular};
    memcpy(t.turn, p->turn, sizeof t.turn);
    for (int k = 0; k < 3; k++) {
        (&t.centre.x)[k] = pivot[k] + offset[k];
        (&t.shift.x)[k] = pivot[k] + offset[k];
        for (int c = 0; c < 3; c++) (&t.shift.x)[k] -= p->turn[k][c] * pivot[c];
    }
    return t;
}

rill_status rill_world_solid_transform(const rill_world *w, int index, rill_transform *t) {
    const solid *s = w ? rill_pool_at(&w->solids, sizeof *s, index) : NULL;
    if (!s || !t) return RILL_NOT_FOUND;
    *t = rill_transform_of(&s->pose);
    return RILL_OK;
}

rill_status rill_world_solid_distance(const rill_world *w, int index, rill_vec point, float *distance,
                                      rill_vec *normal) {
    const solid *s = w ? rill_pool_at(&w->solids, sizeof *s, index) : NULL;
    rill_vec unused;
    if (!s || !distance) return RILL_NOT_FOUND;
    *distance = solid_operations_of(w)->distance_by_pose(s, point, normal ? normal : &unused);
    return RILL_OK;
}

/* ---- gauges ---- */

static rill_status read(rill_world *w, const gauge *g, rill_reading *reading) {
    if (!reading) return rill_fail(&w->error, RILL_INVALID, "read_gauge: the reading is NULL");
    if (!g) return rill_fail(&w->error, RILL_NOT_FOUND, "read_gauge: no such gauge");
    return w->operations->read_gauge(w, g, reading);
}

rill_status rill_world_read_gauge(rill_world *w, rill_gauge_id id, rill_reading *reading) {
    return w ? read(w, GET(w, gauge, id), reading) : RILL_INVALID;
}

rill_status rill_world_read_gauge_at(rill_world *w, int index, rill_reading *reading) {
    return w ? read(w, rill_pool_at(&w->gauges, sizeof(gauge), index), reading) : RILL_INVALID;
}
