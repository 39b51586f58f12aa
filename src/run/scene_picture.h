/* SPDX-License-Identifier: MIT */
/* Converts a scene's settings for pictures to those of the picture module. */
#ifndef RILL_RUN_SCENE_PICTURE_H
#define RILL_RUN_SCENE_PICTURE_H

#include "picture/picture.h"
#include "scene/scene.h"

/* Makes the picture that a section defines, with the scene's surface and paints unless `s` is NULL. Keeps pointers to
   scene and title. */
rill_status rill_scene_picture_make(picture_def *def, const scene *s, const scene_picture *section, const char *title,
                                    rill_error *error);
/* Moves the camera to its place on the scene's orbit or path at `time`; does nothing without a scene. */
void rill_scene_picture_move(picture_def *def, const scene *s, double time);

#endif
