/* SPDX-License-Identifier: MIT */
/* Reads an experiment from its file, with all checks that need no run. */
#include "core/error.h"
#include "experiment/experiment.h"
#include "scene/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rill_status no_memory(const reader *r) {
    return rill_fail(r->error, RILL_MEMORY, "%s: no memory to read it", r->label);
}

/* ---- members ---- */

static const tree_node *member(const reader *r, const tree_node *object, const char *key) {
    return rill_tree_member(r->tree, object, key);
}

/* Reads a text, or a number as it is written; NULL if the key is missing. */
static rill_status read_text(reader *r, const tree_node *object, const char *key, const char **text) {
    const tree_node *node = member(r, object, key);
    if (!node) return RILL_OK;
    if (node->kind != TREE_PLAIN) {
        const size_t length = rill_reader_enter(r, ".%s", key);
        TRY(rill_reader_expect(r, node, TREE_STRING, "a text or a number"));
        rill_reader_leave(r, length);
    }
    *text = node->text;
    return RILL_OK;
}

static rill_status read_needed(reader *r, const tree_node *object, const char *key, const char **text) {
    TRY(read_text(r, object, key, text));
    return *text ? RILL_OK : rill_reader_fail(r, object->mark, "'%s' is missing here", key);
}

static rill_status read_number(reader *r, const tree_node *node, double *value) {
    if (node->kind == TREE_PLAIN && rill_parse_number(node->text, RILL_PURE, value, NULL) == RILL_OK) return RILL_OK;
    char found[80];
    return rill_reader_fail(r, node->mark, "is %s; expected a number", rill_tree_describe(node, found, sizeof found));
}

static rill_status read_choice(reader *r, const tree_node *object, const char *key, const char *choices, int *choice) {
    const char *text = NULL;
    TRY(read_text(r, object, key, &text));
    if (!text) return RILL_OK;
    *choice = rill_choice_index(choices, text);
    return *choice >= 0 ? RILL_OK : rill_reader_unknown(r, member(r, object, key)->mark, key, text, choices);
}

/* Checks the syntax of an expression. Its names are known only when it runs. */
static rill_status check_expression(reader *r, tree_mark mark, const char *text) {
    double value;
    expression_problem problem;
    if (!text || rill_expression_any_value(text, (expression_names){0}, &value, &problem) || problem.name[0])
        return RILL_OK;
    return rill_reader_fail(r, mark, "\"%.80s\", character %d: %s", text, problem.character, problem.text);
}

/* ---- lists of objects ---- */

typedef rill_status read_item(reader *r, const tree_node *node, void *item);

/* Reads the items of a list or the members of an object. After an error the items read so far stay there. */
static rill_status read_items(reader *r, const char *key, size_t size, void **items, int *count, read_item *read) {
    const tree_node *node = member(r, &r->tree->nodes[0], key);
    if (!node) return RILL_OK;
    if (node->kind != TREE_OBJECT) TRY(rill_reader_expect(r, node, TREE_LIST, "a list or an object of objects"));
    *items = calloc((size_t)node->count + 1, size);
    if (!*items) return no_memory(r);
    for (int child = node->first; child != TREE_NONE; child = r->tree->nodes[child].next) {
        const tree_node *item = &r->tree->nodes[child];
        const size_t length =
            item->key ? rill_reader_enter(r, "%s.%.60s", key, item->key) : rill_reader_enter(r, "%s[%d]", key, *count);
        TRY(rill_reader_expect(r, item, TREE_OBJECT, "an object { ... }"));
        TRY(read(r, item, (char *)*items + (size_t)(*count)++ * size));
        rill_reader_leave(r, length);
    }
    return RILL_OK;
}

/* Adds the members of `object` as "PREFIXkey=value". */
static rill_status add_sets(reader *r, const tree_node *object, const char *key, const char *prefix,
                            experiment_variant *variant) {
    const tree_node *node = member(r, object, key);
    if (!node) return RILL_OK;
    TRY(rill_reader_expect(r, node, TREE_OBJECT, "an object { ... }"));
    char **sets = realloc(variant->sets, (size_t)(variant->set_count + node->count + 1) * sizeof *sets);
    if (!sets) return no_memory(r);
    variant->sets = sets;
    for (int child = node->first; child != TREE_NONE; child = r->tree->nodes[child].next) {
        const tree_node *set = &r->tree->nodes[child];
        if (set->kind != TREE_PLAIN) TRY(rill_reader_expect(r, set, TREE_STRING, "a text or a number"));
        const size_t size = strlen(prefix) + strlen(set->key) + strlen(set->text) + 2;
        char *text = malloc(size);
        if (!text) return no_memory(r);
        snprintf(text, size, "%s%s=%s", prefix, set->key, set->text);
        sets[variant->set_count++] = text;
    }
    return RILL_OK;
}

static rill_status check_methods(reader *r, const tree_node *list) {
    TRY(rill_reader_expect(r, list, TREE_LIST, "a list of methods"));
    for (int child = list->first; child != TREE_NONE; child = r->tree->nodes[child].next) {
        const tree_node *name = &r->tree->nodes[child];
        TRY(rill_reader_expect(r, name, TREE_STRING, "the name of a method"));
        if (!rill_method_find(name->text)) return rill_reader_fail(r, name->mark, "unknown method '%.40s'", name->text);
    }
    return RILL_OK;
}

/* Bounds of the search must be positive, since it bisects by their ratio. */
static rill_status read_search(reader *r, const tree_node *node, experiment_variant *v) {
    TRY(rill_reader_expect(r, node, TREE_OBJECT, "an object { ... }"));
    TRY(rill_reader_keys(r, node, "variable|from|to|while"));
    TRY(read_needed(r, node, "variable", &v->largest));
    TRY(read_needed(r, node, "while", &v->holds));
    TRY(check_expression(r, node->mark, v->holds));
    const tree_node *from = member(r, node, "from"), *to = member(r, node, "to");
    if (!from || !to) return rill_reader_fail(r, node->mark, "expected both 'from' and 'to'");
    TRY(read_number(r, from, &v->lowest));
    TRY(read_number(r, to, &v->highest));
    if (!(v->lowest > 0 && v->highest > v->lowest))
        return rill_reader_fail(r, node->mark, "expected 0 < from < to, not %g and %g", v->lowest, v->highest);
    return RILL_OK;
}

static rill_status read_variant(reader *r, const tree_node *node, void *item) {
    experiment_variant *v = item;
    TRY(rill_reader_keys(r, node, "name|effort|methods|variables|set|largest"));
    TRY(read_needed(r, node, "name", &v->name));
    v->effort = EFFORT_NORMAL;
    TRY(read_choice(r, node, "effort", EFFORTS, &v->effort));
    v->methods = member(r, node, "methods");
    if (v->methods) TRY(check_methods(r, v->methods));
    const tree_node *search = member(r, node, "largest");
    if (search) TRY(read_search(r, search, v));
    TRY(add_sets(r, node, "variables", "variables.", v));
    return add_sets(r, node, "set", "", v);
}

static rill_status check_profile(reader *r, const experiment_measure *m) {
    for (int child = m->profile->first; child != TREE_NONE; child = r->tree->nodes[child].next) {
        const tree_node *pair = &r->tree->nodes[child];
        const tree_node *first = pair->kind == TREE_LIST && pair->count == 2 ? &r->tree->nodes[pair->first] : NULL;
        if (!first || !first->text || !r->tree->nodes[first->next].text)
            return rill_reader_fail(r, pair->mark, "expected a pair [place, column]");
        TRY(check_expression(r, first->mark, first->text));
        TRY(check_expression(r, first->mark, r->tree->nodes[first->next].text));
    }
    return m->profile->count ? RILL_OK : rill_reader_fail(r, m->profile->mark, "is empty; expected pairs");
}

static rill_status read_measure(reader *r, const tree_node *node, void *item) {
    experiment_measure *m = item;
    int take = 0;
    m->name = node->key;
    m->mark = node->mark;
    if (!m->name || !rill_expression_is_name(m->name))
        return rill_reader_fail(r, node->mark, "measures are an object of names; expected letters, digits and '_'");
    TRY(rill_reader_keys(r, node, "value|of|x|take|from|to|smooth|at|profile|against|table|column"));
    const struct {
        const char *key, **text;
        bool is_word;
    } texts[] = {{"value", &m->value, false}, {"of", &m->of, false},           {"x", &m->x, false},
                 {"from", &m->from, false},   {"smooth", &m->smooth, false},   {"to", &m->to, false},
                 {"at", &m->at, false},       {"against", &m->against, false}, {"take", &m->take, true},
                 {"table", &m->table, true},  {"column", &m->column, true}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        TRY(read_text(r, node, texts[k].key, texts[k].text));
        if (!texts[k].is_word) TRY(check_expression(r, node->mark, *texts[k].text));
    }
    if ((m->profile = member(r, node, "profile")) != NULL) {
        TRY(rill_reader_expect(r, m->profile, TREE_LIST, "a list of pairs [place, column]"));
        TRY(check_profile(r, m));
        return m->against ? RILL_OK : rill_reader_fail(r, node->mark, "'against' is missing; a profile needs it");
    }
    if (m->value) return RILL_OK;
    if (!m->of || !m->take)
        return rill_reader_fail(r, node->mark, "expected 'value', 'profile', or both 'of' and 'take'");
    TRY(read_choice(r, node, "take", MEASURE_TAKES, &take));
    if (rill_experiment_compares(m) && !m->table)
        return rill_reader_fail(r, node->mark, "'table' is missing; '%s' needs it", m->take);
    if (!strcmp(m->take, "when") && !m->at)
        return rill_reader_fail(r, node->mark, "'at' is missing; 'when' needs the value to wait for");
    return RILL_OK;
}

static rill_status read_expectation(reader *r, const tree_node *node, experiment_expectation *x) {
    const tree_node *range = node;
    x->key = node->key;
    x->low = -HUGE_VAL, x->high = HUGE_VAL;
    if (node->kind == TREE_OBJECT) {
        TRY(rill_reader_keys(r, node, "range|fails|reason"));
        TRY(read_text(r, node, "fails", &x->fails));
        TRY(read_text(r, node, "reason", &x->reason));
        if (x->fails) return RILL_OK;
        range = member(r, node, "range");
    }
    if (!range || range->kind != TREE_LIST || range->count != 2)
        return rill_reader_fail(r, node->mark, "expected an interval [low, high], or {\"fails\": \"why\"}");
    const tree_node *low = &r->tree->nodes[range->first];
    TRY(read_number(r, low, &x->low));
    TRY(read_number(r, &r->tree->nodes[low->next], &x->high));
    if (x->low > x->high) return rill_reader_fail(r, node->mark, "the lower limit exceeds the upper one");
    return RILL_OK;
}

static rill_status read_expectations(reader *r, const tree_node *node, experiment_result *result) {
    const tree_node *expect = member(r, node, "expect");
    if (!expect) return RILL_OK;
    TRY(rill_reader_expect(r, expect, TREE_OBJECT, "an object of methods and intervals"));
    result->expectations = calloc((size_t)expect->count + 1, sizeof *result->expectations);
    if (!result->expectations) return no_memory(r);
    for (int child = expect->first; child != TREE_NONE; child = r->tree->nodes[child].next) {
        const size_t length = rill_reader_enter(r, ".expect.%.60s", r->tree->nodes[child].key);
        TRY(read_expectation(r, &r->tree->nodes[child], &result->expectations[result->expectation_count++]));
        rill_reader_leave(r, length);
    }
    return RILL_OK;
}

/* Reads a number, or {"value": number, "why": text}. */
static rill_status read_publication(reader *r, const tree_node *node, experiment_publication *p) {
    const tree_node *value = node;
    p->key = node->key;
    if (node->kind == TREE_OBJECT) {
        TRY(rill_reader_keys(r, node, "value|why"));
        TRY(read_text(r, node, "why", &p->why));
        value = member(r, node, "value");
        if (!value) return rill_reader_fail(r, node->mark, "'value' is missing here");
    }
    TRY(read_number(r, value, &p->value));
    if (p->value == 0) return rill_reader_fail(r, node->mark, "is 0; a relative difference needs another value");
    return RILL_OK;
}

static rill_status read_publications(reader *r, const tree_node *node, experiment_result *result) {
    const tree_node *published = member(r, node, "published");
    if (!published) return RILL_OK;
    TRY(rill_reader_expect(r, published, TREE_OBJECT, "an object of methods and numbers"));
    result->publications = calloc((size_t)published->count + 1, sizeof *result->publications);
    if (!result->publications) return no_memory(r);
    for (int child = published->first; child != TREE_NONE; child = r->tree->nodes[child].next) {
        const size_t length = rill_reader_enter(r, ".published.%.60s", r->tree->nodes[child].key);
        TRY(read_publication(r, &r->tree->nodes[child], &result->publications[result->publication_count++]));
        rill_reader_leave(r, length);
    }
    return RILL_OK;
}

static rill_status read_result(reader *r, const tree_node *node, void *item) {
    experiment_result *result = item;
    result->mark = node->mark;
    TRY(rill_reader_keys(r, node, "name|unit|note|value|reference|reference_variant|error|goal|expect|published|why"));
    TRY(read_needed(r, node, "name", &result->name));
    TRY(read_needed(r, node, "value", &result->value));
    TRY(read_text(r, node, "unit", &result->unit));
    TRY(read_text(r, node, "note", &result->note));
    TRY(read_text(r, node, "why", &result->why));
    TRY(read_text(r, node, "reference", &result->reference));
    TRY(read_text(r, node, "reference_variant", &result->reference_variant));
    TRY(check_expression(r, node->mark, result->value));
    TRY(check_expression(r, node->mark, result->reference));
    int error = result->reference || result->reference_variant ? 0 : 1;
    TRY(read_choice(r, node, "error", "relative|absolute", &error));
    result->absolute = error == 1;
    const tree_node *goal = member(r, node, "goal");
    if (goal) TRY(read_number(r, goal, &result->goal));
    TRY(read_publications(r, node, result));
    return read_expectations(r, node, result);
}

static rill_status read_plot(reader *r, const tree_node *node, void *item) {
    experiment_plot *p = item;
    TRY(rill_reader_keys(r, node, "kind|title|x_title|y_title|x|y|of|method|variant|lines|reference|table|column"));
    TRY(read_choice(r, node, "kind", PLOT_KINDS, &p->kind));
    TRY(read_choice(r, node, "lines", PLOT_LINES, &p->lines));
    const struct {
        const char *key, **text;
    } texts[] = {{"title", &p->title},   {"x_title", &p->x_title}, {"y_title", &p->y_title},    {"x", &p->x},
                 {"y", &p->y},           {"of", &p->of},           {"method", &p->method},      {"table", &p->table},
                 {"column", &p->column}, {"variant", &p->variant}, {"reference", &p->reference}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) TRY(read_text(r, node, texts[k].key, texts[k].text));
    if (p->kind == PLOT_TIME && !p->y)
        return rill_reader_fail(r, node->mark, "'y' is missing; a plot of time needs it");
    if (p->kind != PLOT_TIME && p->kind != PLOT_RESIDUALS && !p->of)
        return rill_reader_fail(r, node->mark, "'of' is missing; expected a name");
    if (p->kind == PLOT_VALUE && !p->x)
        return rill_reader_fail(r, node->mark, "'x' is missing; a plot of values needs it");
    return RILL_OK;
}

/* ---- the document ---- */

/* Reads a text, or a list of lines. */
static rill_status read_about(reader *r, const tree_node *root, experiment *e) {
    const tree_node *node = member(r, root, "about");
    size_t size = 0;
    FILE *stream = open_memstream(&e->about, &size);
    if (!stream) return no_memory(r);
    rill_status status = RILL_OK;
    if (node && node->kind == TREE_LIST) {
        for (int child = node->first; child != TREE_NONE && !status; child = r->tree->nodes[child].next) {
            status = rill_reader_expect(r, &r->tree->nodes[child], TREE_STRING, "a text in double quotes");
            if (!status) fprintf(stream, "%s%s", child == node->first ? "" : "\n", r->tree->nodes[child].text);
        }
    } else if (node) {
        status = rill_reader_expect(r, node, TREE_STRING, "a text in double quotes, or a list of them");
        if (!status && node->text) fputs(node->text, stream);
    }
    return fclose(stream) ? no_memory(r) : status;
}

static bool has_variant(const experiment *e, const char *name) {
    for (int k = 0; k < e->variant_count; k++)
        if (e->variants[k].name && !strcmp(e->variants[k].name, name)) return true;
    return false;
}

/* Whether a key has the form "METHOD", "METHOD VARIANT", or either with "default" as the method. */
static bool key_fits(const experiment *e, const char *key) {
    char method[RILL_NAME_SIZE];
    const size_t length = strcspn(key, " ");
    snprintf(method, sizeof method, "%.*s", (int)length, key);
    if (strcmp(method, "default") && !rill_method_find(method)) return false;
    return !key[length] || has_variant(e, key + length + 1);
}

static rill_status check_key(reader *r, const experiment *e, tree_mark mark, const char *key) {
    if (key_fits(e, key)) return RILL_OK;
    return rill_reader_fail(r, mark, "'%s' is neither \"METHOD\" nor \"METHOD VARIANT\"; expected the names of both",
                            key);
}

static rill_status check_names(reader *r, const experiment *e) {
    for (int k = 0; k < e->result_count; k++) {
        const experiment_result *result = &e->results[k];
        for (int n = 0; n < result->expectation_count; n++)
            TRY(check_key(r, e, result->mark, result->expectations[n].key));
        for (int n = 0; n < result->publication_count; n++)
            TRY(check_key(r, e, result->mark, result->publications[n].key));
        if (result->reference_variant && !has_variant(e, result->reference_variant))
            return rill_reader_fail(r, result->mark, "there is no variant '%s'", result->reference_variant);
    }
    return RILL_OK;
}

static rill_status read_document(reader *r, experiment *e) {
    const tree_node *root = &r->tree->nodes[0];
    TRY(rill_reader_keys(r, root,
                         "title|about|source|chapter|methods|resolution|scene|variants|measures|results|plots"));
    TRY(read_needed(r, root, "title", &e->title));
    TRY(read_text(r, root, "source", &e->source));
    TRY(read_text(r, root, "chapter", &e->chapter));
    TRY(read_text(r, root, "resolution", &e->resolution));
    TRY(read_about(r, root, e));
    const tree_node *scene_node = member(r, root, "scene");
    e->methods = member(r, root, "methods");
    if (!scene_node || !e->methods) return rill_reader_fail(r, root->mark, "expected both 'scene' and 'methods'");
    e->scene = (int)(scene_node - r->tree->nodes);
    TRY(check_methods(r, e->methods));
    TRY(read_items(r, "variants", sizeof *e->variants, (void **)&e->variants, &e->variant_count, read_variant));
    TRY(read_items(r, "measures", sizeof *e->measures, (void **)&e->measures, &e->measure_count, read_measure));
    TRY(read_items(r, "results", sizeof *e->results, (void **)&e->results, &e->result_count, read_result));
    TRY(read_items(r, "plots", sizeof *e->plots, (void **)&e->plots, &e->plot_count, read_plot));
    if (!e->variant_count || !e->result_count)
        return rill_reader_fail(r, root->mark, "expected at least one variant and one result");
    return check_names(r, e);
}

experiment *rill_experiment_parse(const char *label, const char *text, size_t size, rill_error *error) {
    experiment *e = calloc(1, sizeof *e);
    if (!e) {
        rill_fail(error, RILL_MEMORY, "%s: no memory for an experiment", label);
        return NULL;
    }
    snprintf(e->path, sizeof e->path, "%s", label);
    const char *base = strrchr(e->path, '/');
    base = base ? base + 1 : e->path;
    const size_t length = strlen(base), end = length > 5 && !strcmp(base + length - 5, ".json") ? length - 5 : length;
    snprintf(e->name, sizeof e->name, "%.*s", (int)end, base);
    if (rill_tree_parse(&e->tree, label, text, size, true, error) == RILL_OK) {
        reader r = {.label = label, .tree = &e->tree, .strict = true, .error = error};
        if (read_document(&r, e) == RILL_OK) return e;
    }
    rill_experiment_free(e);
    return NULL;
}

void rill_experiment_free(experiment *e) {
    if (!e) return;
    for (int k = 0; k < e->variant_count; k++) {
        for (int n = 0; n < e->variants[k].set_count; n++) free(e->variants[k].sets[n]);
        free(e->variants[k].sets);
    }
    for (int k = 0; k < e->result_count; k++) free(e->results[k].expectations), free(e->results[k].publications);
    free(e->variants);
    free(e->measures);
    free(e->results);
    free(e->plots);
    free(e->about);
    rill_tree_free(&e->tree);
    free(e);
}
