/* SPDX-License-Identifier: MIT */
/* --set KEY=VALUE: uses the same rows, ranges and messages as a scene file, reached by a path. */
#include "core/error.h"
#include "model/table.h"
#include "scene/methods.h"
#include "scene/reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL "--set"

/* The value that a path refers to. */
typedef struct target {
    const rill_table *table;
    const rill_param *param;
    void *object;
    scene_method *method; /* the method, if it is a method's parameter */
} target;

static rill_status unknown(reader *r, const char *what, const char *name, const char *known) {
    return rill_reader_unknown(r, (tree_mark){0}, what, name, known);
}

static rill_status unknown_key(reader *r, const char *key, const layout_part *parts, int part_count) {
    for (int k = 0; k < part_count; k++)
        if (parts[k].key && !parts[k].list && !strcmp(parts[k].key, key))
            return rill_reader_fail(r, (tree_mark){0}, "'%s' has keys of its own; expected %s.KEY", key, key);
    char *known = rill_layout_keys(parts, part_count, NULL);
    if (!known) return rill_reader_fail(r, (tree_mark){0}, "no memory to look it up");
    rill_status status = unknown(r, "key", key, known);
    free(known);
    return status;
}

static rill_status find_in(reader *r, const layout_part *parts, int part_count, void *base, const char *key,
                           target *found) {
    int part = 0;
    found->param = rill_layout_find(parts, part_count, key, &part);
    if (!found->param) return unknown_key(r, key, parts, part_count);
    found->table = parts[part].table;
    found->object = (char *)base + parts[part].offset;
    return RILL_OK;
}

static scene_method *method_named(scene *s, const char *name) {
    for (int k = 0; k < s->method_count; k++)
        if (!strcmp(s->methods[k].name, name)) return &s->methods[k];
    return NULL;
}

static rill_status find_in_method(reader *r, scene_method *method, const char *key, target *found) {
    layout_part part = {.table = rill_method_find(method->name)->table};
    found->method = method;
    return find_in(r, &part, 1, method->params, key, found);
}

/* Finds a key without a section, which belongs to the method in use. If a section has that key instead, the message
   says so. */
static rill_status find_bare(reader *r, scene *s, const char *key, target *found) {
    scene_method *method = method_named(s, s->world.method);
    if (!method) return rill_reader_fail(r, (tree_mark){0}, "the scene's method '%s' is unknown", s->world.method);
    if (!rill_table_find(rill_method_find(method->name)->table, key)) {
        for (int k = LAYOUT_WORLD; k < LAYOUT_SECTION_COUNT; k++) {
            layout_part part = rill_layout_section(k);
            if (rill_layout_has(&part, key) && rill_table_find(part.table, key))
                return rill_reader_fail(r, (tree_mark){0}, "the method '%s' has no such key; did you mean '%s.%s'?",
                                        method->name, part.key, key);
        }
    }
    return find_in_method(r, method, key, found);
}

/* The item named by "NAME.KEY" or "NUMBER.KEY", and the rest as its key; -1 if there is none. A name may contain
   dots. */
static int find_item(const scene *s, const layout_list *list, const char *path, const char **key) {
    const rill_param *name = rill_table_find(list->parts[0].table, "name");
    for (int k = 0; name && k < rill_layout_count(s, list); k++) {
        const char *own = (const char *)rill_layout_item(s, list, k) + name->offset;
        size_t length = strlen(own);
        if (!length || strncmp(path, own, length) || path[length] != '.') continue;
        *key = path + length + 1;
        return k;
    }
    char *end;
    long index = isdigit((unsigned char)path[0]) ? strtol(path, &end, 10) : -1;
    if (index < 0 || index >= rill_layout_count(s, list) || *end != '.') return -1;
    *key = end + 1;
    return (int)index;
}

static rill_status unknown_item(reader *r, const scene *s, const layout_list *list, const char *path) {
    char *names = rill_layout_names(s, list), wanted[RILL_NAME_SIZE], near[RILL_NAME_SIZE];
    snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(path, "."), path);
    bool found = names && rill_choices_nearest(names, wanted, near, sizeof near);
    free(names);
    if (found) return rill_reader_fail(r, (tree_mark){0}, "no %s '%s'; did you mean '%s'?", list->noun, wanted, near);
    return rill_reader_fail(r, (tree_mark){0},
                            "no %s '%s' among the %d there are; expected %s.NAME.KEY or %s.NUMBER.KEY", list->noun,
                            wanted, rill_layout_count(s, list), list->key, list->key);
}

/* The part of a key after "HEAD.", or NULL if it does not begin with it. */
static const char *after_head(const char *key, const char *head) {
    const size_t length = strlen(head);
    return !strncmp(key, head, length) && key[length] == '.' ? key + length + 1 : NULL;
}

/* Finds a key of the item, or SECTION.KEY. */
static rill_status find_in_item(reader *r, const scene *s, const layout_list *list, int item, const layout_part *parts,
                                int part_count, const char *key, target *found) {
    for (int k = 0; k < part_count; k++) {
        layout_part part = parts[k];
        const char *rest = part.key && !part.list ? after_head(key, part.key) : NULL;
        if (!rest) continue;
        void *base = rill_layout_item(s, list, item);
        if (part.section) {
            scene_section *section = rill_section_take(rill_sections_at(s, list, item), &part);
            if (!section) return rill_reader_fail(r, (tree_mark){0}, "no memory to set it");
            found->method = &section->values;
            base = section->values.params;
        }
        part.key = NULL;
        return find_in(r, &part, 1, base, rest, found);
    }
    for (int k = 0; k < rill_method_count(); k++)
        if (after_head(key, rill_method(k)->name))
            return rill_reader_fail(r, (tree_mark){0}, LAYOUT_NO_SECTION, rill_method(k)->name, list->key);
    return find_in(r, parts, part_count, rill_layout_item(s, list, item), key, found);
}

static rill_status find_in_list(reader *r, scene *s, const layout_list *list, const char *path, target *found) {
    const char *key;
    const int item = find_item(s, list, path, &key);
    if (item < 0) return unknown_item(r, s, list, path);
    int part_count = 0;
    layout_part *parts = rill_layout_item_parts(list, &part_count);
    if (!parts) return rill_reader_fail(r, (tree_mark){0}, "no memory to look it up");
    const rill_status status = find_in_item(r, s, list, item, parts, part_count, key, found);
    free(parts);
    return status;
}

static rill_status unknown_section(reader *r, const scene *s, const char *name) {
    char *known = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&known, &size);
    if (!stream) return rill_reader_fail(r, (tree_mark){0}, "no memory to look it up");
    for (int k = LAYOUT_WORLD; k < LAYOUT_SECTION_COUNT; k++) fprintf(stream, "%s|", rill_layout_section(k).key);
    for (int k = 0; k < LAYOUT_LIST_COUNT; k++) fprintf(stream, "%s|", rill_layout_list_at(k).key);
    for (int k = 0; k < s->method_count; k++) fprintf(stream, "%s%s", k ? "|" : "", s->methods[k].name);
    fclose(stream);
    rill_status status = unknown(r, "section", name, known);
    free(known);
    return status;
}

static rill_status find_target(reader *r, scene *s, const char *path, target *found) {
    const char *dot = strchr(path, '.');
    if (!dot) return find_bare(r, s, path, found);
    char head[RILL_NAME_SIZE];
    snprintf(head, sizeof head, "%.*s", (int)(dot - path), path);
    for (int k = LAYOUT_WORLD; k < LAYOUT_SECTION_COUNT; k++) {
        layout_part part = rill_layout_section(k);
        if (strcmp(part.key, head)) continue;
        part.key = NULL;
        return find_in(r, &part, 1, s, dot + 1, found);
    }
    for (int k = 0; k < LAYOUT_LIST_COUNT; k++) {
        layout_list list = rill_layout_list_at(k);
        if (!strcmp(list.key, head)) return find_in_list(r, s, &list, dot + 1, found);
    }
    scene_method *method = method_named(s, head);
    return method ? find_in_method(r, method, dot + 1, found) : unknown_section(r, s, head);
}

/* Assigns a value. Lists are parsed; anything else is taken literally, including blanks. */
static rill_status assign(reader *r, const target *found, char *value) {
    const rill_param row = rill_row_of(found->table, found->param, found->object);
    if (value[0] != '[') {
        tree_node node = {.kind = TREE_PLAIN, .text = value, .first = TREE_NONE, .next = TREE_NONE};
        return rill_reader_value(r, &node, &row, found->object);
    }
    tree t;
    rill_status status = rill_tree_parse(&t, LABEL, value, strlen(value), false, r->error);
    if (status) return status;
    for (int k = 0; k < t.count; k++) t.nodes[k].mark = (tree_mark){0};
    r->tree = &t;
    status = rill_reader_value(r, &t.nodes[0], &row, found->object);
    rill_tree_free(&t);
    return status;
}

static rill_status set_path(reader *r, scene *s, const char *path, char *value) {
    target found = {0};
    rill_status status = find_target(r, s, path, &found);
    if (status || !found.param || !found.table) return status;
    char why[120];
    if (rill_layout_refusal(found.table, found.param, found.object, r->dim, why, sizeof why))
        return rill_reader_fail(r, (tree_mark){0}, "'%s' %s", found.param->key, why);
    if (found.object == &s->world && !strcmp(found.param->key, "origin"))
        return rill_reader_fail(
            r, (tree_mark){0},
            "can only be set while the scene is read, because all positions are relative to it; use a variable");
    status = assign(r, &found, value);
    if (!status && found.method) found.method->given[found.param - found.table->params] = true;
    return status;
}

rill_status rill_scene_set(scene *s, const char *assignment, rill_error *error) {
    if (rill_scene_sets_variable(assignment))
        return rill_fail(error, RILL_INVALID, "%s: %.80s: a variable can only be set while its scene is read", LABEL,
                         assignment);
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return rill_fail(error, RILL_INVALID, "%s: '%.80s' is not an assignment; expected KEY=VALUE", LABEL,
                         assignment);
    reader r = {.label = LABEL, .dim = s->world.dim, .origin = s->world.origin, .variables = s, .error = error};
    char *path = strndup(assignment, (size_t)(equals - assignment));
    char *value = strdup(equals + 1);
    rill_status status;
    if (path && value) {
        rill_reader_enter(&r, "%.120s", path);
        status = set_path(&r, s, path, value);
    } else {
        status = rill_fail(error, RILL_MEMORY, "%s: no memory for '%.80s'", LABEL, assignment);
    }
    free(path);
    free(value);
    return status;
}

rill_status rill_scene_use_method(scene *s, const char *method, rill_error *error) {
    const rill_method_info *info = rill_method_find(method);
    if (info) {
        snprintf(s->world.method, sizeof s->world.method, "%s", info->name);
        return RILL_OK;
    }
    const char *near = rill_method_nearest(method);
    if (near) return rill_fail(error, RILL_NOT_FOUND, "unknown method '%.60s'; did you mean '%s'?", method, near);
    return rill_fail(error, RILL_NOT_FOUND, "unknown method '%.60s'; `rill methods` lists the known ones", method);
}
