/* SPDX-License-Identifier: MIT */
/* A small JSON writer: strings are escaped, numbers read back as the same double, and non-finite numbers become
   null. */
#ifndef RILL_IO_JSON_H
#define RILL_IO_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *out;
    int depth;
    bool filled; /* the current object or array has a member already */
    bool flat;   /* members are written on one line; may be changed between calls */
} json;

/* `key` is NULL for array items and for the outermost value. */
void rill_json_object(json *j, const char *key);
void rill_json_array(json *j, const char *key);
void rill_json_end_object(json *j);
void rill_json_end_array(json *j);
void rill_json_text(json *j, const char *key, const char *value);
void rill_json_number(json *j, const char *key, double value);
void rill_json_integer(json *j, const char *key, int64_t value);
void rill_json_bool(json *j, const char *key, bool value);
/* A value that is already JSON. */
void rill_json_raw(json *j, const char *key, const char *value);

#endif
