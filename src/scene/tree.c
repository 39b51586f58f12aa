/* SPDX-License-Identifier: MIT */
/* The tree that scenes are read from, independent of the parser: adding values, limits, messages. */
#include "scene/tree.h"

#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rill_status rill_tree_fail(rill_error *error, const char *label, tree_mark mark, const char *path, const char *format,
                           ...) {
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    char place[32] = "";
    if (mark.line > 0) snprintf(place, sizeof place, ":%d:%d", mark.line, mark.column);
    bool has_path = path && path[0];
    return rill_fail(error, RILL_FORMAT, "%s%s: %s%s%s", label, place, has_path ? path : "", has_path ? ": " : "",
                     what);
}

/* Control characters, which an escape can produce but no scene file may contain: such a scene could not be written out
   again. */
static bool has_unprintable(const char *text, size_t size) {
    const unsigned char *end = (const unsigned char *)text + size;
    for (const unsigned char *c = (const unsigned char *)text; c < end; c++) {
        if (end - c >= 2 && c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0 && c[1] != 0x85) return true;
        if (end - c >= 3 && c[0] == 0xEF && c[1] == 0xBF && c[2] >= 0xBE) return true;
    }
    return false;
}

static rill_status check_text(const tree_text *text, const char *label, rill_error *error) {
    const char *found = memchr(text->data, 0, text->size)         ? "a zero character"
                        : has_unprintable(text->data, text->size) ? "an unprintable character"
                                                                  : NULL;
    return found ? rill_tree_fail(error, label, text->mark, NULL, "%s in a text; expected none", found) : RILL_OK;
}

static rill_status make_room(tree *t, tree_mark mark, const char *label, rill_error *error) {
    if (t->count == TREE_MAX_VALUES)
        return rill_tree_fail(error, label, mark, NULL, "too many values; a scene may have %d", TREE_MAX_VALUES);
    if (t->count < t->capacity) return RILL_OK;
    const int capacity = t->capacity ? 2 * t->capacity : 64;
    tree_node *nodes = realloc(t->nodes, (size_t)capacity * sizeof *nodes);
    if (!nodes) return rill_fail(error, RILL_MEMORY, "%s: no memory for its values", label);
    t->nodes = nodes;
    t->capacity = capacity;
    return RILL_OK;
}

static void add_child(tree *t, int parent, int child) {
    tree_node *above = &t->nodes[parent];
    if (above->count++ == 0)
        above->first = child;
    else
        t->nodes[above->last].next = child;
    above->last = child;
}

rill_status rill_tree_add(tree *t, int parent, const tree_text *key, tree_kind kind, tree_text value, int *index,
                          const char *label, rill_error *error) {
    const bool scalar = kind == TREE_STRING || kind == TREE_PLAIN;
    tree_node node = {.kind = kind, .mark = value.mark, .first = TREE_NONE, .last = TREE_NONE, .next = TREE_NONE};
    if (parent != TREE_NONE) node.depth = t->nodes[parent].depth + 1;
    if (!scalar && node.depth == TREE_MAX_DEPTH)
        return rill_tree_fail(error, label, value.mark, NULL, "nested too deeply; expected at most %d levels",
                              TREE_MAX_DEPTH);
    TRY(make_room(t, value.mark, label, error));
    if (key) TRY(check_text(key, label, error));
    if (scalar) TRY(check_text(&value, label, error));
    if (key) node.key = strndup(key->data, key->size), node.key_mark = key->mark;
    if (scalar) node.text = strndup(value.data, value.size);
    if ((key && !node.key) || (scalar && !node.text)) {
        free(node.key);
        free(node.text);
        return rill_fail(error, RILL_MEMORY, "%s: no memory for its values", label);
    }
    *index = t->count++;
    t->nodes[*index] = node;
    if (parent != TREE_NONE) add_child(t, parent, *index);
    return RILL_OK;
}

void rill_tree_free(tree *t) {
    for (int k = 0; k < t->count; k++) {
        free(t->nodes[k].text);
        free(t->nodes[k].key);
    }
    free(t->nodes);
    *t = (tree){0};
}

const tree_node *rill_tree_member(const tree *t, const tree_node *object, const char *key) {
    for (int k = object->first; k != TREE_NONE; k = t->nodes[k].next)
        if (!strcmp(t->nodes[k].key, key)) return &t->nodes[k];
    return NULL;
}

const char *rill_tree_describe(const tree_node *node, char *buffer, size_t size) {
    switch (node->kind) {
    case TREE_OBJECT:
        snprintf(buffer, size, "an object");
        break;
    case TREE_LIST:
        snprintf(buffer, size, "a list of %d", node->count);
        break;
    case TREE_STRING:
        snprintf(buffer, size, "the text \"%.60s\"", node->text);
        break;
    case TREE_PLAIN:
        snprintf(buffer, size, "%.60s", node->text);
        break;
    }
    return buffer;
}
