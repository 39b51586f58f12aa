/* SPDX-License-Identifier: MIT */
/* Shapes that a world keeps. */
#ifndef RILL_API_SHAPES_H
#define RILL_API_SHAPES_H

#include "solid/shape_library.h"

/* Checks a shape by its table and by its kind. */
rill_status check_shape(rill_world *world, const rill_shape *shape);
/* Gives the shape points and parts of its own, and takes them back. */
rill_status shape_own(rill_world *world, rill_shape *shape);
void shape_release(rill_world *world, rill_shape *shape);
/* What models of shapes depend on in this world. */
shape_context shape_context_of(rill_world *world);
/* Checks, copies, and makes the models; on error nothing is kept. */
rill_status shape_keep(rill_world *world, rill_shape *shape, shape_models *models);
/* The points that contacts of a body are found from. */
rill_status make_touch_points(rill_world *world, const body *b);
void shape_let_go(rill_world *world, rill_shape *shape, shape_models *models);

#endif
