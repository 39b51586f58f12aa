/* SPDX-License-Identifier: MIT */
/* Reads a scene document: text -> tree -> definitions, with all checks that need no world. */
#include "core/error.h"
#include "scene/methods.h"
#include "scene/reader.h"
#include "scene/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rill_status no_memory(const reader *r, const tree_node *node) {
    rill_reader_fail(r, node->mark, "no memory to read it");
    if (r->error) r->error->status = RILL_MEMORY;
    return RILL_MEMORY;
}

static rill_status read_dim(reader *r, const tree_node *root, scene *s) {
    const tree_node *node = rill_tree_member(r->tree, root, "dim");
    const rill_param *param = rill_table_find(rill_object_table(RILL_OBJECT_WORLD), "dim");
    if (!node) return rill_reader_fail(r, root->mark, "'dim' is missing; expected \"dim\": 2 or \"dim\": 3");
    size_t length = rill_reader_enter(r, "dim");
    rill_status status = rill_reader_value(r, node, param, &s->world);
    if (status) return status;
    rill_reader_leave(r, length);
    r->dim = s->world.dim;
    s->world = rill_world_def_default(r->dim);
    return RILL_OK;
}

/* Read before any place, since all places are measured from the origin. */
static rill_status read_origin(reader *r, const tree_node *root, scene *s) {
    const tree_node *world = rill_tree_member(r->tree, root, "world");
    const tree_node *node = world && world->kind == TREE_OBJECT ? rill_tree_member(r->tree, world, "origin") : NULL;
    if (!node) return RILL_OK;
    const size_t length = rill_reader_enter(r, "world.origin");
    TRY(rill_reader_value(r, node, rill_table_find(rill_object_table(RILL_OBJECT_WORLD), "origin"), &s->world));
    rill_reader_leave(r, length);
    r->origin = s->world.origin;
    return RILL_OK;
}

static char *method_names(void) {
    char *names = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&names, &size);
    if (!stream) return NULL;
    for (int k = 0; k < rill_method_count(); k++) fprintf(stream, "%s%s", k ? "|" : "", rill_method(k)->name);
    fclose(stream);
    return names;
}

static rill_status read_method(reader *r, const tree_node *root, scene *s) {
    const tree_node *node = rill_tree_member(r->tree, root, "method");
    if (!node) return RILL_OK;
    size_t length = rill_reader_enter(r, "method");
    const rill_param *param = rill_table_find(rill_object_table(RILL_OBJECT_WORLD), "method");
    rill_status status = rill_reader_value(r, node, param, &s->world);
    if (status) return status;
    if (!rill_method_find(s->world.method)) {
        char *names = method_names();
        if (!names) return no_memory(r, node);
        status = rill_reader_unknown(r, node->mark, "method", s->world.method, names);
        free(names);
        return status;
    }
    rill_reader_leave(r, length);
    return RILL_OK;
}

/* A text, or a list of texts that become separate lines. */
static rill_status read_about(reader *r, const tree_node *root, scene *s) {
    const tree_node *node = rill_tree_member(r->tree, root, "about");
    const char *expected = "a text in double quotes, or a list of them";
    size_t size = 0, length = rill_reader_enter(r, "about");
    FILE *stream = open_memstream(&s->about, &size);
    if (!stream) return no_memory(r, root);
    rill_status status = RILL_OK;
    if (node && node->kind == TREE_LIST) {
        for (int child = node->first; child != TREE_NONE && !status; child = r->tree->nodes[child].next) {
            status = rill_reader_expect(r, &r->tree->nodes[child], TREE_STRING, expected);
            if (!status) fprintf(stream, "%s%s", child == node->first ? "" : "\n", r->tree->nodes[child].text);
        }
    } else if (node) {
        status = rill_reader_expect(r, node, TREE_STRING, expected);
        if (!status) fputs(node->text, stream);
    }
    if (fclose(stream) && !status) status = no_memory(r, root);
    if (!status) rill_reader_leave(r, length);
    return status;
}

static rill_status read_sections(reader *r, const tree_node *root, scene *s) {
    for (int k = LAYOUT_WORLD; k < LAYOUT_SECTION_COUNT; k++) {
        layout_part part = rill_layout_section(k);
        const tree_node *node = rill_tree_member(r->tree, root, part.key);
        if (k == LAYOUT_WORLD) s->marks->world = node ? node->mark : root->mark;
        if (!node) continue;
        size_t length = rill_reader_enter(r, "%s", part.key);
        part.key = NULL;
        rill_status status = rill_reader_object(r, node, &part, 1, s, NULL, NULL);
        if (status) return status;
        rill_reader_leave(r, length);
    }
    return RILL_OK;
}

static rill_status default_methods(scene *s, rill_error *error) {
    int count = rill_method_count();
    s->methods = calloc((size_t)count, sizeof *s->methods);
    if (!s->methods) return rill_fail(error, RILL_MEMORY, "%s: no memory for the methods", s->path);
    s->method_count = count;
    for (int k = 0; k < count; k++) {
        if (!rill_method_values_make(&s->methods[k], rill_method(k)->name, rill_method(k)->table))
            return rill_fail(error, RILL_MEMORY, "%s: no memory for the methods", s->path);
    }
    return RILL_OK;
}

static rill_status read_method_section(reader *r, const tree_node *node, scene_method *method) {
    size_t length = rill_reader_enter(r, ".%s", method->name);
    rill_status status = rill_reader_method(r, node, rill_method_find(method->name)->table, method);
    if (!status) rill_reader_leave(r, length);
    return status;
}

static rill_status read_methods(reader *r, const tree_node *root, scene *s) {
    const tree_node *node = rill_tree_member(r->tree, root, "methods");
    s->marks->method = node ? node->mark : root->mark;
    if (!node) return RILL_OK;
    size_t length = rill_reader_enter(r, "methods");
    rill_status status = rill_reader_expect(r, node, TREE_OBJECT, "an object with one object for each method");
    if (status) return status;
    char *names = method_names();
    if (!names) return no_memory(r, node);
    status = rill_reader_keys(r, node, names);
    free(names);
    for (int k = 0; k < s->method_count && !status; k++) {
        const tree_node *section = rill_tree_member(r->tree, node, s->methods[k].name);
        if (!section) continue;
        status = read_method_section(r, section, &s->methods[k]);
        if (!strcmp(s->methods[k].name, s->world.method)) s->marks->method = section->mark;
    }
    if (!status) rill_reader_leave(r, length);
    return status;
}

/* A fluid may start from a named material; its own keys then override it. */
static rill_status read_material(reader *r, const tree_node *node, rill_fluid_def *fluid) {
    const tree_node *material = node->kind == TREE_OBJECT ? rill_tree_member(r->tree, node, LAYOUT_MATERIAL_KEY) : NULL;
    if (!material) return RILL_OK;
    size_t length = rill_reader_enter(r, "." LAYOUT_MATERIAL_KEY);
    rill_status status = rill_reader_expect(r, material, TREE_STRING, "the name of a material in double quotes");
    if (status) return status;
    rill_error inner;
    if (rill_material_find(material->text, fluid, &inner)) return rill_reader_fail(r, material->mark, "%s", inner.text);
    rill_reader_leave(r, length);
    return RILL_OK;
}

/* A section for a method that adds nothing to this object gets a message of its own, instead of "unknown key". */
static rill_status check_sections(reader *r, const tree_node *node, const layout_list *list) {
    for (int k = 0; node->kind == TREE_OBJECT && k < rill_method_count(); k++) {
        const rill_method_info *method = rill_method(k);
        const tree_node *section = rill_tree_member(r->tree, node, method->name);
        if (!section || rill_layout_method_table(list, method)) continue;
        rill_reader_enter(r, ".%s", method->name);
        return rill_reader_fail(r, section->key_mark, LAYOUT_NO_SECTION "; leave it out", method->name, list->key);
    }
    return RILL_OK;
}

static rill_status read_item(reader *r, const tree_node *node, const layout_list *list, void *item) {
    for (int k = 0; k < list->part_count; k++) {
        void *object = (char *)item + list->parts[k].offset;
        if (list->parts[k].list) continue;
        rill_table_defaults(list->parts[k].table, object);
        rill_reader_move_defaults(r, list->parts[k].table, object);
    }
    rill_status status = list->material ? read_material(r, node, item) : RILL_OK;
    if (!status) status = check_sections(r, node, list);
    if (status) return status;
    int part_count = 0;
    layout_part *parts = rill_layout_item_parts(list, &part_count);
    if (!parts) return no_memory(r, node);
    status = rill_reader_object(r, node, parts, part_count, item, list->material ? LAYOUT_MATERIAL_KEY : NULL,
                                list->required);
    free(parts);
    return status;
}

static rill_status read_list(reader *r, const tree_node *root, int index, scene *s) {
    layout_list list = rill_layout_list_at(index);
    const tree_node *node = rill_tree_member(r->tree, root, list.key);
    if (!node) return RILL_OK;
    size_t length = rill_reader_enter(r, "%s", list.key);
    rill_status status = rill_reader_expect(r, node, TREE_LIST, "a list [ ... ] of objects");
    if (status) return status;
    if (node->count > 0) {
        void *items = calloc((size_t)node->count, list.item_size);
        s->marks->items[index] = calloc((size_t)node->count, sizeof(tree_mark));
        if (!items || !s->marks->items[index]) {
            free(items);
            return no_memory(r, node);
        }
        rill_layout_set_items(s, &list, items, node->count);
        if (!rill_sections_make(s, &list, node->count)) return no_memory(r, node);
    }
    int k = 0;
    for (int child = node->first; child != TREE_NONE && !status; child = r->tree->nodes[child].next, k++) {
        size_t before = rill_reader_enter(r, "[%d]", k);
        s->marks->items[index][k] = r->tree->nodes[child].mark;
        r->sections = rill_sections_at(s, &list, k);
        status = read_item(r, &r->tree->nodes[child], &list, rill_layout_item(s, &list, k));
        if (!status) rill_reader_leave(r, before);
    }
    if (!status) rill_reader_leave(r, length);
    return status;
}

/* ---- names that must exist ---- */

/* Names of the items of one or two lists, as "a|b|c"; free() it. */
static char *names_of(const scene *s, const layout_list *target, int also) {
    char *names = rill_layout_names(s, target);
    if (!names || also < 0) return names;
    const layout_list other = rill_layout_list_at(also);
    char *more = rill_layout_names(s, &other);
    const size_t size = more ? strlen(names) + strlen(more) + 2 : 0;
    char *both = more ? malloc(size) : NULL;
    if (both) snprintf(both, size, "%s%s%s", names, *names && *more ? "|" : "", more);
    free(names);
    free(more);
    return both;
}

/* Checks that `key` ("fluid", "solid") of every item of `list` is empty or names an item of `target` (or of the list
   `also`). */
static rill_status check_names(reader *r, const tree_node *root, const scene *s, int list_index, const char *key,
                               int target_index, int also) {
    layout_list list = rill_layout_list_at(list_index), target = rill_layout_list_at(target_index);
    const rill_param *param = rill_table_find(list.parts[0].table, key);
    const tree_node *node = rill_tree_member(r->tree, root, list.key);
    if (!param || !node) return RILL_OK;
    char *names = names_of(s, &target, also);
    if (!names) return no_memory(r, node);
    rill_status status = RILL_OK;
    int k = 0;
    for (int child = node->first; child != TREE_NONE && !status; child = r->tree->nodes[child].next, k++) {
        const char *name = (const char *)rill_layout_item(s, &list, k) + param->offset;
        const tree_node *member = rill_tree_member(r->tree, &r->tree->nodes[child], key);
        if (!name[0] || !member || rill_layout_listed(names, name)) continue;
        rill_reader_enter(r, "%s[%d].%s", list.key, k, key);
        status = names[0] ? rill_reader_unknown(r, member->mark, target.noun, name, names)
                          : rill_reader_fail(r, member->mark, "unknown %s '%s'; the scene has no %s", target.noun, name,
                                             target.key);
    }
    free(names);
    return status;
}

static bool is_named(const scene *s, int list_index, const char *name) {
    const layout_list list = rill_layout_list_at(list_index);
    char *names = rill_layout_names(s, &list);
    const bool found = names && rill_layout_listed(names, name);
    free(names);
    return found;
}

/* Checks that every paint names an existing object and has a valid colour. */
static rill_status check_paints(reader *r, const tree_node *root, const scene *s) {
    const tree_node *node = rill_tree_member(r->tree, root, "paints");
    int k = 0;
    for (int child = node ? node->first : TREE_NONE; child != TREE_NONE; child = r->tree->nodes[child].next, k++) {
        const scene_paint *paint = &s->paints[k];
        rill_vec color;
        if (!is_named(s, LAYOUT_FLUIDS, paint->of) && !is_named(s, LAYOUT_SOLIDS, paint->of) &&
            !is_named(s, LAYOUT_BODIES, paint->of)) {
            rill_reader_enter(r, "paints[%d].of", k);
            return rill_reader_fail(r, r->tree->nodes[child].mark, "there is no fluid, solid or body '%s'", paint->of);
        }
        if (paint->color[0] && !rill_scene_color(paint->color, &color)) {
            rill_reader_enter(r, "paints[%d].color", k);
            return rill_reader_fail(r, r->tree->nodes[child].mark,
                                    "'%s' is not a colour; expected one such as \"#e0a030\"", paint->color);
        }
    }
    return RILL_OK;
}

static rill_status check_events(reader *r, const tree_node *root, const scene *s) {
    const tree_node *node = rill_tree_member(r->tree, root, "events");
    int k = 0;
    for (int child = node ? node->first : TREE_NONE; child != TREE_NONE; child = r->tree->nodes[child].next, k++) {
        char key[RILL_NAME_SIZE];
        rill_error reason = {0};
        if (rill_scene_check_event(s, k, key, sizeof key, &reason) == RILL_OK) continue;
        rill_reader_enter(r, "events[%d].%s", k, key);
        return rill_reader_fail(r, r->tree->nodes[child].mark, "%s", reason.text);
    }
    return RILL_OK;
}

static rill_status check_references(reader *r, const tree_node *root, const scene *s) {
    rill_status status = RILL_OK;
    for (int k = LAYOUT_BLOCKS; k < LAYOUT_LIST_COUNT && !status; k++) {
        status = check_names(r, root, s, k, "fluid", LAYOUT_FLUIDS, -1);
        if (!status) status = check_names(r, root, s, k, "solid", LAYOUT_SOLIDS, LAYOUT_BODIES);
        if (!status) status = check_names(r, root, s, k, "body", LAYOUT_BODIES, -1);
        if (!status) status = check_names(r, root, s, k, "joint", LAYOUT_JOINTS, -1);
        if (!status) status = check_names(r, root, s, k, "cloth", LAYOUT_CLOTHS, -1);
        if (!status) status = check_names(r, root, s, k, "pin", LAYOUT_PINS, -1);
    }
    for (int side = 0; side < 2 && !status; side++) {
        status = check_names(r, root, s, LAYOUT_JOINTS, side == 0 ? "a" : "b", LAYOUT_BODIES, -1);
        if (!status)
            status = check_names(r, root, s, LAYOUT_JOINTS, side == 0 ? "joint_a" : "joint_b", LAYOUT_JOINTS, -1);
    }
    if (!status) status = check_paints(r, root, s);
    return status ? status : check_events(r, root, s);
}

/* The key "$schema" is for editors: any text is accepted. */
static rill_status check_schema_key(reader *r, const tree_node *root) {
    const tree_node *node = rill_tree_member(r->tree, root, "$schema");
    const size_t length = rill_reader_enter(r, "$schema");
    if (node) TRY(rill_reader_expect(r, node, TREE_STRING, "a text in double quotes"));
    rill_reader_leave(r, length);
    return RILL_OK;
}

static rill_status read_document(reader *r, const tree_node *root, const scene_sets *sets, scene *s) {
    rill_status status = rill_reader_keys(r, root, rill_layout_root_keys);
    if (!status) status = check_schema_key(r, root);
    if (!status) status = rill_variables_read(r, root, sets, s);
    if (!status) status = default_methods(s, r->error);
    if (!status) status = read_dim(r, root, s);
    if (!status) status = read_origin(r, root, s);
    if (!status) status = read_method(r, root, s);
    if (!status) status = read_about(r, root, s);
    if (!status) status = read_sections(r, root, s);
    if (!status) status = read_methods(r, root, s);
    for (int k = 0; k < LAYOUT_LIST_COUNT && !status; k++) status = read_list(r, root, k, s);
    if (status) return status;
    if (s->fluid_count == 0 && s->cloth_count == 0) {
        rill_reader_enter(r, "fluids");
        return rill_reader_fail(r, root->mark, "no fluid; expected at least one, such as [{\"material\": \"water\"}]");
    }
    return check_references(r, root, s);
}

/* "scenes/dam.json" -> "dam" */
static void name_from_label(scene *s) {
    const char *base = strrchr(s->path, '/');
    base = base ? base + 1 : s->path;
    snprintf(s->name, sizeof s->name, "%.*s", RILL_NAME_SIZE - 1, base);
    size_t length = strlen(s->name);
    if (length > 5 && !strcmp(s->name + length - 5, ".json")) s->name[length - 5] = '\0';
}

scene *rill_scene_read_tree(const char *label, const tree *t, int root, const scene_sets *sets, rill_error *error) {
    if (root >= t->count || t->nodes[root].kind != TREE_OBJECT) {
        rill_fail(error, RILL_FORMAT, "%s: a scene is a JSON object; expected '{'", label);
        return NULL;
    }
    scene *s = calloc(1, sizeof *s);
    if (s) s->marks = calloc(1, sizeof *s->marks);
    if (!s || !s->marks) {
        rill_fail(error, RILL_MEMORY, "%s: no memory for a scene", label);
        free(s);
        return NULL;
    }
    snprintf(s->path, sizeof s->path, "%s", label);
    name_from_label(s);
    rill_table_defaults(rill_scene_run_table(), &s->run);
    rill_table_defaults(rill_scene_picture_table(), &s->picture);
    s->surface = rill_surface_def_default();
    reader r = {.label = label, .tree = t, .strict = true, .variables = s, .error = error};
    if (read_document(&r, &t->nodes[root], sets, s) == RILL_OK) return s;
    rill_scene_free(s);
    return NULL;
}

scene *rill_scene_parse_with(const char *label, const char *text, size_t size, const scene_sets *sets,
                             rill_error *error) {
    tree t;
    if (rill_tree_parse(&t, label, text, size, true, error)) return NULL;
    scene *s = rill_scene_read_tree(label, &t, 0, sets, error);
    rill_tree_free(&t);
    return s;
}

scene *rill_scene_parse(const char *label, const char *text, size_t size, rill_error *error) {
    return rill_scene_parse_with(label, text, size, NULL, error);
}

static void free_parts(const layout_part *part, void *member) {
    rill_parts parts;
    memcpy(&parts, member, sizeof parts);
    rill_shape *shapes;
    memcpy(&shapes, &parts.data, sizeof shapes);
    for (int k = 0; k < parts.count; k++) rill_reader_free_list(rill_table_find(part->table, "points"), &shapes[k]);
    free(shapes);
}

static void free_item_lists(const layout_list *list, void *item) {
    for (int k = 0; k < list->part_count; k++) {
        const rill_table *table = list->parts[k].table;
        if (list->parts[k].list) {
            free_parts(&list->parts[k], (char *)item + list->parts[k].offset);
            continue;
        }
        for (int row = 0; row < table->count; row++)
            rill_reader_free_list(&table->params[row], (char *)item + list->parts[k].offset);
    }
}

void rill_scene_free(scene *s) {
    if (!s) return;
    rill_sections_free(s);
    for (int k = 0; k < LAYOUT_LIST_COUNT; k++) {
        layout_list list = rill_layout_list_at(k);
        for (int item = 0; item < rill_layout_count(s, &list); item++)
            free_item_lists(&list, rill_layout_item(s, &list, item));
        free(rill_layout_items(s, &list));
        if (s->marks) free(s->marks->items[k]);
    }
    rill_reader_free_list(rill_table_find(rill_scene_picture_table(), "path"), &s->picture);
    for (int k = 0; k < s->method_count; k++) rill_method_values_free(&s->methods[k]);
    free(s->methods);
    free(s->variables);
    free(s->marks);
    free(s->about);
    free(s);
}

const char *rill_scene_name(const rill_scene *s) {
    return s->name;
}

const char *rill_scene_about(const rill_scene *s) {
    return s->about ? s->about : "";
}

rill_world_def *rill_scene_world_def(rill_scene *s) {
    return &s->world;
}
