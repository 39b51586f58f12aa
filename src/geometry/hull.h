/* SPDX-License-Identifier: MIT */
/* Convex hulls: of points in 3D as triangles, of points in 2D as a ring. */
#ifndef RILL_GEOMETRY_HULL_H
#define RILL_GEOMETRY_HULL_H

#include "geometry/mesh.h"
#include "rill/types.h"

/* A set of more points than this is a mesh rather than the corners of a hull. */
#define HULL_MAX_POINTS 4096

/* Makes triangles that face outwards. Fails if the points lie in one plane. */
rill_status rill_hull_build(memory *m, const rill_vec *points, int count, owned_mesh *out, rill_error *error);
/* Writes the corners counter-clockwise into `ring` (room for `count` + 1) and returns their number, less than 3 if the
   points lie on a line. Reorders `points`. */
int rill_hull_ring(rill_vec *points, int count, rill_vec *ring);

#endif
