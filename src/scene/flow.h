/* SPDX-License-Identifier: MIT */
/* Velocities that a block begins with, by expressions of the place. */
#ifndef RILL_SCENE_FLOW_H
#define RILL_SCENE_FLOW_H

#include "scene/scene.h"

/* Adds the block's expressions to the velocities of the particles that it has just added, the last `added`. */
rill_status rill_scene_set_flow(const scene *s, rill_world *world, const rill_block_def *block, int added,
                                rill_error *error);

#endif
