/* SPDX-License-Identifier: MIT */
/* Scene -> world, through the public API alone. What the API refuses is reported with the line of the object. */
#include "core/error.h"
#include "scene/layout.h"
#include "scene/meshes.h"

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
    bool is_key = layout_find(at->parts, at->part_count, first, &part) != NULL;
    snprintf(path, sizeof path, "%s%s%s", at->path, is_key ? "." : "", is_key ? first : "");
    if (is_key || !strcmp(first, at->noun)) message = colon + 2;
    tree_fail(error, s->path, at->mark, path, "%s", message);
    if (error) error->status = status;
    return status;
}

/* ---- the method's parameters ---- */

static rill_status set_param(rill_world *world, const rill_param *param, const void *params, int dim) {
    if (param->type == RILL_TYPE_CHOICE) {
        int32_t index;
        char name[RILL_NAME_SIZE];
        memcpy(&index, (const char *)params + param->offset, sizeof index);
        return rill_world_set_text(world, param->key, rill_choice_name(param->choices, index, name, sizeof name));
    }
    if (param->type == RILL_TYPE_NAME || param->type == RILL_TYPE_FILE)
        return rill_world_set_text(world, param->key, (const char *)params + param->offset);
    char text[200];
    rill_param_get_text(param, params, dim, text, sizeof text);
    return rill_world_set_text(world, param->key, text);
}

static rill_status set_params(rill_world *world, const scene *s, rill_error *error) {
    for (int k = 0; k < s->method_count; k++) {
        const scene_method *method = &s->methods[k];
        if (strcmp(method->name, s->world.method)) continue;
        const rill_table *table = rill_method_find(method->name)->table;
        for (int row = 0; row < table->count; row++) {
            rill_status status =
                method->given[row] ? set_param(world, &table->params[row], method->params, s->world.dim) : RILL_OK;
            if (!status) continue;
            char path[RILL_NAME_SIZE + 16];
            snprintf(path, sizeof path, "methods.%s", method->name);
            place at = {path, method->name, s->marks->method, &(layout_part){.table = table}, 1};
            return fail_at(s, &at, status, rill_world_message(world), error);
        }
    }
    return RILL_OK;
}

/* ---- objects ---- */

static rill_status add_fluid(rill_world *world, const void *item) {
    return rill_world_add_fluid(world, item, NULL);
}

static rill_status add_block(rill_world *world, const void *item) {
    return rill_world_add_block(world, item, NULL);
}

static rill_status add_solid(rill_world *world, const void *item) {
    return rill_world_add_solid(world, item, NULL);
}

static rill_status add_body(rill_world *world, const void *item) {
    return rill_world_add_body(world, item, NULL);
}

static rill_status add_joint(rill_world *world, const void *item) {
    return rill_world_add_joint(world, item, NULL);
}

static rill_status add_emitter(rill_world *world, const void *item) {
    return rill_world_add_emitter(world, item, NULL);
}

static rill_status add_sink(rill_world *world, const void *item) {
    return rill_world_add_sink(world, item, NULL);
}

static rill_status add_gauge(rill_world *world, const void *item) {
    return rill_world_add_gauge(world, item, NULL);
}

typedef rill_status add_fn(rill_world *world, const void *item);

/* Adds one item; if its shape names mesh files, with their triangles. */
static rill_status add_item(rill_world *world, const scene *s, const layout_list *list, const void *item, add_fn *add,
                            rill_error *reason) {
    const size_t offset = layout_shape_offset(list);
    void *copy = offset > 0 ? malloc(list->item_size) : NULL;
    rill_status status;
    if (copy) {
        memcpy(copy, item, list->item_size);
        rill_shape *shape = (rill_shape *)(void *)((char *)copy + offset);
        status = scene_read_meshes(s, shape, reason);
        if (!status && (status = add(world, copy)) != RILL_OK)
            rill_fail(reason, status, "%s", rill_world_message(world));
        scene_free_meshes((const rill_shape *)(const void *)((const char *)item + offset), shape);
        free(copy);
        return status;
    }
    status = add(world, item);
    if (status) rill_fail(reason, status, "%s", rill_world_message(world));
    return status;
}

static rill_status add_items(rill_world *world, const scene *s, int index, add_fn *add, rill_error *error) {
    layout_list list = layout_list_at(index);
    for (int k = 0; k < layout_count(s, &list); k++) {
        rill_error reason = {0};
        rill_status status = add_item(world, s, &list, layout_item(s, &list, k), add, &reason);
        if (!status) continue;
        char path[RILL_NAME_SIZE];
        snprintf(path, sizeof path, "%s[%d]", list.key, k);
        place at = {path, list.noun, s->marks->items[index][k], list.parts, list.part_count};
        return fail_at(s, &at, status, reason.text, error);
    }
    return RILL_OK;
}

rill_status scene_add_block(const scene *s, rill_world *world, int index, int *added, rill_error *error) {
    const layout_list list = layout_list_at(LAYOUT_BLOCKS);
    const int before = rill_world_particle_count(world);
    const rill_status status = add_item(world, s, &list, &s->blocks[index], add_block, error);
    *added = rill_world_particle_count(world) - before;
    return status;
}

rill_world *scene_build(const scene *s, int workers, int simd, rill_error *error) {
    rill_world_def def = s->world;
    if (workers >= 0) def.workers = workers;
    if (simd >= 0) def.simd = simd;
    rill_error inner = {0};
    rill_world *world = rill_world_create(&def, &inner);
    if (!world) {
        layout_part part = layout_section(LAYOUT_WORLD);
        part.key = NULL;
        place at = {"world", "world", s->marks->world, &part, 1};
        fail_at(s, &at, inner.status, inner.text, error);
        return NULL;
    }
    /* Solids before blocks and gauges: a fill may have to know the walls, a gauge names its solid. */
    rill_status status = set_params(world, s, error);
    if (!status) status = add_items(world, s, LAYOUT_FLUIDS, add_fluid, error);
    if (!status) status = add_items(world, s, LAYOUT_SOLIDS, add_solid, error);
    if (!status) status = add_items(world, s, LAYOUT_BODIES, add_body, error);
    if (!status) status = add_items(world, s, LAYOUT_JOINTS, add_joint, error);
    if (!status) status = add_items(world, s, LAYOUT_BLOCKS, add_block, error);
    if (!status) status = add_items(world, s, LAYOUT_EMITTERS, add_emitter, error);
    if (!status) status = add_items(world, s, LAYOUT_SINKS, add_sink, error);
    if (!status) status = add_items(world, s, LAYOUT_GAUGES, add_gauge, error);
    if (!status) return world;
    rill_world_destroy(world);
    return NULL;
}
