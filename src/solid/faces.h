/* SPDX-License-Identifier: MIT */
/* The surface of a body as small cells, on which pressure acts where no particle fits. */
#ifndef RILL_SOLID_FACES_H
#define RILL_SOLID_FACES_H

#include "solid/placed_shape.h"

/* Cuts the surface of a shape that is no compound, in its own frame. */
rill_status rill_faces_make(rill_world *world, shared_shape *shared, const rill_shape *shape);

#endif
