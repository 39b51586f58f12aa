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

/* Whether this build has it and this machine can run it. */
static inline bool width_runs(const char *width) {
#if defined(RILL_SCALAR_ONLY)
    return strcmp(width, "scalar") == 0;
#elif defined(__x86_64__)
    return strcmp(width, "avx2") != 0 || __builtin_cpu_supports("avx2");
#else
    (void)width;
    return true;
#endif
}

#endif
