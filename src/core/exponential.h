/* SPDX-License-Identifier: MIT */
/* Exponential, logarithm and hyperbolic tangent from additions, multiplications and divisions alone: the same bits on
   every machine, like core/trig.h. Relative errors are below 1e-14. */
#ifndef RILL_CORE_EXPONENTIAL_H
#define RILL_CORE_EXPONENTIAL_H

/* 0 and infinity beyond the range of a double. */
double rill_exp(double x);
/* Minus infinity for 0, not a number for what is negative. */
double rill_log(double x);
double rill_tanh(double x);
/* Exact products for whole exponents up to 1024, otherwise through the logarithm. */
double rill_power(double base, double exponent);

#endif
