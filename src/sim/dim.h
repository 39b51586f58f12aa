/* SPDX-License-Identifier: MIT */
/* Positions of particles, and vectors of eight particles at a time. */
#ifndef RILL_SIM_DIM_H
#define RILL_SIM_DIM_H

#include "sim/dim_names.h"
#include "solid/dim.h"

/* Position and mass of a particle in one aligned quad, which every neighbour loop reads first. */
typedef struct place {
    vec x;
#if DIM == 2
    float m, unused;
#else
    float m;
#endif
} place;
_Static_assert(sizeof(place) == 16, "places are gathered as quads");

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

/* A wide sum for each of eight particles, whose lanes are still to be added up. */
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

/* The masses of eight consecutive places. */
WIDE_FN wide wide_masses(const place *places) {
    static const int32_t lanes[] = {0, 1, 2, 3, 4, 5, 6, 7};
    wide_vec x;
    wide m;
    wide_gather_places(places, lanes, &x, &m);
    return m;
}

#endif
