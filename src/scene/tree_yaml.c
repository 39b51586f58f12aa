/* SPDX-License-Identifier: MIT */
/* The parser behind rill_tree_parse: JSON's grammar on libyaml's tokens. It uses tokens rather than events, because
   only tokens show a trailing comma. No other file depends on libyaml. */
#include "scene/tree.h"

#include "core/error.h"

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

static tree_mark mark_of(yaml_mark_t mark) {
    return (tree_mark){(int)mark.line + 1, (int)mark.column + 1};
}

static rill_status fail_here(const parser *p, const char *what) {
    return rill_tree_fail(p->error, p->label, mark_of(p->token.start_mark), NULL, "%s", what);
}

/* The mark of a byte offset, which is all that libyaml gives for text that is not UTF-8. */
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
        return rill_tree_fail(p->error, p->label, mark_at(p, y->problem_offset), NULL, "%s; expected UTF-8 text",
                              problem);
    default:
        return rill_tree_fail(p->error, p->label, mark_of(y->problem_mark), NULL, "%s; expected JSON", problem);
    }
}

/* A text that outlives its token, with the mark of its start. */
typedef struct taken_text {
    char *data;
    tree_text text;
} taken_text;

static taken_text take_text(parser *p) {
    taken_text taken = {.data = (char *)p->token.data.scalar.value};
    taken.text = (tree_text){taken.data, p->token.data.scalar.length, mark_of(p->token.start_mark)};
    p->token.data.scalar.value = NULL;
    return taken;
}

static rill_status add(parser *p, int parent, const tree_text *key, tree_kind kind, int *index) {
    tree_text value = {.mark = mark_of(p->token.start_mark)};
    if (kind == TREE_STRING || kind == TREE_PLAIN)
        value.data = (const char *)p->token.data.scalar.value, value.size = p->token.data.scalar.length;
    return rill_tree_add(p->tree, parent, key, kind, value, index, p->label, p->error);
}

static rill_status parse_value(parser *p, int parent, const tree_text *key);

static rill_status parse_key(parser *p, taken_text *key) {
    rill_status status = RILL_OK;
    /* The key token is missing if the colon is on the next line, and is one character wide for YAML's "?". */
    if (p->token.type == YAML_KEY_TOKEN && (status = advance(p))) return status;
    if (p->token.type == YAML_STREAM_END_TOKEN) return fail_here(p, "the text ends inside an object; expected '}'");
    if (p->token.type != YAML_SCALAR_TOKEN) return fail_here(p, "expected a key in double quotes or '}'");
    if (p->strict && p->token.data.scalar.style != YAML_DOUBLE_QUOTED_SCALAR_STYLE)
        return rill_tree_fail(p->error, p->label, mark_of(p->token.start_mark), NULL,
                              "the key '%.40s' has no quotes; expected \"%.40s\"",
                              (const char *)p->token.data.scalar.value, (const char *)p->token.data.scalar.value);
    *key = take_text(p);
    if ((status = advance(p))) return status;
    if (p->token.type != YAML_VALUE_TOKEN) return fail_here(p, "expected ':' after the key");
    return advance(p);
}

static rill_status parse_member(parser *p, int object) {
    taken_text key = {0};
    rill_status status = parse_key(p, &key);
    if (!status) status = parse_value(p, object, &key.text);
    free(key.data);
    return status;
}

static rill_status parse_item(parser *p, int list) {
    if (p->token.type == YAML_STREAM_END_TOKEN) return fail_here(p, "the text ends inside a list; expected ']'");
    return parse_value(p, list, NULL);
}

/* Parses the content of brackets, including commas; the current token is the opening bracket. */
static rill_status parse_inside(parser *p, int parent) {
    bool object = p->tree->nodes[parent].kind == TREE_OBJECT;
    yaml_token_type_t end = object ? YAML_FLOW_MAPPING_END_TOKEN : YAML_FLOW_SEQUENCE_END_TOKEN;
    rill_status status = advance(p);
    if (status) return status;
    if (p->token.type == end) return advance(p);
    for (;;) {
        status = object ? parse_member(p, parent) : parse_item(p, parent);
        if (status) return status;
        if (p->token.type == end) return advance(p);
        if (p->token.type != YAML_FLOW_ENTRY_TOKEN)
            return fail_here(p, object ? "expected ',' or '}' after the value" : "expected ',' or ']' after the value");
        if ((status = advance(p))) return status;
        if (p->token.type == end)
            return fail_here(p, "a comma before the closing bracket; expected another value or no comma");
    }
}

static rill_status parse_bracket(parser *p, int parent, const tree_text *key, tree_kind kind) {
    int index = TREE_NONE;
    rill_status status = add(p, parent, key, kind, &index);
    return status ? status : parse_inside(p, index);
}

static rill_status parse_scalar(parser *p, int parent, const tree_text *key) {
    const bool plain = p->token.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const char *value = (const char *)p->token.data.scalar.value;
    if (p->strict && plain && strchr(value, '"'))
        return rill_tree_fail(p->error, p->label, mark_of(p->token.start_mark), NULL,
                              "%.60s: a value runs into the next text; expected ',' between them", value);
    int index;
    rill_status status = add(p, parent, key, plain ? TREE_PLAIN : TREE_STRING, &index);
    return status ? status : advance(p);
}

static rill_status parse_value(parser *p, int parent, const tree_text *key) {
    switch (p->token.type) {
    case YAML_FLOW_MAPPING_START_TOKEN:
        return parse_bracket(p, parent, key, TREE_OBJECT);
    case YAML_FLOW_SEQUENCE_START_TOKEN:
        return parse_bracket(p, parent, key, TREE_LIST);
    case YAML_SCALAR_TOKEN:
        return parse_scalar(p, parent, key);
    case YAML_KEY_TOKEN:
        return fail_here(p, "a key in a list; expected '{' before it");
    default:
        return fail_here(p, "expected a value: an object, a list, a text in double quotes, a number, true or false");
    }
}

static rill_status parse_document(parser *p) {
    rill_status status = advance(p);
    if (status || (status = advance(p))) return status; /* skips the stream start token */
    if (p->strict && p->token.type != YAML_FLOW_MAPPING_START_TOKEN)
        return fail_here(p, "a scene is a JSON object; expected '{'");
    if ((status = parse_value(p, TREE_NONE, NULL))) return status;
    if (p->token.type != YAML_STREAM_END_TOKEN)
        return fail_here(p, "text after the end; expected nothing after the closing bracket");
    return RILL_OK;
}

rill_status rill_tree_parse(tree *t, const char *label, const char *text, size_t size, bool strict, rill_error *error) {
    *t = (tree){0};
    if (size > TREE_MAX_BYTES)
        return rill_fail(error, RILL_LIMIT, "%s: %zu bytes; expected a scene of at most %u", label, size,
                         TREE_MAX_BYTES);
    parser p = {.tree = t, .label = label, .text = text, .size = size, .strict = strict, .error = error};
    char *clean = NULL;
    if (strict) {
        rill_status status = rill_tree_clean(label, text, size, &clean, &p.size, error);
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
    if (status) rill_tree_free(t);
    return status;
}
