/* SPDX-License-Identifier: MIT */
/* The SIMD widths that this build of the library has, as a list. */
#ifndef RILL_TEST_WIDTHS_H
#define RILL_TEST_WIDTHS_H

#include <stdbool.h>
#include <string.h>

/* X(width) for each width; the build defines RILL_HAS_<width> (cmake/widths.cmake). */
#ifdef RILL_HAS_sse
#define FOR_SSE(X) X(sse)
#else
#define FOR_SSE(X)
#endif
#ifdef RILL_HAS_avx2
#define FOR_AVX2(X) X(avx2)
#else
#define FOR_AVX2(X)
#endif
#ifdef RILL_HAS_neon
#define FOR_NEON(X) X(neon)
#else
#define FOR_NEON(X)
#endif
#define FOR_WIDTHS(X) X(scalar) FOR_SSE(X) FOR_AVX2(X) FOR_NEON(X)

/* True if this build has the width and this machine can run it. */
static inline bool width_runs(const char *width) {
#define IS(name) || strcmp(width, #name) == 0
    const bool here = strcmp(width, "auto") == 0 FOR_WIDTHS(IS);
#undef IS
#ifdef __x86_64__
    if (strcmp(width, "avx2") == 0) return here && __builtin_cpu_supports("avx2");
#endif
    return here;
}

#endif
