/* SPDX-License-Identifier: MIT */
/* Rill's fluid for the bodies of Box3D 0.1: dynamic, kinematic and static bodies with hulls, spheres and capsules near
   the fluid push it and are pushed by it. Meshes, height fields and baked compounds are ignored: give Rill the ground
   as a solid.

       rill_box3d *adapter = rill_box3d_create(world, engine);
       each frame: rill_box3d_step(adapter, dt, 4); */
#ifndef RILL_BOX3D_H
#define RILL_BOX3D_H

#include <box3d/id.h>
#include <rill/rill.h>

typedef struct rill_box3d rill_box3d;

/* Both worlds must be 3D, in SI units, and outlive the adapter. NULL: no memory, or not a 3D world. */
RILL_API rill_box3d *rill_box3d_create(rill_world *world, b3WorldId engine);
/* Removes the engine's bodies from Rill. */
RILL_API void rill_box3d_destroy(rill_box3d *adapter);
/* Advances both by dt, or neither if dt is 0; the engine takes one step, in `substeps` of its own, for every substep of
   the fluid. */
RILL_API rill_status rill_box3d_step(rill_box3d *adapter, float dt, int substeps);
/* Advances only the fluid by dt and applies its impulses to the bodies; b3World_Step by the same dt must follow. Bodies
   with less than a tenth of the fluid's density then float deeper than they should if the method takes several steps in
   dt. */
RILL_API rill_status rill_box3d_fluid_step(rill_box3d *adapter, float dt);
/* Rill's body of an engine's body, for gauges, events and emitters on it; it is added if there is none yet. Null if all
   of the body's shapes are ignored. The adapter notices by itself when bodies are destroyed. */
RILL_API rill_body_id rill_box3d_body(rill_box3d *adapter, b3BodyId body);
/* Surface properties of bodies that enter the fluid from now on; `shape` and `kind` are ignored. */
RILL_API void rill_box3d_set_surface(rill_box3d *adapter, const rill_body_def *surface);
/* Limits the steps of the fluid in a call, as in rill_world_advance_at_most; 0, the default: no limit. The engine
   advances as far as the fluid. */
RILL_API void rill_box3d_set_most_steps(rill_box3d *adapter, int most);

#endif
