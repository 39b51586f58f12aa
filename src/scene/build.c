/* SPDX-License-Identifier: MIT */
/* Scene -> world, through the public API alone. What the API refuses is reported with the line of the object. */
#include "core/error.h"
#include "scene/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rill_status fail_at(const scene *s, tree_mark mark, rill_status status, const char *path, const char *message,
                           rill_error *error) {
    tree_fail(error, s->path, mark, path, "%s", message);
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
    if (param->type == RILL_TYPE_NAME)
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
            char path[2 * RILL_NAME_SIZE + 16];
            snprintf(path, sizeof path, "methods.%s.%s", method->name, table->params[row].key);
            return fail_at(s, s->marks->method, status, path, rill_world_message(world), error);
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

static rill_status add_emitter(rill_world *world, const void *item) {
    return rill_world_add_emitter(world, item, NULL);
}

static rill_status add_sink(rill_world *world, const void *item) {
    return rill_world_add_sink(world, item, NULL);
}

static rill_status add_gauge(rill_world *world, const void *item) {
    return rill_world_add_gauge(world, item, NULL);
}

static rill_status add_items(rill_world *world, const scene *s, int index,
                             rill_status (*add)(rill_world *world, const void *item), rill_error *error) {
    layout_list list = layout_list_at(index);
    for (int k = 0; k < layout_count(s, &list); k++) {
        rill_status status = add(world, layout_item(s, &list, k));
        if (!status) continue;
        char path[RILL_NAME_SIZE];
        snprintf(path, sizeof path, "%s[%d]", list.key, k);
        return fail_at(s, s->marks->items[index][k], status, path, rill_world_message(world), error);
    }
    return RILL_OK;
}

rill_world *scene_build(const scene *s, int workers, int simd, rill_error *error) {
    rill_world_def def = s->world;
    if (workers >= 0) def.workers = workers;
    if (simd >= 0) def.simd = simd;
    rill_error inner = {0};
    rill_world *world = rill_world_create(&def, &inner);
    if (!world) {
        fail_at(s, s->marks->world, inner.status, "world", inner.text, error);
        return NULL;
    }
    /* Solids before blocks and gauges: a fill may have to know the walls, a gauge names its solid. */
    rill_status status = set_params(world, s, error);
    if (!status) status = add_items(world, s, LAYOUT_FLUIDS, add_fluid, error);
    if (!status) status = add_items(world, s, LAYOUT_SOLIDS, add_solid, error);
    if (!status) status = add_items(world, s, LAYOUT_BLOCKS, add_block, error);
    if (!status) status = add_items(world, s, LAYOUT_EMITTERS, add_emitter, error);
    if (!status) status = add_items(world, s, LAYOUT_SINKS, add_sink, error);
    if (!status) status = add_items(world, s, LAYOUT_GAUGES, add_gauge, error);
    if (!status) return world;
    rill_world_destroy(world);
    return NULL;
}
