/* SPDX-License-Identifier: MIT */
/* The options that `picture`, `render` and `movie` share. */
#ifndef RILL_CLI_OPTIONS_PICTURE_OPTIONS_H
#define RILL_CLI_OPTIONS_PICTURE_OPTIONS_H

#include "apps/cli/options/options.h"
#include "scene/scene.h"

/* Options that were not given are NULL. */
typedef struct picture_options {
    const char *color, *size, *samples, *look, *range[2], *eye, *target, *view, *shutter;
} picture_options;

/* Rows of a command's table; `words` is the member of its settings. */
#define PICTURE_OPTION_ROWS(settings)                                                                                 \
    {"color", OPTION_TEXT, offsetof(settings, words.color), "WHAT",                                                   \
     "colour of particles: speed, density or pressure"},                                                              \
        {"range", OPTION_PAIR, offsetof(settings, words.range), "A B", "values at the two ends of the colour scale"}, \
        {"size", OPTION_TEXT, offsetof(settings, words.size), "WxH", "size in pixels: 960x600"},                      \
        {"eye", OPTION_TEXT, offsetof(settings, words.eye), "[X,Y,Z]", "position of the camera in 3D"},               \
        {"target", OPTION_TEXT, offsetof(settings, words.target), "[X,Y,Z]", "point that the camera looks at"},       \
        {"view", OPTION_TEXT, offsetof(settings, words.view), "ANGLE",                                                \
         "vertical field of view of the camera: '30 deg'"},                                                           \
    {                                                                                                                 \
        "shutter", OPTION_TEXT, offsetof(settings, words.shutter), "T",                                               \
            "exposure time: water in 3D is blurred by its motion, such as '10 ms'"                                    \
    }

/* WIDTHxHEIGHT */
rill_status picture_options_size(const char *size, scene_picture *section, rill_error *error);
/* Reads two numbers in units of the quantity `color` ("speed|density|pressure"); the first must be the smaller one. */
rill_status picture_options_range(const char *const range[2], int color, float *low, float *high, rill_error *error);
/* Checks what does not depend on the scene: a mistake is one of the command line. */
rill_status picture_options_check(const picture_options *words, rill_error *error);
/* Applies the options to the section of a scene, or to the defaults. */
rill_status picture_options_apply(const picture_options *words, scene_picture *section, rill_error *error);

#endif
