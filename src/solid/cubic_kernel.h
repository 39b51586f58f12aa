/* SPDX-License-Identifier: MIT */
/* The cubic spline kernel (Monaghan 1992) of one pair, by which the volumes of wall samples and the share of a kernel
   that a solid covers are measured: the same bits as KERNEL_CUBIC of sim/kernel.h. */
#ifndef RILL_SOLID_CUBIC_KERNEL_H
#define RILL_SOLID_CUBIC_KERNEL_H

#include "solid/dim.h"

typedef struct cubic_kernel {
    float inverse_h, scale;
} cubic_kernel;

VEC_FN cubic_kernel cubic_kernel_make(float h) {
    const double pi = 3.14159265358979323846, width = (double)h;
    const double volume = DIM == 2 ? width * width : width * width * width;
    return (cubic_kernel){1.0f / h, (float)((DIM == 2 ? 40 / (7 * pi) : 8 / pi) / volume)};
}

VEC_FN float cubic_kernel_at(const cubic_kernel *k, float r) {
    const float q = sqrtf(r * r) * k->inverse_h;
    const float s = 1.0f - q > 0.0f ? 1.0f - q : 0.0f, t = 0.5f - q > 0.0f ? 0.5f - q : 0.0f;
    return k->scale * (2.0f * (s * s * s) - 8.0f * (t * t * t));
}

#endif
