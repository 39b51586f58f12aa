/* SPDX-License-Identifier: MIT */
/* Rill's fluid for the bodies of Chipmunk 7: bodies with circles, segments and polygons near the fluid push it and are
   pushed. Segments of static bodies are walls of no thickness, which water leaks through, and do not count: give Rill
   the ground as a solid. Corners of polygons with a radius are polygons that lie inside of the round ones by up to 2 %
   of it; boxes with a radius below a quarter of the fluid's spacing grow by it and keep their corners.

   The fluid is a constraint of the space: it steps within cpSpaceStep, after forces, joints and the contacts of the
   last step have acted on the velocities, and before the solver's iterations, which so feel it with everything else.

       rill_chipmunk *fluid = rill_chipmunk_create(world, space);
       each frame: rill_chipmunk_step(fluid, dt);

   A program may call cpSpaceStep itself, and ask rill_chipmunk_status whether the fluid failed; bodies lighter than a
   tenth of the fluid then hop in methods that take several steps in one of the space. */
#ifndef RILL_CHIPMUNK_H
#define RILL_CHIPMUNK_H

#include <chipmunk/chipmunk.h>
#include <rill/rill.h>

typedef struct rill_chipmunk rill_chipmunk;

/* Both worlds must be 2D, in SI units, and outlive the adapter. NULL: no memory, or not a 2D world. */
RILL_API rill_chipmunk *rill_chipmunk_create(rill_world *world, cpSpace *space);
/* Takes the fluid out of the space, and the space's bodies out of Rill. Not within a step. */
RILL_API void rill_chipmunk_destroy(rill_chipmunk *adapter);
/* cpSpaceStep, as often as the fluid takes steps in dt; never if dt is 0. */
RILL_API rill_status rill_chipmunk_step(rill_chipmunk *adapter, cpFloat dt);
/* Of the fluid in the last cpSpaceStep; rill_world_message has the story. A fluid that failed stands still, and the
   space goes on without it. */
RILL_API rill_status rill_chipmunk_status(const rill_chipmunk *adapter);
/* Rill's body of a space's body, for gauges, events and emitters that ride on it; it is made if there is none yet. Null
   if its shapes enclose nothing. */
RILL_API rill_body_id rill_chipmunk_body(rill_chipmunk *adapter, cpBody *body);
/* Before a body is freed. Bodies that have left the space are noticed by themselves. */
RILL_API void rill_chipmunk_forget(rill_chipmunk *adapter, cpBody *body);
/* Rill's surface of bodies that come into the fluid from now on; `shape` and `kind` do not count. */
RILL_API void rill_chipmunk_set_surface(rill_chipmunk *adapter, const rill_body_def *surface);
/* At most so many steps of the fluid in a call, as rill_world_advance_at_most takes them; 0, as at first: as many as it
   needs. The engine takes the whole frame, in so many steps. */
RILL_API void rill_chipmunk_set_most_steps(rill_chipmunk *adapter, int most);
/* For comparison: false lets the fluid step before cpSpaceStep instead, by rill_chipmunk_fluid_step, with forces as the
   only way to push. */
RILL_API void rill_chipmunk_set_inside(rill_chipmunk *adapter, bool inside);
RILL_API rill_status rill_chipmunk_fluid_step(rill_chipmunk *adapter, cpFloat dt);

#endif
