/* SPDX-License-Identifier: MIT */
/* Rill's fluid for the bodies of Chipmunk 7: bodies with circles, segments and polygons near the fluid push it and are
   pushed by it. Segments of static bodies are thin walls that water would leak through, and are ignored: give Rill the
   ground as a solid. Arcs of polygons with a radius become chords, which lie inside the arcs by up to 2 % of the
   radius; boxes with a radius below a quarter of the fluid's spacing grow by it and keep sharp corners.

   The fluid is a constraint of the space: it steps within cpSpaceStep, after forces, joints and the contacts of the
   last step have acted on the velocities, and before the solver's iterations, which therefore take it into account.

       rill_chipmunk *fluid = rill_chipmunk_create(world, space);
       each frame: rill_chipmunk_step(fluid, dt);

   A program may call cpSpaceStep itself, and ask rill_chipmunk_status whether the fluid failed. Bodies with less than a
   tenth of the fluid's density then float deeper than they should in methods that take several steps during one step of
   the space. */
#ifndef RILL_CHIPMUNK_H
#define RILL_CHIPMUNK_H

#include <chipmunk/chipmunk.h>
#include <rill/rill.h>

typedef struct rill_chipmunk rill_chipmunk;

/* Both worlds must be 2D, in SI units, and outlive the adapter. NULL: no memory, or not a 2D world. */
RILL_API rill_chipmunk *rill_chipmunk_create(rill_world *world, cpSpace *space);
/* Removes the fluid from the space, and the space's bodies from Rill. Not to be called within a step. */
RILL_API void rill_chipmunk_destroy(rill_chipmunk *adapter);
/* Calls cpSpaceStep once for every step that the fluid takes in dt; never if dt is 0. */
RILL_API rill_status rill_chipmunk_step(rill_chipmunk *adapter, cpFloat dt);
/* Status of the fluid in the last cpSpaceStep; rill_world_message has the details. A fluid that failed stands still,
   and the space continues without it. */
RILL_API rill_status rill_chipmunk_status(const rill_chipmunk *adapter);
/* Rill's body of a space's body, for gauges, events and emitters on it; it is added if there is none yet. Null if the
   body's shapes enclose nothing. */
RILL_API rill_body_id rill_chipmunk_body(rill_chipmunk *adapter, cpBody *body);
/* To be called before a body is freed. The adapter notices by itself when bodies have left the space. */
RILL_API void rill_chipmunk_forget(rill_chipmunk *adapter, cpBody *body);
/* Surface properties of bodies that enter the fluid from now on; `shape` and `kind` are ignored. */
RILL_API void rill_chipmunk_set_surface(rill_chipmunk *adapter, const rill_body_def *surface);
/* Limits the steps of the fluid in a call, as in rill_world_advance_at_most; 0, the default: no limit. The engine
   advances by the whole dt, in as many steps. */
RILL_API void rill_chipmunk_set_most_steps(rill_chipmunk *adapter, int most);
/* For comparison: with false the fluid steps before cpSpaceStep, in rill_chipmunk_fluid_step, and acts on bodies only
   by forces. */
RILL_API void rill_chipmunk_set_inside(rill_chipmunk *adapter, bool inside);
RILL_API rill_status rill_chipmunk_fluid_step(rill_chipmunk *adapter, cpFloat dt);

#endif
