/* SPDX-License-Identifier: MIT */
/* PNG pictures: particles in the colours of a quantity, or the water as it would look. */
#ifndef RILL_PICTURE_PICTURE_H
#define RILL_PICTURE_PICTURE_H

#include "rill/surface.h"

/* How one solid, body or fluid looks. */
typedef struct picture_paint {
    char of[RILL_NAME_SIZE];
    rill_vec color;   /* sRGB, 0 to 1: of a solid, or of white light through `depth` of a liquid; negative: its own */
    float depth;      /* [m]; 0: 0.1 */
    float refraction; /* of a liquid; 0: its own */
    bool hidden;      /* a solid or body that is not drawn */
} picture_paint;
#define PICTURE_PAINTS_MAX 32

/* Plain mirror of a scene's "picture" section; zero-initialised means: choose everything from the data. */
typedef struct picture_def {
    int width, height;           /* 0: 960 x 600 */
    int color;                   /* picture_color */
    float color_min, color_max;  /* equal: from the data */
    rill_vec min, max;           /* 2D window; equal: from the data */
    rill_vec eye, target, up;    /* 3D camera; eye = target: from the data */
    float field_of_view;         /* vertical [rad]; 0: 0.6 */
    float turn;                  /* of the 3D camera about the vertical through its target [rad] */
    rill_vec view_min, view_max; /* box to be in view; equal: from the data */
    const char *title;           /* or NULL */
    char links[RILL_NAME_SIZE];  /* set of pairs to draw as lines between small particles; empty: none */
    int look;                    /* picture_look */
    /* Of the surface and water looks. */
    const rill_surface_def *surface; /* NULL: the default */
    int samples;                     /* rays through a pixel in 3D; 0: 64 */
    float shutter;                   /* how long it is open: what moves is blurred [s] */
    picture_paint paints[PICTURE_PAINTS_MAX];
    int paint_count;
    int workers; /* threads; 0: all cores */
    bool plain;  /* no letters and bars at all */
    /* Called after every round of rays; false stops. */
    bool (*progress)(int done, int total, void *context);
    void *progress_context;
} picture_def;
typedef enum picture_look {
    PICTURE_PARTICLES, /* discs and balls in the colours of a quantity */
    PICTURE_SURFACE,   /* the surface, filled in 2D, rasterised in the colours of a quantity in 3D: quick */
    PICTURE_WATER      /* as it would look: the surface filled in 2D, ray traced in 3D */
} picture_look;
#define PICTURE_LOOKS "particles|surface|water"
typedef enum picture_color { PICTURE_SPEED, PICTURE_DENSITY, PICTURE_PRESSURE } picture_color;

/* The field that gives particles their colours, NULL if the frame has none; and what it shows of particle k: a number
   as it is, the length of a vector. */
const rill_view *rill_picture_field(const rill_frame *frame, int color);
float rill_picture_field_value(const rill_frame *frame, const rill_view *field, int k);

/* The paint for something of this name, or NULL; and a colour as light adds up, not as it is stored. */
const picture_paint *rill_picture_paint_of(const picture_def *def, const char *name);
rill_vec rill_picture_linear(rill_vec srgb);
/* The paint of a solid of the frame, by its own name or by that of its body, or NULL; and whether it is not drawn. */
const picture_paint *rill_picture_paint_of_solid(const picture_def *def, const rill_frame *frame, int solid);
bool rill_picture_hides(const picture_def *def, const rill_frame *frame, int solid);

/* The region that a picture of this frame would show: for one view of a row of pictures. Empty if there is nothing. */
rill_status rill_picture_bounds(const rill_frame *frame, const picture_def *def, rill_vec *min, rill_vec *max,
                                rill_error *error);

/* The same view and colours for all pictures of a run, by what its first frame tells: everything that is there and the
   tops of jets are in view; colours go to 0.7 of the speed of a fall through it, or a jet's own, to the pressure at its
   bottom, or 5 % to both sides of the fluids' densities. Values that were given stay. */
rill_status rill_picture_settle(const rill_frame *first, picture_def *def, rill_error *error);

/* A picture of a frame into pixels 0xffRRGGBB with rows of `stride`. Particles are drawn in the order of the frame. */
rill_status rill_picture_paint(const rill_frame *frame, const picture_def *def, uint32_t *pixels, int stride,
                               rill_error *error);
/* The same into a PNG file. */
rill_status rill_picture_write(const rill_frame *frame, const picture_def *def, const char *path, rill_error *error);

#endif
