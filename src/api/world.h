/* SPDX-License-Identifier: MIT */
/* What the files of src/api share. */
#ifndef RILL_API_WORLD_H
#define RILL_API_WORLD_H

#include "api/pool.h"

/* A world of this definition with nothing in it. */
rill_world *world_make(const rill_world_def *def, rill_error *error);

/* Checks a shape by its table and by its kind. */
rill_status check_shape(rill_world *world, const rill_shape *shape);
/* Gives the shape points of its own, and takes them back. */
rill_status shape_own(rill_world *world, rill_shape *shape);
void shape_release(rill_world *world, rill_shape *shape);

#endif
