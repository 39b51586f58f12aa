/* SPDX-License-Identifier: MIT */
/* A parser for JSON with comments. It always reads the messages of a web page, and scenes where libyaml is not
   available (in a browser). */
#include "scene/tree.h"

#include "core/error.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
    tree *tree;
    const char *label;
    const char *at, *end;
    tree_mark mark; /* position of `at` */
    bool strict;
    char *room; /* decoded texts in progress; decoding makes a text at most twice as long */
    size_t used;
    rill_error *error;
} parser;

static rill_status fail_at(const parser *p, tree_mark mark, const char *what) {
    return rill_tree_fail(p->error, p->label, mark, NULL, "%s", what);
}

static bool at_end(const parser *p) {
    return p->at == p->end;
}

/* The next byte; 0 at the end, since no text contains a zero. */
static char next(const parser *p) {
    return at_end(p) ? '\0' : *p->at;
}

static void step(parser *p) {
    const unsigned char byte = (unsigned char)*p->at++;
    if (byte == '\n')
        p->mark.line++, p->mark.column = 1;
    else if ((byte & 0xC0) != 0x80)
        p->mark.column++;
}

static void skip_blanks(parser *p) {
    while (!at_end(p) && strchr(" \t\r\n", *p->at) && *p->at) step(p);
}

/* ---- texts ---- */

static void put(parser *p, unsigned char byte) {
    p->room[p->used++] = (char)byte;
}

/* Appends a character as UTF-8. An escape of two bytes (\L) gives at most three and longer ones give fewer than they
   have, so the room suffices. */
static void put_letter(parser *p, unsigned code) {
    if (code < 0x80) {
        put(p, (unsigned char)code);
    } else if (code < 0x800) {
        put(p, (unsigned char)(0xC0 | code >> 6)), put(p, (unsigned char)(0x80 | (code & 63)));
    } else if (code < 0x10000) {
        put(p, (unsigned char)(0xE0 | code >> 12)), put(p, (unsigned char)(0x80 | (code >> 6 & 63)));
        put(p, (unsigned char)(0x80 | (code & 63)));
    } else {
        put(p, (unsigned char)(0xF0 | code >> 18)), put(p, (unsigned char)(0x80 | (code >> 12 & 63)));
        put(p, (unsigned char)(0x80 | (code >> 6 & 63))), put(p, (unsigned char)(0x80 | (code & 63)));
    }
}

static rill_status read_hex(parser *p, unsigned *code) {
    *code = 0;
    for (int k = 0; k < 4; k++) {
        const char digit = next(p);
        if (!isxdigit((unsigned char)digit)) return fail_at(p, p->mark, "expected four hexadecimal digits after '\\u'");
        *code = 16 * *code + (unsigned)(digit <= '9' ? digit - '0' : tolower((unsigned char)digit) - 'a' + 10);
        step(p);
    }
    return RILL_OK;
}

/* \uXXXX, or a pair of them for one character. */
static rill_status read_code(parser *p) {
    const tree_mark mark = p->mark;
    unsigned code, low;
    TRY(read_hex(p, &code));
    if (code >= 0xD800 && code < 0xDC00 && p->end - p->at >= 2 && p->at[0] == '\\' && p->at[1] == 'u') {
        step(p), step(p);
        TRY(read_hex(p, &low));
        if (low >= 0xDC00 && low < 0xE000) code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code >= 0xD800 && code < 0xE000)
        return fail_at(p, mark, "half of a surrogate pair; expected two '\\u' escapes");
    put_letter(p, code);
    return RILL_OK;
}

static rill_status read_escape(parser *p) {
    /* The last three are written by rill_tree_clean for line separators in a text. */
    static const char names[] = "\"\\/bfnrtNLP";
    static const unsigned codes[] = {'"', '\\', '/', '\b', '\f', '\n', '\r', '\t', 0x85, 0x2028, 0x2029};
    const char name = next(p);
    const char *found = name ? strchr(names, name) : NULL;
    if (name == 'u') {
        step(p);
        return read_code(p);
    }
    if (!found) return fail_at(p, p->mark, "unknown escape in a text; expected JSON");
    step(p);
    put_letter(p, codes[found - names]);
    return RILL_OK;
}

/* The number of bytes of the character that begins here; 0: not UTF-8. */
static int letter_size(const char *at, const char *end) {
    const unsigned char *c = (const unsigned char *)at;
    const int size = c[0] < 0x80 ? 1 : c[0] >= 0xF0 && c[0] < 0xF5 ? 4 : c[0] >= 0xE0 ? 3 : 2;
    if (size > 1 && (c[0] < 0xC2 || c[0] > 0xF4)) return 0;
    if (end - at < size) return 0;
    for (int k = 1; k < size; k++)
        if ((c[k] & 0xC0) != 0x80) return 0;
    if ((c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] >= 0xA0) || (c[0] == 0xF0 && c[1] < 0x90) ||
        (c[0] == 0xF4 && c[1] >= 0x90))
        return 0;
    return size;
}

static rill_status read_letter(parser *p) {
    const int size = letter_size(p->at, p->end);
    if (size == 0) return fail_at(p, p->mark, "invalid bytes; expected UTF-8 text");
    if (size == 1 && (unsigned char)*p->at < 0x20 && *p->at != '\t')
        return fail_at(p, p->mark, "a control character in a text; expected an escape such as '\\n'");
    for (int k = 0; k < size; k++) put(p, (unsigned char)*p->at), step(p);
    return RILL_OK;
}

/* Reads a text in double quotes. Its characters stay in the room until `used` is reset. */
static rill_status read_string(parser *p, tree_text *text) {
    *text = (tree_text){p->room + p->used, 0, p->mark};
    const size_t begin = p->used;
    step(p);
    while (next(p) != '"') {
        if (at_end(p)) return fail_at(p, text->mark, "the text is not closed on its line; expected another '\"'");
        if (*p->at == '\\') {
            step(p);
            TRY(read_escape(p));
        } else {
            TRY(read_letter(p));
        }
    }
    step(p);
    text->size = p->used - begin;
    return RILL_OK;
}

/* Reads a number or a word. Several words on a line are read as one, which the reader of the tree refuses. If not
   strict, everything up to the next JSON sign is one text. */
static tree_text read_plain(parser *p) {
    tree_text text = {p->at, 0, p->mark};
    const char *stop = p->strict ? "{}[],:\"\r\n" : "{}[],";
    while (!at_end(p) && *p->at && !strchr(stop, *p->at)) step(p);
    text.size = (size_t)(p->at - text.data);
    while (text.size > 0 && strchr(" \t\r\n", text.data[text.size - 1])) text.size--;
    return text;
}

/* ---- values ---- */

static rill_status read_value(parser *p, int parent, const tree_text *key);

static rill_status add(parser *p, int parent, const tree_text *key, tree_kind kind, tree_text value, int *index) {
    return rill_tree_add(p->tree, parent, key, kind, value, index, p->label, p->error);
}

static rill_status read_key(parser *p, tree_text *key) {
    skip_blanks(p);
    if (at_end(p)) return fail_at(p, p->mark, "the text ends inside an object; expected '}'");
    if (next(p) != '"') return fail_at(p, p->mark, "expected a key in double quotes or '}'");
    TRY(read_string(p, key));
    skip_blanks(p);
    if (next(p) != ':') return fail_at(p, p->mark, "expected ':' after the key");
    step(p);
    return RILL_OK;
}

static rill_status read_item(parser *p, int parent) {
    const size_t used = p->used;
    tree_text key;
    rill_status status = RILL_OK;
    if (p->tree->nodes[parent].kind == TREE_OBJECT) {
        TRY(read_key(p, &key));
        status = read_value(p, parent, &key);
    } else {
        skip_blanks(p);
        if (at_end(p)) return fail_at(p, p->mark, "the text ends inside a list; expected ']'");
        status = read_value(p, parent, NULL);
    }
    p->used = used;
    return status;
}

/* Reads an object or a list; its opening bracket is next. rill_tree_add refuses nodes deeper than TREE_MAX_DEPTH, which
   also limits the recursion. */
static rill_status read_bracket(parser *p, int parent, const tree_text *key, tree_kind kind) {
    const char end = kind == TREE_OBJECT ? '}' : ']';
    int index;
    TRY(add(p, parent, key, kind, (tree_text){.mark = p->mark}, &index));
    step(p);
    skip_blanks(p);
    while (next(p) != end) {
        TRY(read_item(p, index));
        skip_blanks(p);
        if (next(p) == end) break;
        if (next(p) != ',')
            return fail_at(p, p->mark,
                           kind == TREE_OBJECT ? "expected ',' or '}' after the value"
                                               : "expected ',' or ']' after the value");
        step(p);
        skip_blanks(p);
        if (next(p) == end)
            return fail_at(p, p->mark, "a comma before the closing bracket; expected another value or no comma");
    }
    step(p);
    return RILL_OK;
}

static rill_status read_value(parser *p, int parent, const tree_text *key) {
    int index;
    tree_text text;
    skip_blanks(p);
    switch (next(p)) {
    case '{':
        return read_bracket(p, parent, key, TREE_OBJECT);
    case '[':
        return read_bracket(p, parent, key, TREE_LIST);
    case '"':
        TRY(read_string(p, &text));
        return add(p, parent, key, TREE_STRING, text, &index);
    default:
        text = read_plain(p);
        if (text.size == 0)
            return fail_at(p, p->mark,
                           "expected a value: an object, a list, a text in double quotes, a number, true or false");
        return add(p, parent, key, TREE_PLAIN, text, &index);
    }
}

static rill_status read_document(parser *p) {
    skip_blanks(p);
    if (p->strict && next(p) != '{') return fail_at(p, p->mark, "a scene is a JSON object; expected '{'");
    TRY(read_value(p, TREE_NONE, NULL));
    skip_blanks(p);
    return at_end(p) ? RILL_OK : fail_at(p, p->mark, "text after the end; expected nothing after the closing bracket");
}

static rill_status read_text(parser *p, const char *text, size_t size) {
    p->at = text, p->end = text + size;
    p->room = malloc(2 * size + 1);
    if (!p->room) return rill_fail(p->error, RILL_MEMORY, "%s: no memory for %zu bytes of text", p->label, size);
    const rill_status status = read_document(p);
    free(p->room);
    return status;
}

rill_status rill_tree_parse_json(tree *t, const char *label, const char *text, size_t size, bool strict,
                                 rill_error *error) {
    *t = (tree){0};
    if (size > TREE_MAX_BYTES)
        return rill_fail(error, RILL_LIMIT, "%s: %zu bytes; expected a scene of at most %u", label, size,
                         TREE_MAX_BYTES);
    parser p = {.tree = t, .label = label, .mark = {1, 1}, .strict = strict, .error = error};
    char *clean = NULL;
    if (strict) TRY(rill_tree_clean(label, text, size, &clean, &size, error));
    const rill_status status = read_text(&p, clean ? clean : text, size);
    free(clean);
    if (status) rill_tree_free(t);
    return status;
}

#if defined(RILL_WITHOUT_YAML)
rill_status rill_tree_parse(tree *t, const char *label, const char *text, size_t size, bool strict, rill_error *error) {
    return rill_tree_parse_json(t, label, text, size, strict, error);
}
#endif
