/* SPDX-License-Identifier: MIT */
/* cmocka and the headers it needs, comparisons that print their numbers, and random numbers. */
#ifndef RILL_TEST_CHECK_H
#define RILL_TEST_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* |value - wanted| <= tolerance; a NaN fails. */
#define assert_near(value, wanted, tolerance) \
    check_near((double)(value), (double)(wanted), (double)(tolerance), #value, __FILE__, __LINE__)
static inline void check_near(double value, double wanted, double tolerance, const char *text, const char *file,
                              int line) {
    if (fabs(value - wanted) <= tolerance) return;
    print_error("%s is %.9g, expected %.9g +- %.3g\n", text, value, wanted, tolerance);
    _fail(file, line);
}

#define assert_at_most(value, limit) check_at_most((double)(value), (double)(limit), #value, __FILE__, __LINE__)
static inline void check_at_most(double value, double limit, const char *text, const char *file, int line) {
    if (value <= limit) return;
    print_error("%s is %.9g, expected at most %.9g\n", text, value, limit);
    _fail(file, line);
}

/* A small generator (xorshift) whose state the test holds. */
static inline uint32_t random_bits(uint32_t *state) {
    uint32_t x = *state ? *state : 0x9e3779b9u;
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    return *state = x;
}

static inline float random_in(uint32_t *state, float low, float high) {
    return low + (high - low) * ((float)(random_bits(state) >> 8) * 0x1p-24f);
}

#endif
