/* SPDX-License-Identifier: MIT */
/* The SIMD widths that this build of the library has, as a list. */
#ifndef RILL_TEST_WIDTHS_H
#define RILL_TEST_WIDTHS_H

#include <stdbool.h>
#include <string.h>

#if defined(RILL_SCALAR_ONLY)
#define FOR_WIDTHS(X) X(scalar)
#elif defined(__x86_64__)
#define FOR_WIDTHS(X) X(scalar) X(sse) X(avx2)
#elif defined(__aarch64__)
#define FOR_WIDTHS(X) X(scalar) X(neon)
#else
#define FOR_WIDTHS(X) X(scalar)
#endif

/* Whether this machine can run it. */
static inline bool width_runs(const char *width) {
#if defined(__x86_64__)
    if (strcmp(width, "avx2") == 0) return __builtin_cpu_supports("avx2");
#else
    (void)width;
#endif
    return true;
}

#endif
