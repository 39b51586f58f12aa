/* SPDX-License-Identifier: MIT */
/* Reads one object of a scene by its tables. Refuses unknown and repeated keys, and keys that do not apply to its
   choices. */
#include "scene/reader.h"

#include "model/table.h"

#include "scene/methods.h"

#include <stdlib.h>
#include <string.h>

rill_status rill_reader_unknown(const reader *r, tree_mark mark, const char *what, const char *name,
                                const char *known) {
    char near[RILL_NAME_SIZE], all[400];
    if (rill_choices_nearest(known, name, near, sizeof near))
        return rill_reader_fail(r, mark, "unknown %s '%.60s'; did you mean '%s'?", what, name, near);
    return rill_reader_fail(r, mark, "unknown %s '%.60s'; expected %s", what, name,
                            rill_layout_spell(known, all, sizeof all));
}

/* Scans the preceding siblings. Unknown keys have been refused before, so there are only a few. */
static rill_status check_repeated(reader *r, const tree_node *node, int child) {
    const tree_node *second = &r->tree->nodes[child];
    for (int k = node->first; k != child; k = r->tree->nodes[k].next) {
        const tree_node *first = &r->tree->nodes[k];
        if (strcmp(first->key, second->key)) continue;
        rill_reader_enter(r, "%s%s", r->path[0] ? "." : "", second->key);
        return rill_reader_fail(r, second->key_mark, "is given twice, first in line %d; expected it once",
                                first->key_mark.line);
    }
    return RILL_OK;
}

rill_status rill_reader_keys(reader *r, const tree_node *node, const char *known) {
    for (int child = node->first; child != TREE_NONE; child = r->tree->nodes[child].next) {
        const tree_node *member = &r->tree->nodes[child];
        if (!rill_layout_listed(known, member->key)) {
            rill_reader_enter(r, "%s%.60s", r->path[0] ? "." : "", member->key);
            return rill_reader_unknown(r, member->key_mark, "key", member->key, known);
        }
        rill_status status = check_repeated(r, node, child);
        if (status) return status;
    }
    return RILL_OK;
}

static const layout_part *nested_part(const layout_part *parts, int part_count, const char *key) {
    for (int k = 0; k < part_count; k++)
        if (parts[k].key && !strcmp(parts[k].key, key)) return &parts[k];
    return NULL;
}

/* Reads a list of shapes into a rill_parts. After an error the shapes read so far stay there, to be freed with the
   scene. */
static rill_status reader_parts(reader *r, const tree_node *node, const layout_part *nested, void *member) {
    rill_status status = rill_reader_expect(r, node, TREE_LIST, "a list [ ... ] of shapes");
    if (status) return status;
    rill_shape *shapes = calloc((size_t)node->count + 1, sizeof *shapes);
    if (!shapes) return rill_reader_fail(r, node->mark, "no memory for %d shapes", node->count);
    const rill_parts parts = {shapes, node->count};
    memcpy(member, &parts, sizeof parts);
    const layout_part inside = {.table = nested->table};
    const rill_vec origin = r->origin;
    r->origin = (rill_vec){0}; /* places of parts are relative to the position of the whole */
    int k = 0;
    for (int child = node->first; child != TREE_NONE && !status; child = r->tree->nodes[child].next, k++) {
        const size_t length = rill_reader_enter(r, "[%d]", k);
        rill_table_defaults(inside.table, &shapes[k]);
        status = rill_reader_object(r, &r->tree->nodes[child], &inside, 1, &shapes[k], NULL, "shape");
        if (!status) rill_reader_leave(r, length);
    }
    r->origin = origin;
    return status;
}

rill_status rill_reader_method(reader *r, const tree_node *node, const rill_table *table, scene_method *values) {
    const layout_part part = {.table = table};
    const rill_status status = rill_reader_object(r, node, &part, 1, values->params, NULL, NULL);
    for (int row = 0; row < table->count && !status; row++)
        values->given[row] = rill_tree_member(r->tree, node, table->params[row].key) != NULL;
    return status;
}

/* Reads the parameters of an item for one method. */
static rill_status reader_section(reader *r, const tree_node *node, const layout_part *nested) {
    scene_section *section = rill_section_take(r->sections, nested);
    if (!section) return rill_reader_fail(r, node->mark, "no memory to read it");
    section->mark = node->mark;
    return rill_reader_method(r, node, nested->table, &section->values);
}

static rill_status read_member(reader *r, const tree_node *member, const layout_part *parts, int part_count,
                               void *base) {
    size_t length = rill_reader_enter(r, "%s%s", r->path[0] ? "." : "", member->key);
    rill_status status = RILL_OK;
    int part = 0;
    const rill_param *param = rill_layout_find(parts, part_count, member->key, &part);
    const layout_part *nested = nested_part(parts, part_count, member->key);
    if (param) {
        void *object = (char *)base + parts[part].offset;
        const rill_param row = rill_row_of(parts[part].table, param, object);
        status = rill_reader_value(r, member, &row, object);
    } else if (nested && nested->list) {
        status = reader_parts(r, member, nested, (char *)base + nested->offset);
    } else if (nested && nested->section) {
        status = reader_section(r, member, nested);
    } else if (nested) {
        layout_part inside = *nested;
        inside.key = NULL;
        status = rill_reader_object(r, member, &inside, 1, base, NULL, NULL);
    }
    if (!status) rill_reader_leave(r, length);
    return status;
}

/* Runs after all members have been read, since a choice may come after the keys that depend on it. */
static rill_status check_refused(reader *r, const tree_node *node, const layout_part *parts, int part_count,
                                 void *base) {
    for (int child = node->first; child != TREE_NONE; child = r->tree->nodes[child].next) {
        const tree_node *member = &r->tree->nodes[child];
        int part = 0;
        const rill_param *param = rill_layout_find(parts, part_count, member->key, &part);
        if (!param) continue;
        char why[120];
        const void *object = (char *)base + parts[part].offset;
        if (!rill_layout_refusal(parts[part].table, param, object, r->dim, why, sizeof why)) continue;
        rill_reader_enter(r, "%s%s", r->path[0] ? "." : "", member->key);
        return rill_reader_fail(r, member->key_mark, "'%s' %s; leave it out", member->key, why);
    }
    return RILL_OK;
}

/* The first key of "a|b" that the object lacks, or NULL. */
static const char *first_missing(const reader *r, const tree_node *node, const char *required, char *key, size_t size) {
    for (int k = 0; rill_layout_name_at(required, k, key, size); k++)
        if (!rill_tree_member(r->tree, node, key)) return key;
    return NULL;
}

static rill_status check_required(const reader *r, const tree_node *node, const layout_part *parts, int part_count,
                                  const char *required) {
    char key[RILL_NAME_SIZE], choices[400];
    int part;
    if (!first_missing(r, node, required, key, sizeof key)) return RILL_OK;
    const rill_param *param = rill_layout_find(parts, part_count, key, &part);
    if (param && param->type == RILL_TYPE_CHOICE)
        return rill_reader_fail(r, node->mark, "'%s' is missing; expected %s", key,
                                rill_layout_spell(param->choices, choices, sizeof choices));
    return rill_reader_fail(r, node->mark, "'%s' is missing here", key);
}

/* Checks that the keys required by the object's choices are given. */
static rill_status check_chosen(const reader *r, const tree_node *node, const layout_part *part, const void *base) {
    char choice[RILL_NAME_SIZE], key[RILL_NAME_SIZE];
    const char *required = rill_layout_required(part->table, (const char *)base + part->offset, choice, sizeof choice);
    if (!first_missing(r, node, required, key, sizeof key)) return RILL_OK;
    return rill_reader_fail(r, node->mark, "'%s' is missing; %s '%s' needs it", key, part->table->name, choice);
}

/* Reads either the choices or all other members. Choices are read first, since units may depend on a choice that comes
   later. */
static rill_status read_members(reader *r, const tree_node *node, const layout_part *parts, int part_count, void *base,
                                bool choices) {
    rill_status status = RILL_OK;
    for (int child = node->first; child != TREE_NONE && !status; child = r->tree->nodes[child].next) {
        int part;
        const rill_param *param = rill_layout_find(parts, part_count, r->tree->nodes[child].key, &part);
        if (choices == (param && param->type == RILL_TYPE_CHOICE))
            status = read_member(r, &r->tree->nodes[child], parts, part_count, base);
    }
    return status;
}

rill_status rill_reader_object(reader *r, const tree_node *node, const layout_part *parts, int part_count, void *base,
                               const char *extra, const char *required) {
    rill_status status = rill_reader_expect(r, node, TREE_OBJECT, "an object { ... }");
    if (status) return status;
    char *known = rill_layout_keys(parts, part_count, extra);
    if (!known) return rill_reader_fail(r, node->mark, "no memory to read it");
    status = rill_reader_keys(r, node, known);
    free(known);
    if (!status) status = read_members(r, node, parts, part_count, base, true);
    if (!status) status = read_members(r, node, parts, part_count, base, false);
    if (!status) status = check_required(r, node, parts, part_count, required);
    if (!status) status = check_refused(r, node, parts, part_count, base);
    for (int k = 0; k < part_count && !status; k++)
        if (!parts[k].key) status = check_chosen(r, node, &parts[k], base);
    return status;
}
