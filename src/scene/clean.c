/* SPDX-License-Identifier: MIT */
/* The pass before libyaml. Comments become blanks, since YAML has no // comments. Characters that have a meaning in
   YAML but not in JSON are refused, with their line and column. */
#include "core/error.h"
#include "scene/tree.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct cleaner {
    const char *label, *text;
    size_t size, at;
    char *out;
    size_t length;
    tree_mark mark;
    rill_error *error;
} cleaner;

static bool is_continuation(char c) {
    return ((unsigned char)c & 0xC0) == 0x80;
}

static bool ends_line(const cleaner *c) {
    return c->text[c->at] == '\n' || c->text[c->at] == '\r';
}

/* Takes one byte and counts lines and columns. A column is a character, not a byte. */
static char take(cleaner *c) {
    char byte = c->text[c->at++];
    bool return_before_newline = byte == '\r' && c->at < c->size && c->text[c->at] == '\n';
    if (byte == '\n' || (byte == '\r' && !return_before_newline)) {
        c->mark.line++;
        c->mark.column = 1;
    } else if (!is_continuation(byte)) {
        c->mark.column++;
    }
    return byte;
}

static void keep(cleaner *c) {
    c->out[c->length++] = take(c);
}

/* Replaces one character by one blank, so that later columns are unchanged. */
static void blank(cleaner *c) {
    bool line_end = ends_line(c);
    char byte = take(c);
    if (line_end)
        c->out[c->length++] = byte;
    else if (!is_continuation(byte))
        c->out[c->length++] = ' ';
}

/* YAML ends a line at these three characters. Inside a JSON text they are ordinary characters, so they are escaped. */
static bool keep_line_separator(cleaner *c) {
    static const struct {
        const char *bytes, *escape;
    } separators[] = {{"\xC2\x85", "\\N"}, {"\xE2\x80\xA8", "\\L"}, {"\xE2\x80\xA9", "\\P"}};
    for (size_t k = 0; k < sizeof separators / sizeof separators[0]; k++) {
        size_t length = strlen(separators[k].bytes);
        if (c->size - c->at < length || memcmp(c->text + c->at, separators[k].bytes, length)) continue;
        while (length--) take(c);
        c->out[c->length++] = separators[k].escape[0];
        c->out[c->length++] = separators[k].escape[1];
        return true;
    }
    return false;
}

static rill_status clean_string(cleaner *c) {
    tree_mark start = c->mark;
    keep(c);
    while (c->at < c->size && !ends_line(c)) {
        if (keep_line_separator(c)) continue;
        char byte = c->text[c->at];
        keep(c);
        if (byte == '"') return RILL_OK;
        if (byte == '\\' && c->at < c->size && !ends_line(c)) keep(c);
    }
    return rill_tree_fail(c->error, c->label, start, NULL, "the text is not closed on its line; expected another '\"'");
}

static rill_status clean_comment(cleaner *c) {
    tree_mark start = c->mark;
    char second = c->at + 1 < c->size ? c->text[c->at + 1] : '\0';
    if (second == '/') {
        while (c->at < c->size && !ends_line(c)) blank(c);
        return RILL_OK;
    }
    if (second != '*')
        return rill_tree_fail(c->error, c->label, start, NULL, "stray '/'; comments are written // or /* ... */");
    blank(c), blank(c);
    while (c->at < c->size) {
        if (c->text[c->at] == '*' && c->at + 1 < c->size && c->text[c->at + 1] == '/') {
            blank(c), blank(c);
            return RILL_OK;
        }
        blank(c);
    }
    return rill_tree_fail(c->error, c->label, start, NULL, "the comment is not closed; expected '*/'");
}

static rill_status refuse(const cleaner *c) {
    unsigned char byte = (unsigned char)c->text[c->at];
    if (byte == '#')
        return rill_tree_fail(c->error, c->label, c->mark, NULL, "stray '#'; comments are written // or /* ... */");
    if (byte == '\'') return rill_tree_fail(c->error, c->label, c->mark, NULL, "stray \"'\"; texts need double quotes");
    if (byte == '&' || byte == '*' || byte == '!' || byte == '|' || byte == '>' || byte == '%' || byte == '?')
        return rill_tree_fail(c->error, c->label, c->mark, NULL,
                              "stray '%c'; a scene is JSON: no anchors, aliases, tags or block texts of YAML", byte);
    if (byte < 0x20 || byte >= 0x7F)
        return rill_tree_fail(c->error, c->label, c->mark, NULL, "stray byte 0x%02X; texts need double quotes", byte);
    return rill_tree_fail(c->error, c->label, c->mark, NULL, "stray '%c'; texts need double quotes", byte);
}

static rill_status clean_one(cleaner *c) {
    char byte = c->text[c->at];
    if (byte == '"') return clean_string(c);
    if (byte == '/') return clean_comment(c);
    /* Blanks replace tabs: one before the first bracket would confuse libyaml. */
    if (byte == '\t' || byte == ' ' || ends_line(c)) {
        blank(c);
        return RILL_OK;
    }
    if (byte == '\0' || (!isalnum((unsigned char)byte) && !strchr("{}[],:+-._", byte))) return refuse(c);
    keep(c);
    return RILL_OK;
}

rill_status rill_tree_clean(const char *label, const char *text, size_t size, char **clean, size_t *clean_size,
                            rill_error *error) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    cleaner c = {.label = label, .text = text, .size = size, .mark = {1, 1}, .error = error};
    if (size >= 3 && !memcmp(text, byte_order_mark, 3)) c.at = 3;
    c.out = malloc(size + 1);
    if (!c.out) return rill_fail(error, RILL_MEMORY, "%s: no memory for %zu bytes of text", label, size);
    rill_status status = RILL_OK;
    while (!status && c.at < size) status = clean_one(&c);
    if (status) {
        free(c.out);
        return status;
    }
    c.out[c.length] = '\0';
    *clean = c.out;
    *clean_size = c.length;
    return RILL_OK;
}
