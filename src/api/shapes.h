/* SPDX-License-Identifier: MIT */
/* Shapes that a world keeps. */
#ifndef RILL_API_SHAPES_H
#define RILL_API_SHAPES_H

#include "solid/shape_library.h"

/* Checks a shape by its table and by its kind. */
rill_status rill_check_shape(rill_world *world, const rill_shape *shape);
/* Releases the points and parts that belong to the shape. */
void rill_shape_release(rill_world *world, rill_shape *shape);
/* The properties of this world that models of shapes depend on. */
shape_context rill_shape_context_of(rill_world *world);
/* Checks, copies, and makes the models; on error nothing is kept. */
rill_status rill_shape_keep(rill_world *world, rill_shape *shape, shape_models *models);
/* The points that contacts of a body are found from. */
rill_status rill_make_contact_samples(rill_world *world, const body *b);
void rill_shape_let_go(rill_world *world, rill_shape *shape, shape_models *models);

#endif
