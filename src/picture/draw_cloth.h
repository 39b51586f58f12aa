/* SPDX-License-Identifier: MIT */
/* Cloth in pictures: see draw_cloth.c. */
#ifndef RILL_PICTURE_DRAW_CLOTH_H
#define RILL_PICTURE_DRAW_CLOTH_H

#include "picture/stage.h"

/* Whether the k-th particle of the frame belongs to a cloth. */
bool rill_picture_is_cloth(const drawing *d, int k);
/* The links of this name, or NULL. */
const rill_frame_links *rill_picture_links(const drawing *d, const char *name);
/* Calls `line` for each piece of cloth in 2D, in pixels. */
typedef void cloth_line_fn(float ax, float ay, float bx, float by, void *context);
void rill_picture_cloth_2d(const drawing *d, view2d view, cloth_line_fn *line, void *context);
/* Puts the triangles of cloths in front of what lies behind them. */
void rill_picture_cloth_3d(stage *s);

#endif
