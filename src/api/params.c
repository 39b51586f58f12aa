/* SPDX-License-Identifier: MIT */
/* Parameters by key: those of the method, and those that it adds to fluids, solids and bodies. */
#include "api/world.h"

/* The struct that a key leads into. */
typedef struct params {
    const char *noun;        /* of the object that it belongs to; NULL: the method itself */
    bool exists;             /* there is such an object */
    const rill_table *table; /* NULL: the method adds nothing to such objects */
    void *data;
} params;

static params params_of_method(const rill_world *w) {
    return (params){.exists = true, .table = rill_world_method(w)->table, .data = w->params.data};
}

static params params_of_slot(const pool *p, const char *noun, uint32_t slot_index) {
    return (params){noun, true, p->method_table, pool_method_row(p, slot_index)};
}

static params params_of_fluid(const rill_world *w, rill_fluid_id id) {
    const bool exists = rill_pool_get(&w->fluids, sizeof(fluid), id.index1, id.age) != NULL;
    return exists ? params_of_slot(&w->fluids, "fluid", id.index1 - 1) : (params){.noun = "fluid"};
}

static params params_of_solid(const rill_world *w, rill_solid_id id) {
    const bool exists = rill_pool_get(&w->solids, sizeof(solid), id.index1, id.age) != NULL;
    return exists ? params_of_slot(&w->solids, "solid", id.index1 - 1) : (params){.noun = "solid"};
}

/* The surface of the body has them. */
static params params_of_body(const rill_world *w, rill_body_id id) {
    const body *b = rill_pool_get(&w->bodies, sizeof *b, id.index1, id.age);
    return b ? params_of_slot(&w->solids, "body", (uint32_t)b->solid) : (params){.noun = "body"};
}

static const rill_param *find_param(rill_world *w, const params *p, const char *key) {
    const rill_param *param = key && p->table ? rill_table_find(p->table, key) : NULL;
    if (param) return param;
    const char *name = key ? key : "(null)", *nearest = key && p->table ? rill_table_nearest(p->table, key) : NULL;
    if (!p->exists)
        rill_fail(&w->error, RILL_NOT_FOUND, "%s.%s: no such %s", p->noun, name, p->noun);
    else if (!p->table)
        rill_fail(&w->error, RILL_NOT_FOUND, "%s adds no parameters to a %s, and has no '%s'", w->def.method, p->noun,
                  name);
    else
        rill_fail(&w->error, RILL_NOT_FOUND, "%s has no parameter '%s'%s%s%s%s%s", w->def.method, name,
                  p->noun ? " of a " : "", p->noun ? p->noun : "", nearest ? "; did you mean '" : "",
                  nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
}

/* What follows from parameters is derived again: masses, which the method's kernel decides, now, the method's own
   numbers with the next step. */
static rill_status params_changed(rill_world *w, const params *p, rill_status status) {
    if (status != RILL_OK) return status;
    w->params_dirty = true;
    if (p->noun) return RILL_OK;
    FOR_ALIVE(w, fluid, f) w->operations->set_fluid_mass(w, f);
    return RILL_OK;
}

static rill_status set_number(rill_world *w, params p, const char *key, double value) {
    const rill_param *param = find_param(w, &p, key);
    if (!param) return RILL_NOT_FOUND;
    return params_changed(w, &p, rill_param_set_number(param, p.data, value, &w->error));
}

static rill_status set_text(rill_world *w, params p, const char *key, const char *text) {
    const rill_param *param = find_param(w, &p, key);
    if (!param) return RILL_NOT_FOUND;
    if (!text) return rill_fail(&w->error, RILL_INVALID, "%s: the text is NULL", key);
    return params_changed(w, &p, rill_param_set_text(param, p.data, text, &w->error));
}

static rill_status get_text(const rill_world *w, params p, const char *key, char *buffer, size_t size) {
    if (!key || !buffer) return RILL_INVALID;
    const rill_param *param = p.table ? rill_table_find(p.table, key) : NULL;
    if (!param) return RILL_NOT_FOUND;
    const int needed = rill_param_get_text(param, p.data, w->def.dim, buffer, size);
    return needed >= 0 && (size_t)needed < size ? RILL_OK : RILL_LIMIT;
}

rill_status rill_world_set_number(rill_world *w, const char *key, double value) {
    return w ? set_number(w, params_of_method(w), key, value) : RILL_INVALID;
}

rill_status rill_world_set_text(rill_world *w, const char *key, const char *text) {
    return w ? set_text(w, params_of_method(w), key, text) : RILL_INVALID;
}

rill_status rill_world_get_text(const rill_world *w, const char *key, char *buffer, size_t size) {
    return w ? get_text(w, params_of_method(w), key, buffer, size) : RILL_INVALID;
}

#define OBJECT_PARAMS(type)                                                                                           \
    rill_status rill_world_##type##_set_number(rill_world *w, rill_##type##_id id, const char *key, double value) {   \
        return w ? set_number(w, params_of_##type(w, id), key, value) : RILL_INVALID;                                 \
    }                                                                                                                 \
    rill_status rill_world_##type##_set_text(rill_world *w, rill_##type##_id id, const char *key, const char *text) { \
        return w ? set_text(w, params_of_##type(w, id), key, text) : RILL_INVALID;                                    \
    }                                                                                                                 \
    rill_status rill_world_##type##_get_text(const rill_world *w, rill_##type##_id id, const char *key, char *buffer, \
                                             size_t size) {                                                           \
        return w ? get_text(w, params_of_##type(w, id), key, buffer, size) : RILL_INVALID;                            \
    }
OBJECT_PARAMS(fluid)
OBJECT_PARAMS(solid)
OBJECT_PARAMS(body)

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
