/* SPDX-License-Identifier: MIT */
/* How much of the kernel a solid covers, against a plane at the same distance: less where it curves away, more in its
   hollows. */
#ifndef RILL_SOLID_CURVATURE_MAP_H
#define RILL_SOLID_CURVATURE_MAP_H

#include "solid/placed_shape.h"

/* Makes the map for a fluid of the world's support, around the shape as `inside` has it. Flat walls (half-spaces and
   boxes that contain) need none. */
rill_status rill_curvature_map_make(rill_world *world, shared_shape *shared, const placed_shape *f);
/* At a point in the shape's frame, with its gradient; 1 where there is no map. */
float rill_curvature_map_at(const curvature_map *map, vec p, vec *slope);
/* Against the gradient of the covered share, which a plane's normal is not where the solid bends. */
vec rill_curvature_map_lean(const curvature_map *map, const wall *at, vec slope);

#endif
