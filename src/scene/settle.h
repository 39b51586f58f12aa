/* SPDX-License-Identifier: MIT */
/* Fluid that comes to rest before a scene begins. */
#ifndef RILL_SCENE_SETTLE_H
#define RILL_SCENE_SETTLE_H

#include "scene/scene.h"

/* Runs the scene for run.settle seconds with everything but the fluid held still, and moves the particles of its new
   world to the places they reach. Velocities stay those of the blocks. */
rill_status rill_scene_settle(const scene *s, rill_world *world, rill_error *error);

#endif
