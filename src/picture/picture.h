/* SPDX-License-Identifier: MIT */
/* PNG pictures: particles coloured by a quantity, or water with a realistic look. */
#ifndef RILL_PICTURE_PICTURE_H
#define RILL_PICTURE_PICTURE_H

#include "rill/surface.h"

/* How one solid, body or fluid looks. */
typedef struct picture_paint {
    char of[RILL_NAME_SIZE];
    rill_vec color; /* sRGB, 0 to 1: a solid's, or of white light through `depth` of a liquid; negative: the default */
    float depth;    /* [m]; 0: 0.1 */
    float refraction; /* refractive index of a liquid; 0: the default */
    bool hidden;      /* a solid or body that is not drawn */
} picture_paint;
#define PICTURE_PAINTS_MAX 32

/* The "picture" section of a scene as a struct. A zero-initialised one chooses everything from the data. */
typedef struct picture_def {
    int width, height;           /* 0: 960 x 600 */
    int color;                   /* picture_color */
    float color_min, color_max;  /* equal: from the data */
    rill_vec min, max;           /* 2D window; equal: from the data */
    rill_vec eye, target, up;    /* 3D camera; eye = target: from the data */
    float field_of_view;         /* vertical [rad]; 0: 0.6 */
    float turn;                  /* angle of the 3D camera about the vertical through its target [rad] */
    rill_vec view_min, view_max; /* box that must be in view; equal: from the data */
    const char *title;           /* or NULL */
    char links[RILL_NAME_SIZE];  /* name of the links to draw as lines between small particles; empty: none */
    int look;                    /* picture_look */
    /* For the looks `surface` and `water`. */
    const rill_surface_def *surface; /* NULL: the default */
    int samples;                     /* rays per pixel in 3D; 0: 64 */
    float shutter;                   /* exposure time for motion blur [s] */
    picture_paint paints[PICTURE_PAINTS_MAX];
    int paint_count;
    int workers; /* threads; 0: all cores */
    bool plain;  /* without text and bars */
    /* Called after every pass of rays; false stops. */
    bool (*progress)(int done, int total, void *context);
    void *progress_context;
} picture_def;
typedef enum picture_look {
    PICTURE_PARTICLES, /* discs or balls coloured by a quantity */
    PICTURE_SURFACE,   /* the surface: filled in 2D, rasterised and coloured by a quantity in 3D; fast */
    PICTURE_WATER      /* realistic: the surface filled in 2D, ray traced in 3D */
} picture_look;
#define PICTURE_LOOKS "particles|surface|water"
typedef enum picture_color { PICTURE_SPEED, PICTURE_DENSITY, PICTURE_PRESSURE } picture_color;

/* The field that colours particles, or NULL if the frame has none; and its value at particle k: the number itself, or
   the length of a vector. */
const rill_view *rill_picture_field(const rill_frame *frame, int color);
float rill_picture_field_value(const rill_frame *frame, const rill_view *field, int k);

/* The paint of this name, or NULL; and an sRGB colour converted to linear light. */
const picture_paint *rill_picture_paint_of(const picture_def *def, const char *name);
rill_vec rill_picture_linear(rill_vec srgb);
/* The paint of a solid of the frame, found by its own name or its body's, or NULL; and whether the solid is hidden. */
const picture_paint *rill_picture_paint_of_solid(const picture_def *def, const rill_frame *frame, int solid);
bool rill_picture_hides(const picture_def *def, const rill_frame *frame, int solid);

/* The region that a picture of this frame would show; empty if there is nothing. A row of pictures can share it. */
rill_status rill_picture_bounds(const rill_frame *frame, const picture_def *def, rill_vec *min, rill_vec *max,
                                rill_error *error);

/* Fixes view and colours for all pictures of a run, from its first frame. The view holds everything in it and the tops
   of jets. Colours reach up to 0.7 of the speed of a fall through the view or to a jet's speed, to the hydrostatic
   pressure at the bottom of the view, or 5 % beyond the fluids' densities. Values that the caller has set stay. */
rill_status rill_picture_settle(const rill_frame *first, picture_def *def, rill_error *error);

/* Draws a frame into pixels 0xffRRGGBB with rows of `stride`. Particles are drawn in the order of the frame. */
rill_status rill_picture_paint(const rill_frame *frame, const picture_def *def, uint32_t *pixels, int stride,
                               rill_error *error);
/* Draws a frame into a PNG file. */
rill_status rill_picture_write(const rill_frame *frame, const picture_def *def, const char *path, rill_error *error);

#endif
