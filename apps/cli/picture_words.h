/* SPDX-License-Identifier: MIT */
/* The options that `picture`, `render` and `movie` share, as the command line has them. */
#ifndef RILL_CLI_PICTURE_WORDS_H
#define RILL_CLI_PICTURE_WORDS_H

#include "scene/scene.h"

/* NULL for what was not given. */
typedef struct picture_words {
    const char *color, *size, *samples, *range[2];
} picture_words;

/* WIDTHxHEIGHT */
rill_status picture_words_size(const char *size, scene_picture *section, rill_error *error);
/* Changes the section of a scene, or the defaults, as the words say. */
rill_status picture_words_apply(const picture_words *words, scene_picture *section, rill_error *error);

#endif
