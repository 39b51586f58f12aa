/* SPDX-License-Identifier: MIT */
/* Points and directions in double precision: meshes come in floats, and differences of their coordinates must not lose
   what little they have. */
#ifndef RILL_GEOMETRY_VEC3_H
#define RILL_GEOMETRY_VEC3_H

#include <math.h>

typedef struct vec3 {
    double x, y, z;
} vec3;

static inline vec3 vec3_of(const float p[3]) {
    return (vec3){(double)p[0], (double)p[1], (double)p[2]};
}

static inline void vec3_out(vec3 a, float p[3]) {
    p[0] = (float)a.x, p[1] = (float)a.y, p[2] = (float)a.z;
}

static inline double vec3_get(vec3 a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static inline vec3 vec3_add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec3 vec3_sub(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec3 vec3_scale(vec3 a, double s) {
    return (vec3){a.x * s, a.y * s, a.z * s};
}

/* a + s b */
static inline vec3 vec3_along(vec3 a, double s, vec3 b) {
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double vec3_dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec3_length(vec3 a) {
    return sqrt(vec3_dot(a, a));
}

#endif
