/* SPDX-License-Identifier: MIT */
/* Vertex colours for meshes from a quantity of particles, with the colour maps of pictures. */
#ifndef RILL_CLI_SHOW_MESH_COLORS_H
#define RILL_CLI_SHOW_MESH_COLORS_H

#include "rill/rill.h"

typedef struct mesh_colors {
    bool wanted;
    int color;       /* picture_color */
    float low, high; /* equal: from 0 to the frame's largest value */
    rill_vec *data;
    int room;
} mesh_colors;

/* Reads the options of the command line, which may be NULL: then there are no colours. */
rill_status mesh_colors_choose(mesh_colors *c, const char *what, const char *const range[2], rill_error *error);
/* One colour for each particle, valid until the next call; NULL if no colours are wanted. */
rill_status mesh_colors_make(mesh_colors *c, const rill_frame *frame, const rill_vec **colors, rill_error *error);
void mesh_colors_free(mesh_colors *c);

#endif
