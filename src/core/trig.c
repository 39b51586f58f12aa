/* SPDX-License-Identifier: MIT */
/* Sine and cosine: reduction to an eighth of a turn, then the power series. Cube root: Newton's method. */
#include "core/trig.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* pi/2 in three pieces. The first two have 26 bits each, so that their products with a count of quarter turns below
   2^27 are exact. */
#define QUARTER_1 0x1.921fb5p+0
#define QUARTER_2 0x1.110b46p-26
#define QUARTER_3 0x1.1a62633145c07p-54
#define COUNT_MAX 134217728.0

/* x less a whole number of quarter turns; `count` is that number modulo 4. */
static double within_quarter(double x, int *count) {
    if (!(fabs(x) < COUNT_MAX)) x = isfinite(x) ? fmod(x, 2 * PI) : 0;
    const double n = floor(x * (2 / PI) + 0.5);
    *count = (int)(n - 4 * floor(n / 4));
    return ((x - n * QUARTER_1) - n * QUARTER_2) - n * QUARTER_3;
}

/* Sum of (-1)^k x^(2k + first)/(2k + first)!, from the smallest term up. For |x| <= pi/4 the terms left out are below
   3e-18. */
static double series(double x, int first) {
    const double x2 = x * x;
    double sum = 1;
    for (int k = first + 16; k > first; k -= 2) sum = 1 - x2 / (double)(k * (k - 1)) * sum;
    return first == 1 ? x * sum : sum;
}

double rill_trig_sin(double x) {
    int count;
    const double r = within_quarter(x, &count), s = series(r, 1 - count % 2);
    return count < 2 ? s : -s;
}

double rill_trig_cos(double x) {
    int count;
    const double r = within_quarter(x, &count), s = series(r, count % 2);
    return count == 0 || count == 3 ? s : -s;
}

/* For 0 <= x <= 1, with c the nearest multiple of 1/4: atan x = atan c + atan((x - c)/(1 + c x)). */
static double arc_tangent(double x) {
    static const double known[] = {0, 0.24497866312686414, 0.4636476090008061, 0.6435011087932844, PI / 4};
    const int nearest = (int)(4 * x + 0.5);
    const double c = 0.25 * nearest, t = (x - c) / (1 + c * x), t2 = t * t;
    double sum = 0;
    for (int k = 17; k > 0; k -= 2) sum = 1 / (double)k - t2 * sum;
    return known[nearest] + t * sum;
}

double rill_trig_atan2(double y, double x) {
    const double a = fabs(x), b = fabs(y);
    if (!(a > 0) && !(b > 0)) return 0;
    double angle = b <= a ? arc_tangent(b / a) : PI / 2 - arc_tangent(a / b);
    if (x < 0) angle = PI - angle;
    return y < 0 ? -angle : angle;
}

double rill_trig_acos(double x) {
    return rill_trig_atan2(sqrt((1 - x) * (1 + x)), x);
}

/* A third of the bits as an integer is about a third of the logarithm, which gives a start within 4 %. Four Newton
   steps reduce that below 1e-20. */
double rill_cube_root(double x) {
    if (!(fabs(x) > 0) || isinf(x)) return x;
    const bool tiny = fabs(x) < 0x1p-1000;
    const double a = tiny ? fabs(x) * 0x1p+120 : fabs(x);
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits = bits / 3 + UINT64_C(0x2a9f7893782da1ce);
    double root;
    memcpy(&root, &bits, sizeof root);
    for (int step = 0; step < 4; step++) root -= (root - a / (root * root)) / 3;
    if (tiny) root *= 0x1p-40;
    return x < 0 ? -root : root;
}
