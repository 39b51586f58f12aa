/* SPDX-License-Identifier: MIT */
/* The surface of a shape as a mesh, for files that other programs draw: line pieces in 2D, triangles in 3D. */
#ifndef RILL_IO_SHAPE_SURFACE_H
#define RILL_IO_SHAPE_SURFACE_H

#include "rill/rill.h"

typedef struct shape_surface {
    int corners; /* of a cell: 2 for line pieces, 3 for triangles, counter-clockwise seen from outside the solid */
    int point_count, cell_count;
    rill_vec *points;
    int32_t *cells; /* `corners` point numbers each */
} shape_surface;

/* Where the shape is as it was added. What has no end (a half-space) gives no cells, a sheet its middle.
   shape_surface_free it in any case. */
rill_status shape_surface_make(const rill_shape *shape, int dim, shape_surface *surface, rill_error *error);
void shape_surface_free(shape_surface *surface);

#endif
