/* SPDX-License-Identifier: MIT */
/* Sine, cosine, inverse functions and the cube root from additions, multiplications, divisions and square roots alone,
   so that the bits are the same on every machine, which the C library does not promise. Sine and cosine are within
   1e-15 of the true value for |x| < 2^27, where a double still resolves an angle to 1e-8; beyond that the error grows
   with x. */
#ifndef RILL_CORE_TRIG_H
#define RILL_CORE_TRIG_H

#define PI 3.14159265358979323846

double rill_trig_sin(double x);
double rill_trig_cos(double x);
/* Angle of the point (x, y), in [-pi, pi]; 0 for the origin. */
double rill_trig_atan2(double y, double x);
/* In [0, pi], for x in [-1, 1]. */
double rill_trig_acos(double x);
/* The error is at most one unit in the last place. */
double rill_cube_root(double x);

#endif
