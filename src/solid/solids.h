/* SPDX-License-Identifier: MIT */
/* The functions of src/solid for code that is compiled once for both dimensions: bodies and public functions. Fluid
   code, which is compiled for each dimension, calls solid/placed_solids.h. */
#ifndef RILL_SOLID_SOLIDS_H
#define RILL_SOLID_SOLIDS_H

#include "model/world_state.h"

/* Most parts of a compound. */
#define PLACED_PARTS_MAX 64
/* Most walls that one solid shows to one point: the faces of a small container. */
#define PLACED_WALLS_MAX 6

/* A flat piece of a solid's surface as seen from a point. */
typedef struct placed_wall {
    float distance;
    rill_vec normal; /* out of the solid */
} placed_wall;

typedef struct rill_solid_operations {
    rill_status (*check_shape)(const rill_shape *shape, rill_error *error);
    /* Moves solids that are not bodies to their prescribed poses, and places all shapes at the poses of their
       solids. */
    rill_status (*place)(rill_world *world, double time);
    /* Signed distance by the solid's present pose, even if its shape has not been placed there. */
    float (*distance_by_pose)(const solid *s, rill_vec point, rill_vec *normal);

    /* The rest is as solids were placed last. */
    float (*distance)(const rill_world *world, const solid *s, rill_vec point, rill_vec *normal);
    /* Flat pieces nearer than `reach`: the floor and the wall beside it, not only the nearer one. */
    int (*walls)(const rill_world *world, const solid *s, rill_vec point, float reach,
                 placed_wall walls[PLACED_WALLS_MAX]);
    /* The box around a solid; false if it is unbounded. */
    bool (*box)(const rill_world *world, const solid *s, rill_vec *low, rill_vec *high);
} rill_solid_operations;

extern const rill_solid_operations rill_solid_operations_2d, rill_solid_operations_3d;

static inline const rill_solid_operations *solid_operations_of(const rill_world *world) {
    return world->def.dim == 2 ? &rill_solid_operations_2d : &rill_solid_operations_3d;
}

#endif
