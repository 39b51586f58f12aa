/* SPDX-License-Identifier: MIT */
/* Variables, and values that are computed from them. */
#include "scene/variables.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "variables."
#define LABEL  "--set"

/* The source of a variable's value. */
typedef struct source {
    const char *text;
    const char *label;
    tree_mark mark;
    bool known;
} source;

static int index_of(const scene *s, const char *name) {
    for (int k = 0; s && k < s->variable_count; k++)
        if (!strcmp(s->variables[k].name, name)) return k;
    return -1;
}

static expression_found find_variable(const void *context, const char *name, double *value) {
    const scene *s = context;
    const int k = index_of(s, name);
    if (k < 0) return EXPRESSION_UNKNOWN;
    *value = s->variables[k].value;
    return EXPRESSION_FOUND;
}

expression_names rill_scene_names(const scene *s) {
    return (expression_names){find_variable, s};
}

/* The variables as "a|b|c", for suggestions. */
static const char *list_names(const scene *s, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (int k = 0; s && k < s->variable_count && length < size; k++)
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", k ? "|" : "", s->variables[k].name);
    return buffer;
}

static rill_status fail_expression(const reader *r, const char *label, tree_mark mark, const char *text,
                                   const expression_problem *problem) {
    char names[1024], near[RILL_NAME_SIZE], hint[RILL_NAME_SIZE + 24] = "";
    if (problem->name[0] && r->variables &&
        rill_choices_nearest(list_names(r->variables, names, sizeof names), problem->name, near, sizeof near))
        snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
    return rill_tree_fail(r->error, label, mark, r->path, "\"%.80s\", character %d: %s%s", text, problem->character,
                          problem->text, hint);
}

rill_status rill_variables_value(const reader *r, tree_mark mark, const char *text, double *value) {
    expression_problem problem;
    if (rill_expression_value(text, rill_scene_names(r->variables), value, &problem)) return RILL_OK;
    return fail_expression(r, r->label, mark, text, &problem);
}

/* Reads a number with any unit as SI. */
static bool read_quantity(const char *text, double *value) {
    for (int k = 0; k < RILL_QUANTITY_COUNT; k++)
        if (rill_parse_number(text, (rill_quantity)k, value, NULL) == RILL_OK) return true;
    return false;
}

/* ---- values from outside the scene ---- */

bool rill_scene_sets_variable(const char *assignment) {
    return !strncmp(assignment, PREFIX, strlen(PREFIX));
}

static rill_status replace(reader *r, const char *assignment, scene *s, source *sources) {
    const char *name = assignment + strlen(PREFIX), *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : 0;
    for (int k = 0; k < s->variable_count && length; k++) {
        if (strlen(s->variables[k].name) != length || strncmp(s->variables[k].name, name, length)) continue;
        sources[k] = (source){.text = equals + 1, .label = LABEL};
        return RILL_OK;
    }
    char names[1024], near[RILL_NAME_SIZE], wanted[RILL_NAME_SIZE];
    snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(name, "="), name);
    if (!length)
        return rill_fail(r->error, RILL_INVALID, LABEL ": '%.80s' is not an assignment; expected " PREFIX "NAME=VALUE",
                         assignment);
    if (rill_choices_nearest(list_names(s, names, sizeof names), wanted, near, sizeof near))
        return rill_fail(r->error, RILL_INVALID, LABEL ": " PREFIX "%s: unknown variable; did you mean '%s'?", wanted,
                         near);
    return rill_fail(r->error, RILL_INVALID, LABEL ": " PREFIX "%s: the scene has no such variable", wanted);
}

/* ---- computing them ---- */

/* Looks up names among the variables computed so far. */
typedef struct known_names {
    const scene *scene;
    const source *sources;
} known_names;

static expression_found find_known(const void *context, const char *name, double *value) {
    const known_names *names = context;
    const int k = index_of(names->scene, name);
    if (k < 0) return EXPRESSION_UNKNOWN;
    if (!names->sources[k].known) return EXPRESSION_WAITS;
    *value = names->scene->variables[k].value;
    return EXPRESSION_FOUND;
}

static rill_status compute(reader *r, scene *s, source *from, int k, bool last) {
    const known_names known = {s, from - k};
    expression_problem problem;
    double *value = &s->variables[k].value;
    const char *text = from->text ? from->text : "";
    if (text[0] != '=') {
        if (!read_quantity(text, value))
            return rill_tree_fail(r->error, from->label, from->mark, r->path,
                                  "\"%.60s\" is not a number; expected one, a text such as \"2 cm\", or \"=H/2\"",
                                  text);
        from->known = true;
        return RILL_OK;
    }
    if (rill_expression_value(text, (expression_names){find_known, &known}, value, &problem)) {
        from->known = true;
        return RILL_OK;
    }
    if (index_of(s, problem.name) < 0) return fail_expression(r, from->label, from->mark, text, &problem);
    if (!last) return RILL_OK;
    return rill_tree_fail(r->error, from->label, from->mark, r->path,
                          "\"%.80s\", character %d: '%s' depends on a cycle of variables; expected no cycle", text,
                          problem.character, problem.name);
}

/* Repeated passes, each of which computes the variables whose names are known by then. So they may be in any order, and
   no recursion is needed. */
static rill_status compute_all(reader *r, scene *s, source *sources) {
    int missing = s->variable_count, before = 0;
    do {
        const bool last = missing == before;
        before = missing;
        missing = 0;
        for (int k = 0; k < s->variable_count; k++) {
            if (sources[k].known) continue;
            const size_t length = rill_reader_enter(r, PREFIX "%s", s->variables[k].name);
            TRY(compute(r, s, &sources[k], k, last));
            rill_reader_leave(r, length);
            missing += !sources[k].known;
        }
    } while (missing);
    return RILL_OK;
}

/* ---- reading them ---- */

static rill_status read_one(reader *r, const tree_node *node, scene *s, source *sources) {
    const size_t length = rill_reader_enter(r, PREFIX "%.60s", node->key);
    if (!rill_expression_is_name(node->key))
        return rill_reader_fail(r, node->key_mark,
                                "cannot be a variable's name; expected letters, digits and '_', and "
                                "no function's name");
    if (index_of(s, node->key) >= 0) return rill_reader_fail(r, node->key_mark, "is given twice; expected it once");
    if (node->kind != TREE_PLAIN)
        TRY(rill_reader_expect(r, node, TREE_STRING, "a number, a text such as \"2 cm\", or \"=H/2\""));
    const int k = s->variable_count++;
    snprintf(s->variables[k].name, sizeof s->variables[k].name, "%s", node->key);
    sources[k] = (source){.text = node->text, .label = r->label, .mark = node->mark};
    rill_reader_leave(r, length);
    return RILL_OK;
}

rill_status rill_variables_read(reader *r, const tree_node *root, const scene_sets *sets, scene *s) {
    const tree_node *node = rill_tree_member(r->tree, root, "variables");
    if (node) TRY(rill_reader_expect(r, node, TREE_OBJECT, "an object { ... } of names and numbers"));
    if (node && node->count > VARIABLES_MAX)
        return rill_reader_fail(r, node->mark, "has %d variables; expected at most %d", node->count, VARIABLES_MAX);
    source sources[VARIABLES_MAX] = {0};
    s->variables = calloc(VARIABLES_MAX, sizeof *s->variables);
    if (!s->variables) return rill_fail(r->error, RILL_MEMORY, "%s: no memory for variables", r->label);
    for (int child = node ? node->first : TREE_NONE; child != TREE_NONE; child = r->tree->nodes[child].next)
        TRY(read_one(r, &r->tree->nodes[child], s, sources));
    for (int k = 0; sets && k < sets->count; k++)
        if (rill_scene_sets_variable(sets->items[k])) TRY(replace(r, sets->items[k], s, sources));
    return compute_all(r, s, sources);
}
