/* SPDX-License-Identifier: MIT */
/* Chooses the compiled variant of src/sim that a world runs on, at run time, by the instructions of the processor. */
#include "api/dispatch.h"

/* The build defines RILL_HAS_scalar, RILL_HAS_sse, ... for each width that it compiles (cmake/widths.cmake). */
#define DECLARE(width) extern const sim_operations_table rill_sim_operations_2d_##width, rill_sim_operations_3d_##width;
#ifdef RILL_HAS_scalar
DECLARE(scalar)
#endif
#ifdef RILL_HAS_sse
DECLARE(sse)
#endif
#ifdef RILL_HAS_avx2
DECLARE(avx2)
#endif
#ifdef RILL_HAS_neon
DECLARE(neon)
#endif
#ifdef RILL_HAS_wasm
DECLARE(wasm)
#endif
#undef DECLARE

#define PICK(dim, width) ((dim) == 2 ? &rill_sim_operations_2d_##width : &rill_sim_operations_3d_##width)

/* The table of one width, not AUTO; NULL if this build or this processor does not have it. */
static const sim_operations_table *operations_of(int dim, rill_simd width) {
    switch (width) {
#ifdef RILL_HAS_scalar
    case RILL_SIMD_SCALAR:
        return PICK(dim, scalar);
#endif
#ifdef RILL_HAS_sse
    case RILL_SIMD_SSE: /* byte shuffles and bit counts, which not every x86-64 has */
        return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt") ? PICK(dim, sse) : NULL;
#endif
#ifdef RILL_HAS_avx2
    case RILL_SIMD_AVX2:
        return __builtin_cpu_supports("avx2") ? PICK(dim, avx2) : NULL;
#endif
#ifdef RILL_HAS_neon
    case RILL_SIMD_NEON:
        return PICK(dim, neon);
#endif
#ifdef RILL_HAS_wasm
    case RILL_SIMD_WASM:
        return PICK(dim, wasm);
#endif
    default:
        return NULL;
    }
}

const sim_operations_table *rill_simd_operations(int dim, rill_simd width) {
    if (width != RILL_SIMD_AUTO) return operations_of(dim, width);
    static const rill_simd best_first[] = {RILL_SIMD_WASM, RILL_SIMD_NEON, RILL_SIMD_AVX2, RILL_SIMD_SSE,
                                           RILL_SIMD_SCALAR};
    for (int k = 0; k < 5; k++) {
        const sim_operations_table *operations = operations_of(dim, best_first[k]);
        if (operations) return operations;
    }
    return NULL;
}
