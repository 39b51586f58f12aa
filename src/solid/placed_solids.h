/* SPDX-License-Identifier: MIT */
/* The solids of a world where they are now. */
#ifndef RILL_SOLID_PLACED_SOLIDS_H
#define RILL_SOLID_PLACED_SOLIDS_H

#include "solid/placed_shape.h"
#include "solid/solid_tree.h"

/* Brings solids that are no bodies to where their motion has them at `time`, and all shapes to the poses of their
   solids. */
rill_status rill_solids_place(rill_world *world, double time);
/* Makes what the world's kind of walls needs of each shape: once, and again when the support changes. */
rill_status rill_solids_prepare(rill_world *world);
/* Cells on the surfaces of bodies, for those shapes that have none yet (solid/faces.h). */
rill_status rill_solids_make_faces(rill_world *world);
/* Velocity of the solid's surface at a point with outward normal n. */
vec rill_solid_velocity(const solid *s, vec point, vec n);

/* The shapes of all slots; NULL without solids. */
static inline const placed_shape *placed_shapes_of(const rill_world *world) {
    return world->placed_shapes.data;
}

/* Solids not farther than `reach` from the box low-high. */
static inline void solids_near_box(const rill_world *world, vec low, vec high, float reach, near_solids *near) {
    rill_solids_near(world, vec_out(low), vec_out(high), reach, near);
}

#endif
