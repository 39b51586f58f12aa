/* SPDX-License-Identifier: MIT */
/* Normalisation of the smoothing kernels. */
#include "sim/kernel.h"

/* A kernel is value * f(q) / h^DIM, and W'(r)/r is gradient * g(q) / h^(DIM+2), with f and g as in kernel.h. */
typedef struct constants {
    double value, gradient;
} constants;

static constants constants_of(kernel_kind kind) {
#if DIM == 2
    switch (kind) {
    case KERNEL_POLY6:
    case KERNEL_POLY6H:
    case KERNEL_SQUARED_NEAR:
        return (constants){4 / PI, -24 / PI};
    case KERNEL_SPIKY:
    case KERNEL_CLAVET_NEAR:
        return (constants){10 / PI, -30 / PI};
    case KERNEL_CUBIC:
        return (constants){40 / (7 * PI), -240 / (7 * PI)};
    case KERNEL_WENDLAND:
        return (constants){7 / PI, -140 / PI};
    case KERNEL_CLAVET:
        return (constants){6 / PI, -12 / PI};
    case KERNEL_HYBRID:
        return (constants){6 / PI, -12 / PI};
    case KERNEL_HYBRID_NEAR:
        return (constants){10 / PI, -30 / PI};
    case KERNEL_SQUARED:
        return (constants){3 / PI, -12 / PI};
    case KERNEL_QUINTIC:
        return (constants){15309 / (478 * PI), -76545 / (478 * PI)};
    case KERNEL_COUNT:
        break;
    }
#else
    switch (kind) {
    case KERNEL_POLY6:
    case KERNEL_POLY6H:
    case KERNEL_SQUARED_NEAR:
        return (constants){315 / (64 * PI), -945 / (32 * PI)};
    case KERNEL_SPIKY:
    case KERNEL_CLAVET_NEAR:
        return (constants){15 / PI, -45 / PI};
    case KERNEL_CUBIC:
        return (constants){8 / PI, -48 / PI};
    case KERNEL_WENDLAND:
        return (constants){21 / (2 * PI), -210 / PI};
    case KERNEL_CLAVET:
        return (constants){15 / (2 * PI), -15 / PI};
    case KERNEL_HYBRID:
        return (constants){15 / (2 * PI), -15 / PI};
    case KERNEL_HYBRID_NEAR:
        return (constants){15 / PI, -45 / PI};
    case KERNEL_SQUARED:
        return (constants){105 / (32 * PI), -105 / (8 * PI)};
    case KERNEL_QUINTIC:
        return (constants){2187 / (40 * PI), -2187 / (8 * PI)};
    case KERNEL_COUNT:
        break;
    }
#endif
    return (constants){0};
}

kernel rill_kernel_make(kernel_kind kind, float h) {
    const constants c = constants_of(kind);
    const double volume = DIM == 2 ? (double)h * (double)h : (double)h * (double)h * (double)h;
    return (kernel){.kind = kind,
                    .h = h,
                    .h2 = h * h,
                    .inverse_h = 1.0f / h,
                    .value_scale = (float)(c.value / volume),
                    .gradient_scale = (float)(c.gradient / (volume * (double)h * (double)h)),
                    .tiny = 1e-12f * h * h};
}

void rill_laplacian_calibrate(laplacian *l, float dx) {
    const int reach = (int)(l->gradient.h / dx) + 1, depth = DIM == 3 ? reach : 0;
    double moment = 0;
    for (int c = -depth; c <= depth; c++)
        for (int b = -reach; b <= reach; b++)
            for (int a = -reach; a <= reach; a++) {
                const float r = dx * sqrtf((float)(a * a + b * b + c * c));
                if (r > 0.0f) moment += (double)(dim_power(dx) * r * r * laplacian_value_at(l, r));
            }
    if (moment > 0) l->scale *= (float)(2 * DIM / moment);
}

float rill_laplacian_integral(const laplacian *l) {
    const int parts = 512;
    const double h = (double)l->gradient.h, step = h / parts;
    double sum = 0;
    for (int k = 0; k < parts; k++) {
        const double r = (k + 0.5) * step;
        sum += (double)laplacian_value_at(l, (float)r) * (DIM == 2 ? 2 * PI * r : 4 * PI * r * r) * step;
    }
    return (float)sum;
}
