/* SPDX-License-Identifier: MIT */
/* Two perceptual maps: lightness rises evenly from end to end, which also works in grey and for the colour-blind. */
#include "picture/colormap.h"

#include <math.h>

#define STOPS 9

/* Deep water to foam: even steps of lightness (Oklab L 0.34 to 0.91) from blue (hue 262) to sea green (hue 152), with
   as much chroma as sRGB holds. */
static const unsigned char water[STOPS][3] = {{10, 49, 124},  {13, 72, 146},   {8, 97, 162},
                                              {10, 123, 174}, {9, 150, 186},   {11, 177, 195},
                                              {72, 202, 196}, {135, 222, 195}, {189, 240, 201}};
/* viridis (Smith & van der Walt 2015, CC0), every 32nd entry. */
static const unsigned char viridis[STOPS][3] = {{68, 1, 84},    {71, 45, 123},  {59, 82, 139},
                                                {44, 114, 142}, {33, 145, 140}, {40, 174, 128},
                                                {94, 201, 98},  {173, 220, 48}, {253, 231, 37}};

/* Catmull-Rom through four stops: without kinks, which would show as bands. */
static float smooth(float a, float b, float c, float d, float t) {
    float value = b + 0.5f * t * (c - a + t * (2.0f * a - 5.0f * b + 4.0f * c - d + t * (3.0f * (b - c) + d - a)));
    return fminf(fmaxf(value, 0.0f), 255.0f) / 255.0f;
}

rgb rill_picture_map(picture_color color, float t) {
    const unsigned char(*stops)[3] = color == PICTURE_SPEED ? water : viridis;
    if (isnan(t)) return (rgb){0.6f, 0.6f, 0.6f};
    float place = fminf(fmaxf(t, 0.0f), 1.0f) * (STOPS - 1);
    int k = place < STOPS - 1 ? (int)place : STOPS - 2;
    float u = place - (float)k, c[3];
    for (int i = 0; i < 3; i++)
        c[i] = smooth(stops[k > 0 ? k - 1 : 0][i], stops[k][i], stops[k + 1][i],
                      stops[k + 2 < STOPS ? k + 2 : k + 1][i], u);
    return (rgb){c[0], c[1], c[2]};
}

const double *rill_series_color(int number) {
    static const double colors[8][3] = {{0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
                                        {0.34, 0.71, 0.91}, {0.90, 0.62, 0.00}, {0.40, 0.22, 0.58}, {0.45, 0.40, 0.32}};
    return colors[number % 8];
}
