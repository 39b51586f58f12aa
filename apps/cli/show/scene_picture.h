/* SPDX-License-Identifier: MIT */
/* Pictures as the command line wants them. */
#ifndef RILL_CLI_SHOW_SCENE_PICTURE_H
#define RILL_CLI_SHOW_SCENE_PICTURE_H

#include "apps/cli/options/picture_options.h"
#include "run/scene_picture.h"

/* A picture as the scene wants it (NULL: the defaults), changed by the words of the command line. `scene` and `title`
   are kept by pointer. */
rill_status scene_picture_make(picture_def *def, const scene *s, const picture_options *words, const char *title,
                               rill_error *error);

#endif
