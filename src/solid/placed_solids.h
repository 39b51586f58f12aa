/* SPDX-License-Identifier: MIT */
/* The solids of a world in their present places. */
#ifndef RILL_SOLID_PLACED_SOLIDS_H
#define RILL_SOLID_PLACED_SOLIDS_H

#include "solid/placed_shape.h"
#include "solid/solid_tree.h"

/* Moves solids that are not bodies to their prescribed poses at `time`, and places all shapes at the poses of their
   solids. */
rill_status rill_solids_place(rill_world *world, double time);
/* Makes the data that the world's kind of walls needs for each shape: once, and again when the support changes. */
rill_status rill_solids_prepare(rill_world *world);
/* Cuts the surfaces of bodies into cells, for shapes that have none yet (solid/faces.h). */
rill_status rill_solids_make_faces(rill_world *world);
/* Velocity of the solid's surface at a point with outward normal n, `surface_velocity` included. */
vec rill_solid_velocity(const solid *s, vec point, vec n);

static inline bool solid_turns(const solid *s) {
    const rill_vec w = s->pose.angular;
    return w.x != 0.0f || w.y != 0.0f || w.z != 0.0f;
}

/* A direction turned with the solid for `time`, by Cayley's transform: an exact rotation up to rounding, without a
   sine. A turn by a becomes one by 2 atan(a/2). */
static inline vec solid_turned(const solid *s, float time, vec a) {
    const float half = 0.5f * time;
#if DIM == 2
    const float t = half * s->pose.angular.z, scale = 1.0f / (1.0f + t * t), c = (1.0f - t * t) * scale,
                d = 2.0f * t * scale;
    return (vec){c * a.x - d * a.y, d * a.x + c * a.y};
#else
    const vec t = vec_scale(vec_of(s->pose.angular), half), once = vec_cross(t, a);
    return vec_along(a, 2.0f / (1.0f + vec_dot(t, t)), vec_add(once, vec_cross(t, once)));
#endif
}

/* Placed shapes by slot; NULL without solids. */
static inline const placed_shape *placed_shapes_of(const rill_world *world) {
    return world->placed_shapes.data;
}

/* Finds the solids not farther than `reach` from the box low-high. */
static inline void solids_near_box(const rill_world *world, vec low, vec high, float reach, near_solids *near) {
    rill_solids_near(world, vec_out(low), vec_out(high), reach, near);
}

#endif
