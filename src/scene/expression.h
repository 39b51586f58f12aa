/* SPDX-License-Identifier: MIT */
/* Expressions over named numbers, as scenes and experiments have them: + - * / ^, comparisons (1 or 0), a ? b : c,
   parentheses, sqrt sin cos tan tanh exp log abs floor ceil round, min and max of several values, pi, g. The same bits
   on every machine and in every locale. */
#ifndef RILL_SCENE_EXPRESSION_H
#define RILL_SCENE_EXPRESSION_H

#include "rill/base.h"

typedef enum expression_found {
    EXPRESSION_UNKNOWN, /* a name that is not a variable's; it may be a constant's */
    EXPRESSION_WAITS,   /* somebody's, who has no value yet */
    EXPRESSION_FOUND
} expression_found;

/* Values of names. `find` may be NULL: there are no names. */
typedef struct expression_names {
    expression_found (*find)(const void *context, const char *name, double *value);
    const void *context;
} expression_names;

typedef struct expression_problem {
    int character;             /* where, from 1 */
    char name[RILL_NAME_SIZE]; /* that has no value; empty: something else is wrong */
    char text[160];
} expression_problem;

/* The value of a text, which may begin with '='. False: `problem` says why. A value that is not finite is a problem
   unless the caller wants it. */
bool rill_expression_value(const char *text, expression_names names, double *value, expression_problem *problem);
bool rill_expression_any_value(const char *text, expression_names names, double *value, expression_problem *problem);

/* Whether a variable may be called so: letters, digits and '_', no digit first, no function's name. */
bool rill_expression_is_name(const char *name);

#endif
