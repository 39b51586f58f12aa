/* SPDX-License-Identifier: MIT */
/* Data shared by the parts of a picture: the pixels, the plot area in them, and values chosen from the data. */
#ifndef RILL_PICTURE_DRAWING_H
#define RILL_PICTURE_DRAWING_H

#include "core/public_vec.h"
#include "picture/colormap.h"

#include <cairo.h>

typedef struct picture_box {
    rill_vec min, max;
} picture_box;

typedef struct drawing {
    const rill_frame *frame;
    const rill_view *position, *shown; /* fields of the frame, the second for the colours; NULL: it has none */
    const picture_def *def;
    picture_color color;
    int width, height;
    float unit;                   /* size of a pixel of a 960 x 600 picture, for text and lines */
    uint32_t *pixels;             /* opaque, rows of `stride` */
    int stride;                   /* in pixels */
    int left, top, right, bottom; /* plot area: left <= x < right */
    picture_box bounds;           /* of what there is to see [m] */
    float radius;                 /* of a particle [m] */
    float color_min, color_max;
    int skipped; /* particles whose position is not finite */
    float scale; /* pixels per metre in 2D, else 0 */
    float grid;  /* distance of the floor's lines in 3D [m], else 0 */
} drawing;

static inline rill_vec picture_position(const drawing *d, int k) {
    return rill_frame_vec(d->frame, d->position, k);
}

#define PICTURE_BACKGROUND 0xffffffffu

/* bounds.c: what to show and which colours, from the data. */
rill_status rill_picture_choose(drawing *d, rill_error *error);
/* The content and style of a picture; the rest follows from the data. */
drawing rill_picture_begin(const rill_frame *frame, const picture_def *def);
/* The quantity that colours particle k; NaN if the file does not have it. */
float rill_picture_value(const drawing *d, int k);
/* The same in the range of the colour bar. */
static inline float picture_share(const drawing *d, int k) {
    return (rill_picture_value(d, k) - d->color_min) / (d->color_max - d->color_min);
}
/* How far the point that a solid turns about, or its centre of mass, has come from where it was added. */
rill_vec rill_picture_offset(const rill_frame *frame, int solid);
/* Makes a box hold a point too. */
void rill_picture_include(picture_box *box, rill_vec p);
/* 1, 2 or 5 times a power of ten: the largest that is not above `value`. */
double rill_picture_nice(double value);

/* Pictures in the colours of a quantity need a bar that explains them. */
static inline bool picture_has_bar(const drawing *d) {
    return d->def->look == PICTURE_PARTICLES || (d->def->look == PICTURE_SURFACE && d->frame->dim == 3);
}

/* draw2d.c, draw3d.c: solids and particles into the plot area. */
rill_status rill_picture_draw_2d(drawing *d);
rill_status rill_picture_draw_3d(drawing *d, rill_error *error);
/* draw_surface.c: solids and the fluid's surface, in 3D. */
rill_status rill_picture_draw_surface(drawing *d, rill_error *error);

/* The same as water: draw_liquid.c in 2D, draw_rays.c in 3D. */
rill_status rill_picture_draw_liquid(drawing *d, cairo_surface_t *surface, rill_error *error);
rill_status rill_picture_draw_rays(drawing *d, rill_error *error);

/* A window onto the plane. */
typedef struct view2d {
    float scale;  /* pixels per metre */
    float x0, y0; /* pixel of the origin */
} view2d;
view2d rill_picture_view_2d(const drawing *d);
void rill_picture_solids_2d(drawing *d, view2d view);

/* overlay.c: everything with letters. */
void rill_picture_overlay(const drawing *d, cairo_t *cairo);

#endif
