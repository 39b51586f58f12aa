/* SPDX-License-Identifier: MIT */
/* Colours for numbers. */
#ifndef RILL_PICTURE_COLORMAP_H
#define RILL_PICTURE_COLORMAP_H

#include "picture/picture.h"

typedef struct rgb {
    float r, g, b; /* 0..1, sRGB */
} rgb;

/* The colour of t in [0, 1]. Values outside get the nearest end, values that are not finite a neutral grey. */
rgb rill_picture_map(picture_color color, float t);

/* 0xffRRGGBB, the format of cairo's opaque pixels. */
static inline uint32_t rgb_pack(rgb c) {
    uint32_t r = (uint32_t)(c.r * 255.0f + 0.5f), g = (uint32_t)(c.g * 255.0f + 0.5f);
    return 0xff000000u | r << 16 | g << 8 | (uint32_t)(c.b * 255.0f + 0.5f);
}

static inline rgb rgb_mix(rgb a, rgb b, float t) {
    return (rgb){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

/* The colour of the n-th line of a diagram: eight colours that differ in hue and in lightness, the first six also for
   the colour-blind (Okabe and Ito 2008). From the ninth line on they repeat. */
const double *rill_series_color(int number);

#endif
