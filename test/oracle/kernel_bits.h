/* SPDX-License-Identifier: MIT */
/* The results of kernel_bits.c, which is compiled for each dimension and width, for eight r^2 at a time. */
#ifndef RILL_TEST_KERNEL_BITS_H
#define RILL_TEST_KERNEL_BITS_H

#define KERNELS 12 /* all of sim/kernel.h, which a file without dimension and width cannot include */

typedef struct kernel_result {
    float value[8], gradient[8], laplacian[3][8], poly6[8];
} kernel_result;

typedef void kernel_bits_fn(int kind, float h, const float *r2, int count, kernel_result *out);

#endif
