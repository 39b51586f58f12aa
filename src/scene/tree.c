/* SPDX-License-Identifier: MIT */
/* JSON's grammar on libyaml's tokens. Tokens rather than events, because only they show a trailing comma. */
#include "scene/tree.h"

#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct parser {
    yaml_parser_t yaml;
    yaml_token_t token;
    tree *tree;
    const char *label, *text;
    size_t size;
    bool strict;
    rill_error *error;
} parser;

rill_status tree_fail(rill_error *error, const char *label, tree_mark mark, const char *path, const char *format, ...) {
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

static tree_mark mark_of(yaml_mark_t mark) {
    return (tree_mark){(int)mark.line + 1, (int)mark.column + 1};
}

static rill_status fail_here(const parser *p, const char *what) {
    return tree_fail(p->error, p->label, mark_of(p->token.start_mark), NULL, "%s", what);
}

/* libyaml gives a byte offset, not a mark, for text that is not UTF-8. */
static tree_mark mark_at(const parser *p, size_t offset) {
    tree_mark mark = {1, 1};
    for (size_t k = 0; k < offset && k < p->size; k++) {
        if (p->text[k] == '\n')
            mark.line++, mark.column = 1;
        else if (((unsigned char)p->text[k] & 0xC0) != 0x80)
            mark.column++;
    }
    return mark;
}

static rill_status advance(parser *p) {
    yaml_token_delete(&p->token);
    if (yaml_parser_scan(&p->yaml, &p->token)) return RILL_OK;
    const yaml_parser_t *y = &p->yaml;
    const char *problem = y->problem ? y->problem : "unreadable text";
    switch (y->error) {
    case YAML_MEMORY_ERROR:
        return rill_fail(p->error, RILL_MEMORY, "%s: no memory to read it", p->label);
    case YAML_READER_ERROR:
        return tree_fail(p->error, p->label, mark_at(p, y->problem_offset), NULL, "%s; expected UTF-8 text", problem);
    default:
        return tree_fail(p->error, p->label, mark_of(y->problem_mark), NULL, "%s; expected JSON", problem);
    }
}

static rill_status add_node(parser *p, tree_kind kind, int *index) {
    tree *t = p->tree;
    if (t->count == TREE_MAX_VALUES)
        return tree_fail(p->error, p->label, mark_of(p->token.start_mark), NULL, "too many values; a scene may have %d",
                         TREE_MAX_VALUES);
    if (t->count == t->capacity) {
        int capacity = t->capacity ? 2 * t->capacity : 64;
        tree_node *nodes = realloc(t->nodes, (size_t)capacity * sizeof *nodes);
        if (!nodes) return rill_fail(p->error, RILL_MEMORY, "%s: no memory for its values", p->label);
        t->nodes = nodes;
        t->capacity = capacity;
    }
    *index = t->count++;
    t->nodes[*index] =
        (tree_node){.kind = kind, .mark = mark_of(p->token.start_mark), .first = TREE_NONE, .next = TREE_NONE};
    return RILL_OK;
}

static void add_child(tree *t, int parent, int *last, int child) {
    if (*last == TREE_NONE)
        t->nodes[parent].first = child;
    else
        t->nodes[*last].next = child;
    t->nodes[parent].count++;
    *last = child;
}

/* Characters that an escape may bring in but that no text file may hold: a scene could not be written out again. */
static bool has_unprintable(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0 && c[1] != 0x85) return true;
        if (c[0] == 0xEF && c[1] == 0xBF && c[2] >= 0xBE) return true;
    }
    return false;
}

/* Takes the text out of a scalar token. */
static rill_status take_text(parser *p, char **text) {
    const char *value = (const char *)p->token.data.scalar.value;
    if (strlen(value) != p->token.data.scalar.length) return fail_here(p, "a zero character in a text; expected none");
    if (has_unprintable(value)) return fail_here(p, "an unprintable character in a text; expected none");
    *text = (char *)p->token.data.scalar.value;
    p->token.data.scalar.value = NULL;
    return RILL_OK;
}

static rill_status parse_value(parser *p, int depth, int *index);

static rill_status parse_key(parser *p, char **key, tree_mark *mark) {
    rill_status status = RILL_OK;
    /* Absent when the colon stands on the next line; one character wide when it is YAML's "?". */
    if (p->token.type == YAML_KEY_TOKEN && (status = advance(p))) return status;
    *mark = mark_of(p->token.start_mark);
    if (p->token.type == YAML_STREAM_END_TOKEN) return fail_here(p, "the text ends inside an object; expected '}'");
    if (p->token.type != YAML_SCALAR_TOKEN) return fail_here(p, "expected a key in double quotes or '}'");
    if (p->strict && p->token.data.scalar.style != YAML_DOUBLE_QUOTED_SCALAR_STYLE)
        return tree_fail(p->error, p->label, *mark, NULL, "the key '%.40s' stands without quotes; expected \"%.40s\"",
                         (const char *)p->token.data.scalar.value, (const char *)p->token.data.scalar.value);
    if ((status = take_text(p, key))) return status;
    if ((status = advance(p))) return status;
    if (p->token.type != YAML_VALUE_TOKEN) return fail_here(p, "expected ':' after the key");
    return advance(p);
}

static rill_status parse_member(parser *p, int object, int depth, int *last) {
    char *key = NULL;
    tree_mark mark = {0};
    int child = TREE_NONE;
    rill_status status = parse_key(p, &key, &mark);
    if (!status) status = parse_value(p, depth + 1, &child);
    if (status) {
        free(key);
        return status;
    }
    p->tree->nodes[child].key = key;
    p->tree->nodes[child].key_mark = mark;
    add_child(p->tree, object, last, child);
    return RILL_OK;
}

static rill_status parse_item(parser *p, int list, int depth, int *last) {
    if (p->token.type == YAML_STREAM_END_TOKEN) return fail_here(p, "the text ends inside a list; expected ']'");
    int child = TREE_NONE;
    rill_status status = parse_value(p, depth + 1, &child);
    if (!status) add_child(p->tree, list, last, child);
    return status;
}

/* What stands between the brackets, commas included; the opening bracket is the present token. */
static rill_status parse_inside(parser *p, int parent, int depth) {
    bool object = p->tree->nodes[parent].kind == TREE_OBJECT;
    yaml_token_type_t end = object ? YAML_FLOW_MAPPING_END_TOKEN : YAML_FLOW_SEQUENCE_END_TOKEN;
    if (depth == TREE_MAX_DEPTH)
        return tree_fail(p->error, p->label, mark_of(p->token.start_mark), NULL,
                         "nested too deeply; expected at most %d levels", TREE_MAX_DEPTH);
    rill_status status = advance(p);
    if (status) return status;
    if (p->token.type == end) return advance(p);
    for (int last = TREE_NONE;;) {
        status = object ? parse_member(p, parent, depth, &last) : parse_item(p, parent, depth, &last);
        if (status) return status;
        if (p->token.type == end) return advance(p);
        if (p->token.type != YAML_FLOW_ENTRY_TOKEN)
            return fail_here(p, object ? "expected ',' or '}' after the value" : "expected ',' or ']' after the value");
        if ((status = advance(p))) return status;
        if (p->token.type == end)
            return fail_here(p, "a comma stands before the closing bracket; expected another value or no comma");
    }
}

static rill_status parse_value(parser *p, int depth, int *index) {
    rill_status status;
    switch (p->token.type) {
    case YAML_FLOW_MAPPING_START_TOKEN:
        status = add_node(p, TREE_OBJECT, index);
        return status ? status : parse_inside(p, *index, depth);
    case YAML_FLOW_SEQUENCE_START_TOKEN:
        status = add_node(p, TREE_LIST, index);
        return status ? status : parse_inside(p, *index, depth);
    case YAML_SCALAR_TOKEN:
        if (p->strict && p->token.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
            strchr((const char *)p->token.data.scalar.value, '"'))
            return tree_fail(p->error, p->label, mark_of(p->token.start_mark), NULL,
                             "%.60s: a value runs into the next text; expected ',' between them",
                             (const char *)p->token.data.scalar.value);
        status = add_node(p, p->token.data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? TREE_PLAIN : TREE_STRING, index);
        if (!status) status = take_text(p, &p->tree->nodes[*index].text);
        return status ? status : advance(p);
    case YAML_KEY_TOKEN:
        return fail_here(p, "a key stands in a list; expected '{' before it");
    default:
        return fail_here(p, "expected a value: an object, a list, a text in double quotes, a number, true or false");
    }
}

static rill_status parse_document(parser *p) {
    rill_status status = advance(p);
    if (status || (status = advance(p))) return status; /* the stream's start says nothing */
    if (p->strict && p->token.type != YAML_FLOW_MAPPING_START_TOKEN)
        return fail_here(p, "a scene is a JSON object; expected '{'");
    int root = TREE_NONE;
    if ((status = parse_value(p, 0, &root))) return status;
    if (p->token.type != YAML_STREAM_END_TOKEN)
        return fail_here(p, "text after the end; expected nothing after the closing bracket");
    return RILL_OK;
}

rill_status tree_parse(tree *t, const char *label, const char *text, size_t size, bool strict, rill_error *error) {
    *t = (tree){0};
    if (size > TREE_MAX_BYTES)
        return rill_fail(error, RILL_LIMIT, "%s: %zu bytes; expected a scene of at most %u", label, size,
                         TREE_MAX_BYTES);
    parser p = {.tree = t, .label = label, .text = text, .size = size, .strict = strict, .error = error};
    char *clean = NULL;
    if (strict) {
        rill_status status = tree_clean(label, text, size, &clean, &p.size, error);
        if (status) return status;
        p.text = clean;
    }
    rill_status status = RILL_OK;
    if (!yaml_parser_initialize(&p.yaml)) {
        status = rill_fail(error, RILL_MEMORY, "%s: no memory to read it", label);
    } else {
        yaml_parser_set_encoding(&p.yaml, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&p.yaml, (const unsigned char *)p.text, p.size);
        status = parse_document(&p);
        yaml_token_delete(&p.token);
        yaml_parser_delete(&p.yaml);
    }
    free(clean);
    if (status) tree_free(t);
    return status;
}

void tree_free(tree *t) {
    for (int k = 0; k < t->count; k++) {
        free(t->nodes[k].text);
        free(t->nodes[k].key);
    }
    free(t->nodes);
    *t = (tree){0};
}

const tree_node *tree_member(const tree *t, const tree_node *object, const char *key) {
    for (int k = object->first; k != TREE_NONE; k = t->nodes[k].next)
        if (!strcmp(t->nodes[k].key, key)) return &t->nodes[k];
    return NULL;
}

const char *tree_describe(const tree_node *node, char *buffer, size_t size) {
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
