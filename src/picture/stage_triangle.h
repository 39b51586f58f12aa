/* SPDX-License-Identifier: MIT */
/* Triangles in the depth buffer of a stage. */
#ifndef RILL_PICTURE_STAGE_TRIANGLE_H
#define RILL_PICTURE_STAGE_TRIANGLE_H

#include "picture/stage.h"

/* A corner of a triangle as the camera sees it. */
typedef struct stage_corner {
    float x, y, z; /* sample, and depth [m] */
    float share;   /* position in the colour map, 0 to 1 */
    rill_vec normal;
} stage_corner;

stage_corner rill_stage_corner(const stage *s, rill_vec position, rill_vec normal, float share);
/* Fills the samples of a triangle where nothing nearer has been drawn. Triangles partly behind the camera are left out,
   and unless `both_sides` triangles seen from behind. */
void rill_stage_fill(stage *s, const stage_corner t[3], sample_kind kind, bool both_sides);

#endif
