/* SPDX-License-Identifier: MIT */
/* The tables of each part of a scene document, and the rows that apply for each choice. */
#include "scene/layout.h"

#include "model/gauge_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

const char rill_layout_root_keys[] =
    "$schema|about|variables|dim|method|world|run|picture|surface|methods|fluids|blocks|solids|bodies|joints|"
    "emitters|sinks|groups|areas|cloths|pins|gauges|paints|events";

/* Keys of all joints except gears, which take their bodies from the joints that they connect. */
#define BODY_KEYS "a|b|anchor"
/* Keys of the single degree of freedom of a hinge or slider. */
#define FREEDOM_KEYS                                                                                                   \
    "axis|limited|lower|upper|limit_stiffness|limit_damping|motor|motor_speed|motor_force|friction|stiffness|damping|" \
    "rest"

const layout_rule rill_layout_rules[] = {
    {"shape", "shape", "half_space", "position|normal", "normal"},
    {"shape", "shape", "box", "min|max|angle|axis", "min|max"},
    {"shape", "shape", "sphere", "position|radius", "position|radius"},
    {"shape", "shape", "capsule", "position|end|radius", "position|end|radius"},
    {"shape", "shape", "polygon", "points|position|angle|scale", "points"},
    {"shape", "shape", "segments", "points|radius|position|angle|scale", "points"},
    {"shape", "shape", "cylinder", "position|end|radius", "position|end|radius"},
    {"shape", "shape", "torus", "position|normal|radius|tube", "position|radius|tube"},
    {"shape", "shape", "hull", "points|position|angle|axis|scale|cell", "points"},
    {"shape", "shape", "mesh", "file|points|position|angle|axis|scale|thickness|cell", NULL},
    {"shape", "shape", "heightfield", "points|columns|depth|position|angle|axis|scale|cell", "points"},
    {"shape", "shape", "compound", "position|angle|axis|scale", NULL},
    {"block", "fill", "jittered", "jitter", NULL},
    {"block", "fill", "stored", "frame", "frame"},
    {"emitter", "nozzle", "round", "radius", NULL},
    {"emitter", "nozzle", "rectangle", "width|height", NULL},
#define GAUGE_KIND(constant, name, unit, values, subject, averages, doc) \
    {"gauge", "kind", name, GAUGE_##subject##_KEYS, GAUGE_##subject##_REQUIRED},
#include "model/gauge_kinds.def"
#undef GAUGE_KIND
    {"cloth", "kind", "sheet", "position|edge_a|edge_b|spacing", "position|edge_a"},
    {"cloth", "kind", "rope", "position|edge_a|width|spacing", "position|edge_a|width"},
    {"cloth", "kind", "mesh", "position|file|points", NULL},
    {"joint", "kind", "ball", BODY_KEYS, "a"},
    {"joint", "kind", "hinge", BODY_KEYS "|" FREEDOM_KEYS, "a"},
    {"joint", "kind", "slider", BODY_KEYS "|" FREEDOM_KEYS, "a|axis"},
    {"joint", "kind", "fixed", BODY_KEYS, "a"},
    {"joint", "kind", "distance", BODY_KEYS "|anchor_b|rope|length", "a|anchor_b"},
    {"joint", "kind", "spring", BODY_KEYS "|anchor_b|length|stiffness|damping", "a|anchor_b|stiffness"},
    {"joint", "kind", "gear", "joint_a|joint_b|ratio", "joint_a|joint_b"},
};
const int rill_layout_rule_count = COUNT_OF(rill_layout_rules);

const layout_dim_rule rill_layout_dim_rules[] = {
    {"shape", "axis", 3},
    {"shape", "tube|columns|file|thickness|cell", 3},
    {"motion", "axis|turns", 3},
    {"gauge", "axis", 3},
    {"cloth", "edge_b", 3},
    {"picture", "min|max", 2},
    {"picture", "eye|target|up|field_of_view|orbit|path|samples|shutter", 3},
};
const int rill_layout_dim_rule_count = COUNT_OF(rill_layout_dim_rules);

layout_part rill_layout_section(int section) {
    static const char root_rows[] = "dim|method";
    switch (section) {
    case LAYOUT_ROOT:
        return (layout_part){
            .table = rill_object_table(RILL_OBJECT_WORLD), .offset = offsetof(scene, world), .only = root_rows};
    case LAYOUT_WORLD:
        return (layout_part){.key = "world",
                             .table = rill_object_table(RILL_OBJECT_WORLD),
                             .offset = offsetof(scene, world),
                             .skip = root_rows};
    case LAYOUT_RUN:
        return (layout_part){.key = "run", .table = rill_scene_run_table(), .offset = offsetof(scene, run)};
    case LAYOUT_SURFACE:
        return (layout_part){
            .key = "surface", .table = rill_surface_table(), .offset = offsetof(scene, surface), .skip = "workers"};
    default:
        return (layout_part){.key = "picture", .table = rill_scene_picture_table(), .offset = offsetof(scene, picture)};
    }
}

static void add_part(layout_list *list, const char *key, rill_object object, size_t offset) {
    list->parts[list->part_count++] = (layout_part){.key = key, .table = rill_object_table(object), .offset = offset};
}

/* A shape, and the parts of a compound. */
static void add_shape(layout_list *list, size_t offset) {
    add_part(list, NULL, RILL_OBJECT_SHAPE, offset);
    add_part(list, "parts", RILL_OBJECT_SHAPE, offset + offsetof(rill_shape, parts));
    list->parts[list->part_count - 1].list = true;
}

#define LIST(member, type, noun_, doc_)                                                          \
    (layout_list) {                                                                              \
        .key = #member "s", .noun = (noun_), .doc = (doc_), .items = offsetof(scene, member##s), \
        .count = offsetof(scene, member##_count), .item_size = sizeof(type)                      \
    }

layout_list rill_layout_list_at(int index) {
    layout_list list;
    switch (index) {
    case LAYOUT_FLUIDS:
        list = LIST(fluid, rill_fluid_def, "fluid", "the fluids, each a named material or numbers of its own");
        list.material = true;
        list.method_table = offsetof(rill_method_info, fluid_table);
        add_part(&list, NULL, RILL_OBJECT_FLUID, 0);
        break;
    case LAYOUT_BLOCKS:
        list = LIST(block, rill_block_def, "block", "regions filled with particles at the start");
        list.required = "shape";
        add_part(&list, NULL, RILL_OBJECT_BLOCK, 0);
        add_shape(&list, offsetof(rill_block_def, shape));
        break;
    case LAYOUT_SOLIDS:
        list = LIST(solid, rill_solid_def, "solid", "walls and obstacles");
        list.required = "shape";
        list.method_table = offsetof(rill_method_info, solid_table);
        add_part(&list, NULL, RILL_OBJECT_SOLID, 0);
        add_shape(&list, offsetof(rill_solid_def, shape));
        add_part(&list, "motion", RILL_OBJECT_MOTION, offsetof(rill_solid_def, motion));
        break;
    case LAYOUT_BODIES:
        list = (layout_list){.key = "bodies",
                             .noun = "body",
                             .doc = "rigid bodies that move, collide and float",
                             .items = offsetof(scene, bodies),
                             .count = offsetof(scene, body_count),
                             .item_size = sizeof(rill_body_def)};
        list.required = "shape";
        list.method_table = offsetof(rill_method_info, solid_table); /* a body's surface is a solid */
        add_part(&list, NULL, RILL_OBJECT_BODY, 0);
        add_shape(&list, offsetof(rill_body_def, shape));
        add_part(&list, "motion", RILL_OBJECT_MOTION, offsetof(rill_body_def, motion));
        break;
    case LAYOUT_JOINTS:
        list = LIST(joint, rill_joint_def, "joint", "connections between bodies, with limits and motors");
        list.required = "kind";
        add_part(&list, NULL, RILL_OBJECT_JOINT, 0);
        break;
    case LAYOUT_EMITTERS:
        list = LIST(emitter, rill_emitter_def, "emitter", "nozzles that let fluid in");
        list.required = "position";
        add_part(&list, NULL, RILL_OBJECT_EMITTER, 0);
        break;
    case LAYOUT_SINKS:
        list = LIST(sink, rill_sink_def, "sink", "regions that take fluid out");
        list.required = "shape";
        add_part(&list, NULL, RILL_OBJECT_SINK, 0);
        add_shape(&list, offsetof(rill_sink_def, shape));
        break;
    case LAYOUT_GROUPS:
        list = LIST(group, rill_group_def, "group", "particles that are treated as one");
        list.required = "name";
        add_part(&list, NULL, RILL_OBJECT_GROUP, 0);
        break;
    case LAYOUT_AREAS:
        list = LIST(area, rill_area_def, "area", "regions that act on fluid and watch particles enter and leave");
        list.required = "shape";
        add_part(&list, NULL, RILL_OBJECT_AREA, 0);
        add_shape(&list, offsetof(rill_area_def, shape));
        break;
    case LAYOUT_CLOTHS:
        list = LIST(cloth, rill_cloth_def, "cloth", "sheets, ropes and meshes of cloth, which hold water");
        add_part(&list, NULL, RILL_OBJECT_CLOTH, 0);
        break;
    case LAYOUT_PINS:
        list = LIST(pin, rill_pin_def, "pin", "pins that hold cloth, in the world or on bodies");
        list.required = "min|max";
        add_part(&list, NULL, RILL_OBJECT_PIN, 0);
        add_part(&list, "motion", RILL_OBJECT_MOTION, offsetof(rill_pin_def, motion));
        break;
    case LAYOUT_PAINTS:
        list = LIST(paint, scene_paint, "paint", "colours of solids, bodies and fluids in pictures");
        list.required = "of";
        list.parts[list.part_count++] = (layout_part){.table = rill_scene_paint_table()};
        break;
    case LAYOUT_EVENTS:
        list = LIST(event, scene_event, "event", "changes while the scene runs, in the order of time");
        list.required = "time|of";
        list.parts[list.part_count++] = (layout_part){.table = rill_scene_event_table()};
        break;
    default:
        list = LIST(gauge, rill_gauge_def, "gauge", "quantities measured every frame");
        list.required = "kind";
        add_part(&list, NULL, RILL_OBJECT_GAUGE, 0);
        break;
    }
    list.index = index;
    return list;
}

const rill_table *rill_layout_method_table(const layout_list *list, const rill_method_info *method) {
    const rill_table *table = NULL;
    if (list->method_table) memcpy(&table, (const char *)method + list->method_table, sizeof table);
    return table;
}

layout_part *rill_layout_item_parts(const layout_list *list, int *count) {
    layout_part *parts = calloc((size_t)list->part_count + (size_t)rill_method_count(), sizeof *parts);
    if (!parts) return NULL;
    memcpy(parts, list->parts, (size_t)list->part_count * sizeof *parts);
    *count = list->part_count;
    for (int k = 0; k < rill_method_count(); k++) {
        const rill_table *table = rill_layout_method_table(list, rill_method(k));
        if (table) parts[(*count)++] = (layout_part){.key = rill_method(k)->name, .table = table, .section = true};
    }
    return parts;
}

size_t rill_layout_shape_offset(const layout_list *list) {
    for (int k = 0; k < list->part_count; k++)
        if (!list->parts[k].key && list->parts[k].table == rill_object_table(RILL_OBJECT_SHAPE))
            return list->parts[k].offset;
    return 0;
}

bool rill_layout_name_at(const char *list, int index, char *buffer, size_t size) {
    for (int k = 0; list && *list; k++) {
        size_t length = strcspn(list, "|");
        if (k == index) {
            snprintf(buffer, size, "%.*s", (int)length, list);
            return true;
        }
        list += length + (list[length] == '|');
    }
    return false;
}

bool rill_layout_listed(const char *list, const char *key) {
    return list && rill_choice_index(list, key) >= 0;
}

const char *rill_layout_spell(const char *list, char *buffer, size_t size) {
    char name[RILL_NAME_SIZE], next[RILL_NAME_SIZE];
    size_t length = 0;
    buffer[0] = '\0';
    for (int k = 0; rill_layout_name_at(list, k, name, sizeof name) && length < size; k++) {
        bool last = !rill_layout_name_at(list, k + 1, next, sizeof next);
        int written = snprintf(buffer + length, size - length, "%s%s", k == 0 ? "" : last ? " or " : ", ", name);
        length += (size_t)written;
    }
    return buffer;
}

bool rill_layout_has(const layout_part *part, const char *key) {
    if (part->only && !rill_layout_listed(part->only, key)) return false;
    return !rill_layout_listed(part->skip, key);
}

const rill_param *rill_layout_find(const layout_part *parts, int part_count, const char *key, int *part) {
    for (int k = 0; k < part_count; k++) {
        if (parts[k].key) continue;
        const rill_param *param = rill_layout_has(&parts[k], key) ? rill_table_find(parts[k].table, key) : NULL;
        if (!param) continue;
        *part = k;
        return param;
    }
    return NULL;
}

char *rill_layout_keys(const layout_part *parts, int part_count, const char *extra) {
    char *keys = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&keys, &size);
    if (!stream) return NULL;
    const char *comma = "";
    if (extra) fputs(extra, stream), comma = "|";
    for (int k = 0; k < part_count; k++) {
        if (parts[k].key) {
            fprintf(stream, "%s%s", comma, parts[k].key), comma = "|";
            continue;
        }
        for (int row = 0; row < parts[k].table->count; row++) {
            const char *key = parts[k].table->params[row].key;
            if (rill_layout_has(&parts[k], key)) fprintf(stream, "%s%s", comma, key), comma = "|";
        }
    }
    fclose(stream);
    return keys;
}

/* The choice that an object makes in the row `key`, to which rules refer. */
static const char *chosen(const rill_table *table, const char *key, const void *object, char *buffer, size_t size) {
    const rill_param *param = rill_table_find(table, key);
    if (!param || param->type != RILL_TYPE_CHOICE) return "";
    int32_t index;
    memcpy(&index, (const char *)object + param->offset, sizeof index);
    return rill_choice_name(param->choices, index, buffer, size);
}

const char *rill_layout_refusal(const rill_table *table, const rill_param *param, const void *object, int dim,
                                char *buffer, size_t size) {
    for (int k = 0; k < rill_layout_dim_rule_count; k++) {
        const layout_dim_rule *rule = &rill_layout_dim_rules[k];
        if (rule->dim == dim || strcmp(rule->table, table->name) || !rill_layout_listed(rule->keys, param->key))
            continue;
        snprintf(buffer, size, "applies to %dD scenes only", rule->dim);
        return buffer;
    }
    const layout_rule *owner = NULL;
    for (int k = 0; k < rill_layout_rule_count; k++) {
        const layout_rule *rule = &rill_layout_rules[k];
        if (strcmp(rule->table, table->name) || !rill_layout_listed(rule->keys, param->key)) continue;
        char name[RILL_NAME_SIZE];
        if (!strcmp(rule->choice, chosen(table, rule->key, object, name, sizeof name))) return NULL;
        owner = rule;
    }
    if (!owner) return NULL;
    char name[RILL_NAME_SIZE];
    snprintf(buffer, size, "does not apply to %s \"%s\"", owner->key,
             chosen(table, owner->key, object, name, sizeof name));
    return buffer;
}

const char *rill_layout_required(const rill_table *table, const void *object, char *choice, size_t size) {
    for (int k = 0; k < rill_layout_rule_count; k++) {
        const layout_rule *rule = &rill_layout_rules[k];
        if (strcmp(rule->table, table->name)) continue;
        if (!strcmp(rule->choice, chosen(table, rule->key, object, choice, size))) return rule->required;
    }
    return NULL;
}

/* The pointer is copied as bytes, because its type depends on the list. POSIX gives all pointers one representation. */
void *rill_layout_items(const scene *s, const layout_list *list) {
    void *items;
    memcpy(&items, (const char *)s + list->items, sizeof items);
    return items;
}

int rill_layout_count(const scene *s, const layout_list *list) {
    int count;
    memcpy(&count, (const char *)s + list->count, sizeof count);
    return count;
}

void *rill_layout_item(const scene *s, const layout_list *list, int index) {
    return (char *)rill_layout_items(s, list) + (size_t)index * list->item_size;
}

void rill_layout_set_items(scene *s, const layout_list *list, void *items, int count) {
    memcpy((char *)s + list->items, &items, sizeof items);
    memcpy((char *)s + list->count, &count, sizeof count);
}

char *rill_layout_names(const scene *s, const layout_list *list) {
    const rill_param *name = rill_table_find(list->parts[0].table, "name");
    char *names = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&names, &size);
    if (!stream) return NULL;
    for (int k = 0; name && k < rill_layout_count(s, list); k++)
        fprintf(stream, "%s%s", k ? "|" : "", (const char *)rill_layout_item(s, list, k) + name->offset);
    fclose(stream);
    return names;
}
