/* SPDX-License-Identifier: MIT */
/* From a scene's "picture" section to a picture's definition. */
#include "scene_picture.h"

picture_def scene_picture_def(const scene_picture *section, const char *title) {
    return (picture_def){
        .width = section->width,
        .height = section->height,
        .color = section->color,
        .color_min = section->color_min,
        .color_max = section->color_max,
        .min = section->min,
        .max = section->max,
        .eye = section->eye,
        .target = section->target,
        .up = section->up,
        .field_of_view = section->field_of_view,
        .title = title,
    };
}
