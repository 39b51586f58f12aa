/* SPDX-License-Identifier: MIT */
/* JSON Schema (draft 2020-12) of scene files, made from the tables and the layout. */
#include "core/error.h"
#include "io/json.h"
#include "scene/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A limit of a table beyond this means "unbounded". */
#define UNBOUNDED 1e29

/* Begins an object on one line; `end_line` ends it. */
static void begin_line(json *j, const char *key) {
    rill_json_object(j, key);
    j->flat = true;
}

static void end_line(json *j) {
    rill_json_end_object(j);
    j->flat = false;
}

/* Writes "a|b|c" as ["a", "b", "c"], on one line. */
static void write_names(json *j, const char *key, const char *names) {
    const bool flat = j->flat;
    char name[RILL_NAME_SIZE];
    rill_json_array(j, key);
    j->flat = true;
    for (int k = 0; rill_layout_name_at(names, k, name, sizeof name); k++) rill_json_text(j, NULL, name);
    rill_json_end_array(j);
    j->flat = flat;
}

/* ---- $defs: for each quantity, a number as a text with a unit ---- */

/* Prints a unit as a regular expression that also matches the other spellings the reader accepts ("m/s2", "Pa*s"). */
static void print_unit_pattern(FILE *f, const char *unit) {
    for (; *unit; unit++) {
        if (*unit == '^')
            fputs("\\^?", f);
        else if (*unit == ' ')
            fputs("[ *\u00b7]+", f);
        else if (*unit == 'u')
            fputs("[u\u00b5\u03bc]", f);
        else
            fputc(*unit, f);
    }
}

/* Pattern of a number with or without one of the units "a, b, c"; free() it. */
static char *quantity_pattern(const char *units) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    fputs("^ *[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)? *", f);
    if (units[0]) fputc('(', f);
    for (const char *unit = units; *unit;) {
        char word[RILL_NAME_SIZE];
        const char *comma = strstr(unit, ", ");
        snprintf(word, sizeof word, "%.*s", comma ? (int)(comma - unit) : (int)strlen(unit), unit);
        print_unit_pattern(f, word);
        if (comma) fputc('|', f);
        unit = comma ? comma + 2 : "";
    }
    if (units[0]) fputs(")?", f);
    fputs(" *$", f);
    if (fclose(f) == 0) return text;
    free(text);
    return NULL;
}

static rill_status write_quantity(json *j, rill_quantity quantity, rill_error *error) {
    char units[400], key[32], doc[480];
    rill_quantity_units(quantity, units, sizeof units);
    char *pattern = quantity_pattern(units);
    if (!pattern) return rill_fail(error, RILL_MEMORY, "no memory to write the schema");
    snprintf(key, sizeof key, "quantity_%d", (int)quantity);
    snprintf(doc, sizeof doc, "a number with one of the units: %s", units);
    begin_line(j, key);
    rill_json_text(j, "type", "string");
    if (units[0]) rill_json_text(j, "description", doc);
    rill_json_text(j, "pattern", pattern);
    end_line(j);
    free(pattern);
    return RILL_OK;
}

/* ---- one row ---- */

static void write_range(json *j, const rill_param *param) {
    if (fabs(param->min) < UNBOUNDED) rill_json_number(j, "minimum", param->min);
    if (fabs(param->max) < UNBOUNDED) rill_json_number(j, "maximum", param->max);
}

/* Any number may also be written as an expression. */
static void write_expression(json *j) {
    rill_json_object(j, NULL);
    rill_json_text(j, "$ref", "#/$defs/expression");
    rill_json_end_object(j);
}

static void write_number_type(json *j, const rill_param *param) {
    char reference[48];
    snprintf(reference, sizeof reference, "#/$defs/quantity_%d", (int)param->quantity);
    rill_json_array(j, "anyOf");
    rill_json_object(j, NULL);
    rill_json_text(j, "type", "number");
    write_range(j, param);
    rill_json_end_object(j);
    rill_json_object(j, NULL);
    rill_json_text(j, "$ref", reference);
    rill_json_end_object(j);
    write_expression(j);
    rill_json_end_array(j);
}

static void write_integer_type(json *j, const rill_param *param) {
    rill_json_array(j, "anyOf");
    rill_json_object(j, NULL);
    rill_json_text(j, "type", "integer");
    write_range(j, param);
    rill_json_end_object(j);
    write_expression(j);
    rill_json_end_array(j);
}

static void write_vec_type(json *j, const rill_param *param) {
    rill_json_text(j, "type", "array");
    rill_json_integer(j, "minItems", 2);
    rill_json_integer(j, "maxItems", 3);
    rill_json_object(j, "items");
    write_number_type(j, param);
    rill_json_end_object(j);
}

static void write_list_type(json *j, const rill_param *param, void (*write_item)(json *, const rill_param *)) {
    rill_json_text(j, "type", "array");
    rill_json_object(j, "items");
    write_item(j, param);
    rill_json_end_object(j);
}

static void write_text_type(json *j, int size) {
    rill_json_text(j, "type", "string");
    rill_json_integer(j, "maxLength", size - 1);
}

static void write_type(json *j, const rill_param *param) {
    switch (param->type) {
    case RILL_TYPE_BOOL:
        rill_json_text(j, "type", "boolean");
        break;
    case RILL_TYPE_INT:
        write_integer_type(j, param);
        break;
    case RILL_TYPE_NUMBER:
        write_number_type(j, param);
        break;
    case RILL_TYPE_VEC:
        write_vec_type(j, param);
        break;
    case RILL_TYPE_CHOICE:
        write_names(j, "enum", param->choices);
        break;
    case RILL_TYPE_NAME:
        write_text_type(j, RILL_NAME_SIZE);
        break;
    case RILL_TYPE_NUMBERS:
        write_list_type(j, param, write_number_type);
        break;
    case RILL_TYPE_FILE:
        write_text_type(j, RILL_FILE_SIZE);
        break;
    case RILL_TYPE_POINTS:
        write_list_type(j, param, write_vec_type);
        break;
    }
}

/* Defaults are written by the table itself. Those of vectors have three components, which is valid in 2D too. */
static rill_status write_default(json *j, const layout_part *part, const rill_param *param, rill_error *error) {
    char *object = calloc(1, part->table->size);
    if (!object) return rill_fail(error, RILL_MEMORY, "no memory to write the schema");
    rill_table_defaults(part->table, object);
    char text[200];
    rill_param_get_text(param, object, 3, text, sizeof text);
    free(object);
    rill_json_raw(j, "default", text);
    return RILL_OK;
}

static rill_status write_row(json *j, const layout_part *part, const rill_param *param, rill_error *error) {
    char doc[600];
    const char *symbol = rill_quantity_symbol(param->quantity);
    snprintf(doc, sizeof doc, "%s%s%s%s%s%s%s%s", param->doc, *symbol ? " [" : "", symbol, *symbol ? "]" : "",
             param->equation ? " (" : "", param->equation ? param->equation : "", param->equation ? ")" : "",
             param->live ? "; may change while a world runs" : "");
    begin_line(j, param->key);
    rill_json_text(j, "description", doc);
    write_type(j, param);
    const rill_status status = write_default(j, part, param, error);
    end_line(j);
    return status;
}

static rill_status write_rows(json *j, const layout_part *part, rill_error *error) {
    for (int row = 0; row < part->table->count; row++)
        if (rill_layout_has(part, part->table->params[row].key))
            TRY(write_row(j, part, &part->table->params[row], error));
    return RILL_OK;
}

/* ---- rules for choices: keys they require, and keys that do not apply ---- */

/* Whether an earlier rule of the table has this key. */
static bool ruled_before(const char *table, int rule, const char *key) {
    for (int k = 0; k < rule; k++)
        if (!strcmp(rill_layout_rules[k].table, table) && rill_layout_listed(rill_layout_rules[k].keys, key))
            return true;
    return false;
}

/* Forbids the keys of other choices, each once. */
static void forbid_others(json *j, const layout_rule *rule) {
    rill_json_object(j, "properties");
    for (int k = 0; k < rill_layout_rule_count; k++) {
        if (strcmp(rill_layout_rules[k].table, rule->table)) continue;
        char name[RILL_NAME_SIZE];
        for (int n = 0; rill_layout_name_at(rill_layout_rules[k].keys, n, name, sizeof name); n++)
            if (!rill_layout_listed(rule->keys, name) && !ruled_before(rule->table, k, name))
                rill_json_bool(j, name, false);
    }
    rill_json_end_object(j);
}

static void write_rule(json *j, const layout_rule *rule) {
    begin_line(j, NULL);
    rill_json_object(j, "if");
    write_names(j, "required", rule->key);
    rill_json_object(j, "properties");
    rill_json_object(j, rule->key);
    rill_json_text(j, "const", rule->choice);
    rill_json_end_object(j);
    rill_json_end_object(j);
    rill_json_end_object(j);
    rill_json_object(j, "then");
    if (rule->required) write_names(j, "required", rule->required);
    forbid_others(j, rule);
    rill_json_end_object(j);
    end_line(j);
}

static bool has_rules(const layout_part *parts, int part_count) {
    for (int k = 0; k < part_count; k++)
        for (int n = 0; n < rill_layout_rule_count && !parts[k].key; n++)
            if (!strcmp(rill_layout_rules[n].table, parts[k].table->name)) return true;
    return false;
}

static void write_rules(json *j, const layout_part *parts, int part_count) {
    if (!has_rules(parts, part_count)) return;
    rill_json_array(j, "allOf");
    for (int k = 0; k < part_count; k++)
        for (int n = 0; n < rill_layout_rule_count && !parts[k].key; n++)
            if (!strcmp(rill_layout_rules[n].table, parts[k].table->name)) write_rule(j, &rill_layout_rules[n]);
    rill_json_end_array(j);
}

/* ---- objects ---- */

static void write_material(json *j) {
    begin_line(j, LAYOUT_MATERIAL_KEY);
    rill_json_text(j, "description", "named material that the other keys change");
    rill_json_array(j, "enum");
    for (int k = 0; rill_material_name(k); k++) rill_json_text(j, NULL, rill_material_name(k));
    rill_json_end_array(j);
    end_line(j);
}

/* The schema of an object with several tables. `required` may be NULL. */
typedef struct object_def {
    const char *doc;
    const layout_part *parts;
    int part_count;
    const char *required;
    bool material;
} object_def;

static rill_status write_object(json *j, const char *key, const object_def *def, rill_error *error);

/* Writes a part with a key of its own: an object, or a list of objects. */
static rill_status write_nested(json *j, const layout_part *given, rill_error *error) {
    layout_part part = *given;
    const object_def def = {
        .doc = part.table->about, .parts = &part, .part_count = 1, .required = part.list ? "shape" : NULL};
    part.key = NULL;
    if (!part.list) return write_object(j, given->key, &def, error);
    rill_json_object(j, given->key);
    rill_json_text(j, "type", "array");
    rill_json_integer(j, "minItems", 1);
    const rill_status status = write_object(j, "items", &def, error);
    rill_json_end_object(j);
    return status;
}

static rill_status write_object(json *j, const char *key, const object_def *def, rill_error *error) {
    rill_status status = RILL_OK;
    rill_json_object(j, key);
    rill_json_text(j, "type", "object");
    rill_json_bool(j, "additionalProperties", false);
    rill_json_text(j, "description", def->doc);
    rill_json_object(j, "properties");
    if (def->material) write_material(j);
    for (int k = 0; k < def->part_count && !status; k++)
        status = def->parts[k].key ? write_nested(j, &def->parts[k], error) : write_rows(j, &def->parts[k], error);
    rill_json_end_object(j);
    if (def->required) write_names(j, "required", def->required);
    write_rules(j, def->parts, def->part_count);
    rill_json_end_object(j);
    return status;
}

static rill_status write_list(json *j, const layout_list *list, rill_error *error) {
    int part_count = 0;
    layout_part *parts = rill_layout_item_parts(list, &part_count);
    if (!parts) return rill_fail(error, RILL_MEMORY, "no memory to write the schema");
    const object_def item = {parts[0].table->about, parts, part_count, list->required, list->material};
    rill_json_object(j, list->key);
    rill_json_text(j, "type", "array");
    rill_json_text(j, "description", list->doc);
    if (list->material) rill_json_integer(j, "minItems", 1);
    const rill_status status = write_object(j, "items", &item, error);
    rill_json_end_object(j);
    free(parts);
    return status;
}

static rill_status write_methods(json *j, rill_error *error) {
    rill_status status = RILL_OK;
    rill_json_object(j, "methods");
    rill_json_text(j, "type", "object");
    rill_json_bool(j, "additionalProperties", false);
    rill_json_object(j, "properties");
    for (int k = 0; k < rill_method_count() && !status; k++) {
        const layout_part part = {.table = rill_method(k)->table};
        const object_def def = {.doc = rill_method(k)->title, .parts = &part, .part_count = 1};
        status = write_object(j, rill_method(k)->name, &def, error);
    }
    rill_json_end_object(j);
    rill_json_end_object(j);
    return status;
}

static void write_about(json *j) {
    begin_line(j, "about");
    rill_json_text(j, "description", "description of the scene");
    rill_json_raw(j, "anyOf", "[{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]");
    end_line(j);
}

/* Editors expect a scene itself to name its schema. */
static void write_schema_key(json *j) {
    begin_line(j, "$schema");
    rill_json_text(j, "description", "address of this schema, for editors");
    rill_json_text(j, "type", "string");
    end_line(j);
}

static void write_variables(json *j) {
    begin_line(j, "variables");
    rill_json_text(j, "description", "numbers with names, which texts such as \"=H/2\" are computed from");
    rill_json_text(j, "type", "object");
    rill_json_raw(j, "additionalProperties", "{\"type\": [\"number\", \"string\"]}");
    end_line(j);
}

static void write_expression_def(json *j) {
    begin_line(j, "expression");
    rill_json_text(j, "type", "string");
    rill_json_text(j, "description", "computed from variables, such as \"=H/layers\"");
    rill_json_text(j, "pattern", "^=");
    end_line(j);
}

static rill_status write_properties(json *j, rill_error *error) {
    const layout_part root = rill_layout_section(LAYOUT_ROOT);
    write_schema_key(j);
    write_about(j);
    write_variables(j);
    TRY(write_rows(j, &root, error));
    for (int k = LAYOUT_WORLD; k < LAYOUT_SECTION_COUNT; k++) {
        const layout_part part = rill_layout_section(k);
        TRY(write_nested(j, &part, error));
    }
    TRY(write_methods(j, error));
    for (int k = 0; k < LAYOUT_LIST_COUNT; k++) {
        const layout_list list = rill_layout_list_at(k);
        TRY(write_list(j, &list, error));
    }
    return RILL_OK;
}

rill_status rill_scene_write_schema(FILE *file, rill_error *error) {
    json writer = {.out = file}, *j = &writer;
    rill_json_object(j, NULL);
    rill_json_text(j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    rill_json_text(j, "title", "Rill scene");
    rill_json_text(j, "type", "object");
    rill_json_bool(j, "additionalProperties", false);
    write_names(j, "required", "dim|fluids");
    rill_json_object(j, "properties");
    TRY(write_properties(j, error));
    rill_json_end_object(j);
    rill_json_object(j, "$defs");
    write_expression_def(j);
    for (int k = 0; k < RILL_QUANTITY_COUNT; k++) TRY(write_quantity(j, (rill_quantity)k, error));
    rill_json_end_object(j);
    rill_json_end_object(j);
    return ferror(file) ? rill_fail(error, RILL_IO, "the schema could not be written") : RILL_OK;
}
