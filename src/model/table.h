/* SPDX-License-Identifier: MIT */
/* Macros that write parameter tables. A row takes key and offset from the struct member, and does not compile if the
   member's C type is not the one that the row's type stands for.

   static const rill_param wcsph_rows[] = {
       ROW_NUMBER(wcsph_params, sound_speed, RILL_SPEED, 0, 1e5, 0, "speed of sound; 0: from depth and speed",
                  "thesis 3.40"),
       ROW_CHOICE(wcsph_params, pressure, "linear|tait", 1, "equation of state", NULL),
   };
   static const rill_table wcsph_table = TABLE("wcsph", "Weakly compressible SPH", wcsph_params, wcsph_rows);

   `doc` is one line without a full stop and without the unit; `equation` names the place in the paper, or NULL.
   LIVE_NUMBER and its like write rows of objects that may change while a world runs. */
#ifndef RILL_MODEL_TABLE_H
#define RILL_MODEL_TABLE_H

#include "rill/param.h"

#include <stddef.h>

/* Range end of a number that needs no bound: large, yet far from overflowing a float. */
#define TABLE_HUGE 1e30

/* Offset of a member, checked against the type that the row promises. */
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

/* ROW_VEC(struct, member, quantity, min, max, x, y, z, doc, equation): the range holds for each component. */
#define VEC_ROW(struct_type, member, quantity_, min_, max_, x_, y_, z_, doc_, equation_)          \
    .key = #member, .type = RILL_TYPE_VEC, .quantity = (quantity_), .min = (min_), .max = (max_), \
    .initial_vec = {x_, y_, z_}, .doc = (doc_), .equation = (equation_),                          \
    .offset = ROW_OFFSET(struct_type, member, rill_vec *)
#define ROW_VEC(...) \
    { VEC_ROW(__VA_ARGS__) }
#define LIVE_VEC(...) \
    { VEC_ROW(__VA_ARGS__), .live = true }
/* The same for points of the world, in metres: PLACE_VEC(struct, member, min, max, x, y, z, doc, equation). */
#define PLACE_ROW(struct_type, member, ...) VEC_ROW(struct_type, member, RILL_LENGTH, __VA_ARGS__), .place = true
#define PLACE_VEC(...) \
    { PLACE_ROW(__VA_ARGS__) }
#define LIVE_PLACE(...) \
    { PLACE_ROW(__VA_ARGS__), .live = true }

/* ROW_CHOICE(struct, member, "one|two", initial index or enum value, doc, equation): an int32_t. */
#define ROW_CHOICE(struct_type, member, choices_, initial_, doc_, equation_) \
    ROW_CHOICE_AS(struct_type, member, #member, choices_, initial_, doc_, equation_)

/* The same under a key that is not the member's name. */
#define ROW_CHOICE_AS(struct_type, member, key_, choices_, initial_, doc_, equation_)                         \
    {                                                                                                         \
        .key = (key_), .type = RILL_TYPE_CHOICE, .initial = (initial_), .choices = (choices_), .doc = (doc_), \
        .equation = (equation_), .offset = ROW_OFFSET(struct_type, member, int32_t *)                         \
    }

/* ROW_NAME(struct, member, initial text, doc, equation): a char[RILL_NAME_SIZE]. */
#define ROW_NAME(struct_type, member, initial_, doc_, equation_) \
    ROW_NAME_AS(struct_type, member, #member, initial_, doc_, equation_)

/* The same under a key that is not the member's name. */
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
/* The same for points of the world. */
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

/* The row as it is in this object: what the freedom of a joint is measured in follows from the joint's kind. */
rill_param rill_row_of(const rill_table *table, const rill_param *param, const void *object);

#endif
