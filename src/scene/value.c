/* SPDX-License-Identifier: MIT */
/* Reads one value of a scene: from a node of the tree into the struct member that a row of a table describes. */
#include "model/units.h"
#include "scene/reader.h"
#include "scene/variables.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t rill_reader_enter(reader *r, const char *format, ...) {
    size_t length = strlen(r->path);
    va_list args;
    va_start(args, format);
    vsnprintf(r->path + length, sizeof r->path - length, format, args);
    va_end(args);
    return length;
}

void rill_reader_leave(reader *r, size_t length) {
    r->path[length] = '\0';
}

rill_status rill_reader_fail(const reader *r, tree_mark mark, const char *format, ...) {
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return rill_tree_fail(r->error, r->label, mark, r->path, "%s", what);
}

rill_status rill_reader_expect(const reader *r, const tree_node *node, tree_kind kind, const char *expected) {
    if (node->kind == kind) return RILL_OK;
    char found[80];
    return rill_reader_fail(r, node->mark, "is %s; expected %s", rill_tree_describe(node, found, sizeof found),
                            expected);
}

static const char *skip_digits(const char *text) {
    while (isdigit((unsigned char)*text)) text++;
    return text;
}

static bool is_json_number(const char *text) {
    if (*text == '-') text++;
    const char *digits = text;
    text = skip_digits(text);
    if (text == digits || (*digits == '0' && text > digits + 1)) return false;
    if (*text == '.') {
        digits = ++text;
        text = skip_digits(text);
        if (text == digits) return false;
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        if (*text == '+' || *text == '-') text++;
        digits = text;
        text = skip_digits(text);
        if (text == digits) return false;
    }
    return *text == '\0';
}

/* Refuses a plain value, and gives the likely reason. */
static rill_status fail_plain(const reader *r, const tree_node *node, const char *expected) {
    if (!strcmp(node->text, "null"))
        return rill_reader_fail(r, node->mark, "is null; expected %s, or leave the key out for its default", expected);
    bool is_word = isalpha((unsigned char)node->text[0]) || strchr(node->text, ' ');
    if (is_word && strcmp(node->text, "true") && strcmp(node->text, "false"))
        return rill_reader_fail(r, node->mark, "is %.60s without quotes; expected %s", node->text, expected);
    return rill_reader_fail(r, node->mark, "is %.60s; expected %s", node->text, expected);
}

/* Reports an error of the model without the key at its beginning, which the path already names. */
static rill_status fail_model(const reader *r, tree_mark mark, const rill_param *param, const rill_error *inner) {
    const char *text = inner->text;
    size_t length = strlen(param->key);
    if (!strncmp(text, param->key, length)) {
        const char *colon = strstr(text + length, ": ");
        if (colon) text = colon + 2;
    }
    return rill_reader_fail(r, mark, "%s", text);
}

static rill_status set_text(const reader *r, const tree_node *node, const rill_param *param, void *object) {
    rill_error inner;
    rill_status status = rill_param_set_text(param, object, node->text, &inner);
    return status ? fail_model(r, node->mark, param, &inner) : RILL_OK;
}

static bool is_expression(const reader *r, const tree_node *node) {
    return (node->kind == TREE_STRING || (node->kind == TREE_PLAIN && !r->strict)) && node->text[0] == '=';
}

/* Sets the result of an expression, as if it had been written as a number. */
static rill_status read_expression(const reader *r, const tree_node *node, const rill_param *param, void *object) {
    double value;
    char text[NUMBER_TEXT_SIZE];
    rill_status status = rill_variables_value(r, node->mark, node->text, &value);
    if (status) return status;
    tree_node computed = *node;
    computed.kind = TREE_PLAIN;
    computed.text = text;
    rill_number_text((float)value, text);
    return set_text(r, &computed, param, object);
}

static rill_status read_number(const reader *r, const tree_node *node, const rill_param *param, void *object) {
    if (is_expression(r, node)) return read_expression(r, node, param, object);
    char expected[80];
    const char *symbol = rill_quantity_symbol(param->quantity);
    if (param->type == RILL_TYPE_INT)
        snprintf(expected, sizeof expected, "a whole number");
    else if (*symbol)
        snprintf(expected, sizeof expected, "a number or a text such as \"2 %s\"", symbol);
    else
        snprintf(expected, sizeof expected, "a number");
    if (node->kind == TREE_PLAIN && r->strict && !is_json_number(node->text)) return fail_plain(r, node, expected);
    if (node->kind != TREE_PLAIN && (node->kind != TREE_STRING || param->type == RILL_TYPE_INT))
        return rill_reader_expect(r, node, TREE_PLAIN, expected);
    return set_text(r, node, param, object);
}

static rill_status read_text(const reader *r, const tree_node *node, const rill_param *param, void *object) {
    const char *expected = "a text in double quotes";
    if (node->kind == TREE_PLAIN && r->strict) return fail_plain(r, node, expected);
    if (node->kind != TREE_PLAIN) {
        rill_status status = rill_reader_expect(r, node, TREE_STRING, expected);
        if (status) return status;
    }
    return set_text(r, node, param, object);
}

static rill_status read_bool(const reader *r, const tree_node *node, const rill_param *param, void *object) {
    if (node->kind != TREE_PLAIN) return rill_reader_expect(r, node, TREE_PLAIN, "true or false");
    if (r->strict && strcmp(node->text, "true") && strcmp(node->text, "false"))
        return fail_plain(r, node, "true or false");
    return set_text(r, node, param, object);
}

/* Reads a component of a place again, which read_number has accepted, and subtracts the origin before rounding to
   float. A value at an end of its range means infinity and stays as it is. */
static rill_status measure_from(const reader *r, const tree_node *node, const rill_param *row, double origin,
                                float *component) {
    double value;
    rill_status status = is_expression(r, node) ? rill_variables_value(r, node->mark, node->text, &value)
                                                : rill_parse_number(node->text, row->quantity, &value, r->error);
    if (!status && value > row->min && value < row->max) *component = (float)(value - origin);
    return status;
}

/* Each component is read through a row of its own, so that its range, unit and position are checked. */
static rill_status read_vec(reader *r, const tree_node *node, const rill_param *param, rill_vec *vec) {
    static const char *const examples[] = {"a list of 2 numbers such as [0, 1] in a 2D scene",
                                           "a list of 3 numbers such as [0, 0, 1] in a 3D scene"};
    const int components = rill_param_components(param, r->dim);
    const char *expected = components == r->dim ? examples[r->dim == 3] : "a list of 3 numbers such as [0, 0, 1]";
    rill_status status = rill_reader_expect(r, node, TREE_LIST, expected);
    if (status) return status;
    if (node->count != components)
        return rill_reader_fail(r, node->mark, "has %d component%s; expected %s", node->count,
                                node->count == 1 ? "" : "s", expected);
    float component[3] = {0};
    rill_param row = *param;
    row.type = RILL_TYPE_NUMBER;
    int k = 0;
    for (int child = node->first; child != TREE_NONE; child = r->tree->nodes[child].next, k++) {
        size_t length = rill_reader_enter(r, "[%d]", k);
        row.offset = (size_t)k * sizeof(float);
        status = read_number(r, &r->tree->nodes[child], &row, component);
        const float from = (&r->origin.x)[k];
        if (!status && param->place && from != 0.0f)
            status = measure_from(r, &r->tree->nodes[child], &row, (double)from, &component[k]);
        if (status) return status;
        rill_reader_leave(r, length);
    }
    *vec = (rill_vec){component[0], component[1], component[2]};
    return RILL_OK;
}

void rill_reader_free_list(const rill_param *param, void *object) {
    char *member = (char *)object + param->offset;
    const bool points = param->type == RILL_TYPE_POINTS;
    if (!points && param->type != RILL_TYPE_NUMBERS) return;
    void *data;
    memcpy(&data, member + (points ? offsetof(rill_points, data) : offsetof(rill_numbers, data)), sizeof data);
    free(data);
    memset(member, 0, points ? sizeof(rill_points) : sizeof(rill_numbers));
}

static rill_status read_points(reader *r, const tree_node *node, const rill_param *param, void *object) {
    rill_status status = rill_reader_expect(r, node, TREE_LIST, "a list of points such as [[0, 0], [1, 0], [1, 1]]");
    if (status) return status;
    rill_vec *data = calloc((size_t)node->count + 1, sizeof *data);
    if (!data) return rill_reader_fail(r, node->mark, "no memory for %d points", node->count);
    int k = 0;
    for (int child = node->first; child != TREE_NONE && !status; child = r->tree->nodes[child].next, k++) {
        size_t length = rill_reader_enter(r, "[%d]", k);
        status = read_vec(r, &r->tree->nodes[child], param, &data[k]);
        if (!status) rill_reader_leave(r, length);
    }
    if (status) {
        free(data);
        return status;
    }
    rill_reader_free_list(param, object);
    rill_points points = {data, node->count};
    memcpy((char *)object + param->offset, &points, sizeof points);
    return RILL_OK;
}

/* Each number is read through a row of its own, so that its range, unit and position are checked. */
static rill_status read_numbers(reader *r, const tree_node *node, const rill_param *param, void *object) {
    rill_status status = rill_reader_expect(r, node, TREE_LIST, "a list of numbers such as [0, 1, 2.5]");
    if (status) return status;
    float *data = calloc((size_t)node->count + 1, sizeof *data);
    if (!data) return rill_reader_fail(r, node->mark, "no memory for %d numbers", node->count);
    rill_param row = *param;
    row.type = RILL_TYPE_NUMBER;
    int k = 0;
    for (int child = node->first; child != TREE_NONE && !status; child = r->tree->nodes[child].next, k++) {
        size_t length = rill_reader_enter(r, "[%d]", k);
        row.offset = (size_t)k * sizeof(float);
        status = read_number(r, &r->tree->nodes[child], &row, data);
        if (!status) rill_reader_leave(r, length);
    }
    if (status) {
        free(data);
        return status;
    }
    rill_reader_free_list(param, object);
    rill_numbers numbers = {data, node->count};
    memcpy((char *)object + param->offset, &numbers, sizeof numbers);
    return RILL_OK;
}

void rill_reader_move_defaults(const reader *r, const rill_table *table, void *object) {
    for (int row = 0; row < table->count; row++) {
        const rill_param *param = &table->params[row];
        if (param->type != RILL_TYPE_VEC || !param->place) continue;
        rill_vec *place = (rill_vec *)(void *)((char *)object + param->offset);
        place->x -= r->origin.x, place->y -= r->origin.y, place->z -= r->origin.z;
    }
}

rill_status rill_reader_value(reader *r, const tree_node *node, const rill_param *param, void *object) {
    switch (param->type) {
    case RILL_TYPE_BOOL:
        return read_bool(r, node, param, object);
    case RILL_TYPE_INT:
    case RILL_TYPE_NUMBER:
        return read_number(r, node, param, object);
    case RILL_TYPE_CHOICE:
    case RILL_TYPE_NAME:
    case RILL_TYPE_FILE:
        return read_text(r, node, param, object);
    case RILL_TYPE_VEC: {
        rill_vec vec;
        rill_status status = read_vec(r, node, param, &vec);
        if (!status) memcpy((char *)object + param->offset, &vec, sizeof vec);
        return status;
    }
    case RILL_TYPE_POINTS:
        return read_points(r, node, param, object);
    case RILL_TYPE_NUMBERS:
        return read_numbers(r, node, param, object);
    }
    return rill_reader_fail(r, node->mark, "has a type that scenes cannot hold");
}
