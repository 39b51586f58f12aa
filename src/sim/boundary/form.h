/* SPDX-License-Identifier: MIT */
/* A shape where it is now: signed distances and nearby walls. */
#ifndef RILL_SIM_BOUNDARY_FORM_H
#define RILL_SIM_BOUNDARY_FORM_H

#include "sim/sim.h"

/* Most walls one solid shows to one particle: the faces of a small container. */
#define FORM_WALLS_MAX 6

typedef struct form {
    rill_shape_kind kind;
    bool inside; /* the solid is outside the shape */
    bool turned; /* `turn` is not the identity */
    vec origin;  /* world = origin + turn local */
    float turn[DIM][DIM];
    vec half;   /* box: half its extents */
    vec a, b;   /* capsule ends; a: centre of a sphere, point of a half-space (local) */
    vec normal; /* half-space (local) */
    float radius;
    const rill_vec *points;
    int point_count;
    bool clockwise; /* winding of a polygon */
    vec low, high;  /* world box around the shape; infinite for half-spaces */
} form;

typedef struct wall {
    float distance;
    vec normal;
} wall;

rill_status form_check(const rill_shape *shape, rill_error *error);
form form_make(const rill_shape *shape, const pose *pose); /* pose may be NULL */
/* Negative inside the solid; `normal` (may be NULL) points out of it. */
float form_distance(const form *f, vec point, vec *normal);
/* The flat walls nearer than `reach`, or that the point is behind. */
int form_walls(const form *f, vec point, float reach, wall walls[FORM_WALLS_MAX]);
/* The rotation about an axis (z in 2D) by an angle of which cosine and sine are given. */
void form_turn(float turn[DIM][DIM], rill_vec axis, float cosine, float sine);
vec form_to_world(const form *f, vec local);

#endif
