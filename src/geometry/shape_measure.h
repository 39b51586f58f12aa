/* SPDX-License-Identifier: MIT */
/* Volume, centre and inertia of shapes, for density 1. In 2D a shape is a prism one metre thick, and only rotation
   about z counts. */
#ifndef RILL_GEOMETRY_SHAPE_MEASURE_H
#define RILL_GEOMETRY_SHAPE_MEASURE_H

#include "geometry/shape.h"
#include "geometry/shape_model.h"

/* Measures the shape as it was given. `models` are those of the shape, or of a compound's parts; parts that overlap
   count twice. Fails for a shape without volume. */
rill_status rill_shape_measure(const rill_shape *shape, const shape_model *const *models, int dim, mesh_solid *out,
                               rill_error *error);

#endif
