/* SPDX-License-Identifier: MIT */
/* Figures of numbers against numbers: lines and points, plain or logarithmic axes, as SVG or PNG. */
#ifndef RILL_PICTURE_FIGURE_H
#define RILL_PICTURE_FIGURE_H

#include "rill/base.h"

typedef struct figure_series {
    const char *name;
    const double *x, *y; /* values that are not finite, or not positive on a logarithmic axis, are left out */
    int count;
    bool line, points; /* either or both */
    bool reference;    /* a known result: drawn in black */
} figure_series;

typedef struct figure_def {
    int width, height;
    const char *title, *x_title, *y_title; /* may be NULL */
    bool log_x, log_y;
    const figure_series *series;
    int count;
} figure_def;

/* `path` ends in .svg (SVG) or .png (PNG). */
rill_status rill_figure_write(const figure_def *def, const char *path, rill_error *error);

#endif
