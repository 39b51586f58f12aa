/* SPDX-License-Identifier: MIT */
/* How a scene wants to be drawn, in the words of the picture module. */
#ifndef RILL_CLI_SHOW_SCENE_PICTURE_H
#define RILL_CLI_SHOW_SCENE_PICTURE_H

#include "apps/cli/options/picture_options.h"
#include "picture/picture.h"

/* A picture as the scene wants it (NULL: the defaults), changed by the words of the command line. `scene` and `title`
   are kept by pointer. */
rill_status scene_picture_make(picture_def *def, const scene *s, const picture_options *words, const char *title,
                               rill_error *error);
/* Brings the camera to where the scene's orbit or path has it at `time`. */
void scene_picture_move(picture_def *def, const scene *s, double time);

#endif
