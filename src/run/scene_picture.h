/* SPDX-License-Identifier: MIT */
/* How a scene wants to be drawn, in the words of the picture module. */
#ifndef RILL_RUN_SCENE_PICTURE_H
#define RILL_RUN_SCENE_PICTURE_H

#include "picture/picture.h"
#include "scene/scene.h"

/* A picture as a section says, with the surface and the paints of the scene, which may be NULL. Scene and title are
   kept by pointer. */
rill_status rill_scene_picture_make(picture_def *def, const scene *s, const scene_picture *section, const char *title,
                                    rill_error *error);
/* Brings the camera to where the scene's orbit or path has it at `time`; nothing without a scene. */
void rill_scene_picture_move(picture_def *def, const scene *s, double time);

#endif
