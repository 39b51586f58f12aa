/* SPDX-License-Identifier: MIT */
/* A shape in its present place: signed distances and nearby walls. */
#ifndef RILL_SOLID_PLACED_SHAPE_H
#define RILL_SOLID_PLACED_SHAPE_H

#include "solid/dim.h"
#include "solid/shape_library.h"
#include "solid/solids.h"

typedef struct placed_shape {
    rill_shape_kind kind;
    bool inside; /* the solid is outside the shape: a container */
    bool turned; /* `turn` is not the identity */
    vec origin;  /* world = origin + turn local */
    float turn[DIM][DIM];
    vec half;   /* box: half its extents */
    vec b;      /* capsule, cylinder: the other end; the first one is the origin (local) */
    vec normal; /* half-space, torus (local) */
    float radius, tube;
    const shared_shape *shared;       /* NULL for compounds */
    const struct placed_shape *parts; /* of a compound */
    int part_count;
    vec low, high; /* world box around the shape; infinite for half-spaces */
} placed_shape;

typedef struct wall {
    float distance;
    float scale; /* covered share of the kernel, relative to a plane at that distance */
    vec normal;
    vec lean; /* the normal, tilted away from where there is more of the solid; continuous at inner corners */
} wall;

rill_status rill_shape_check(const rill_shape *shape, rill_error *error);
/* Places a shape; `pose` may be NULL. `room` takes the parts of a compound, at most PLACED_PARTS_MAX, and must live as
   long as the placed shape; NULL for other shapes. */
placed_shape rill_placed_make(const rill_shape *shape, const shape_models *models, const pose *pose,
                              placed_shape *room);
/* Signed distance to the solid, negative inside; `normal` (may be NULL) points out of it. */
float rill_placed_distance(const placed_shape *f, vec point, vec *normal);
/* Finds the flat walls nearer than `reach`, those that the point is behind included. Returns their number. */
int rill_placed_walls(const placed_shape *f, vec point, float reach, wall walls[PLACED_WALLS_MAX]);
/* The number that rill_placed_walls finds. */
int rill_placed_wall_count(const placed_shape *f, vec point, float reach);
/* Whether rill_placed_walls certainly finds none: a quick test for the many points that are far from every wall. */
static inline bool placed_is_clear(const placed_shape *f, vec point, float reach) {
    bool clear = true, outside = false;
    if (f->inside) { /* only for upright containers: no face is near */
        const vec p = vec_sub(point, f->origin);
        for (int axis = 0; axis < DIM; axis++) clear &= vec_get(f->half, axis) - fabsf(vec_get(p, axis)) >= reach;
        return clear && f->kind == RILL_BOX && !f->turned;
    }
    for (int axis = 0; axis < DIM; axis++)
        outside |= vec_get(point, axis) < vec_get(f->low, axis) - reach ||
                   vec_get(point, axis) > vec_get(f->high, axis) + reach;
    return outside;
}
vec rill_placed_to_world(const placed_shape *f, vec local);
vec rill_placed_to_local(const placed_shape *f, vec world);
/* The box around the shape in its own frame; not for half-spaces and compounds. */
void rill_placed_local_bounds(const placed_shape *f, vec *low, vec *high);
/* Turns a direction from the shape's frame to the world's. */
vec rill_placed_turned(const placed_shape *f, vec local);

/* ---- in the shape's own frame: shape_distance.c ---- */

/* Signed distance to the shape, negative inside it, whatever `inside` says. Not for compounds. */
float rill_shape_distance(const placed_shape *f, vec p, vec *normal);
/* Whether distances to the shape are measured to its edges. */
bool rill_shape_has_edges(const placed_shape *f);
/* Finds the edges of a polygon that face the point and have their nearest point between their ends: two at an inner
   corner. Returns their number. */
int rill_shape_edge_walls(const placed_shape *f, vec p, float reach, wall *walls);

#endif
