/* SPDX-License-Identifier: MIT */
/* Which compiled form of src/sim a world runs on: chosen at run time by what the processor has. */
#include "api/dispatch.h"

#define DECLARE(width) extern const sim_operations_table rill_sim_operations_2d_##width, rill_sim_operations_3d_##width;
#if !defined(__wasm_simd128__)
DECLARE(scalar)
#endif
#if defined(__x86_64__) && !defined(RILL_SCALAR_ONLY)
DECLARE(sse)
DECLARE(avx2)
#elif defined(__aarch64__) && !defined(RILL_SCALAR_ONLY)
DECLARE(neon)
#elif defined(__wasm_simd128__)
DECLARE(wasm)
#endif
#undef DECLARE

#if defined(__x86_64__) && !defined(RILL_SCALAR_ONLY)
/* Shuffles of bytes and counts of bits, beyond what every x86-64 has. */
static bool has_sse(void) {
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
}
#endif

#define PICK(dim, width) ((dim) == 2 ? &rill_sim_operations_2d_##width : &rill_sim_operations_3d_##width)

const sim_operations_table *rill_simd_operations(int dim, rill_simd width) {
    switch (width) {
#if !defined(__wasm_simd128__)
    case RILL_SIMD_SCALAR:
        return PICK(dim, scalar);
#endif
#if defined(__x86_64__) && !defined(RILL_SCALAR_ONLY)
    case RILL_SIMD_SSE:
        return has_sse() ? PICK(dim, sse) : NULL;
    case RILL_SIMD_AVX2:
        return __builtin_cpu_supports("avx2") ? PICK(dim, avx2) : NULL;
    case RILL_SIMD_AUTO:
        return __builtin_cpu_supports("avx2") ? PICK(dim, avx2) : has_sse() ? PICK(dim, sse) : PICK(dim, scalar);
#elif defined(__aarch64__) && !defined(RILL_SCALAR_ONLY)
    case RILL_SIMD_NEON:
    case RILL_SIMD_AUTO:
        return PICK(dim, neon);
#elif defined(__wasm_simd128__)
    case RILL_SIMD_WASM:
    case RILL_SIMD_AUTO:
        return PICK(dim, wasm);
#else
    case RILL_SIMD_AUTO:
        return PICK(dim, scalar);
#endif
    default:
        return NULL;
    }
}
