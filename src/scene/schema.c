/* SPDX-License-Identifier: MIT */
/* JSON Schema (draft 2020-12) of scene files, made from the tables and the layout. */
#include "core/error.h"
#include "io/json.h"
#include "scene/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table's range end beyond this stands for "no bound". */
#define UNBOUNDED 1e29

static void write_text(FILE *f, const char *key, const char *text) {
    fprintf(f, "\"%s\": ", key);
    json_write_text(f, text);
}

/* "a", "b", "c" out of "a|b|c". */
static void write_names(FILE *f, const char *names) {
    char name[RILL_NAME_SIZE];
    for (int k = 0; layout_name_at(names, k, name, sizeof name); k++) fprintf(f, "%s\"%s\"", k ? ", " : "", name);
}

/* ---- $defs: a number of each quantity as a text with its unit ---- */

/* Escaped for a regular expression that itself stands in a JSON string; spellings that the reader takes for the same
   ("m/s2", "Pa*s") are let through. */
static void write_unit_pattern(FILE *f, const char *unit) {
    for (; *unit; unit++) {
        if (*unit == '^')
            fputs("\\\\^?", f);
        else if (*unit == ' ')
            fputs("[ *\\u00b7]+", f);
        else if (*unit == 'u')
            fputs("[u\\u00b5\\u03bc]", f);
        else
            fputc(*unit, f);
    }
}

static void write_quantity(FILE *f, rill_quantity quantity) {
    char units[400];
    rill_quantity_units(quantity, units, sizeof units);
    fprintf(f, "    \"quantity_%d\": {\"type\": \"string\", ", (int)quantity);
    if (units[0]) {
        fputs("\"description\": \"a number with one of the units: ", f);
        fputs(units, f);
        fputs("\", ", f);
    }
    fputs("\"pattern\": \"^ *[-+]?([0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)([eE][-+]?[0-9]+)? *", f);
    if (units[0]) {
        fputc('(', f);
        for (char *rest = units, *unit; (unit = rest) != NULL;) {
            rest = strstr(unit, ", ");
            if (rest) *rest = '\0', rest += 2;
            write_unit_pattern(f, unit);
            if (rest) fputc('|', f);
        }
        fputs(")?", f);
    }
    fputs(" *$\"}", f);
}

/* ---- one row ---- */

static void write_range(FILE *f, const rill_param *param) {
    if (fabs(param->min) < UNBOUNDED) fprintf(f, ", \"minimum\": %.9g", param->min);
    if (fabs(param->max) < UNBOUNDED) fprintf(f, ", \"maximum\": %.9g", param->max);
}

static void write_number_type(FILE *f, const rill_param *param) {
    fputs("\"anyOf\": [{\"type\": \"number\"", f);
    write_range(f, param);
    fprintf(f, "}, {\"$ref\": \"#/$defs/quantity_%d\"}]", (int)param->quantity);
}

static void write_vec_type(FILE *f, const rill_param *param) {
    fputs("\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": {", f);
    write_number_type(f, param);
    fputc('}', f);
}

static void write_type(FILE *f, const rill_param *param) {
    switch (param->type) {
    case RILL_TYPE_BOOL:
        fputs("\"type\": \"boolean\"", f);
        break;
    case RILL_TYPE_INT:
        fputs("\"type\": \"integer\"", f);
        write_range(f, param);
        break;
    case RILL_TYPE_NUMBER:
        write_number_type(f, param);
        break;
    case RILL_TYPE_VEC:
        write_vec_type(f, param);
        break;
    case RILL_TYPE_CHOICE:
        fputs("\"enum\": [", f);
        write_names(f, param->choices);
        fputc(']', f);
        break;
    case RILL_TYPE_NAME:
        fprintf(f, "\"type\": \"string\", \"maxLength\": %d", RILL_NAME_SIZE - 1);
        break;
    case RILL_TYPE_NUMBERS:
        fputs("\"type\": \"array\", \"items\": {", f);
        write_number_type(f, param);
        fputc('}', f);
        break;
    case RILL_TYPE_FILE:
        fprintf(f, "\"type\": \"string\", \"maxLength\": %d", RILL_FILE_SIZE - 1);
        break;
    case RILL_TYPE_POINTS:
        fputs("\"type\": \"array\", \"items\": {", f);
        write_vec_type(f, param);
        fputc('}', f);
        break;
    }
}

/* Defaults are written through the table itself; a vector's has three components, which fits both dimensions. */
static rill_status write_default(FILE *f, const layout_part *part, const rill_param *param, rill_error *error) {
    char *object = calloc(1, part->table->size);
    if (!object) return rill_fail(error, RILL_MEMORY, "no memory to write the schema");
    rill_table_defaults(part->table, object);
    char text[200];
    rill_param_get_text(param, object, 3, text, sizeof text);
    free(object);
    fprintf(f, ", \"default\": %s", text);
    return RILL_OK;
}

static rill_status write_row(FILE *f, const layout_part *part, const rill_param *param, rill_error *error) {
    char doc[600];
    const char *symbol = rill_quantity_symbol(param->quantity);
    snprintf(doc, sizeof doc, "%s%s%s%s%s%s%s", param->doc, *symbol ? " [" : "", symbol, *symbol ? "]" : "",
             param->equation ? " (" : "", param->equation ? param->equation : "", param->equation ? ")" : "");
    fprintf(f, "\n      \"%s\": {", param->key);
    write_text(f, "description", doc);
    fputs(", ", f);
    write_type(f, param);
    rill_status status = write_default(f, part, param, error);
    fputc('}', f);
    return status;
}

/* ---- objects ---- */

static rill_status write_rows(FILE *f, const layout_part *part, const char **comma, rill_error *error) {
    rill_status status = RILL_OK;
    for (int row = 0; row < part->table->count && !status; row++) {
        if (!layout_has(part, part->table->params[row].key)) continue;
        fputs(*comma, f);
        *comma = ",";
        status = write_row(f, part, &part->table->params[row], error);
    }
    return status;
}

/* What a choice asks for, and what it has no use for. */
static void write_rule(FILE *f, const layout_rule *rule) {
    fprintf(f, "{\"if\": {\"required\": [\"%s\"], \"properties\": {\"%s\": {\"const\": \"%s\"}}}, \"then\": {",
            rule->key, rule->key, rule->choice);
    if (rule->required) {
        fputs("\"required\": [", f);
        write_names(f, rule->required);
        fputs("], ", f);
    }
    fputs("\"properties\": {", f);
    const char *comma = "";
    for (int k = 0; k < layout_rule_count; k++) {
        if (strcmp(layout_rules[k].table, rule->table)) continue;
        char name[RILL_NAME_SIZE];
        for (int n = 0; layout_name_at(layout_rules[k].keys, n, name, sizeof name); n++) {
            bool seen = layout_listed(rule->keys, name);
            for (int before = 0; before < k; before++)
                seen = seen || (!strcmp(layout_rules[before].table, rule->table) &&
                                layout_listed(layout_rules[before].keys, name));
            if (seen) continue;
            fprintf(f, "%s\"%s\": false", comma, name);
            comma = ", ";
        }
    }
    fputs("}}}", f);
}

static void write_rules(FILE *f, const layout_part *parts, int part_count) {
    const char *comma = ",\n    \"allOf\": [\n      ", *end = "";
    for (int k = 0; k < part_count; k++) {
        for (int n = 0; n < layout_rule_count && !parts[k].key; n++) {
            if (strcmp(layout_rules[n].table, parts[k].table->name)) continue;
            fputs(comma, f);
            write_rule(f, &layout_rules[n]);
            comma = ",\n      ", end = "]";
        }
    }
    fputs(end, f);
}

static rill_status write_object(FILE *f, const char *doc, const layout_part *parts, int part_count,
                                const char *required, const char *extra, rill_error *error) {
    const char *comma = "";
    rill_status status = RILL_OK;
    fputs("{\"type\": \"object\", \"additionalProperties\": false,\n    ", f);
    write_text(f, "description", doc);
    fputs(",\n    \"properties\": {", f);
    if (extra) fputs(extra, f), comma = ",";
    for (int k = 0; k < part_count && !status; k++) {
        layout_part part = parts[k];
        if (!part.key) {
            status = write_rows(f, &part, &comma, error);
            continue;
        }
        fprintf(f, "%s\n      \"%s\": ", comma, part.key);
        comma = ",";
        part.key = NULL;
        if (part.list) fputs("{\"type\": \"array\", \"minItems\": 1, \"items\": ", f);
        status = write_object(f, part.table->about, &part, 1, part.list ? "shape" : NULL, NULL, error);
        if (part.list) fputc('}', f);
    }
    fputs("}", f);
    if (required) {
        fputs(",\n    \"required\": [", f);
        write_names(f, required);
        fputc(']', f);
    }
    write_rules(f, parts, part_count);
    fputc('}', f);
    return status;
}

static char *material_property(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    fputs("\n      \"" LAYOUT_MATERIAL_KEY
          "\": {\"description\": \"named material that the other keys change\", \"enum\": [",
          f);
    for (int k = 0; rill_material_name(k); k++) fprintf(f, "%s\"%s\"", k ? ", " : "", rill_material_name(k));
    fputs("]}", f);
    fclose(f);
    return text;
}

static rill_status write_list(FILE *f, const layout_list *list, rill_error *error) {
    int part_count = 0;
    layout_part *parts = layout_item_parts(list, &part_count);
    char *extra = list->material ? material_property() : NULL;
    if (!parts || (list->material && !extra)) {
        free(parts);
        free(extra);
        return rill_fail(error, RILL_MEMORY, "no memory to write the schema");
    }
    fprintf(f, ",\n    \"%s\": {\"type\": \"array\", ", list->key);
    write_text(f, "description", list->doc);
    if (list->material) fputs(", \"minItems\": 1", f);
    fputs(", \"items\": ", f);
    rill_status status = write_object(f, parts[0].table->about, parts, part_count, list->required, extra, error);
    fputc('}', f);
    free(parts);
    free(extra);
    return status;
}

static rill_status write_methods(FILE *f, rill_error *error) {
    rill_status status = RILL_OK;
    fputs(",\n    \"methods\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": {", f);
    for (int k = 0; k < rill_method_count() && !status; k++) {
        layout_part part = {.table = rill_method(k)->table};
        fprintf(f, "%s\n    \"%s\": ", k ? "," : "", rill_method(k)->name);
        status = write_object(f, rill_method(k)->title, &part, 1, NULL, NULL, error);
    }
    fputs("}}", f);
    return status;
}

static rill_status write_properties(FILE *f, rill_error *error) {
    const char *comma = ",";
    layout_part root = layout_section(LAYOUT_ROOT);
    fputs("\n    \"about\": {\"description\": \"what the scene shows\", \"anyOf\": [{\"type\": \"string\"}, "
          "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}]}",
          f);
    rill_status status = write_rows(f, &root, &comma, error);
    for (int k = LAYOUT_WORLD; k < LAYOUT_SECTION_COUNT && !status; k++) {
        layout_part part = layout_section(k);
        fprintf(f, ",\n    \"%s\": ", part.key);
        part.key = NULL;
        status = write_object(f, part.table->about, &part, 1, NULL, NULL, error);
    }
    if (!status) status = write_methods(f, error);
    for (int k = 0; k < LAYOUT_LIST_COUNT && !status; k++) {
        layout_list list = layout_list_at(k);
        status = write_list(f, &list, error);
    }
    return status;
}

rill_status scene_write_schema(FILE *file, rill_error *error) {
    fputs("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"Rill scene\",\n"
          "  \"type\": \"object\",\n  \"additionalProperties\": false,\n  \"required\": [\"dim\", \"fluids\"],\n"
          "  \"properties\": {",
          file);
    rill_status status = write_properties(file, error);
    fputs("\n  },\n  \"$defs\": {\n", file);
    for (int k = 0; k < RILL_QUANTITY_COUNT; k++) {
        write_quantity(file, (rill_quantity)k);
        fputs(k + 1 < RILL_QUANTITY_COUNT ? ",\n" : "\n", file);
    }
    fputs("  }\n}\n", file);
    if (status) return status;
    return ferror(file) ? rill_fail(error, RILL_IO, "the schema could not be written") : RILL_OK;
}
