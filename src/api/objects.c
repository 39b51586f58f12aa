/* SPDX-License-Identifier: MIT */
/* Fluids, solids, emitters, sinks and gauges: adding, changing, removing and reading them. */
#include "api/world.h"
#include "model/gauge_kind.h"
#include "rigid/contacts.h"
#include "rigid/sleep.h"
#include "solid/motion.h"
#include "solid/solids.h"

#include <math.h>
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
    void *copy; /* the world allocated it, so casting const away is safe */
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
    w->scene_changed = true;
    if (id) *id = (rill_fluid_id){index + 1, f->slot.age};
    return RILL_OK;
}

rill_status rill_world_add_solid(rill_world *w, const rill_solid_def *given, rill_solid_id *id) {
    rill_solid_id added = {0};
    TRY(rill_solid_add(w, given, &added));
    solid *s = POOL_GET(w, solid, added);
    if (w->operations->displace(w, s, (rill_displacement)s->def.displacement) != RILL_OK) {
        rill_solid_remove(w, s);
        return fail_with(w);
    }
    rill_sleep_wake_all(w); /* it may touch sleeping bodies */
    if (id) *id = added;
    return RILL_OK;
}

/* Impulse walls have no contacts through which a viscous stress could act. Only map walls continue the fluid as planes
   as far as surface tension reaches. */
rill_status rill_check_surface(rill_world *w, bool no_slip, float contact_angle) {
    const float neutral = rill_solid_def_default().contact_angle;
    if (no_slip && w->def.walls == RILL_WALLS_IMPULSE)
        return rill_fail(
            &w->error, RILL_INVALID,
            "no_slip: impulse walls have no viscous stress; expected false, or another kind of world.walls");
    if (fabsf(contact_angle - neutral) > 1e-6f && w->def.walls != RILL_WALLS_MAP)
        return rill_fail(&w->error, RILL_INVALID,
                         "contact_angle: only map walls have one; expected 90 deg, or world.walls 'map'");
    return RILL_OK;
}

rill_status rill_solid_add(rill_world *w, const rill_solid_def *given, rill_solid_id *id) {
    REQUIRE_DEF("solid");
    rill_solid_def def = *given;
    rill_status status = rill_table_check(rill_object_table(RILL_OBJECT_SOLID), &def, &w->error);
    if (status == RILL_OK) status = rill_check_surface(w, def.no_slip, def.contact_angle);
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
    w->scene_changed = true;
    *id = (rill_solid_id){index + 1, s->slot.age};
    return RILL_OK;
}

/* Most particles that fit into a nozzle at a time: a larger one has a wrong unit. */
#define SHEET_MAX 1e6

/* Approximate number of particles that fit into the nozzle at a time. */
static double sheet_size(const rill_world *w, const rill_emitter_def *def) {
    const double dx = (double)w->def.spacing, diameter = 2.0 * (double)def->radius;
    const bool round = def->nozzle == RILL_NOZZLE_ROUND;
    const double width = round ? diameter : (double)def->width, height = round ? diameter : (double)def->height;
    return fmax(width / dx, 1) * (w->def.dim == 3 ? fmax(height / dx, 1) : 1);
}

rill_status rill_check_emitter(rill_world *w, rill_emitter_def *def) {
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_EMITTER), def, &w->error));
    TRY(rill_refer_emitter(w, def));
    if (!(def->speed > 0.0f)) return rill_fail(&w->error, RILL_INVALID, "emitter: speed must be greater than 0");
    if (def->direction.x == 0.0f && def->direction.y == 0.0f && (w->def.dim == 2 || def->direction.z == 0.0f))
        return rill_fail(&w->error, RILL_INVALID, "emitter: direction must not be zero");
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

/* Number of sheets that were due before the emitter was added: they are skipped. */
static int64_t sheets_missed(const rill_world *w, const rill_emitter_def *def) {
    const double late = w->stats.time - (double)def->start_time;
    if (!(late > 0)) return 0;
    const double full = w->operations->nozzle_flow(w, def), flow = def->rate > 0.0f ? (double)def->rate : full;
    return (int64_t)ceil(late * (double)def->speed / (double)w->def.spacing * flow / full);
}

/* Opens an emitter at its start_time, or now if that has passed. */
static void open_emitter(const rill_world *w, emitter *e) {
    e->first_due = (double)e->def.start_time;
    e->layers = sheets_missed(w, &e->def);
}

/* Time between sheets [s]. */
static double sheet_period(const rill_world *w, const rill_emitter_def *def) {
    const double full = w->operations->nozzle_flow(w, def), flow = def->rate > 0.0f ? (double)def->rate : full;
    return (double)w->def.spacing / (double)def->speed * full / flow;
}

void rill_emitter_change(rill_world *w, emitter *e, const rill_emitter_def *def) {
    const rill_emitter_def old = e->def;
    const double now = w->stats.time, before = sheet_period(w, &old), after = sheet_period(w, def);
    const double due = e->first_due + (double)e->layers * before;
    const bool open = due < (double)old.end_time && (old.limit == 0 || e->emitted < old.limit);
    e->def = *def;
    /* Methods derive numbers from the position and speed of jets. */
    if (old.speed != def->speed || memcmp(&old.position, &def->position, sizeof old.position) != 0)
        w->scene_changed = true;
    if (!open || now <= (double)def->start_time || def->start_time != old.start_time) {
        open_emitter(w, e);
    } else if (before != after) { /* the remaining share of the present period stays the same */
        const double next = due > now ? now + (due - now) * after / before : due;
        e->first_due = next - (double)e->layers * after;
    }
}

rill_status rill_world_add_emitter(rill_world *w, const rill_emitter_def *given, rill_emitter_id *id) {
    REQUIRE_DEF("emitter");
    rill_emitter_def def = *given;
    TRY(rill_check_emitter(w, &def));
    uint32_t index;
    emitter *e = rill_object_take(w, &w->emitters, OBJECT_KIND(emitter), def.name, &index);
    if (!e) return fail_with(w);
    e->def = def;
    open_emitter(w, e);
    w->scene_changed = true;
    if (id) *id = (rill_emitter_id){index + 1, e->slot.age};
    return RILL_OK;
}

rill_status rill_world_emitter_flow(const rill_world *w, rill_emitter_id id, double *flow) {
    const emitter *e = w ? POOL_GET(w, emitter, id) : NULL;
    if (!e || !flow) return RILL_NOT_FOUND;
    *flow = e->def.rate > 0.0f ? (double)e->def.rate : w->operations->nozzle_flow(w, &e->def);
    return RILL_OK;
}

rill_status rill_world_add_sink(rill_world *w, const rill_sink_def *given, rill_sink_id *id) {
    REQUIRE_DEF("sink");
    rill_sink_def def = *given;
    rill_status status = rill_table_check(rill_object_table(RILL_OBJECT_SINK), &def, &w->error);
    if (status == RILL_OK) status = rill_refer_sink(w, &def);
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
    TRY(rill_refer_gauge(w, &def));
    uint32_t index;
    gauge *g = rill_object_take(w, &w->gauges, OBJECT_KIND(gauge), def.name, &index);
    if (!g) return fail_with(w);
    g->def = def;
    if (id) *id = (rill_gauge_id){index + 1, g->slot.age};
    return RILL_OK;
}

/* ---- removing ---- */

#define REMOVE(type, before)                                                                          \
    rill_status rill_world_remove_##type(rill_world *w, rill_##type##_id id) {                        \
        if (!w) return RILL_INVALID;                                                                  \
        struct type *object = POOL_GET(w, type, id);                                                  \
        if (!object) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_" #type ": no such " #type); \
        before;                                                                                       \
        rill_pool_drop(&w->type##s, sizeof *object, object);                                          \
        return RILL_OK;                                                                               \
    }
REMOVE(emitter, (void)0)
REMOVE(sink, rill_shape_let_go(w, &object->def.shape, &object->models))
REMOVE(gauge, (void)0)

/* What kind of object still refers to a fluid; NULL: none. */
static const char *user_of_fluid(const rill_world *w, rill_fluid_id id) {
    const uint32_t *fluid_of = w->particles.fields[FIELD_FLUID].data;
    FOR_ALIVE(w, emitter, e) if (e->def.fluid.index1 == id.index1) return "an emitter";
    FOR_ALIVE(w, gauge, g) if (g->def.fluid.index1 == id.index1) return "a gauge";
    for (int i = 0; i < w->particles.count; i++)
        if (fluid_of[i] == id.index1 - 1) return "a particle";
    return NULL;
}

rill_status rill_world_remove_fluid(rill_world *w, rill_fluid_id id) {
    if (!w) return RILL_INVALID;
    fluid *gone = POOL_GET(w, fluid, id);
    if (!gone) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_fluid: no such fluid");
    const char *user = user_of_fluid(w, id);
    if (user)
        return rill_fail(&w->error, RILL_INVALID, "remove_fluid: %s still uses '%s'; remove it first", user,
                         gone->def.name);
    rill_pool_drop(&w->fluids, sizeof *gone, gone);
    w->scene_changed = true;
    FOR_ALIVE(w, fluid, f)
    w->operations->set_fluid_mass(w, f); /* the support follows from the first fluid, and masses from the support */
    return RILL_OK;
}

void rill_solid_remove(rill_world *w, solid *s) {
    rill_contacts_forget(w, (int)(s - POOL_ITEMS(w, solid)));
    rill_shape_let_go(w, &s->def.shape, &s->models);
    rill_motion_release(w, &s->def.motion);
    rill_pool_drop(&w->solids, sizeof *s, s);
    w->placed = false;
    w->scene_changed = true;
}

rill_status rill_world_remove_solid(rill_world *w, rill_solid_id id) {
    if (!w) return RILL_INVALID;
    solid *s = POOL_GET(w, solid, id);
    if (!s) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_solid: no such solid");
    if (s->body > 0)
        return rill_fail(&w->error, RILL_INVALID, "remove_solid: '%s' is the surface of a body; remove the body",
                         s->def.name);
    rill_sleep_wake_touching(w, (int)(s - POOL_ITEMS(w, solid)));
    rill_solid_remove(w, s);
    return RILL_OK;
}

/* ---- reading ---- */

rill_status rill_world_solid_pose(const rill_world *w, rill_solid_id id, rill_vec *offset, float *angle) {
    const solid *s = w ? POOL_GET(w, solid, id) : NULL;
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

rill_status rill_world_solid_transform(const rill_world *w, rill_solid_id id, rill_transform *t) {
    const solid *s = w ? POOL_GET(w, solid, id) : NULL;
    if (!s || !t) return RILL_NOT_FOUND;
    *t = rill_transform_of(&s->pose);
    return RILL_OK;
}

rill_status rill_world_solid_distance(const rill_world *w, rill_solid_id id, rill_vec point, float *distance,
                                      rill_vec *normal) {
    const solid *s = w ? POOL_GET(w, solid, id) : NULL;
    rill_vec unused;
    if (!s || !distance) return RILL_NOT_FOUND;
    *distance = solid_operations_of(w)->distance_by_pose(s, point, normal ? normal : &unused);
    return RILL_OK;
}

rill_status rill_world_solid_set_user_data(rill_world *w, rill_solid_id id, void *user_data) {
    if (!w) return RILL_INVALID;
    solid *s = POOL_GET(w, solid, id);
    if (!s) return rill_fail(&w->error, RILL_NOT_FOUND, "solid_set_user_data: no such solid");
    s->def.user_data = user_data;
    return RILL_OK;
}

void *rill_world_solid_user_data(const rill_world *w, rill_solid_id id) {
    const solid *s = w ? POOL_GET(w, solid, id) : NULL;
    return s ? s->def.user_data : NULL;
}

/* Gauges report positions in the coordinates of the scene, in double precision. */
static void tell_place(const rill_world *w, const gauge *g, rill_reading *reading) {
    if (g->def.kind != RILL_GAUGE_CENTRE && g->def.kind != RILL_GAUGE_BODY_POSITION &&
        g->def.kind != RILL_GAUGE_CLOTH_CENTRE)
        return;
    for (int k = 0; k < reading->count; k++) reading->value[k] += (double)(&w->def.origin.x)[k];
}

rill_status rill_world_read_gauge(rill_world *w, rill_gauge_id id, rill_reading *reading) {
    if (!w) return RILL_INVALID;
    const gauge *g = POOL_GET(w, gauge, id);
    if (!reading) return rill_fail(&w->error, RILL_INVALID, "read_gauge: the reading is NULL");
    if (!g) return rill_fail(&w->error, RILL_NOT_FOUND, "read_gauge: no such gauge");
    TRY(w->operations->read_gauge(w, g, reading));
    tell_place(w, g, reading);
    return RILL_OK;
}

rill_status rill_world_read_gauges_at(rill_world *w, double time, rill_reading *readings) {
    if (!w) return RILL_INVALID;
    if (!readings) return rill_fail(&w->error, RILL_INVALID, "read_gauges_at: the readings are NULL");
    TRY(w->operations->read_gauges(w, time, readings));
    FOR_ALIVE(w, gauge, g) tell_place(w, g, readings++);
    return RILL_OK;
}
