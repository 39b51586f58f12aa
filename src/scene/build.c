/* SPDX-License-Identifier: MIT */
/* Builds a world from a scene, through the public API alone. If the API refuses an object, the message names its
   line. */
#include "core/error.h"
#include "scene/flow.h"
#include "scene/meshes.h"
#include "scene/methods.h"
#include "scene/settle.h"
#include "scene/stored_fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The object that a message is about. */
typedef struct place {
    const char *path; /* "solids[1]" */
    const char *noun; /* "solid" */
    tree_mark mark;
    const layout_part *parts; /* tables whose keys the message may begin with */
    int part_count;
} place;

/* The API's messages begin with the key they are about, or with the kind of object, which is already part of the
   path. */
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

#define ADD(type)                                                                       \
    static rill_status add_##type(rill_world *world, const void *item, rill_ref *ref) { \
        rill_##type##_id id = {0};                                                      \
        const rill_status status = rill_world_add_##type(world, item, &id);             \
        *ref = rill_ref_##type(id);                                                     \
        return status;                                                                  \
    }
ADD(fluid)
ADD(solid)
ADD(body)
ADD(joint)
ADD(emitter)
ADD(sink)
ADD(cloth)
ADD(pin)
ADD(gauge)
ADD(group)
ADD(area)

/* Blocks have no id that a reference could name. */
static rill_status add_block(rill_world *world, const void *item, rill_ref *ref) {
    (void)ref;
    return rill_world_add_block(world, item, NULL);
}

typedef rill_status add_fn(rill_world *world, const void *item, rill_ref *ref);
static add_fn *const adders[LAYOUT_LIST_COUNT] = {
    [LAYOUT_FLUIDS] = add_fluid, [LAYOUT_BLOCKS] = add_block, [LAYOUT_SOLIDS] = add_solid,
    [LAYOUT_BODIES] = add_body,  [LAYOUT_JOINTS] = add_joint, [LAYOUT_EMITTERS] = add_emitter,
    [LAYOUT_SINKS] = add_sink,   [LAYOUT_CLOTHS] = add_cloth, [LAYOUT_PINS] = add_pin,
    [LAYOUT_GAUGES] = add_gauge, [LAYOUT_GROUPS] = add_group, [LAYOUT_AREAS] = add_area,
};

/* ---- the method's parameters ---- */

static rill_status set_param(rill_world *world, rill_ref ref, const rill_param *param, const void *params) {
    char text[200], key[2 * RILL_NAME_SIZE];
    const rill_world_def *def = rill_world_get_def(world);
    const char *value = (const char *)params + param->offset;
    if (param->type == RILL_TYPE_CHOICE) {
        int32_t index;
        memcpy(&index, value, sizeof index);
        value = rill_choice_name(param->choices, index, text, sizeof text);
    } else if (param->type != RILL_TYPE_NAME && param->type != RILL_TYPE_FILE) {
        rill_param_get_text(param, params, def->dim, text, sizeof text);
        value = text;
    }
    const bool added = ref.object != RILL_OBJECT_METHOD;
    snprintf(key, sizeof key, "%s%s%s", added ? def->method : "", added ? "." : "", param->key);
    return rill_world_set_text(world, ref, key, value);
}

/* Sets the parameters that the scene gives. A refusal is reported at `at`. */
static rill_status set_given(rill_world *world, const scene *s, rill_ref ref, const scene_method *values,
                             const place *at, rill_error *error) {
    const rill_table *table = at->parts->table;
    for (int row = 0; row < table->count; row++) {
        if (!values->given[row]) continue;
        const rill_status status = set_param(world, ref, &table->params[row], values->params);
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
        const rill_status status = set_given(world, s, rill_ref_method(), method, &at, error);
        if (status) return status;
    }
    return RILL_OK;
}

/* Sets an item's parameters for the method in use. Its sections for other methods are ignored. */
static rill_status set_section(rill_world *world, const scene *s, const layout_list *list, int item, rill_ref ref,
                               rill_error *error) {
    const scene_section *section = rill_sections_of(s, list, item);
    while (section && strcmp(section->values.name, s->world.method)) section = section->next;
    if (!section) return RILL_OK;
    const layout_part part = {.table = section->table};
    char path[2 * RILL_NAME_SIZE];
    snprintf(path, sizeof path, "%s[%d].%s", list->key, item, section->values.name);
    const place at = {path, section->values.name, section->mark, &part, 1};
    return set_given(world, s, ref, &section->values, &at, error);
}

/* ---- lists ---- */

/* Adds the contents of the files that an item names to a copy of it. */
static rill_status read_files(const scene *s, const layout_list *list, void *copy, rill_shape *shape,
                              rill_error *reason) {
    TRY(rill_scene_read_meshes(s, shape, reason));
    return list->index == LAYOUT_BLOCKS ? rill_scene_read_stored(s, copy, reason) : RILL_OK;
}

/* Adds a cloth whose triangles are in a file. */
static rill_status add_mesh_cloth(rill_world *world, const scene *s, const rill_cloth_def *item, rill_ref *ref,
                                  rill_error *reason) {
    rill_shape none = rill_shape_default(), shape = none;
    rill_cloth_def def = *item;
    shape.kind = RILL_MESH;
    memcpy(shape.file, item->file, sizeof shape.file);
    TRY(rill_scene_read_meshes(s, &shape, reason));
    def.points = shape.points;
    const rill_status status = add_cloth(world, &def, ref);
    if (status) rill_fail(reason, status, "%s", rill_world_message(world));
    rill_scene_free_meshes(&none, &shape);
    return status;
}

/* Passes the result of a call on, with the world's message if it failed. */
static rill_status added(const rill_world *world, rill_status status, rill_error *reason) {
    return status ? rill_fail(reason, status, "%s", rill_world_message(world)) : RILL_OK;
}

/* Adds one item, with the contents of the files that it names. */
static rill_status add_item(rill_world *world, const scene *s, const layout_list *list, const void *item, rill_ref *ref,
                            rill_error *reason) {
    add_fn *add = adders[list->index];
    if (list->index == LAYOUT_CLOTHS && *((const rill_cloth_def *)item)->file)
        return add_mesh_cloth(world, s, item, ref, reason);
    const size_t offset = rill_layout_shape_offset(list);
    if (offset == 0) return added(world, add(world, item, ref), reason);
    void *copy = malloc(list->item_size);
    if (!copy) return rill_fail(reason, RILL_MEMORY, "out of memory for a %s", list->noun);
    memcpy(copy, item, list->item_size);
    rill_shape *shape = (rill_shape *)(void *)((char *)copy + offset);
    rill_status status = read_files(s, list, copy, shape, reason);
    const int before = rill_world_particle_count(world);
    if (!status) status = added(world, add(world, copy, ref), reason);
    if (!status && list->index == LAYOUT_BLOCKS)
        status = rill_scene_set_flow(s, world, copy, rill_world_particle_count(world) - before, reason);
    rill_scene_free_meshes((const rill_shape *)(const void *)((const char *)item + offset), shape);
    if (list->index == LAYOUT_BLOCKS) rill_scene_free_stored(copy);
    free(copy);
    return status;
}

/* Solids and bodies that push fluid away are added after the blocks. */
static bool comes_after_blocks(int index, const void *item) {
    if (index == LAYOUT_SOLIDS) return ((const rill_solid_def *)item)->displacement == RILL_DISPLACE_PUSH;
    return index == LAYOUT_BODIES && ((const rill_body_def *)item)->displacement == RILL_DISPLACE_PUSH;
}

static rill_status add_items(rill_world *world, const scene *s, int index, bool late, rill_error *error) {
    layout_list list = rill_layout_list_at(index);
    for (int k = 0; k < rill_layout_count(s, &list); k++) {
        if (comes_after_blocks(index, rill_layout_item(s, &list, k)) != late) continue;
        rill_error reason = {0};
        rill_ref ref = {0};
        rill_status status = add_item(world, s, &list, rill_layout_item(s, &list, k), &ref, &reason);
        if (status) {
            char path[RILL_NAME_SIZE];
            snprintf(path, sizeof path, "%s[%d]", list.key, k);
            place at = {path, list.noun, s->marks->items[index][k], list.parts, list.part_count};
            return fail_at(s, &at, status, reason.text, error);
        }
        status = set_section(world, s, &list, k, ref, error);
        if (status) return status;
    }
    return RILL_OK;
}

rill_status rill_scene_add_block(const scene *s, rill_world *world, int index, int *added, rill_error *error) {
    const layout_list list = rill_layout_list_at(LAYOUT_BLOCKS);
    const int before = rill_world_particle_count(world);
    rill_ref unused = {0};
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
    /* Solids come before blocks and gauges: a fill may depend on the walls, and a gauge names its solid. */
    static const struct {
        int list;
        bool late;
    } order[] = {{LAYOUT_FLUIDS, false},   {LAYOUT_GROUPS, false}, {LAYOUT_SOLIDS, false}, {LAYOUT_BODIES, false},
                 {LAYOUT_BLOCKS, false},   {LAYOUT_SOLIDS, true},  {LAYOUT_BODIES, true},  {LAYOUT_JOINTS, false},
                 {LAYOUT_EMITTERS, false}, {LAYOUT_SINKS, false},  {LAYOUT_AREAS, false},  {LAYOUT_CLOTHS, false},
                 {LAYOUT_PINS, false},     {LAYOUT_GAUGES, false}};
    rill_status status = set_params(world, s, error);
    for (size_t k = 0; k < sizeof order / sizeof *order && !status; k++)
        status = add_items(world, s, order[k].list, order[k].late, error);
    if (!status) status = rill_scene_settle(s, world, error);
    if (!status) return world;
    rill_world_destroy(world);
    return NULL;
}
