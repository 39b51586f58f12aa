/* SPDX-License-Identifier: MIT */
/* Rill's fluid for the bodies of ODE, in 3D: boxes, spheres, capsules, cylinders and triangle meshes of a
   collision space push the fluid and are pushed by it. Planes and other geometry are ignored: give Rill the ground as a
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
/* Removes the engine's bodies from Rill. */
RILL_API void rill_ode_destroy(rill_ode *adapter);
/* Advances both by dt, or neither if dt is 0; the engine takes one step for every substep of the fluid. */
typedef void rill_ode_step_fn(void *context, double dt);
RILL_API rill_status rill_ode_step(rill_ode *adapter, double dt, rill_ode_step_fn *step, void *context);
/* Advances only the fluid by dt and applies its impulses to the bodies as forces; a step of the engine by the same dt
   must follow. Bodies with less than a tenth of the fluid's density then float deeper than they should if the method
   takes several steps. */
RILL_API rill_status rill_ode_fluid_step(rill_ode *adapter, double dt);
/* Rill's body of an engine's body, for gauges, events and emitters on it; it is added if there is none yet. Null if the
   body's geometry encloses nothing. */
RILL_API rill_body_id rill_ode_body(rill_ode *adapter, dBodyID body);
/* To be called before a body is destroyed. The adapter notices by itself when a body has no geometry in the space. */
RILL_API void rill_ode_forget(rill_ode *adapter, dBodyID body);
/* Surface properties of bodies that enter the fluid from now on; `shape` and `kind` are ignored. */
RILL_API void rill_ode_set_surface(rill_ode *adapter, const rill_body_def *surface);
/* Limits the steps of the fluid in a call, as in rill_world_advance_at_most; 0, the default: no limit. The engine
   advances as far as the fluid. */
RILL_API void rill_ode_set_most_steps(rill_ode *adapter, int most);

#ifdef __cplusplus
}
#endif
#endif
