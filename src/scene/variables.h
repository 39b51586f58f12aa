/* SPDX-License-Identifier: MIT */
/* Variables of a scene: named numbers that any number of the scene may be computed from. */
#ifndef RILL_SCENE_VARIABLES_H
#define RILL_SCENE_VARIABLES_H

#include "scene/expression.h"
#include "scene/reader.h"

#define VARIABLES_MAX 256

/* Reads "variables" of the object `root` into the scene; `sets` may replace values. They may be in any order. A
   variable that depends on itself or on an unknown name is refused. */
rill_status rill_variables_read(reader *r, const tree_node *root, const scene_sets *sets, scene *s);

/* Evaluates a text that begins with '=', using the reader's variables. */
rill_status rill_variables_value(const reader *r, tree_mark mark, const char *text, double *value);

#endif
