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
    const rill_view *position, *shown; /* fields of the frame, `shown` gives the colours; NULL: not in the frame */
    const picture_def *def;
    picture_color color;
    int width, height;
    float unit;                   /* size of a pixel of a 960 x 600 picture, for text and lines */
    uint32_t *pixels;             /* opaque, rows of `stride` */
    int stride;                   /* in pixels */
    int left, top, right, bottom; /* plot area: left <= x < right */
    picture_box bounds;           /* of everything in view [m] */
    float radius;                 /* of a particle [m] */
    float color_min, color_max;
    int skipped; /* particles whose position is not finite */
    float scale; /* pixels per metre in 2D, else 0 */
    float grid;  /* spacing of the floor's grid in 3D [m], else 0 */
} drawing;

static inline rill_vec picture_position(const drawing *d, int k) {
    return rill_frame_vec(d->frame, d->position, k);
}

#define PICTURE_BACKGROUND 0xffffffffu

/* bounds.c: chooses the view and the range of colours from the data. */
rill_status rill_picture_choose(drawing *d, rill_error *error);
/* A drawing with its content and style; rill_picture_choose fills in the rest. */
drawing rill_picture_begin(const rill_frame *frame, const picture_def *def);
/* The quantity that colours particle k; NaN if the file does not have it. */
float rill_picture_value(const drawing *d, int k);
/* The quantity of particle k as a share of the colour bar's range. */
static inline float picture_share(const drawing *d, int k) {
    return (rill_picture_value(d, k) - d->color_min) / (d->color_max - d->color_min);
}
/* How far a solid has moved since it was added, measured at its pivot or centre of mass. */
rill_vec rill_picture_offset(const rill_frame *frame, int solid);
/* Extends a box to hold a point. */
void rill_picture_include(picture_box *box, rill_vec p);
/* The largest number of the form 1, 2 or 5 times a power of ten that is at most `value`. */
double rill_picture_nice(double value);

/* Pictures coloured by a quantity have a colour bar. */
static inline bool picture_has_bar(const drawing *d) {
    return d->def->look == PICTURE_PARTICLES || (d->def->look == PICTURE_SURFACE && d->frame->dim == 3);
}

/* draw2d.c, draw3d.c: draw solids and particles into the plot area. */
rill_status rill_picture_draw_2d(drawing *d);
rill_status rill_picture_draw_3d(drawing *d, rill_error *error);
/* draw_surface.c: draws solids and the fluid's surface, in 3D. */
rill_status rill_picture_draw_surface(drawing *d, rill_error *error);

/* Pictures of water: draw_liquid.c in 2D, draw_rays.c in 3D. */
rill_status rill_picture_draw_liquid(drawing *d, cairo_surface_t *surface, rill_error *error);
rill_status rill_picture_draw_rays(drawing *d, rill_error *error);

/* The map from the plane to pixels. */
typedef struct view2d {
    float scale;  /* pixels per metre */
    float x0, y0; /* pixel of the origin */
} view2d;
view2d rill_picture_view_2d(const drawing *d);
void rill_picture_solids_2d(drawing *d, view2d view);

/* overlay.c: everything with text. */
void rill_picture_overlay(const drawing *d, cairo_t *cairo);

#endif
