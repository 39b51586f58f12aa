/* SPDX-License-Identifier: MIT */
/* A small diagram of values over time: a gauge's readings, beside measured or computed references. */
#ifndef RILL_PICTURE_PLOT_H
#define RILL_PICTURE_PLOT_H

#include "rill/base.h"

typedef struct plot_series {
    const char *name;
    const double *time, *value; /* values that are not finite are left out */
    int count;
    bool points; /* circles instead of a line */
} plot_series;

typedef struct plot_def {
    int width, height;
    const char *title; /* what the values are, with their unit */
    double time, end;  /* current time, and end of the axis [s] */
    const plot_series *series;
    int count;
} plot_def;

/* Draws into pixels 0xffRRGGBB with rows of `stride`. */
rill_status rill_plot_paint(const plot_def *def, uint32_t *pixels, int stride, rill_error *error);

#endif
