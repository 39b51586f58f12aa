/* SPDX-License-Identifier: MIT */
/* What kernel_bits.c computes for each dimension and width. */
#ifndef RILL_TEST_KERNEL_BITS_H
#define RILL_TEST_KERNEL_BITS_H

typedef struct kernel_result {
    float value[8], gradient[8], laplacian[3][8], poly6[8];
} kernel_result;

typedef void kernel_bits_fn(int kind, float h, const float *r2, int count, kernel_result *out);

#endif
