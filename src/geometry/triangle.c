/* SPDX-License-Identifier: MIT */
/* One triangle and one point. The closest point walks the Voronoi regions of corners, edges and face (Ericson 2005,
   section 5.1.5); the solid angle is by van Oosterom and Strackee 1983. */
#include "geometry/triangle.h"

static vec3 found(triangle_region *region, int where, vec3 point) {
    if (region) *region = (triangle_region)where;
    return point;
}

vec3 triangle_closest(vec3 p, vec3 a, vec3 b, vec3 c, triangle_region *region) {
    const vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), ap = vec3_sub(p, a);
    const double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) return found(region, REGION_CORNER + 0, a);

    const vec3 bp = vec3_sub(p, b);
    const double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) return found(region, REGION_CORNER + 1, b);

    const vec3 cp = vec3_sub(p, c);
    const double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) return found(region, REGION_CORNER + 2, c);

    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return found(region, REGION_EDGE + 0, vec3_along(a, d1 / (d1 - d3), ab));
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 >= d3 && d5 >= d6)
        return found(region, REGION_EDGE + 1, vec3_along(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), vec3_sub(c, b)));
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return found(region, REGION_EDGE + 2, vec3_along(a, d2 / (d2 - d6), ac));

    const double scale = 1.0 / (va + vb + vc);
    return found(region, REGION_FACE, vec3_along(vec3_along(a, vb * scale, ab), vc * scale, ac));
}

double triangle_solid_angle(vec3 p, vec3 a, vec3 b, vec3 c) {
    a = vec3_sub(a, p), b = vec3_sub(b, p), c = vec3_sub(c, p);
    const double la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
    const double above = vec3_dot(a, vec3_cross(b, c));
    const double below = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
    return above == 0.0 ? 0.0 : 2.0 * atan2(above, below);
}
