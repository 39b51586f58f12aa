/* SPDX-License-Identifier: MIT */
/* Expressions over named numbers in scenes and experiments: + - * / ^, comparisons (1 or 0), a ? b : c, parentheses,
   sqrt sin cos tan tanh exp log abs floor ceil round, min and max of several values, pi, g. They give the same bits on
   every machine and in every locale. */
#ifndef RILL_SCENE_EXPRESSION_H
#define RILL_SCENE_EXPRESSION_H

#include "rill/base.h"

typedef enum expression_found {
    EXPRESSION_UNKNOWN, /* not a variable; it may be a constant */
    EXPRESSION_WAITS,   /* a variable without a value so far */
    EXPRESSION_FOUND
} expression_found;

/* Looks up the values of names. `find` may be NULL if there are none. */
typedef struct expression_names {
    expression_found (*find)(const void *context, const char *name, double *value);
    const void *context;
} expression_names;

typedef struct expression_problem {
    int character;             /* its position, from 1 */
    char name[RILL_NAME_SIZE]; /* the name without a value; empty: another problem */
    char text[160];
} expression_problem;

/* Evaluates a text, which may begin with '='. If it fails, `problem` gives the reason. rill_expression_value refuses
   values that are not finite. */
bool rill_expression_value(const char *text, expression_names names, double *value, expression_problem *problem);
bool rill_expression_any_value(const char *text, expression_names names, double *value, expression_problem *problem);

/* Whether this is a valid variable name: letters, digits and '_', not starting with a digit, and not a function's
   name. */
bool rill_expression_is_name(const char *name);

#endif
