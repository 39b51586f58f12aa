/* SPDX-License-Identifier: MIT */
/* Sine, cosine and arc tangent from additions, multiplications and divisions alone: the same bits on every machine,
   which the C library does not promise. Within 1e-15 of the true value for |x| < 2^27, where a turn is still resolved
   to 1e-8; beyond that the error grows with x. */
#ifndef RILL_CORE_TRIG_H
#define RILL_CORE_TRIG_H

double trig_sin(double x);
double trig_cos(double x);
/* Angle of the point (x, y), in [-pi, pi]; 0 for the origin. */
double trig_atan2(double y, double x);

#endif
