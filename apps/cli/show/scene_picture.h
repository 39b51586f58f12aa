/* SPDX-License-Identifier: MIT */
/* Settings of a picture for the command line's commands. */
#ifndef RILL_CLI_SHOW_SCENE_PICTURE_H
#define RILL_CLI_SHOW_SCENE_PICTURE_H

#include "apps/cli/options/picture_options.h"
#include "run/scene_picture.h"

/* The picture settings of a scene (NULL: the defaults), changed by the options of the command line. `scene` and `title`
   are kept by pointer. */
rill_status scene_picture_make(picture_def *def, const scene *s, const picture_options *words, const char *title,
                               rill_error *error);

#endif
