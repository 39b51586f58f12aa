/* SPDX-License-Identifier: MIT */
/* Shapes as geometry: their frames, and their surfaces as triangles or, in 2D, as edges.

   A shape lies in a frame of its own: a point p of it is at origin + turn p in the world as it was given. The sizes of
   shapes with points or parts are scaled in that frame. */
#ifndef RILL_GEOMETRY_SHAPE_H
#define RILL_GEOMETRY_SHAPE_H

#include "geometry/mesh.h"
#include "rill/types.h"

typedef struct shape_frame {
    double origin[3], turn[3][3];
} shape_frame;

/* The frame as the shape was given; in 2D it turns about z. */
shape_frame rill_shape_frame_of(const rill_shape *shape, int dim);
/* The frame of a compound's part. */
shape_frame rill_shape_frame_in(const shape_frame *outer, const shape_frame *part);
dvec rill_shape_to_world(const shape_frame *frame, dvec p);
/* A part as large as it is in its compound. Points and parts are still those of `part`: only its `scale` has changed.
 */
rill_shape rill_shape_scaled(const rill_shape *part, float scale);

/* Are points enough, and do they make sense? For the kinds that have them. */
rill_status rill_shape_check_points(const rill_shape *shape, int dim, rill_error *error);

/* Triangles of a finite shape in 3D in its own frame, facing out, edges no longer than about `detail` on what is round.
   A compound has the triangles of all its parts, a half_space none. A sheet (mesh with thickness) is its middle. */
rill_status rill_shape_mesh(memory *m, const rill_shape *shape, double detail, owned_mesh *out, rill_error *error);

/* Edges in the plane from (x0, y0) to (x1, y1), the shape on the left. */
typedef struct outline {
    float (*edges)[4];
    int count, room;
} outline;

/* The same in 2D. A chain of segments has the edges of the strip around it. */
rill_status rill_shape_outline(memory *m, const rill_shape *shape, double detail, outline *out, rill_error *error);
/* The edges that the distance to a polygon, hull, heightfield or chain is measured from: a chain's are its middle. */
rill_status rill_shape_edges(memory *m, const rill_shape *shape, outline *out, rill_error *error);
void rill_outline_free(memory *m, outline *o);
bool rill_outline_contains(const outline *o, double x, double y);

#endif
