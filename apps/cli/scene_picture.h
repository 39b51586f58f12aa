/* SPDX-License-Identifier: MIT */
/* How a scene wants to be drawn, in the words of the picture module. */
#ifndef RILL_CLI_SCENE_PICTURE_H
#define RILL_CLI_SCENE_PICTURE_H

#include "picture/picture.h"
#include "scene/scene.h"

/* Brings the camera to where its orbit or path has it at `time` of a run that ends at `end`. */
void scene_picture_move(picture_def *def, const scene_picture *section, double time, double end);
/* `title` is kept by pointer. */
picture_def scene_picture_def(const scene_picture *section, const char *title);

#endif
