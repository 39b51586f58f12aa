/* SPDX-License-Identifier: MIT */
/* Rill's fluid for the bodies of ODE, in 3D: boxes, spheres, capsules, cylinders and triangle meshes of a
   collision space push the fluid and are pushed. Planes and other geometry do not count: give Rill the ground as a
   solid.

       rill_ode *adapter = rill_ode_create(world, engine, space);
       each frame: rill_ode_step(adapter, dt, step, mine);

   where step(mine, dt) is what the host does without a fluid: dSpaceCollide, dWorldStep, dJointGroupEmpty. */
#ifndef RILL_ODE_H
#define RILL_ODE_H

#include <ode/ode.h>
#include <rill/rill.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rill_ode rill_ode;

/* The world must be 3D, all in SI units; everything must outlive the adapter. NULL: no memory, or not a 3D world. */
RILL_API rill_ode *rill_ode_create(rill_world *world, dWorldID engine, dSpaceID space);
/* Takes the engine's bodies out of Rill. */
RILL_API void rill_ode_destroy(rill_ode *adapter);
/* Both go on by dt, not at all if it is 0, the engine with every substep of the fluid. */
typedef void rill_ode_step_fn(void *context, double dt);
RILL_API rill_status rill_ode_step(rill_ode *adapter, double dt, rill_ode_step_fn *step, void *context);
/* Only the fluid goes on by dt, and the bodies get its impulses as forces; a step of the engine by the same dt comes
   next. Bodies lighter than a tenth of the fluid hop then, in methods that take several steps in one of the engine. */
RILL_API rill_status rill_ode_fluid_step(rill_ode *adapter, double dt);
/* Rill's body of an engine's body, for gauges, events and emitters that ride on it; it is made if there is none yet.
   Null if its geometry encloses nothing. */
RILL_API rill_body_id rill_ode_body(rill_ode *adapter, dBodyID body);
/* Before a body is destroyed. Bodies without geometry in the space are noticed by themselves. */
RILL_API void rill_ode_forget(rill_ode *adapter, dBodyID body);
/* Rill's surface of bodies that come into the fluid from now on; `shape` and `kind` do not count. */
RILL_API void rill_ode_set_surface(rill_ode *adapter, const rill_body_def *surface);
/* At most so many steps of the fluid in a call, as rill_world_advance_at_most takes them; 0, as at first: as many as it
   needs. The engine goes as far as the fluid. */
RILL_API void rill_ode_set_most_steps(rill_ode *adapter, int most);

#ifdef __cplusplus
}
#endif
#endif
