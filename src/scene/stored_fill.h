/* SPDX-License-Identifier: MIT */
/* Blocks that begin as a frame of an earlier run has them. */
#ifndef RILL_SCENE_STORED_FILL_H
#define RILL_SCENE_STORED_FILL_H

#include "scene/scene.h"

/* Gives a copy of a scene's block the places and velocities of the frame it names, if its fill is stored. */
rill_status rill_scene_read_stored(const scene *s, rill_block_def *block, rill_error *error);
void rill_scene_free_stored(rill_block_def *block); /* what was read, also after an error */

#endif
