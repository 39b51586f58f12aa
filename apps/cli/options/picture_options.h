/* SPDX-License-Identifier: MIT */
/* The options that `picture`, `render` and `movie` share, as the command line has them. */
#ifndef RILL_CLI_OPTIONS_PICTURE_OPTIONS_H
#define RILL_CLI_OPTIONS_PICTURE_OPTIONS_H

#include "scene/scene.h"

/* NULL for what was not given. */
typedef struct picture_options {
    const char *color, *size, *samples, *look, *range[2];
} picture_options;

/* WIDTHxHEIGHT */
rill_status picture_options_size(const char *size, scene_picture *section, rill_error *error);
/* Two numbers with units of what `color` shows ("speed|density|pressure"), the first below the second. */
rill_status picture_options_range(const char *const range[2], int color, float *low, float *high, rill_error *error);
/* Whether the words make sense whatever the scene is: what is wrong with them is wrong with the command line. */
rill_status picture_options_check(const picture_options *words, rill_error *error);
/* Changes the section of a scene, or the defaults, as the words say. */
rill_status picture_options_apply(const picture_options *words, scene_picture *section, rill_error *error);

#endif
