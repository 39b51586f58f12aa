/* SPDX-License-Identifier: MIT */
/* Shapes as geometry: their frames, and their surfaces as triangles or, in 2D, as edges.
   A shape has a frame of its own: its point p lies at origin + turn p in the world as it was given. Shapes with points
   or parts are scaled in their own frame. */
#ifndef RILL_GEOMETRY_SHAPE_H
#define RILL_GEOMETRY_SHAPE_H

#include "geometry/mesh.h"
#include "rill/types.h"

typedef struct shape_frame {
    double origin[3], turn[3][3];
} shape_frame;

/* The frame as the shape was given; in 2D it is rotated about z. */
shape_frame rill_shape_frame_of(const rill_shape *shape, int dim);
/* The frame of a compound's part. */
shape_frame rill_shape_frame_in(const shape_frame *outer, const shape_frame *part);
dvec rill_shape_to_world(const shape_frame *frame, dvec p);
/* A part at the size it has in its compound. The result still refers to the points and parts of `part`: only `scale`
   differs. */
rill_shape rill_shape_scaled(const rill_shape *part, float scale);

/* Checks the points of a shape: their number, and that they form a valid shape. For the kinds that have points. */
rill_status rill_shape_check_points(const rill_shape *shape, int dim, rill_error *error);

/* Triangles of a finite 3D shape in its own frame, facing outwards; on round surfaces their edges are at most about
   `detail` long. A compound has the triangles of all its parts, a half-space has none. A sheet (mesh with thickness)
   has those of its middle surface. */
rill_status rill_shape_mesh(memory *m, const rill_shape *shape, double detail, owned_mesh *out, rill_error *error);

/* Edges in the plane from (x0, y0) to (x1, y1), with the shape on their left. */
typedef struct outline {
    float (*edges)[4];
    int count, room;
} outline;

/* Edges of a finite 2D shape in its own frame; those of round parts are at most about `detail` long. A chain of
   segments has the edges of the strip around it. */
rill_status rill_shape_outline(memory *m, const rill_shape *shape, double detail, outline *out, rill_error *error);
/* The edges that the distance to a polygon, hull, height field or chain is measured to: for a chain its middle line. */
rill_status rill_shape_edges(memory *m, const rill_shape *shape, outline *out, rill_error *error);
void rill_outline_free(memory *m, outline *o);
bool rill_outline_contains(const outline *o, double x, double y);

#endif
