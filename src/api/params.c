/* SPDX-License-Identifier: MIT */
/* Parameters by key: of the world, of its method, of its objects, and the rows that the method adds to fluids, solids
   and bodies. A change is made to a copy of the definition, which is checked as a whole before it replaces the
   original. */
#include "api/world.h"
#include "model/table.h"
#include "rigid/joints.h"
#include "rigid/sleep.h"

#include <string.h>

/* The object behind a reference. */
typedef struct target {
    rill_object kind;
    const char *noun;
    void *object;    /* solid, emitter, ...; NULL: the world or the method */
    const void *def; /* the struct that `table` describes; NULL: there is no such object */
    const rill_table *table;
    const rill_table *added; /* rows that the method adds to such an object; NULL: none */
    void *method_row;        /* the struct that `added` describes, or the method's parameters */
} target;

/* A row and the struct that holds its value. */
typedef struct found_row {
    const rill_param *param;
    const void *data;
    bool of_method; /* `data` is the target's method_row */
} found_row;

/* A definition of any kind. */
typedef union any_def {
    rill_world_def world;
    rill_fluid_def fluid;
    rill_solid_def solid;
    rill_emitter_def emitter;
    rill_sink_def sink;
    rill_gauge_def gauge;
    rill_body_def body;
    rill_joint_def joint;
    rill_cloth_def cloth;
    rill_pin_def pin;
    rill_group_def group;
    rill_area_def area;
} any_def;

/* ---- finding ---- */

#define OBJECT_TARGET(type)                       \
    do {                                          \
        struct type *o = POOL_GET(w, type, ref);  \
        t.object = o, t.def = o ? &o->def : NULL; \
    } while (0)

/* Adds the rows that the method adds to the solid in a slot. */
static void add_solid_rows(const rill_world *w, target *t, uint32_t slot_index) {
    t->added = w->solids.method_table;
    t->method_row = t->def ? pool_method_row(&w->solids, slot_index) : NULL;
}

static target find_target(const rill_world *w, rill_ref ref) {
    target t = {.kind = (rill_object)ref.object, .noun = "object", .table = rill_object_table((rill_object)ref.object)};
    if (t.table) t.noun = t.table->name;
    switch (ref.object) {
    case RILL_OBJECT_METHOD:
        t.noun = w->def.method, t.def = t.method_row = w->params.data, t.table = rill_world_method(w)->table;
        break;
    case RILL_OBJECT_WORLD:
        t.def = &w->def;
        break;
    case RILL_OBJECT_FLUID:
        OBJECT_TARGET(fluid);
        t.added = w->fluids.method_table;
        t.method_row = t.def ? pool_method_row(&w->fluids, ref.index1 - 1) : NULL;
        break;
    case RILL_OBJECT_SOLID:
        OBJECT_TARGET(solid);
        add_solid_rows(w, &t, ref.index1 - 1);
        break;
    case RILL_OBJECT_BODY:
        OBJECT_TARGET(body);
        add_solid_rows(w, &t, t.object ? (uint32_t)((const body *)t.object)->solid : 0);
        break;
    case RILL_OBJECT_EMITTER:
        OBJECT_TARGET(emitter);
        break;
    case RILL_OBJECT_SINK:
        OBJECT_TARGET(sink);
        break;
    case RILL_OBJECT_GAUGE:
        OBJECT_TARGET(gauge);
        break;
    case RILL_OBJECT_JOINT:
        OBJECT_TARGET(joint);
        break;
    case RILL_OBJECT_CLOTH:
        OBJECT_TARGET(cloth);
        break;
    case RILL_OBJECT_PIN:
        OBJECT_TARGET(pin);
        break;
    case RILL_OBJECT_GROUP:
        OBJECT_TARGET(group);
        break;
    case RILL_OBJECT_AREA:
        OBJECT_TARGET(area);
        break;
    default:
        t.table = NULL;
    }
    return t;
}

/* The part of a key after "METHOD.", or NULL. */
static const char *key_of_method(const rill_world *w, const char *key) {
    const size_t length = strlen(w->def.method);
    return strncmp(key, w->def.method, length) == 0 && key[length] == '.' ? key + length + 1 : NULL;
}

static rill_status fail_unknown(const rill_world *w, const target *t, const rill_table *table, const char *key,
                                rill_error *error) {
    if (!table)
        return rill_fail(error, RILL_NOT_FOUND, "%s adds no parameters to a %s, and has no '%s'", w->def.method,
                         t->noun, key);
    const bool shaped = t->kind == RILL_OBJECT_SOLID || t->kind == RILL_OBJECT_BODY || t->kind == RILL_OBJECT_SINK ||
                        t->kind == RILL_OBJECT_AREA;
    if (table == t->table && shaped &&
        (strncmp(key, "motion.", 7) == 0 || rill_table_find(rill_object_table(RILL_OBJECT_SHAPE), key)))
        return rill_fail(error, RILL_INVALID, "%s.%s is fixed when the %s is added, like all of its shape and motion",
                         t->noun, key, t->noun);
    const char *nearest = rill_table_nearest(table, key);
    const bool added = table != t->table;
    return rill_fail(error, RILL_NOT_FOUND, "%s has no parameter '%s'%s%s%s%s%s", added ? w->def.method : t->noun, key,
                     added ? " of a " : "", added ? t->noun : "", nearest ? "; did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

static rill_status find_row(const rill_world *w, const target *t, const char *key, found_row *found,
                            rill_error *error) {
    if (!t->table) return rill_fail(error, RILL_INVALID, "parameters: the reference is not that of an object");
    if (!key) return rill_fail(error, RILL_INVALID, "parameters: the key is NULL");
    if (!t->def) return rill_fail(error, RILL_NOT_FOUND, "%s.%s: no such %s", t->noun, key, t->noun);
    const char *inner = t->object ? key_of_method(w, key) : NULL;
    const rill_table *table = inner ? t->added : t->table;
    const rill_param *param = rill_table_find(table, inner ? inner : key);
    *found = (found_row){param, inner ? t->method_row : t->def, inner || t->kind == RILL_OBJECT_METHOD};
    return param ? RILL_OK : fail_unknown(w, t, table, inner ? inner : key, error);
}

/* ---- changing ---- */

/* After a change of the method's parameters masses, which depend on its kernel, are derived again at once; the method's
   own numbers follow with the next step. */
static rill_status method_changed(rill_world *w, const target *t) {
    w->scene_changed = true;
    if (t->kind != RILL_OBJECT_METHOD) return RILL_OK;
    FOR_ALIVE(w, fluid, f) w->operations->set_fluid_mass(w, f);
    return RILL_OK;
}

static bool key_is(const rill_param *param, const char *key) {
    return strcmp(param->key, key) == 0;
}

static rill_status change_world(rill_world *w, const rill_param *param, rill_world_def *def) {
    TRY(rill_check_world_def(def, &w->error));
    if (def->dim == 2) def->gravity.z = 0.0f;
    w->def = *def;
    /* Methods derive numbers from gravity and from the longest step. */
    if (key_is(param, "gravity") || key_is(param, "dt_max")) w->scene_changed = true;
    if (key_is(param, "gravity") || key_is(param, "sleep_speed") || key_is(param, "sleep_time")) rill_sleep_wake_all(w);
    return RILL_OK;
}

static rill_status change_fluid(rill_world *w, fluid *f, const rill_fluid_def *def) {
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_FLUID), def, &w->error));
    f->def = *def;
    w->scene_changed = true;
    return RILL_OK;
}

static rill_status change_solid(rill_world *w, const rill_param *param, solid *s, const rill_solid_def *def) {
    if (s->body > 0)
        return rill_fail(&w->error, RILL_INVALID, "solid.%s: '%s' is the surface of a body; set the body's", param->key,
                         s->def.name);
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_SOLID), def, &w->error));
    TRY(rill_check_surface(w, def->no_slip, def->contact_angle));
    s->def = *def;
    if (key_is(param, "surface_velocity"))
        w->scene_changed = true; /* methods derive numbers from the speeds in a scene */
    rill_sleep_wake_touching(w, (int)(s - POOL_ITEMS(w, solid)));
    return RILL_OK;
}

static rill_status change_body(rill_world *w, body *b, const rill_body_def *def) {
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_BODY), def, &w->error));
    TRY(rill_check_surface(w, def->no_slip, def->contact_angle));
    b->def = *def;
    POOL_ITEMS(w, solid)[b->solid].def.no_slip = def->no_slip;
    POOL_ITEMS(w, solid)[b->solid].def.contact_angle = def->contact_angle;
    rill_sleep_wake(w, b);
    rill_sleep_wake_touching(w, b->solid);
    return RILL_OK;
}

static rill_status change_emitter(rill_world *w, emitter *e, rill_emitter_def *def) {
    TRY(rill_check_emitter(w, def));
    rill_emitter_change(w, e, def);
    return RILL_OK;
}

static rill_status change_joint(rill_world *w, joint *j, const rill_joint_def *def) {
    TRY(rill_joint_check(w, def, &w->error));
    rill_joint_change(j, def);
    rill_sleep_wake_joint(w, j);
    return RILL_OK;
}

static rill_status change(rill_world *w, const target *t, const rill_param *param, any_def *def) {
    switch (t->kind) {
    case RILL_OBJECT_WORLD:
        return change_world(w, param, &def->world);
    case RILL_OBJECT_FLUID:
        return change_fluid(w, t->object, &def->fluid);
    case RILL_OBJECT_SOLID:
        return change_solid(w, param, t->object, &def->solid);
    case RILL_OBJECT_BODY:
        return change_body(w, t->object, &def->body);
    case RILL_OBJECT_EMITTER:
        return change_emitter(w, t->object, &def->emitter);
    case RILL_OBJECT_JOINT:
        return change_joint(w, t->object, &def->joint);
    case RILL_OBJECT_GROUP:
        TRY(rill_check_group(w, &def->group));
        ((group *)t->object)->def = def->group;
        return RILL_OK;
    default: /* checked by their table alone; no row of a pin is live */
        TRY(rill_table_check(t->table, def, &w->error));
        if (!t->object || t->kind == RILL_OBJECT_PIN) return RILL_NOT_FOUND; /* refused earlier */
        if (t->kind == RILL_OBJECT_CLOTH)
            ((cloth *)t->object)->def = def->cloth;
        else if (t->kind == RILL_OBJECT_SINK)
            ((sink *)t->object)->def = def->sink;
        else if (t->kind == RILL_OBJECT_AREA)
            ((area *)t->object)->def = def->area;
        else
            ((gauge *)t->object)->def = def->gauge;
        return RILL_OK;
    }
}

/* ---- setting ---- */

/* A new value, in one of three forms; the others are NULL. */
typedef struct new_value {
    const double *number;
    const rill_vec *vec;
    const char *text;
} new_value;

static rill_status put_value(const rill_param *row, void *data, const new_value *value, rill_error *error) {
    if (value->number) return rill_param_set_number(row, data, *value->number, error);
    if (value->vec) return rill_param_set_vec(row, data, *value->vec, error);
    return rill_param_set_text(row, data, value->text, error);
}

static rill_status set_value(rill_world *w, rill_ref ref, const char *key, const new_value *value) {
    const target t = find_target(w, ref);
    found_row found = {0};
    TRY(find_row(w, &t, key, &found, &w->error));
    if (!t.def || !t.table) return RILL_NOT_FOUND; /* already refused by find_row */
    if (found.of_method) {
        TRY(put_value(found.param, t.method_row, value, &w->error));
        return method_changed(w, &t);
    }
    if (!found.param->live)
        return rill_fail(&w->error, RILL_INVALID, "%s.%s is fixed when the %s is %s", t.noun, key, t.noun,
                         t.kind == RILL_OBJECT_WORLD ? "created" : "added");
    any_def def;
    memcpy(&def, t.def, t.table->size);
    const rill_param row = rill_row_of(t.table, found.param, &def);
    TRY(put_value(&row, &def, value, &w->error));
    return change(w, &t, found.param, &def);
}

rill_status rill_world_set_number(rill_world *w, rill_ref ref, const char *key, double value) {
    return w ? set_value(w, ref, key, &(new_value){.number = &value}) : RILL_INVALID;
}

rill_status rill_world_set_vec(rill_world *w, rill_ref ref, const char *key, rill_vec value) {
    return w ? set_value(w, ref, key, &(new_value){.vec = &value}) : RILL_INVALID;
}

rill_status rill_world_set_text(rill_world *w, rill_ref ref, const char *key, const char *text) {
    if (!w) return RILL_INVALID;
    if (!text) return rill_fail(&w->error, RILL_INVALID, "%s: the text is NULL", key ? key : "parameters");
    return set_value(w, ref, key, &(new_value){.text = text});
}

/* ---- reading ---- */

static rill_status find_to_read(const rill_world *w, rill_ref ref, const char *key, found_row *found) {
    if (!w) return RILL_INVALID;
    const target t = find_target(w, ref);
    return find_row(w, &t, key, found, NULL);
}

rill_status rill_world_get_number(const rill_world *w, rill_ref ref, const char *key, double *value) {
    found_row found = {0};
    TRY(find_to_read(w, ref, key, &found));
    const char *at = (const char *)found.data + found.param->offset;
    float number;
    int32_t integer;
    bool truth;
    if (!value) return RILL_INVALID;
    switch (found.param->type) {
    case RILL_TYPE_NUMBER:
        memcpy(&number, at, sizeof number);
        *value = (double)number;
        return RILL_OK;
    case RILL_TYPE_INT:
        memcpy(&integer, at, sizeof integer);
        *value = integer;
        return RILL_OK;
    case RILL_TYPE_BOOL:
        memcpy(&truth, at, sizeof truth);
        *value = truth;
        return RILL_OK;
    default:
        return RILL_INVALID;
    }
}

rill_status rill_world_get_vec(const rill_world *w, rill_ref ref, const char *key, rill_vec *value) {
    found_row found = {0};
    TRY(find_to_read(w, ref, key, &found));
    if (!value || found.param->type != RILL_TYPE_VEC) return RILL_INVALID;
    memcpy(value, (const char *)found.data + found.param->offset, sizeof *value);
    return RILL_OK;
}

rill_status rill_world_get_text(const rill_world *w, rill_ref ref, const char *key, char *buffer, size_t size) {
    found_row found = {0};
    TRY(find_to_read(w, ref, key, &found));
    if (!buffer) return RILL_INVALID;
    const int needed = rill_param_get_text(found.param, found.data, w->def.dim, buffer, size);
    return needed >= 0 && (size_t)needed < size ? RILL_OK : RILL_LIMIT;
}

const void *rill_world_params(const rill_world *w) {
    return w ? w->params.data : NULL;
}

rill_status rill_world_effective(rill_world *w, const char *key, double *value) {
    if (!w || !key || !value) return RILL_INVALID;
    const rill_status status = w->operations->effective(w, key, value);
    if (status != RILL_NOT_FOUND) return status;
    return rill_fail(&w->error, RILL_NOT_FOUND, "%s has no effective value of '%s'", w->def.method, key);
}

const char *rill_world_ignores(const rill_world *w, const char *key) {
    return w && key ? w->operations->ignores(w, key) : NULL;
}
