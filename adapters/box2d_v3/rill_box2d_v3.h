/* SPDX-License-Identifier: MIT */
/* Rill's fluid for the bodies of Box2D 3.2: dynamic, kinematic and static bodies with polygons, circles and capsules
   near the fluid push it and are pushed. Segments and chains enclose nothing and do not count: give Rill the ground as
   a solid. Corners of rounded polygons are polygons that lie inside of the round ones by up to 2 % of the radius; boxes
   with a radius below a quarter of the fluid's spacing grow by it and keep their corners.

       rill_box2d_v3 *adapter = rill_box2d_v3_create(world, engine);
       each frame: rill_box2d_v3_step(adapter, dt, 4); */
#ifndef RILL_BOX2D_V3_H
#define RILL_BOX2D_V3_H

#include <box2d/id.h>
#include <rill/rill.h>

typedef struct rill_box2d_v3 rill_box2d_v3;

/* Both worlds must be 2D, in SI units, and outlive the adapter. NULL: no memory, or not a 2D world. */
RILL_API rill_box2d_v3 *rill_box2d_v3_create(rill_world *world, b2WorldId engine);
/* Takes the engine's bodies out of Rill. */
RILL_API void rill_box2d_v3_destroy(rill_box2d_v3 *adapter);
/* Both go on by dt, not at all if it is 0, the engine with every substep of the fluid, each of which it cuts into
 * `substeps` of its own. */
RILL_API rill_status rill_box2d_v3_step(rill_box2d_v3 *adapter, float dt, int substeps);
/* Only the fluid goes on by dt, and the bodies get its impulses; b2World_Step by the same dt comes next. Bodies lighter
   than a tenth of the fluid hop then, in methods that take several steps in one of the engine. */
RILL_API rill_status rill_box2d_v3_fluid_step(rill_box2d_v3 *adapter, float dt);
/* Rill's body of an engine's body, for gauges, events and emitters that ride on it; it is made if there is none yet.
   Null if its shapes enclose nothing. Bodies that are destroyed are noticed by themselves. */
RILL_API rill_body_id rill_box2d_v3_body(rill_box2d_v3 *adapter, b2BodyId body);
/* Rill's surface of bodies that come into the fluid from now on; `shape` and `kind` do not count. */
RILL_API void rill_box2d_v3_set_surface(rill_box2d_v3 *adapter, const rill_body_def *surface);
/* At most so many steps of the fluid in a call, as rill_world_advance_at_most takes them; 0, as at first: as many as it
   needs. The engine goes as far as the fluid. */
RILL_API void rill_box2d_v3_set_most_steps(rill_box2d_v3 *adapter, int most);

#endif
