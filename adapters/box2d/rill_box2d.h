/* SPDX-License-Identifier: MIT */
/* Rill's fluid for the bodies of Box2D 2.4: dynamic, kinematic and static bodies with polygons and circles near the
   fluid push it and are pushed by it. Edges and chains enclose nothing and are ignored: give Rill the ground as a
   solid.

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
/* Removes the engine's bodies from Rill. */
RILL_API void rill_box2d_destroy(rill_box2d *adapter);
/* Advances both by dt, or neither if dt is 0; the engine takes one step for every substep of the fluid. */
RILL_API rill_status rill_box2d_step(rill_box2d *adapter, float dt, int velocity_iterations, int position_iterations);
/* Advances only the fluid by dt and applies its impulses to the bodies; b2World::Step by the same dt must follow.
   Bodies with less than a tenth of the fluid's density then float deeper than they should if the method takes several
   steps in dt (docs/games.md). */
RILL_API rill_status rill_box2d_fluid_step(rill_box2d *adapter, float dt);
/* Rill's body of an engine's body, for gauges, events and emitters on it; it is added if there is none yet. Null if the
   body's shapes enclose nothing. */
RILL_API rill_body_id rill_box2d_body(rill_box2d *adapter, b2Body *body);
/* To be called before a body is destroyed. The adapter notices by itself that a body is gone, unless another body gets
   the same address and shape. */
RILL_API void rill_box2d_forget(rill_box2d *adapter, b2Body *body);
/* Surface properties of bodies that enter the fluid from now on; `shape` and `kind` are ignored. */
RILL_API void rill_box2d_set_surface(rill_box2d *adapter, const rill_body_def *surface);
/* Limits the steps of the fluid in a call, as in rill_world_advance_at_most; 0, the default: no limit. The engine
   advances as far as the fluid. */
RILL_API void rill_box2d_set_most_steps(rill_box2d *adapter, int most);

#endif
