/* SPDX-License-Identifier: MIT */
/* Operations on the public vector for layers above the engine; solid/dim.h has those of the engine. */
#ifndef RILL_CORE_PUBLIC_VEC_H
#define RILL_CORE_PUBLIC_VEC_H

#include "rill/param.h"

#include <math.h>
#include <stdbool.h>

static inline rill_vec vec_add(rill_vec a, rill_vec b) {
    return (rill_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline rill_vec vec_sub(rill_vec a, rill_vec b) {
    return (rill_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline rill_vec vec_scale(rill_vec a, float s) {
    return (rill_vec){a.x * s, a.y * s, a.z * s};
}

/* a + s b */
static inline rill_vec vec_along(rill_vec a, float s, rill_vec b) {
    return (rill_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline float vec_dot(rill_vec a, rill_vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline rill_vec vec_cross(rill_vec a, rill_vec b) {
    return (rill_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec_length(rill_vec a) {
    return sqrtf(vec_dot(a, a));
}

/* The unit vector along `a`; `otherwise` if the length of `a` is nearly zero or not finite. */
static inline rill_vec vec_unit(rill_vec a, rill_vec otherwise) {
    float length = vec_length(a);
    return length > 1e-20f && length < 1e20f ? vec_scale(a, 1.0f / length) : otherwise;
}

static inline bool vec_finite(rill_vec a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline bool vec_equal(rill_vec a, rill_vec b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

#endif
