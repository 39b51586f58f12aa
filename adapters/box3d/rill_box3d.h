/* SPDX-License-Identifier: MIT */
/* Rill's fluid for the bodies of Box3D 0.1: dynamic, kinematic and static bodies with hulls, spheres and capsules near
   the fluid push it and are pushed. Meshes, height fields and baked compounds do not count: give Rill the ground as a
   solid.

       rill_box3d *adapter = rill_box3d_create(world, engine);
       each frame: rill_box3d_step(adapter, dt, 4); */
#ifndef RILL_BOX3D_H
#define RILL_BOX3D_H

#include <box3d/id.h>
#include <rill/rill.h>

typedef struct rill_box3d rill_box3d;

/* Both worlds must be 3D, in SI units, and outlive the adapter. NULL: no memory, or not a 3D world. */
RILL_API rill_box3d *rill_box3d_create(rill_world *world, b3WorldId engine);
/* Takes the engine's bodies out of Rill. */
RILL_API void rill_box3d_destroy(rill_box3d *adapter);
/* Both go on by dt, not at all if it is 0, the engine with every substep of the fluid, each of which it cuts into
 * `substeps` of its own. */
RILL_API rill_status rill_box3d_step(rill_box3d *adapter, float dt, int substeps);
/* Only the fluid goes on by dt, and the bodies get its impulses; b3World_Step by the same dt comes next. Bodies lighter
   than a tenth of the fluid hop then, in methods that take several steps in one of the engine. */
RILL_API rill_status rill_box3d_fluid_step(rill_box3d *adapter, float dt);
/* Rill's body of an engine's body, for gauges, events and emitters that ride on it; it is made if there is none yet.
   Null if its shapes do not count. Bodies that are destroyed are noticed by themselves. */
RILL_API rill_body_id rill_box3d_body(rill_box3d *adapter, b3BodyId body);
/* Rill's surface of bodies that come into the fluid from now on; `shape` and `kind` do not count. */
RILL_API void rill_box3d_set_surface(rill_box3d *adapter, const rill_body_def *surface);
/* At most so many steps of the fluid in a call, as rill_world_advance_at_most takes them; 0, as at first: as many as it
   needs. The engine goes as far as the fluid. */
RILL_API void rill_box3d_set_most_steps(rill_box3d *adapter, int most);

#endif
