/* SPDX-License-Identifier: MIT */
/* One triangle and one point: the closest point, and the solid angle. */
#ifndef RILL_GEOMETRY_TRIANGLE_H
#define RILL_GEOMETRY_TRIANGLE_H

#include "core/dvec.h"

/* The region of a triangle that contains the closest point. Corner k is k; the edge from corner k to the next is EDGE +
   k. */
typedef enum triangle_region {
    REGION_CORNER = 0,
    REGION_EDGE = 3,
    REGION_FACE = 6,
} triangle_region;

/* The point of the triangle a, b, c nearest to p; `region` may be NULL. */
dvec rill_triangle_closest(dvec p, dvec a, dvec b, dvec c, triangle_region *region);
/* Signed solid angle of the triangle seen from p, positive from behind. Over a closed surface it sums to 4 pi at a
   point inside. */
double rill_triangle_solid_angle(dvec p, dvec a, dvec b, dvec c);

#endif
