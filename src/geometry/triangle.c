/* SPDX-License-Identifier: MIT */
/* One triangle and one point. The closest point is found by testing the Voronoi regions of corners, edges and face
   (Ericson 2005, section 5.1.5). The solid angle follows van Oosterom and Strackee 1983. */
#include "geometry/triangle.h"

#include "core/trig.h"

static dvec found(triangle_region *region, int where, dvec point) {
    if (region) *region = (triangle_region)where;
    return point;
}

dvec rill_triangle_closest(dvec p, dvec a, dvec b, dvec c, triangle_region *region) {
    const dvec ab = dvec_sub(b, a), ac = dvec_sub(c, a), ap = dvec_sub(p, a);
    const double d1 = dvec_dot(ab, ap), d2 = dvec_dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) return found(region, REGION_CORNER + 0, a);

    const dvec bp = dvec_sub(p, b);
    const double d3 = dvec_dot(ab, bp), d4 = dvec_dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) return found(region, REGION_CORNER + 1, b);

    const dvec cp = dvec_sub(p, c);
    const double d5 = dvec_dot(ab, cp), d6 = dvec_dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) return found(region, REGION_CORNER + 2, c);

    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return found(region, REGION_EDGE + 0, dvec_along(a, d1 / (d1 - d3), ab));
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 >= d3 && d5 >= d6)
        return found(region, REGION_EDGE + 1, dvec_along(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), dvec_sub(c, b)));
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return found(region, REGION_EDGE + 2, dvec_along(a, d2 / (d2 - d6), ac));

    const double scale = 1.0 / (va + vb + vc);
    return found(region, REGION_FACE, dvec_along(dvec_along(a, vb * scale, ab), vc * scale, ac));
}

double rill_triangle_solid_angle(dvec p, dvec a, dvec b, dvec c) {
    a = dvec_sub(a, p), b = dvec_sub(b, p), c = dvec_sub(c, p);
    const double la = dvec_length(a), lb = dvec_length(b), lc = dvec_length(c);
    const double above = dvec_dot(a, dvec_cross(b, c));
    const double below = la * lb * lc + dvec_dot(a, b) * lc + dvec_dot(b, c) * la + dvec_dot(c, a) * lb;
    return above == 0.0 ? 0.0 : 2.0 * rill_trig_atan2(above, below);
}
