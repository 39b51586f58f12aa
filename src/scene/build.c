/* SPDX-License-Identifier: MIT */
/* Scene -> world, through the public API alone. What the API refuses is reported with the line of the object. */
#include "core/error.h"
#include "scene/meshes.h"
#include "scene/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a message is about. */
typedef struct place {
    const char *path; /* "solids[1]" */
    const char *noun; /* "solid" */
    tree_mark mark;
    const layout_part *parts; /* rows that the message may begin with */
    int part_count;
} place;

/* The API's messages begin with the key they are about, or with the kind of object, which the path says already. */
static rill_status fail_at(const scene *s, const place *at, rill_status status, const char *message,
                           rill_error *error) {
    char first[RILL_NAME_SIZE], path[3 * RILL_NAME_SIZE];
    int part;
    const char *colon = strstr(message, ": ");
    snprintf(first, sizeof first, "%.*s", colon ? (int)(colon - message) : 0, message);
    bool is_key = rill_layout_find(at->parts, at->part_count, first, &part) != NULL;
    snprintf(path, sizeof path, "%s%s%s", at->path, is_key ? "." : "", is_key ? first : "");
    if (is_key || !strcmp(first, at->noun)) message = colon + 2;
    rill_tree_fail(error, s->path, at->mark, path, "%s", message);
    if (error) error->status = status;
    return status;
}

/* ---- objects ---- */

/* The handle of what was added; only lists whose items have sections ask for it. */
typedef union item_id {
    rill_fluid_id fluid;
    rill_solid_id solid;
    rill_body_id body;
} item_id;

static rill_status add_fluid(rill_world *world, const void *item, item_id *id) {
    return rill_world_add_fluid(world, item, &id->fluid);
}

static rill_status add_block(rill_world *world, const void *item, item_id *id) {
    (void)id;
    return rill_world_add_block(world, item, NULL);
}

static rill_status add_solid(rill_world *world, const void *item, item_id *id) {
    return rill_world_add_solid(world, item, &id->solid);
}

static rill_status add_body(rill_world *world, const void *item, item_id *id) {
    return rill_world_add_body(world, item, &id->body);
}

static rill_status add_joint(rill_world *world, const void *item, item_id *id) {
    (void)id;
    return rill_world_add_joint(world, item, NULL);
}

static rill_status add_emitter(rill_world *world, const void *item, item_id *id) {
    (void)id;
    return rill_world_add_emitter(world, item, NULL);
}

static rill_status add_sink(rill_world *world, const void *item, item_id *id) {
    (void)id;
    return rill_world_add_sink(world, item, NULL);
}

static rill_status add_gauge(rill_world *world, const void *item, item_id *id) {
    (void)id;
    return rill_world_add_gauge(world, item, NULL);
}

typedef rill_status add_fn(rill_world *world, const void *item, item_id *id);
static add_fn *const adders[LAYOUT_LIST_COUNT] = {
    [LAYOUT_FLUIDS] = add_fluid, [LAYOUT_BLOCKS] = add_block, [LAYOUT_SOLIDS] = add_solid,
    [LAYOUT_BODIES] = add_body,  [LAYOUT_JOINTS] = add_joint, [LAYOUT_EMITTERS] = add_emitter,
    [LAYOUT_SINKS] = add_sink,   [LAYOUT_GAUGES] = add_gauge,
};

/* ---- the method's parameters ---- */

static rill_status set_of_method(rill_world *world, item_id id, const char *key, const char *text) {
    (void)id;
    return rill_world_set_text(world, key, text);
}

static rill_status set_of_fluid(rill_world *world, item_id id, const char *key, const char *text) {
    return rill_world_fluid_set_text(world, id.fluid, key, text);
}

static rill_status set_of_solid(rill_world *world, item_id id, const char *key, const char *text) {
    return rill_world_solid_set_text(world, id.solid, key, text);
}

static rill_status set_of_body(rill_world *world, item_id id, const char *key, const char *text) {
    return rill_world_body_set_text(world, id.body, key, text);
}

typedef rill_status set_fn(rill_world *world, item_id id, const char *key, const char *text);
static set_fn *const setters[LAYOUT_LIST_COUNT] = {
    [LAYOUT_FLUIDS] = set_of_fluid, [LAYOUT_SOLIDS] = set_of_solid, [LAYOUT_BODIES] = set_of_body};

static rill_status set_param(rill_world *world, set_fn *set, item_id id, const rill_param *param, const void *params,
                             int dim) {
    char text[200];
    const char *value = (const char *)params + param->offset;
    if (param->type == RILL_TYPE_CHOICE) {
        int32_t index;
        memcpy(&index, value, sizeof index);
        value = rill_choice_name(param->choices, index, text, sizeof text);
    } else if (param->type != RILL_TYPE_NAME && param->type != RILL_TYPE_FILE) {
        rill_param_get_text(param, params, dim, text, sizeof text);
        value = text;
    }
    return set(world, id, param->key, value);
}

/* Sets what is given; a refusal is reported for the place. */
static rill_status set_given(rill_world *world, const scene *s, set_fn *set, item_id id, const scene_method *values,
                             const place *at, rill_error *error) {
    const rill_table *table = at->parts->table;
    for (int row = 0; row < table->count; row++) {
        if (!values->given[row]) continue;
        const rill_status status = set_param(world, set, id, &table->params[row], values->params, s->world.dim);
        if (status) return fail_at(s, at, status, rill_world_message(world), error);
    }
    return RILL_OK;
}

static rill_status set_params(rill_world *world, const scene *s, rill_error *error) {
    for (int k = 0; k < s->method_count; k++) {
        const scene_method *method = &s->methods[k];
        if (strcmp(method->name, s->world.method)) continue;
        const layout_part part = {.table = rill_method_find(method->name)->table};
        char path[RILL_NAME_SIZE + 16];
        snprintf(path, sizeof path, "methods.%s", method->name);
        const place at = {path, method->name, s->marks->method, &part, 1};
        const rill_status status = set_given(world, s, set_of_method, (item_id){0}, method, &at, error);
        if (status) return status;
    }
    return RILL_OK;
}

/* Of the sections of an item only that of the method in use counts. */
static rill_status set_section(rill_world *world, const scene *s, const layout_list *list, int item, item_id id,
                               rill_error *error) {
    const scene_section *section = rill_sections_of(s, list, item);
    while (section && strcmp(section->values.name, s->world.method)) section = section->next;
    if (!section) return RILL_OK;
    const layout_part part = {.table = section->table};
    char path[2 * RILL_NAME_SIZE];
    snprintf(path, sizeof path, "%s[%d].%s", list->key, item, section->values.name);
    const place at = {path, section->values.name, section->mark, &part, 1};
    return set_given(world, s, setters[list->index], id, &section->values, &at, error);
}

/* ---- lists ---- */

/* Adds one item; if its shape names mesh files, with their triangles. */
static rill_status add_item(rill_world *world, const scene *s, const layout_list *list, const void *item, item_id *id,
                            rill_error *reason) {
    add_fn *add = adders[list->index];
    const size_t offset = rill_layout_shape_offset(list);
    void *copy = offset > 0 ? malloc(list->item_size) : NULL;
    rill_status status;
    if (copy) {
        memcpy(copy, item, list->item_size);
        rill_shape *shape = (rill_shape *)(void *)((char *)copy + offset);
        status = rill_scene_read_meshes(s, shape, reason);
        if (!status && (status = add(world, copy, id)) != RILL_OK)
            rill_fail(reason, status, "%s", rill_world_message(world));
        rill_scene_free_meshes((const rill_shape *)(const void *)((const char *)item + offset), shape);
        free(copy);
        return status;
    }
    status = add(world, item, id);
    if (status) rill_fail(reason, status, "%s", rill_world_message(world));
    return status;
}

static rill_status add_items(rill_world *world, const scene *s, int index, rill_error *error) {
    layout_list list = rill_layout_list_at(index);
    for (int k = 0; k < rill_layout_count(s, &list); k++) {
        rill_error reason = {0};
        item_id id = {0};
        rill_status status = add_item(world, s, &list, rill_layout_item(s, &list, k), &id, &reason);
        if (status) {
            char path[RILL_NAME_SIZE];
            snprintf(path, sizeof path, "%s[%d]", list.key, k);
            place at = {path, list.noun, s->marks->items[index][k], list.parts, list.part_count};
            return fail_at(s, &at, status, reason.text, error);
        }
        status = set_section(world, s, &list, k, id, error);
        if (status) return status;
    }
    return RILL_OK;
}

rill_status rill_scene_add_block(const scene *s, rill_world *world, int index, int *added, rill_error *error) {
    const layout_list list = rill_layout_list_at(LAYOUT_BLOCKS);
    const int before = rill_world_particle_count(world);
    item_id unused = {0};
    const rill_status status = add_item(world, s, &list, &s->blocks[index], &unused, error);
    *added = rill_world_particle_count(world) - before;
    return status;
}

rill_world *rill_scene_build(const scene *s, int workers, int simd, rill_error *error) {
    rill_world_def def = s->world;
    if (workers >= 0) def.workers = workers;
    if (simd >= 0) def.simd = simd;
    rill_error inner = {0};
    rill_world *world = rill_world_create(&def, &inner);
    if (!world) {
        layout_part part = rill_layout_section(LAYOUT_WORLD);
        part.key = NULL;
        place at = {"world", "world", s->marks->world, &part, 1};
        fail_at(s, &at, inner.status, inner.text, error);
        return NULL;
    }
    /* Solids before blocks and gauges: a fill may have to know the walls, a gauge names its solid. */
    static const int order[] = {LAYOUT_FLUIDS, LAYOUT_SOLIDS,   LAYOUT_BODIES, LAYOUT_JOINTS,
                                LAYOUT_BLOCKS, LAYOUT_EMITTERS, LAYOUT_SINKS,  LAYOUT_GAUGES};
    rill_status status = set_params(world, s, error);
    for (size_t k = 0; k < sizeof order / sizeof *order && !status; k++) status = add_items(world, s, order[k], error);
    if (!status) return world;
    rill_world_destroy(world);
    return NULL;
}
