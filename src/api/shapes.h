/* SPDX-License-Identifier: MIT */
/* The shapes that a world keeps. */
#ifndef RILL_API_SHAPES_H
#define RILL_API_SHAPES_H

#include "solid/shape_library.h"

/* Checks a shape, and the parts of a compound, by their table and by their kind. */
rill_status rill_check_shape(rill_world *world, const rill_shape *shape);
/* Frees the points and parts that a shape owns. */
void rill_shape_release(rill_world *world, rill_shape *shape);
/* The properties of a world on which models of shapes depend. */
shape_context rill_shape_context_of(rill_world *world);
/* Checks a shape, gives it copies of its points and parts, and makes its models. On error nothing is kept. */
rill_status rill_shape_keep(rill_world *world, rill_shape *shape, shape_models *models);
/* Chooses the points on a body's surface by which its contacts are found. */
rill_status rill_make_contact_samples(rill_world *world, const body *b);
/* Frees all that rill_shape_keep made. */
void rill_shape_let_go(rill_world *world, rill_shape *shape, shape_models *models);

#endif
