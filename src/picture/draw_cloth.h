/* SPDX-License-Identifier: MIT */
/* Links and cloth in pictures: see draw_cloth.c. */
#ifndef RILL_PICTURE_DRAW_CLOTH_H
#define RILL_PICTURE_DRAW_CLOTH_H

#include "picture/stage.h"

/* Whether the k-th particle of the frame belongs to a cloth. */
bool rill_picture_is_cloth(const drawing *d, int k);
/* The links of this name, or NULL. */
const rill_frame_links *rill_picture_links(const drawing *d, const char *name);
/* Calls `line` for each pair of this name: springs, or the pieces of cloth in 2D. */
typedef void line_fn(rill_vec from, rill_vec to, void *context);
void rill_picture_lines(const drawing *d, const char *name, line_fn *line, void *context);
/* Whether the picture is asked to show links and the frame has them. */
bool rill_picture_shows_links(const drawing *d);
/* Radius of particles in a picture with links, and of the lines, as shares of the usual radius. */
#define PICTURE_SMALL 0.4f
#define PICTURE_LINE  0.12f
/* Calls `piece` for each triangle of the cloths, with its corners and its colour in the checker. */
typedef void cloth_piece_fn(const rill_vec corner[3], bool dark, void *context);
void rill_picture_cloth_pieces(const drawing *d, cloth_piece_fn *piece, void *context);
int rill_picture_cloth_count(const drawing *d);
rgb rill_picture_thread(bool dark);
/* Draws the triangles of cloths into the depth buffer. */
void rill_picture_cloth_3d(stage *s);

#endif
