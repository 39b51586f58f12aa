/* SPDX-License-Identifier: MIT */
/* Initial velocities of a block, given by expressions of the place. */
#ifndef RILL_SCENE_FLOW_H
#define RILL_SCENE_FLOW_H

#include "scene/scene.h"

/* Adds the values of the block's expressions to the velocities of its particles: the last `added` of the world. */
rill_status rill_scene_set_flow(const scene *s, rill_world *world, const rill_block_def *block, int added,
                                rill_error *error);

#endif
