/* SPDX-License-Identifier: MIT */
/* Variables of a scene: numbers with names that every number of the scene may be computed from. */
#ifndef RILL_SCENE_VARIABLES_H
#define RILL_SCENE_VARIABLES_H

#include "scene/expression.h"
#include "scene/reader.h"

#define VARIABLES_MAX 256

/* Reads "variables" of the object `root` into the scene; `sets` may replace values. In any order; what cannot be
   computed, because it needs itself or an unknown name, is refused. */
rill_status rill_variables_read(reader *r, const tree_node *root, const scene_sets *sets, scene *s);

/* Computes a text that begins with '=' out of the variables that the reader knows. */
rill_status rill_variables_value(const reader *r, tree_mark mark, const char *text, double *value);

#endif
