/* SPDX-License-Identifier: MIT */
/* The surface of a body cut into small cells, on which pressure acts where no particle fits. */
#ifndef RILL_SOLID_FACES_H
#define RILL_SOLID_FACES_H

#include "solid/placed_shape.h"

/* Cuts the surface of a shape, not of a compound, in the shape's own frame. */
rill_status rill_faces_make(rill_world *world, shared_shape *shared, const rill_shape *shape);

#endif
