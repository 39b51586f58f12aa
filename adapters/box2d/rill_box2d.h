/* SPDX-License-Identifier: MIT */
/* Rill's fluid for the bodies of Box2D 2.4: dynamic, kinematic and static bodies with polygons and circles near the
   fluid push it and are pushed. Edges and chains enclose nothing and do not count: give Rill the ground as a solid.

       rill_box2d *adapter = rill_box2d_create(world, &engine);
       each frame: rill_box2d_step(adapter, dt, 8, 3); */
#ifndef RILL_BOX2D_H
#define RILL_BOX2D_H

#include <rill/rill.h>

#ifdef __cplusplus
class b2World;
class b2Body;
#else
typedef struct b2World b2World;
typedef struct b2Body b2Body;
#endif

typedef struct rill_box2d rill_box2d;

/* Both worlds must be 2D, in SI units, and outlive the adapter. NULL: no memory, or not a 2D world. */
RILL_API rill_box2d *rill_box2d_create(rill_world *world, b2World *engine);
/* Takes the engine's bodies out of Rill. */
RILL_API void rill_box2d_destroy(rill_box2d *adapter);
/* Both go on by dt, not at all if it is 0, the engine with every substep of the fluid. */
RILL_API rill_status rill_box2d_step(rill_box2d *adapter, float dt, int velocity_iterations, int position_iterations);
/* Only the fluid goes on by dt, and the bodies get its impulses; b2World::Step by the same dt comes next. Bodies
   lighter than a tenth of the fluid hop then, in methods that take several steps in one of the engine. */
RILL_API rill_status rill_box2d_fluid_step(rill_box2d *adapter, float dt);
/* Rill's body of an engine's body, for gauges, events and emitters that ride on it; it is made if there is none yet.
   Null if its shapes enclose nothing. */
RILL_API rill_body_id rill_box2d_body(rill_box2d *adapter, b2Body *body);
/* Before a body is destroyed. Bodies that are gone are noticed by themselves, unless another one takes the same place
   in memory with the same shape. */
RILL_API void rill_box2d_forget(rill_box2d *adapter, b2Body *body);
/* Rill's surface of bodies that come into the fluid from now on; `shape` and `kind` do not count. */
RILL_API void rill_box2d_set_surface(rill_box2d *adapter, const rill_body_def *surface);
/* At most so many steps of the fluid in a call, as rill_world_advance_at_most takes them; 0, as at first: as many as it
   needs. The engine goes as far as the fluid. */
RILL_API void rill_box2d_set_most_steps(rill_box2d *adapter, int most);

#endif
