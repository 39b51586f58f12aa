/* SPDX-License-Identifier: MIT */
/* A shape where it is now: signed distances and nearby walls. */
#ifndef RILL_SIM_BOUNDARY_FORM_H
#define RILL_SIM_BOUNDARY_FORM_H

#include "geometry/shape_model.h"
#include "sim/sim.h"

/* Most walls one solid shows to one particle: the faces of a small container. */
#define FORM_WALLS_MAX 6
/* Most parts of a compound. */
#define FORM_PARTS_MAX 64

typedef struct form {
    rill_shape_kind kind;
    bool inside; /* the solid is outside the shape */
    bool turned; /* `turn` is not the identity */
    vec origin;  /* world = origin + turn local */
    float turn[DIM][DIM];
    vec half;   /* box: half its extents */
    vec b;      /* capsule, cylinder: the other end; the first is the origin (local) */
    vec normal; /* half-space, torus (local) */
    float radius, tube;
    const shape_model *model;
    const struct form *parts; /* of a compound */
    int part_count;
    vec low, high; /* world box around the shape; infinite for half-spaces */
} form;

typedef struct wall {
    float distance;
    float scale; /* share of what a plane at that distance would cover of the kernel */
    vec normal;
    vec lean; /* the normal, leaning away from where there is more of the solid: smooth at inner corners */
} wall;

rill_status form_check(const rill_shape *shape, rill_error *error);
/* `pose` may be NULL. `room` takes the parts of a compound, of which there are at most FORM_PARTS_MAX, and must live as
   long as the form; NULL for other shapes. */
form form_make(const rill_shape *shape, const shape_models *models, const pose *pose, form *room);
/* Negative inside the solid; `normal` (may be NULL) points out of it. */
float form_distance(const form *f, vec point, vec *normal);
/* The flat walls nearer than `reach`, or that the point is behind. */
int form_walls(const form *f, vec point, float reach, wall walls[FORM_WALLS_MAX]);
/* How many these are. */
int form_wall_count(const form *f, vec point, float reach);
/* Whether form_walls is sure to find none, for the many points that are far from every wall. */
static inline bool form_is_clear(const form *f, vec point, float reach) {
    bool clear = true, outside = false;
    if (f->inside) { /* no face of an upright container is near */
        const vec p = vec_sub(point, f->origin);
        for (int axis = 0; axis < DIM; axis++) clear &= vec_get(f->half, axis) - fabsf(vec_get(p, axis)) >= reach;
        return clear && f->kind == RILL_BOX && !f->turned;
    }
    for (int axis = 0; axis < DIM; axis++)
        outside |= vec_get(point, axis) < vec_get(f->low, axis) - reach ||
                   vec_get(point, axis) > vec_get(f->high, axis) + reach;
    return outside;
}
vec form_to_world(const form *f, vec local);
vec form_to_local(const form *f, vec world);
/* The box around the shape in its own frame; not for half-spaces and compounds. */
void form_local_bounds(const form *f, vec *low, vec *high);
/* Directions only. */
vec form_turned(const form *f, vec local);

/* ---- in the shape's own frame: distance.c ---- */

/* Negative inside the shape, `inside` not heeded. Not for compounds. */
float shape_distance(const form *f, vec p, vec *normal);
/* Is it a shape that is measured by its edges? */
bool shape_has_edges(const form *f);
/* Edges of a polygon that face the point and have their nearest point between their ends: two at an inner corner. */
int shape_edge_walls(const form *f, vec p, float reach, wall *walls);

#endif
