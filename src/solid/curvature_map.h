/* SPDX-License-Identifier: MIT */
/* The share of the kernel that a solid covers, relative to a plane at the same distance: less where the solid curves
   away, more in its hollows. */
#ifndef RILL_SOLID_CURVATURE_MAP_H
#define RILL_SOLID_CURVATURE_MAP_H

#include "solid/placed_shape.h"

/* Makes the map for a fluid of the world's support, inside or around the shape as `inside` says. Flat walls
   (half-spaces and boxes that contain) need none. */
rill_status rill_curvature_map_make(rill_world *world, shared_shape *shared, const placed_shape *f);
/* The ratio at a point in the shape's frame, with its gradient; 1 where there is no map. */
float rill_curvature_map_at(const curvature_map *map, vec p, vec *slope);
/* The unit vector against the gradient of the covered share. Where the solid bends it differs from the plane's
   normal. */
vec rill_curvature_map_lean(const curvature_map *map, const wall *at, vec slope);

#endif
