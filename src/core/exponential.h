/* SPDX-License-Identifier: MIT */
/* Exponential, logarithm and hyperbolic tangent from additions, multiplications and divisions alone, so that the bits
   are the same on every machine, as in core/trig.h. Relative errors are below 1e-14. */
#ifndef RILL_CORE_EXPONENTIAL_H
#define RILL_CORE_EXPONENTIAL_H

/* 0 and infinity beyond the range of a double. */
double rill_exp(double x);
/* Minus infinity for 0, NAN for negative numbers. */
double rill_log(double x);
double rill_tanh(double x);
/* By repeated multiplication for integer exponents up to 1024, otherwise through the logarithm. */
double rill_power(double base, double exponent);

#endif
