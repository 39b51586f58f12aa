/* SPDX-License-Identifier: MIT */
/* Powers of two are split off, which is exact; power series give the rest. */
#include "core/exponential.h"

#include <math.h>

/* ln 2 in two pieces: the first has 32 bits, so that its products with exponents of doubles are exact. */
#define LN2_HIGH     0x1.62e42feep-1
#define LN2_LOW      0x1.a39ef35793c76p-33
#define SQRT_HALF    0.70710678118654752440
#define EXPONENT_MAX 1100.0 /* in powers of two, a little beyond the range of a double */

/* exp(x) - 1 for |x| <= ln(2)/2. The terms left out are below 1e-19. */
static double exp_minus_one(double x) {
    double sum = 1;
    for (int k = 17; k > 1; k--) sum = 1 + x / (double)k * sum;
    return x * sum;
}

double rill_exp(double x) {
    if (isnan(x)) return x;
    const double count = floor(x / LN2_HIGH + 0.5);
    if (count > EXPONENT_MAX) return HUGE_VAL;
    if (count < -EXPONENT_MAX) return 0;
    return ldexp(1 + exp_minus_one((x - count * LN2_HIGH) - count * LN2_LOW), (int)count);
}

double rill_log(double x) {
    if (!(x > 0)) return x == 0 ? -HUGE_VAL : (double)NAN;
    if (!isfinite(x)) return x;
    int count;
    double part = frexp(x, &count);
    if (part < SQRT_HALF) part *= 2, count--;
    /* ln(part) = 2 artanh(s), with |s| < 0.172. */
    const double s = (part - 1) / (part + 1), s2 = s * s;
    double sum = 0;
    for (int k = 23; k >= 1; k -= 2) sum = 1 / (double)k + s2 * sum;
    return count * LN2_HIGH + (count * LN2_LOW + 2 * s * sum);
}

double rill_tanh(double x) {
    const double size = fabs(x);
    if (!(size < 20)) return isnan(x) ? x : x > 0 ? 1 : -1;
    /* (e - 1)/(e + 1) with e = exp(2 size). Near 0, e - 1 comes from its series, which loses no digits. */
    const double less_one = size < 0.17 ? exp_minus_one(2 * size) : rill_exp(2 * size) - 1;
    const double value = less_one / (less_one + 2);
    return x < 0 ? -value : value;
}

double rill_power(double base, double exponent) {
    if (exponent != floor(exponent) || fabs(exponent) > 1024)
        return base == 0 && exponent > 0 ? 0 : rill_exp(exponent * rill_log(base));
    double product = 1, square = base;
    for (int k = (int)fabs(exponent); k > 0; k /= 2, square *= square)
        if (k % 2) product *= square;
    return exponent < 0 ? 1 / product : product;
}
