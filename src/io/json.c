/* SPDX-License-Identifier: MIT */
/* Writes JSON. Reading is done in src/scene. A library for so little output would be one more package to install. */
#include "io/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Writes a text in quotes, without a key. */
static void json_write_text(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '\n') {
            fputs("\\n", out);
        } else if (*c == '"' || *c == '\\') {
            fprintf(out, "\\%c", *c);
        } else if (*c < 0x20 || *c == 0x7F) {
            fprintf(out, "\\u%04x", (unsigned)*c);
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

/* Writes the comma, line break and key before a value. */
static void write_key(json *j, const char *key) {
    if (j->filled) fputs(j->flat ? ", " : ",", j->out);
    if (j->depth && !j->flat) fprintf(j->out, "\n%*s", 2 * j->depth, "");
    if (key) {
        json_write_text(j->out, key);
        fputs(": ", j->out);
    }
    j->filled = true;
}

static void open_level(json *j, const char *key, char bracket) {
    write_key(j, key);
    fputc(bracket, j->out);
    j->depth++;
    j->filled = false;
}

static void close_level(json *j, char bracket) {
    j->depth--;
    if (j->filled && !j->flat) fprintf(j->out, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->out);
    j->filled = true;
    if (j->depth == 0) fputc('\n', j->out);
}

void rill_json_object(json *j, const char *key) {
    open_level(j, key, '{');
}

void rill_json_array(json *j, const char *key) {
    open_level(j, key, '[');
}

void rill_json_end_object(json *j) {
    close_level(j, '}');
}

void rill_json_end_array(json *j) {
    close_level(j, ']');
}

void rill_json_text(json *j, const char *key, const char *value) {
    write_key(j, key);
    json_write_text(j->out, value);
}

void rill_json_raw(json *j, const char *key, const char *value) {
    write_key(j, key);
    fputs(value, j->out);
}

void rill_json_number(json *j, const char *key, double value) {
    char text[40] = "null";
    write_key(j, key);
    for (int digits = 6; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, j->out);
}

void rill_json_integer(json *j, const char *key, int64_t value) {
    write_key(j, key);
    fprintf(j->out, "%" PRId64, value);
}

void rill_json_bool(json *j, const char *key, bool value) {
    write_key(j, key);
    fputs(value ? "true" : "false", j->out);
}
