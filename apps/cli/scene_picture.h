/* SPDX-License-Identifier: MIT */
/* How a scene wants to be drawn, in the words of the picture module. */
#ifndef RILL_CLI_SCENE_PICTURE_H
#define RILL_CLI_SCENE_PICTURE_H

#include "picture/picture.h"
#include "scene/scene.h"

/* `title` is kept by pointer. */
picture_def scene_picture_def(const scene_picture *section, const char *title);

#endif
