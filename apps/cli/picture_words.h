/* SPDX-License-Identifier: MIT */
/* The options that `picture`, `render` and `movie` share, as the command line has them. */
#ifndef RILL_CLI_PICTURE_WORDS_H
#define RILL_CLI_PICTURE_WORDS_H

#include "scene/scene.h"

/* NULL for what was not given. */
typedef struct picture_words {
    const char *color, *size, *samples, *look, *range[2];
} picture_words;

/* WIDTHxHEIGHT */
rill_status picture_words_size(const char *size, scene_picture *section, rill_error *error);
/* Two numbers with units of what `color` shows ("speed|density|pressure"), the first below the second. */
rill_status picture_words_range(const char *const range[2], int color, float *low, float *high, rill_error *error);
/* Changes the section of a scene, or the defaults, as the words say. */
rill_status picture_words_apply(const picture_words *words, scene_picture *section, rill_error *error);

#endif
