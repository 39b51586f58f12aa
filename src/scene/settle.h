/* SPDX-License-Identifier: MIT */
/* Fluid that comes to rest before a scene begins. */
#ifndef RILL_SCENE_SETTLE_H
#define RILL_SCENE_SETTLE_H

#include "scene/scene.h"

/* Gives the particles of the scene's fresh world the places they have after run.settle seconds in which everything
   but the fluid stands still. Their velocities stay those of their blocks. */
rill_status rill_scene_settle(const scene *s, rill_world *world, rill_error *error);

#endif
