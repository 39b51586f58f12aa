/* SPDX-License-Identifier: MIT */
/* Blocks that start from a frame of an earlier run. */
#ifndef RILL_SCENE_STORED_FILL_H
#define RILL_SCENE_STORED_FILL_H

#include "scene/scene.h"

/* If its fill is stored, gives a copy of a scene's block the places and velocities of the frame that it names. */
rill_status rill_scene_read_stored(const scene *s, rill_block_def *block, rill_error *error);
void rill_scene_free_stored(rill_block_def *block); /* frees what was read, also after an error */

#endif
