/* SPDX-License-Identifier: MIT */
/* Macros for rows of parameter tables. A row takes key and offset from the struct member, and does not compile if the
   member has another C type than the row's.

   static const rill_param wcsph_rows[] = {
       ROW_NUMBER(wcsph_params, sound_speed, RILL_SPEED, 0, 1e5, 0, "speed of sound; 0: from depth and speed",
                  "thesis 3.40"),
       ROW_CHOICE(wcsph_params, pressure, "linear|tait", 1, "equation of state", NULL),
   };
   static const rill_table wcsph_table = TABLE("wcsph", "Weakly compressible SPH", wcsph_params, wcsph_rows);

   `doc` is one line without a full stop and without the unit. `equation` is the place in the paper, or NULL. Rows of
   LIVE_NUMBER, LIVE_INT, ... may change while a world runs. */
#ifndef RILL_MODEL_TABLE_H
#define RILL_MODEL_TABLE_H

#include "rill/param.h"

#include <stddef.h>

/* Bound of a number that needs none: large, but far from the largest float. */
#define TABLE_HUGE 1e30

/* The offset of a member, whose type is checked against that of the row. */
#define ROW_OFFSET(struct_type, member, pointer_type) \
    (offsetof(struct_type, member) + _Generic(&((struct_type *)0)->member, pointer_type : 0))

/* ROW_NUMBER(struct, member, quantity, min, max, initial, doc, equation): a float in SI. */
#define NUMBER_ROW(struct_type, member, quantity_, min_, max_, initial_, doc_, equation_)            \
    .key = #member, .type = RILL_TYPE_NUMBER, .quantity = (quantity_), .min = (min_), .max = (max_), \
    .initial = (initial_), .doc = (doc_), .equation = (equation_), .offset = ROW_OFFSET(struct_type, member, float *)
#define ROW_NUMBER(...) \
    { NUMBER_ROW(__VA_ARGS__) }
#define LIVE_NUMBER(...) \
    { NUMBER_ROW(__VA_ARGS__), .live = true }

/* ROW_INT(struct, member, min, max, initial, doc, equation): an int32_t. */
#define INT_ROW(struct_type, member, min_, max_, initial_, doc_, equation_)                                    \
    .key = #member, .type = RILL_TYPE_INT, .min = (min_), .max = (max_), .initial = (initial_), .doc = (doc_), \
    .equation = (equation_), .offset = ROW_OFFSET(struct_type, member, int32_t *)
#define ROW_INT(...) \
    { INT_ROW(__VA_ARGS__) }
#define LIVE_INT(...) \
    { INT_ROW(__VA_ARGS__), .live = true }

/* ROW_BOOL(struct, member, initial, doc, equation) */
#define BOOL_ROW(struct_type, member, initial_, doc_, equation_)                                                     \
    .key = #member, .type = RILL_TYPE_BOOL, .max = 1, .initial = (initial_), .doc = (doc_), .equation = (equation_), \
    .offset = ROW_OFFSET(struct_type, member, bool *)
#define ROW_BOOL(...) \
    { BOOL_ROW(__VA_ARGS__) }
#define LIVE_BOOL(...) \
    { BOOL_ROW(__VA_ARGS__), .live = true }

/* ROW_VEC(struct, member, quantity, min, max, x, y, z, doc, equation): a rill_vec; the range is that of each
   component. */
#define VEC_ROW(struct_type, member, quantity_, min_, max_, x_, y_, z_, doc_, equation_)          \
    .key = #member, .type = RILL_TYPE_VEC, .quantity = (quantity_), .min = (min_), .max = (max_), \
    .initial_vec = {x_, y_, z_}, .doc = (doc_), .equation = (equation_),                          \
    .offset = ROW_OFFSET(struct_type, member, rill_vec *)
#define ROW_VEC(...) \
    { VEC_ROW(__VA_ARGS__) }
#define LIVE_VEC(...) \
    { VEC_ROW(__VA_ARGS__), .live = true }
/* PLACE_VEC(struct, member, min, max, x, y, z, doc, equation): a rill_vec that is a position in the world [m]. */
#define PLACE_ROW(struct_type, member, ...) VEC_ROW(struct_type, member, RILL_LENGTH, __VA_ARGS__), .place = true
#define PLACE_VEC(...) \
    { PLACE_ROW(__VA_ARGS__) }
#define LIVE_PLACE(...) \
    { PLACE_ROW(__VA_ARGS__), .live = true }

/* ROW_CHOICE(struct, member, "one|two", initial index or enum value, doc, equation): an int32_t. */
#define ROW_CHOICE(struct_type, member, choices_, initial_, doc_, equation_) \
    ROW_CHOICE_AS(struct_type, member, #member, choices_, initial_, doc_, equation_)

/* ROW_CHOICE_AS(struct, member, key, ...): as ROW_CHOICE, with a key that is not the member's name. */
#define ROW_CHOICE_AS(struct_type, member, key_, choices_, initial_, doc_, equation_)                         \
    {                                                                                                         \
        .key = (key_), .type = RILL_TYPE_CHOICE, .initial = (initial_), .choices = (choices_), .doc = (doc_), \
        .equation = (equation_), .offset = ROW_OFFSET(struct_type, member, int32_t *)                         \
    }

/* ROW_NAME(struct, member, initial text, doc, equation): a char[RILL_NAME_SIZE]. */
#define ROW_NAME(struct_type, member, initial_, doc_, equation_) \
    ROW_NAME_AS(struct_type, member, #member, initial_, doc_, equation_)

/* ROW_NAME_AS(struct, member, key, ...): as ROW_NAME, with a key that is not the member's name. */
#define ROW_NAME_AS(struct_type, member, key_, initial_, doc_, equation_)                                     \
    {                                                                                                         \
        .key = (key_), .type = RILL_TYPE_NAME, .choices = (initial_), .doc = (doc_), .equation = (equation_), \
        .offset = ROW_OFFSET(struct_type, member, char(*)[RILL_NAME_SIZE])                                    \
    }

/* ROW_FILE(struct, member, doc, equation): a char[RILL_FILE_SIZE], empty by default. */
#define ROW_FILE(struct_type, member, doc_, equation_)                                                 \
    {                                                                                                  \
        .key = #member, .type = RILL_TYPE_FILE, .choices = "", .doc = (doc_), .equation = (equation_), \
        .offset = ROW_OFFSET(struct_type, member, char(*)[RILL_FILE_SIZE])                             \
    }

/* ROW_POINTS(struct, member, quantity, min, max, doc, equation): a rill_points, empty by default. */
#define POINTS_ROW(struct_type, member, quantity_, min_, max_, doc_, equation_)                                     \
    .key = #member, .type = RILL_TYPE_POINTS, .quantity = (quantity_), .min = (min_), .max = (max_), .doc = (doc_), \
    .equation = (equation_), .offset = ROW_OFFSET(struct_type, member, rill_points *)
#define ROW_POINTS(...) \
    { POINTS_ROW(__VA_ARGS__) }
/* PLACE_POINTS: as ROW_POINTS, for positions in the world. */
#define PLACE_POINTS(...) \
    { POINTS_ROW(__VA_ARGS__), .place = true }

/* ROW_NUMBERS(struct, member, quantity, min, max, doc, equation): a rill_numbers, empty by default. */
#define ROW_NUMBERS(struct_type, member, quantity_, min_, max_, doc_, equation_)                          \
    {                                                                                                     \
        .key = #member, .type = RILL_TYPE_NUMBERS, .quantity = (quantity_), .min = (min_), .max = (max_), \
        .doc = (doc_), .equation = (equation_), .offset = ROW_OFFSET(struct_type, member, rill_numbers *) \
    }

/* A rill_table over an array of rows. */
#define TABLE(name_, about_, struct_type, rows_)                                                                   \
    {                                                                                                              \
        .name = (name_), .about = (about_), .params = (rows_), .count = (int)(sizeof(rows_) / sizeof((rows_)[0])), \
        .size = sizeof(struct_type)                                                                                \
    }

/* A row as it applies to an object: the kind of a joint decides the quantity of its degree of freedom. */
rill_param rill_row_of(const rill_table *table, const rill_param *param, const void *object);

#endif
