/* SPDX-License-Identifier: MIT */
/* The kernel of a single pair, for the volumes of wall samples and the share of a kernel that a solid covers. It is
   that of the world's quality, with the same bits as KERNEL_CUBIC and KERNEL_QUINTIC of sim/kernel.h. A method that is
   set to another kernel meets curved walls as if it had this one. */
#ifndef RILL_SOLID_WALL_KERNEL_H
#define RILL_SOLID_WALL_KERNEL_H

#include "core/trig.h"
#include "solid/dim.h"

typedef struct wall_kernel {
    bool quintic;
    float inverse_h, scale;
} wall_kernel;

VEC_FN wall_kernel wall_kernel_make(int32_t quality, float h) {
    const double width = (double)h;
    const double volume = DIM == 2 ? width * width : width * width * width;
    const double cubic = DIM == 2 ? 40 / (7 * PI) : 8 / PI, quintic = DIM == 2 ? 15309 / (478 * PI) : 2187 / (40 * PI);
    const bool accurate = quality == RILL_QUALITY_ACCURATE;
    return (wall_kernel){accurate, 1.0f / h, (float)((accurate ? quintic : cubic) / volume)};
}

VEC_FN float wall_kernel_part(float end, float q) {
    return end - q > 0.0f ? end - q : 0.0f;
}

VEC_FN float wall_kernel_at(const wall_kernel *k, float r) {
    const float q = sqrtf(r * r) * k->inverse_h, s = wall_kernel_part(1.0f, q);
    if (k->quintic) {
        const float t = wall_kernel_part(2.0f / 3.0f, q), u = wall_kernel_part(1.0f / 3.0f, q);
        const float s2 = s * s, t2 = t * t, u2 = u * u;
        return k->scale * (s2 * s2 * s - 6.0f * (t2 * t2 * t) + 15.0f * (u2 * u2 * u));
    }
    const float t = wall_kernel_part(0.5f, q);
    return k->scale * (2.0f * (s * s * s) - 8.0f * (t * t * t));
}

#endif
