/* SPDX-License-Identifier: MIT */
/* Everything that depends on the dimension: the vector type and its few operations. */
#ifndef RILL_SOLID_DIM_H
#define RILL_SOLID_DIM_H

#if !defined(RILL_DIM) || (RILL_DIM != 2 && RILL_DIM != 3)
#error "compile src/solid and src/sim with RILL_DIM=2 or RILL_DIM=3"
#endif

#include "solid/dim_names.h"

#include "rill/param.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define DIM RILL_DIM

/* Writes `body` for each axis; x, y, z become the member name. */
#if DIM == 2
#define FOR_AXES(body) body(x) body(y)
typedef struct vec {
    float x, y;
} vec;
#else
#define FOR_AXES(body) body(x) body(y) body(z)
typedef struct vec {
    float x, y, z;
} vec;
#endif
#define VEC_FN static inline __attribute__((unused))

VEC_FN vec vec_of(rill_vec a) {
#if DIM == 2
    return (vec){a.x, a.y};
#else
    return (vec){a.x, a.y, a.z};
#endif
}

VEC_FN rill_vec vec_out(vec a) {
#if DIM == 2
    return (rill_vec){a.x, a.y, 0.0f};
#else
    return (rill_vec){a.x, a.y, a.z};
#endif
}

VEC_FN float vec_get(vec a, int axis) {
    return (&a.x)[axis];
}

VEC_FN vec vec_zero(void) {
    return (vec){0};
}

VEC_FN vec vec_add(vec a, vec b) {
#define AXIS(c) a.c += b.c;
    FOR_AXES(AXIS)
#undef AXIS
    return a;
}

VEC_FN vec vec_sub(vec a, vec b) {
#define AXIS(c) a.c -= b.c;
    FOR_AXES(AXIS)
#undef AXIS
    return a;
}

VEC_FN vec vec_scale(vec a, float s) {
#define AXIS(c) a.c *= s;
    FOR_AXES(AXIS)
#undef AXIS
    return a;
}

/* a + s b */
VEC_FN vec vec_along(vec a, float s, vec b) {
#define AXIS(c) a.c += s * b.c;
    FOR_AXES(AXIS)
#undef AXIS
    return a;
}

#if DIM == 3
VEC_FN vec vec_cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
#endif

VEC_FN float vec_dot(vec a, vec b) {
#if DIM == 2
    return a.x * b.x + a.y * b.y;
#else
    return a.x * b.x + a.y * b.y + a.z * b.z;
#endif
}

VEC_FN float vec_length(vec a) {
    return sqrtf(vec_dot(a, a));
}

/* Unit vector along a; the first axis if a has no direction. */
VEC_FN vec vec_direction(vec a) {
    float length = vec_length(a);
    if (length > 0.0f && isfinite(length)) return vec_scale(a, 1.0f / length);
    a = (vec){0};
    a.x = 1.0f;
    return a;
}

VEC_FN bool vec_finite(vec a) {
    return isfinite(vec_dot(a, a));
}

VEC_FN vec vec_min(vec a, vec b) {
#define AXIS(c) a.c = b.c < a.c ? b.c : a.c;
    FOR_AXES(AXIS)
#undef AXIS
    return a;
}

VEC_FN vec vec_max(vec a, vec b) {
#define AXIS(c) a.c = b.c > a.c ? b.c : a.c;
    FOR_AXES(AXIS)
#undef AXIS
    return a;
}

/* s^DIM */
VEC_FN float dim_power(float s) {
    return DIM == 2 ? s * s : s * s * s;
}

#endif
