/* SPDX-License-Identifier: MIT */
/* Rill's fluid for the bodies of Box2D 3.2: dynamic, kinematic and static bodies with polygons, circles and capsules
   near the fluid push it and are pushed by it. Segments and chains enclose nothing and are ignored: give Rill the
   ground as a solid. Arcs of rounded polygons become chords, which lie inside the arcs by up to 2 % of the radius;
   boxes with a radius below a quarter of the fluid's spacing grow by it and keep sharp corners.

       rill_box2d_v3 *adapter = rill_box2d_v3_create(world, engine);
       each frame: rill_box2d_v3_step(adapter, dt, 4); */
#ifndef RILL_BOX2D_V3_H
#define RILL_BOX2D_V3_H

#include <box2d/id.h>
#include <rill/rill.h>

typedef struct rill_box2d_v3 rill_box2d_v3;

/* Both worlds must be 2D, in SI units, and outlive the adapter. NULL: no memory, or not a 2D world. */
RILL_API rill_box2d_v3 *rill_box2d_v3_create(rill_world *world, b2WorldId engine);
/* Removes the engine's bodies from Rill. */
RILL_API void rill_box2d_v3_destroy(rill_box2d_v3 *adapter);
/* Advances both by dt, or neither if dt is 0; the engine takes one step, in `substeps` of its own, for every substep of
   the fluid. */
RILL_API rill_status rill_box2d_v3_step(rill_box2d_v3 *adapter, float dt, int substeps);
/* Advances only the fluid by dt and applies its impulses to the bodies; b2World_Step by the same dt must follow. Bodies
   with less than a tenth of the fluid's density then float deeper than they should if the method takes several steps in
   dt. */
RILL_API rill_status rill_box2d_v3_fluid_step(rill_box2d_v3 *adapter, float dt);
/* Rill's body of an engine's body, for gauges, events and emitters on it; it is added if there is none yet. Null if the
   body's shapes enclose nothing. The adapter notices by itself when bodies are destroyed. */
RILL_API rill_body_id rill_box2d_v3_body(rill_box2d_v3 *adapter, b2BodyId body);
/* Surface properties of bodies that enter the fluid from now on; `shape` and `kind` are ignored. */
RILL_API void rill_box2d_v3_set_surface(rill_box2d_v3 *adapter, const rill_body_def *surface);
/* Limits the steps of the fluid in a call, as in rill_world_advance_at_most; 0, the default: no limit. The engine
   advances as far as the fluid. */
RILL_API void rill_box2d_v3_set_most_steps(rill_box2d_v3 *adapter, int most);

#endif
