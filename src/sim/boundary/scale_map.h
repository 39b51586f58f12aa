/* SPDX-License-Identifier: MIT */
/* How much of the kernel a solid covers, against a plane at the same distance: less where it curves away, more in its
   hollows. */
#ifndef RILL_SIM_BOUNDARY_SCALE_MAP_H
#define RILL_SIM_BOUNDARY_SCALE_MAP_H

#include "sim/boundary/form.h"

/* Makes the model's map for a fluid of this support, around the shape as `inside` has it. Flat walls (half-spaces and
   boxes that contain) need none. */
rill_status scale_map_make(rill_world *world, shape_model *model, const form *f);
/* At a point in the shape's frame, with its gradient; 1 where there is no map. */
float scale_map_at(const shape_model *model, vec p, vec *slope);
/* Against the gradient of the covered share, which a plane's normal is not where the solid bends. */
vec scale_map_lean(const shape_model *model, const wall *at, vec slope);

#endif
