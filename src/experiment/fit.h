/* SPDX-License-Identifier: MIT */
/* Least squares: what is read off a series of points. */
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
    double kept; /* of the amplitude after a period */
} cosine_fit;
bool rill_fit_decaying_cosine(const double *x, const double *y, int count, cosine_fit *fit);

/* Points (x, y) held against a table (u, v): the root of the mean square of (y(u - shift) - v)/v over those rows of the
   table that the points reach, or not a number. */
double rill_fit_deviation(const double *x, const double *y, int count, const double *u, const double *v, int rows,
                          double shift);
/* The root of the mean square, and the mean size, of y(u) - v over the same rows. */
double rill_fit_rmse(const double *x, const double *y, int count, const double *u, const double *v, int rows);
double rill_fit_mae(const double *x, const double *y, int count, const double *u, const double *v, int rows);
/* The shift of at most `most` that makes the deviation least. */
double rill_fit_shift(const double *x, const double *y, int count, const double *u, const double *v, int rows,
                      double most);

#endif
