/* SPDX-License-Identifier: MIT */
/* Convex hulls: of points in space as triangles, of points in the plane as a ring. */
#ifndef RILL_GEOMETRY_HULL_H
#define RILL_GEOMETRY_HULL_H

#include "geometry/mesh.h"
#include "rill/types.h"

/* More points than this are a mesh, not the corners of a hull. */
#define HULL_MAX_POINTS 4096

/* Triangles that face out. Fails if the points lie in a plane. */
rill_status rill_hull_build(memory *m, const rill_vec *points, int count, owned_mesh *out, rill_error *error);
/* Corners counter-clockwise into `ring` (room for `count` + 1); returns how many there are, less than 3 for points on a
   line. Reorders `points`. */
int rill_hull_ring(rill_vec *points, int count, rill_vec *ring);

#endif
