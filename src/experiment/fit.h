/* SPDX-License-Identifier: MIT */
/* Least squares fits of a series of points, and comparisons with tables. */
#ifndef RILL_EXPERIMENT_FIT_H
#define RILL_EXPERIMENT_FIT_H

#include <stdbool.h>

/* y = offset + slope x */
typedef struct line_fit {
    double offset, slope;
} line_fit;
bool rill_fit_line(const double *x, const double *y, int count, line_fit *fit);

/* y = scale exp(rate x), for y of one sign. */
typedef struct exponential_fit {
    double scale, rate;
} exponential_fit;
bool rill_fit_exponential(const double *x, const double *y, int count, exponential_fit *fit);

/* y = offset + amplitude exp(-damping x) cos(2 pi x/period + phase) */
typedef struct cosine_fit {
    double offset, amplitude, damping, period, phase;
    double kept; /* share of the amplitude that is left after a period */
} cosine_fit;
bool rill_fit_decaying_cosine(const double *x, const double *y, int count, cosine_fit *fit);

/* Root mean square of (y(u - shift) - v)/v for points (x, y) and a table (u, v), over the rows of the table that the
   points cover; NAN if these are at most half of the rows. */
double rill_fit_deviation(const double *x, const double *y, int count, const double *u, const double *v, int rows,
                          double shift);
/* Root mean square and mean absolute value of y(u) - v over these rows. */
double rill_fit_rmse(const double *x, const double *y, int count, const double *u, const double *v, int rows);
double rill_fit_mae(const double *x, const double *y, int count, const double *u, const double *v, int rows);
/* The shift, of at most `most`, with the least deviation. */
double rill_fit_shift(const double *x, const double *y, int count, const double *u, const double *v, int rows,
                      double most);

#endif
