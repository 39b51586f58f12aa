/* SPDX-License-Identifier: MIT */
/* Values of kernels in the dimension and width that this file is compiled for; test_kernel_bits.c compares them. */
#include "oracle/kernel_bits.h"

#include "sim/kernel.h"

_Static_assert(KERNELS == KERNEL_COUNT, "every kernel is compared");

#define kernel_bits SIM_NAME(kernel_bits)
void kernel_bits(int kind, float h, const float *r2, int count, kernel_result *out);

void kernel_bits(int kind, float h, const float *r2, int count, kernel_result *out) {
    const kernel k = rill_kernel_make((kernel_kind)kind, h), poly6 = rill_kernel_make(KERNEL_POLY6, h);
    for (int n = 0; n < count; n += WIDE, r2 += WIDE, out++) {
        const wide at = wide_load(r2), g = kernel_gradient(&k, at);
        wide_store(out->value, kernel_value(&k, at));
        wide_store(out->gradient, g);
        for (int kind_l = 0; kind_l < LAPLACIAN_COUNT; kind_l++) {
            const laplacian l = laplacian_make((laplacian_kind)kind_l, &k);
            wide_store(out->laplacian[kind_l], laplacian_value(&l, at, g));
        }
        wide_store(out->poly6, poly6_laplacian(&poly6, at));
    }
}
