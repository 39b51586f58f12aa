/* SPDX-License-Identifier: MIT */
/* All that knows the dimension: the vector type and its few operations. */
#ifndef RILL_SIM_DIM_H
#define RILL_SIM_DIM_H

#if !defined(RILL_DIM) || (RILL_DIM != 2 && RILL_DIM != 3)
#error "compile src/sim with RILL_DIM=2 or RILL_DIM=3"
#endif

#include "sim/dim_names.h"

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
/* Position and mass, what every neighbour loop reads first: one aligned quad. */
typedef struct place {
    vec x;
    float m, unused;
} place;
#else
#define FOR_AXES(body) body(x) body(y) body(z)
typedef struct vec {
    float x, y, z;
} vec;
typedef struct place {
    vec x;
    float m;
} place;
#endif
_Static_assert(sizeof(place) == 16, "places are gathered as quads");

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

/* DIM wides: a vector for each of eight particles. */
typedef struct wide_vec {
    wide x, y;
#if DIM == 3
    wide z;
#endif
} wide_vec;

WIDE_FN wide_vec wide_vec_set(vec a) {
#if DIM == 2
    return (wide_vec){wide_set(a.x), wide_set(a.y)};
#else
    return (wide_vec){wide_set(a.x), wide_set(a.y), wide_set(a.z)};
#endif
}

WIDE_FN wide_vec wide_vec_zero(void) {
    return wide_vec_set((vec){0});
}

WIDE_FN wide_vec wide_vec_sub(wide_vec a, wide_vec b) {
#define AXIS(c) a.c = a.c - b.c;
    FOR_AXES(AXIS)
#undef AXIS
    return a;
}

/* a + s b */
WIDE_FN wide_vec wide_vec_along(wide_vec a, wide s, wide_vec b) {
#define AXIS(c) a.c = a.c + s * b.c;
    FOR_AXES(AXIS)
#undef AXIS
    return a;
}

WIDE_FN wide wide_vec_dot(wide_vec a, wide_vec b) {
#if DIM == 2
    return a.x * b.x + a.y * b.y;
#else
    return a.x * b.x + a.y * b.y + a.z * b.z;
#endif
}

WIDE_FN vec wide_vec_sum(wide_vec a) {
#if DIM == 2
    return (vec){wide_sum(a.x), wide_sum(a.y)};
#else
    return (vec){wide_sum(a.x), wide_sum(a.y), wide_sum(a.z)};
#endif
}

/* Wides whose lanes are still to be added up, for each of eight particles. */
typedef struct wide_vecs {
    wide axis[DIM][WIDE];
} wide_vecs;

WIDE_FN void wide_vecs_put(wide_vecs *to, int k, wide_vec a) {
    to->axis[0][k] = a.x, to->axis[1][k] = a.y;
#if DIM == 3
    to->axis[2][k] = a.z;
#endif
}

WIDE_FN wide_vec wide_vecs_sum(const wide_vecs *a) {
#if DIM == 2
    return (wide_vec){wide_sum_each(a->axis[0]), wide_sum_each(a->axis[1])};
#else
    return (wide_vec){wide_sum_each(a->axis[0]), wide_sum_each(a->axis[1]), wide_sum_each(a->axis[2])};
#endif
}

/* The vector of particle k of eight. */
WIDE_FN vec wide_vec_get(const wide_vec *a, int k) {
#if DIM == 2
    return (vec){a->x[k], a->y[k]};
#else
    return (vec){a->x[k], a->y[k], a->z[k]};
#endif
}

WIDE_FN void wide_vec_put(wide_vec *a, int k, vec b) {
#define AXIS(c) a->c[k] = b.c;
    FOR_AXES(AXIS)
#undef AXIS
}

WIDE_FN wide_vec wide_vec_scale(wide_vec a, wide s) {
#define AXIS(c) a.c = s * a.c;
    FOR_AXES(AXIS)
#undef AXIS
    return a;
}

/* Positions and masses of eight particles. */
WIDE_FN void wide_gather_places(const place *places, const int32_t *index, wide_vec *x, wide *m) {
    wide a, b, c, d;
    wide_gather4((const float *)places, index, &a, &b, &c, &d);
#if DIM == 2
    *x = (wide_vec){a, b}, *m = c, (void)d;
#else
    *x = (wide_vec){a, b, c}, *m = d;
#endif
}

#endif
