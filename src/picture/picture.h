/* SPDX-License-Identifier: MIT */
/* PNG pictures of particles: discs in 2D, depth-shaded spheres in 3D, with solids, a colour bar and a time stamp. */
#ifndef RILL_PICTURE_PICTURE_H
#define RILL_PICTURE_PICTURE_H

#include "io/io.h"

/* Plain mirror of a scene's "picture" section; zero-initialised means: choose everything from the data. */
typedef struct picture_def {
    int width, height;          /* 0: 960 x 600 */
    int color;                  /* picture_color */
    float color_min, color_max; /* equal: from the data */
    rill_vec min, max;          /* 2D window; equal: from the data */
    rill_vec eye, target, up;   /* 3D camera; eye = target: from the data */
    float field_of_view;        /* vertical [rad]; 0: 0.6 */
    const char *title;          /* or NULL */
} picture_def;
typedef enum picture_color { PICTURE_SPEED, PICTURE_DENSITY, PICTURE_PRESSURE } picture_color;

/* `world` supplies the solids to draw and may be NULL. */
rill_status picture_write(const io_particles *particles, const rill_world *world, const picture_def *def,
                          const char *path, rill_error *error);

#endif
