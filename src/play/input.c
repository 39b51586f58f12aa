/* SPDX-License-Identifier: MIT */
/* Reading and writing inputs by one table. */
#include "play/input.h"

#include "core/error.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum member_type {
    MEMBER_VEC,
    MEMBER_NUMBER,
    MEMBER_BOOL,
    MEMBER_TEXT,
    MEMBER_VALUE,
    MEMBER_POINTS
} member_type;

typedef struct member {
    const char *name;
    member_type type;
    size_t offset, size;
    double min, max; /* of numbers, and of each component of a vector */
} member;

#define FAR 1e4 /* [m] */

enum {
    AT = 1 << 0,
    TO = 1 << 1,
    RAY = 1 << 2,
    VELOCITY = 1 << 3,
    SIZE = 1 << 4,
    VECTOR = 1 << 5,
    RADIUS = 1 << 6,
    THICKNESS = 1 << 7,
    DENSITY = 1 << 8,
    SECONDS = 1 << 9,
    RATE = 1 << 10,
    BODY = 1 << 11,
    SOLID = 1 << 12,
    GAUGE = 1 << 13,
    ON = 1 << 14,
    FLUID = 1 << 15,
    NAME = 1 << 16,
    KIND = 1 << 17,
    PATH = 1 << 18,
    VALUE = 1 << 19,
    POINTS = 1 << 20,
    AFTER = 1 << 21,
    MEMBER_COUNT = 22
};

#define MEMBER(name, type, min, max) \
    { #name, type, offsetof(play_input, name), sizeof(((play_input *)0)->name), min, max }

/* In the order of their bits. */
static const member members[MEMBER_COUNT] = {
    MEMBER(at, MEMBER_VEC, -FAR, FAR),
    MEMBER(to, MEMBER_VEC, -FAR, FAR),
    MEMBER(ray, MEMBER_VEC, -FAR, FAR),
    MEMBER(velocity, MEMBER_VEC, -100, 100),
    MEMBER(size, MEMBER_VEC, 1e-4, FAR),
    MEMBER(vector, MEMBER_VEC, -1000, 1000),
    MEMBER(radius, MEMBER_NUMBER, 1e-6, FAR),
    MEMBER(thickness, MEMBER_NUMBER, 1e-6, FAR),
    MEMBER(density, MEMBER_NUMBER, 1, 1e5),
    MEMBER(seconds, MEMBER_NUMBER, 0, 1e6),
    MEMBER(rate, MEMBER_NUMBER, 0.01, 1),
    MEMBER(body, MEMBER_NUMBER, 1, 1e9),
    MEMBER(solid, MEMBER_NUMBER, 1, 1e9),
    MEMBER(gauge, MEMBER_NUMBER, 1, 1e9),
    MEMBER(on, MEMBER_BOOL, 0, 1),
    MEMBER(fluid, MEMBER_TEXT, 0, 0),
    MEMBER(name, MEMBER_TEXT, 0, 0),
    MEMBER(kind, MEMBER_TEXT, 0, 0),
    MEMBER(path, MEMBER_TEXT, 0, 0),
    MEMBER(value, MEMBER_VALUE, 0, 0),
    MEMBER(points, MEMBER_POINTS, -FAR, FAR),
    MEMBER(after, MEMBER_NUMBER, 1, 1e9),
};

typedef struct word {
    const char *name;
    unsigned required, optional;
    const char *extra; /* members that are read elsewhere: "a|b" */
} word;

static const word words[PLAY_WORD_COUNT] = {
    [PLAY_RATE_OF_TIME] = {"rate", RATE, 0, NULL},
    [PLAY_METHOD] = {"method", NAME, 0, NULL},
    [PLAY_GRAVITY] = {"gravity", VECTOR, 0, NULL},
    [PLAY_SET] = {"set", PATH | VALUE, 0, NULL},
    [PLAY_GRAB] = {"grab", AT, RAY | RADIUS, NULL},
    [PLAY_DRAG] = {"drag", TO, 0, NULL},
    [PLAY_DROP] = {"drop", 0, 0, NULL},
    [PLAY_PUSH] = {"push", AT | VELOCITY | RADIUS, 0, NULL},
    [PLAY_POUR] = {"pour", AT | RADIUS, FLUID | VELOCITY, NULL},
    [PLAY_ERASE] = {"erase", AT | RADIUS, 0, NULL},
    [PLAY_WALL] = {"wall", POINTS, THICKNESS, NULL},
    [PLAY_BOX] = {"box", AT | SIZE, DENSITY, NULL},
    [PLAY_REMOVE] = {"remove", 0, BODY | SOLID | GAUGE, NULL},
    [PLAY_GAUGE] = {"gauge", KIND | AT, 0, NULL},
    [PLAY_CUT] = {"cut", AFTER, 0, NULL},
    [PLAY_PLAY] = {"play", 0, RATE, NULL},
    [PLAY_PAUSE] = {"pause", 0, 0, NULL},
    [PLAY_STEP] = {"step", 0, 0, NULL},
    [PLAY_RESET] = {"reset", 0, 0, NULL},
    [PLAY_REWIND] = {"rewind", SECONDS, 0, NULL},
    [PLAY_SAVE] = {"save", 0, 0, NULL},
    [PLAY_RECORD] = {"record", ON, 0, NULL},
    [PLAY_RECORDING] = {"recording", 0, 0, NULL},
    [PLAY_HASH] = {"hash", 0, 0, NULL},
    [PLAY_INFO] = {"info", 0, 0, NULL},
    [PLAY_SCENE] = {"scene", 0, 0, NULL},
    [PLAY_FRAME] = {"frame", 0, 0, "fields"},
    [PLAY_LINKS] = {"links", ON, 0, NULL},
    [PLAY_OPEN] = {"open", 0, NAME, "scene"},
    [PLAY_REPLAY] = {"replay", 0, ON, "recording"},
};

/* Some words have a name of their own for a member. */
static const char *spelt(play_word w, const member *m) {
    if (w == PLAY_GRAVITY && m->offset == offsetof(play_input, vector)) return "value";
    if (w == PLAY_REPLAY && m->offset == offsetof(play_input, on)) return "fast";
    return m->name;
}

const char *rill_play_word_name(play_word w) {
    return words[w].name;
}

play_word rill_play_word_find(const char *name) {
    int w = 0;
    while (w < PLAY_WORD_COUNT && strcmp(words[w].name, name) != 0) w++;
    return (play_word)w;
}

void rill_play_input_cut(play_input *input, int after) {
    memset(input, 0, sizeof *input);
    input->word = PLAY_CUT, input->given = AFTER, input->after = after;
}

bool rill_play_given(const play_input *input, const char *name) {
    for (int k = 0; k < MEMBER_COUNT; k++)
        if (!strcmp(members[k].name, name)) return input->given >> k & 1;
    return false;
}

/* ---- reading ---- */

typedef struct input_reader {
    const tree *tree;
    const char *word, *name;
    int dim;
    rill_error *error;
} input_reader;

static rill_status refuse(const input_reader *r, const char *expected) {
    return rill_fail(r->error, RILL_FORMAT, "%s: %s: expected %s", r->word, r->name, expected);
}

static rill_status read_number(const input_reader *r, const tree_node *node, const member *m, double *value) {
    char *end;
    if (node->kind != TREE_PLAIN) return refuse(r, "a number");
    /* strtod accepts more than JSON: hexadecimal numbers, infinity. */
    if (strspn(node->text, "+-.0123456789eE") != strlen(node->text)) return refuse(r, "a number");
    *value = strtod(node->text, &end);
    if (end == node->text || *end || !isfinite(*value)) return refuse(r, "a number");
    if (*value < m->min || *value > m->max)
        return rill_fail(r->error, RILL_INVALID, "%s: %s is %g; expected %g to %g", r->word, r->name, *value, m->min,
                         m->max);
    return RILL_OK;
}

static rill_status read_vec(const input_reader *r, const tree_node *node, const member *m, rill_vec *v) {
    double value[3] = {0};
    int count = 0;
    if (r->dim == 0) return rill_fail(r->error, RILL_INVALID, "%s: there is no world yet; open a scene first", r->word);
    if (node->kind != TREE_LIST || node->count < r->dim || node->count > 3)
        return refuse(r, "a list of 2 or 3 numbers");
    for (int k = node->first; k != TREE_NONE && count < r->dim; k = r->tree->nodes[k].next)
        TRY(read_number(r, &r->tree->nodes[k], m, &value[count++]));
    *v = (rill_vec){(float)value[0], (float)value[1], (float)value[2]};
    return RILL_OK;
}

static rill_status read_points(const input_reader *r, const tree_node *node, const member *m, play_input *input) {
    if (node->kind != TREE_LIST || node->count < 1 || node->count > PLAY_POINTS_MAX)
        return refuse(r, "a list of points, at most 256");
    for (int k = node->first; k != TREE_NONE; k = r->tree->nodes[k].next)
        TRY(read_vec(r, &r->tree->nodes[k], m, &input->points[input->point_count++]));
    return RILL_OK;
}

static rill_status copy_text(const input_reader *r, const char *text, char *out, size_t size) {
    if (strlen(text) >= size) return refuse(r, "a shorter text");
    memcpy(out, text, strlen(text) + 1);
    return RILL_OK;
}

/* Writes the value of a parameter as the text that rill_world_set_text expects. */
static rill_status read_value(const input_reader *r, const tree_node *node, char *out, size_t size) {
    size_t length = 0;
    if (node->kind == TREE_STRING || node->kind == TREE_PLAIN) return copy_text(r, node->text, out, size);
    if (node->kind != TREE_LIST) return refuse(r, "a number, a text, true, false or a vector");
    for (int k = node->first; k != TREE_NONE; k = r->tree->nodes[k].next) {
        const tree_node *item = &r->tree->nodes[k];
        if (item->kind != TREE_PLAIN || length + strlen(item->text) + 4 >= size) return refuse(r, "a short vector");
        out[length] = length ? ',' : '[';
        memcpy(out + length + 1, item->text, strlen(item->text));
        length += 1 + strlen(item->text);
    }
    if (length == 0) return refuse(r, "a vector of numbers");
    memcpy(out + length, "]", 2);
    return RILL_OK;
}

static rill_status read_member(const input_reader *r, const tree_node *node, const member *m, play_input *input) {
    char *place = (char *)input + m->offset;
    switch (m->type) {
    case MEMBER_VEC:
        return read_vec(r, node, m, (rill_vec *)(void *)place);
    case MEMBER_NUMBER:
        return read_number(r, node, m, (double *)(void *)place);
    case MEMBER_BOOL:
        if (node->kind != TREE_PLAIN || (strcmp(node->text, "true") != 0 && strcmp(node->text, "false") != 0))
            return refuse(r, "true or false");
        *(bool *)place = node->text[0] == 't';
        return RILL_OK;
    case MEMBER_TEXT:
        if (node->kind != TREE_STRING) return refuse(r, "a text");
        return copy_text(r, node->text, place, m->size);
    case MEMBER_VALUE:
        return read_value(r, node, place, m->size);
    case MEMBER_POINTS:
        return read_points(r, node, m, input);
    }
    return RILL_INVALID;
}

/* The bit of a member that this word has; -1: it has none of this name. */
static int find_member(play_word w, const char *name) {
    const unsigned has = words[w].required | words[w].optional;
    for (int k = 0; k < MEMBER_COUNT; k++)
        if ((has >> k & 1) && !strcmp(spelt(w, &members[k]), name)) return k;
    return -1;
}

static bool is_extra(const word *w, const char *name) {
    return !strcmp(name, "do") || !strcmp(name, "step") || (w->extra && !strcmp(name, w->extra));
}

rill_status rill_play_input_read(play_input *input, const tree *t, const tree_node *object, int dim,
                                 rill_error *error) {
    memset(input, 0, sizeof *input);
    input->word = PLAY_WORD_COUNT;
    if (object->kind != TREE_OBJECT) return rill_fail(error, RILL_FORMAT, "a message is an object: {\"do\": ...}");
    const tree_node *what = rill_tree_member(t, object, "do");
    if (!what || what->kind != TREE_STRING) return rill_fail(error, RILL_FORMAT, "a message says what to \"do\"");
    input->word = rill_play_word_find(what->text);
    if (input->word == PLAY_WORD_COUNT)
        return rill_fail(error, RILL_NOT_FOUND, "there is nothing called '%.40s' to do", what->text);
    const word *w = &words[input->word];
    input_reader r = {t, w->name, NULL, dim, error};
    for (int k = object->first; k != TREE_NONE; k = t->nodes[k].next) {
        const tree_node *node = &t->nodes[k];
        r.name = node->key;
        if (is_extra(w, node->key)) continue;
        const int bit = find_member(input->word, node->key);
        if (bit < 0) return rill_fail(error, RILL_FORMAT, "%s: unknown member '%.40s'", w->name, node->key);
        if (input->given >> bit & 1) return refuse(&r, "it once");
        TRY(read_member(&r, node, &members[bit], input));
        input->given |= 1u << bit;
    }
    for (int k = 0; k < MEMBER_COUNT; k++)
        if (w->required & ~input->given & 1u << k)
            return rill_fail(error, RILL_FORMAT, "%s: '%s' is missing", w->name, spelt(input->word, &members[k]));
    return RILL_OK;
}

/* ---- writing ---- */

void rill_play_json_vec(json *j, const char *key, rill_vec v, int dim) {
    const float value[3] = {v.x, v.y, v.z};
    rill_json_array(j, key);
    for (int k = 0; k < dim && k < 3; k++) rill_json_number(j, NULL, (double)value[k]);
    rill_json_end_array(j);
}

static void write_member(const play_input *input, const member *m, const char *key, int dim, json *j) {
    const char *place = (const char *)input + m->offset;
    switch (m->type) {
    case MEMBER_VEC:
        rill_play_json_vec(j, key, *(const rill_vec *)(const void *)place, dim);
        return;
    case MEMBER_NUMBER:
        rill_json_number(j, key, *(const double *)(const void *)place);
        return;
    case MEMBER_BOOL:
        rill_json_bool(j, key, *(const bool *)place);
        return;
    case MEMBER_TEXT:
    case MEMBER_VALUE:
        rill_json_text(j, key, place);
        return;
    case MEMBER_POINTS:
        rill_json_array(j, key);
        for (int k = 0; k < input->point_count; k++) rill_play_json_vec(j, NULL, input->points[k], dim);
        rill_json_end_array(j);
        return;
    }
}

void rill_play_input_write(const play_input *input, int64_t step, int dim, json *j) {
    rill_json_object(j, NULL);
    rill_json_integer(j, "step", step);
    rill_json_text(j, "do", words[input->word].name);
    for (int k = 0; k < MEMBER_COUNT; k++)
        if (input->given >> k & 1) write_member(input, &members[k], spelt(input->word, &members[k]), dim, j);
    rill_json_end_object(j);
}
