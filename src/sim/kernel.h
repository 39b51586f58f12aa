/* SPDX-License-Identifier: MIT */
/* Smoothing kernels. h is the support radius: every kernel is zero at r >= h. Constants and forms as in
   docs/kernels.md; each is checked by quadrature, finite differences and lattice sums. All functions take r^2, which a
   neighbour loop has at hand. The gradient is returned as W'(r)/r, so that grad W = kernel_gradient(r^2) x_ij. Each is
   written once, for the wide type; scalar callers read lane 0. */
#ifndef RILL_SIM_KERNEL_H
#define RILL_SIM_KERNEL_H

#include "core/trig.h"
#include "sim/dim.h"

typedef enum kernel_kind {
    KERNEL_POLY6,        /* Mueller 2003, Eq. 20 */
    KERNEL_POLY6H,       /* poly6 with the gradient along h x_ij/r (Nilsson; thesis A.40, A.42) */
    KERNEL_SPIKY,        /* Mueller 2003, Eq. 21 */
    KERNEL_CUBIC,        /* cubic spline, Monaghan 1992, support h */
    KERNEL_WENDLAND,     /* Wendland C2, support h */
    KERNEL_CLAVET,       /* Clavet 2005, (1-q)^2, normalised */
    KERNEL_CLAVET_NEAR,  /* (1-q)^3, the same as spiky */
    KERNEL_HYBRID,       /* (1-q^2)^2 with the constants of CLAVET and the direction x/r kept (thesis A.3) */
    KERNEL_HYBRID_NEAR,  /* (1-q^2)^3, constants and direction as in HYBRID */
    KERNEL_SQUARED,      /* (1-q^2)^2, normalised, direction x (thesis A.4) */
    KERNEL_SQUARED_NEAR, /* (1-q^2)^3, the same as poly6 */
    KERNEL_QUINTIC,      /* quintic spline, Morris 1997, support h */
    KERNEL_COUNT,
    KERNEL_AUTO = KERNEL_COUNT /* chosen by the world's quality: method_kernel */
} kernel_kind;
#define KERNEL_CHOICES \
    "poly6|poly6h|spiky|cubic|wendland|clavet|clavet_near|hybrid|hybrid_near|squared|squared_near|quintic|auto"

/* Operators for the Laplacian of a difference: sum V_j (f_j - f_i) L(r). */
typedef enum laplacian_kind {
    LAPLACIAN_VISCOSITY, /* Mueller 2003, Eq. 22; in 2D the consistent constant 40/(pi h^5) */
    LAPLACIAN_THESIS,    /* in 2D the thesis's 360/(29 pi h^5): 3.2 times too weak; in 3D as above */
    LAPLACIAN_GRADIENT,  /* -2 W'(r)/r of the gradient's kernel (Brookshaw 1985, Morris 1997) */
    LAPLACIAN_COUNT
} laplacian_kind;
#define LAPLACIAN_CHOICES "viscosity|thesis|gradient"

typedef struct kernel {
    kernel_kind kind;
    float h, h2, inverse_h;
    float value_scale;    /* normalisation of W */
    float gradient_scale; /* of W'(r)/r, with its minus sign */
    float tiny;           /* lower bound of r^2 in W'(r)/r, against division by zero */
} kernel;

kernel rill_kernel_make(kernel_kind kind, float h);

WIDE_FN wide kernel_value(const kernel *k, wide r2) {
    const wide one = wide_set(1.0f), zero = wide_zero();
    wide s;
    switch (k->kind) {
    case KERNEL_POLY6:
    case KERNEL_POLY6H:
    case KERNEL_SQUARED_NEAR:
    case KERNEL_HYBRID_NEAR:
        s = wide_max(one - r2 * (k->inverse_h * k->inverse_h), zero);
        return k->value_scale * (s * s * s);
    case KERNEL_SQUARED:
    case KERNEL_HYBRID:
        s = wide_max(one - r2 * (k->inverse_h * k->inverse_h), zero);
        return k->value_scale * (s * s);
    default:
        break;
    }
    const wide q = wide_sqrt(r2) * k->inverse_h;
    s = wide_max(one - q, zero);
    switch (k->kind) {
    case KERNEL_CUBIC: { /* 6(q^3-q^2)+1 for q <= 1/2 and 2(1-q)^3 beyond, as the one expression 2 s^3 - 8 t^3 */
        const wide t = wide_max(wide_set(0.5f) - q, zero);
        return k->value_scale * (2.0f * (s * s * s) - 8.0f * (t * t * t));
    }
    case KERNEL_QUINTIC: { /* (1-q)^5 - 6 (2/3-q)^5 + 15 (1/3-q)^5, each where it is positive */
        const wide t = wide_max(wide_set(2.0f / 3.0f) - q, zero), u = wide_max(wide_set(1.0f / 3.0f) - q, zero);
        const wide s2 = s * s, t2 = t * t, u2 = u * u;
        return k->value_scale * (s2 * s2 * s - 6.0f * (t2 * t2 * t) + 15.0f * (u2 * u2 * u));
    }
    case KERNEL_WENDLAND:
        return k->value_scale * ((s * s) * (s * s) * (one + 4.0f * q));
    case KERNEL_CLAVET:
        return k->value_scale * (s * s);
    default:
        return k->value_scale * (s * s * s); /* spiky, clavet_near */
    }
}

/* W'(r)/r */
WIDE_FN wide kernel_gradient(const kernel *k, wide r2) {
    const wide one = wide_set(1.0f), zero = wide_zero();
    wide s;
    switch (k->kind) {
    case KERNEL_POLY6:
    case KERNEL_SQUARED_NEAR:
        s = wide_max(one - r2 * (k->inverse_h * k->inverse_h), zero);
        return k->gradient_scale * (s * s);
    case KERNEL_SQUARED:
        s = wide_max(one - r2 * (k->inverse_h * k->inverse_h), zero);
        return k->gradient_scale * s;
    default:
        break;
    }
    const wide q = wide_sqrt(wide_max(r2, wide_set(k->tiny))) * k->inverse_h;
    s = wide_max(one - q, zero);
    switch (k->kind) {
    case KERNEL_CUBIC: { /* derivative of 2 s^3 - 8 t^3 */
        const wide t = wide_max(wide_set(0.5f) - q, zero);
        return k->gradient_scale * ((s * s - 4.0f * (t * t)) / q);
    }
    case KERNEL_QUINTIC: { /* derivative of the three fifth powers */
        const wide t = wide_max(wide_set(2.0f / 3.0f) - q, zero), u = wide_max(wide_set(1.0f / 3.0f) - q, zero);
        const wide s2 = s * s, t2 = t * t, u2 = u * u;
        return k->gradient_scale * ((s2 * s2 - 6.0f * (t2 * t2) + 15.0f * (u2 * u2)) / q);
    }
    case KERNEL_WENDLAND:
        return k->gradient_scale * (s * s * s); /* the q cancels */
    case KERNEL_POLY6H:
    case KERNEL_HYBRID_NEAR:
        s = wide_max(one - q * q, zero);
        return k->gradient_scale * ((s * s) / q);
    case KERNEL_HYBRID:
        s = wide_max(one - q * q, zero);
        return k->gradient_scale * (s / q);
    case KERNEL_CLAVET:
        return k->gradient_scale * (s / q);
    default:
        return k->gradient_scale * ((s * s) / q); /* spiky, clavet_near */
    }
}

/* The operator behind a laplacian_kind, ready for a loop. */
typedef struct laplacian {
    bool by_gradient;
    float scale; /* of (h - r), or -2 for the gradient form */
    kernel gradient;
} laplacian;

VEC_FN laplacian laplacian_make(laplacian_kind kind, const kernel *gradient) {
    const float pi = (float)PI, h = gradient->h, h5 = h * h * h * h * h;
    laplacian l = {.by_gradient = kind == LAPLACIAN_GRADIENT, .gradient = *gradient};
    if (l.by_gradient)
        l.scale = -2.0f;
    else if (DIM == 3)
        l.scale = 45.0f / (pi * h5 * h);
    else
        l.scale = kind == LAPLACIAN_THESIS ? 360.0f / (29.0f * pi * h5) : 40.0f / (pi * h5);
    return l;
}

/* Scales the operator so that it is exact on a lattice at rest: sum V0 r^2 L = 2 DIM there, as the integral is. Over
   about ten neighbours the sum of a consistent operator may still be wrong by a tenth. */
void rill_laplacian_calibrate(laplacian *l, float dx);
/* Integral of the operator over the kernel. */
float rill_laplacian_integral(const laplacian *l);

/* `gradient` is kernel_gradient of the same pair: with it the gradient form costs one multiplication. */
WIDE_FN wide laplacian_value(const laplacian *l, wide r2, wide gradient) {
    if (l->by_gradient) return l->scale * gradient;
    return l->scale * wide_max(l->gradient.h - wide_sqrt(r2), wide_zero());
}

/* The exact Laplacian of poly6, -6c (h^2-r^2)(d h^2 - (d+4) r^2) with c its constant, for the colour field (Mueller
   2003, section 3.3). `k` must be a poly6 kernel; its gradient_scale is -6c h^4. */
WIDE_FN wide poly6_laplacian(const kernel *k, wide r2) {
    const wide one = wide_set(1.0f);
    /* At most 1: the null particle is so far away that q^2 may overflow, and 0 times infinity is NaN. */
    const wide q2 = wide_min(r2 * (k->inverse_h * k->inverse_h), one), s = one - q2;
    return k->gradient_scale * (s * ((float)DIM - (float)(DIM + 4) * q2));
}

VEC_FN float kernel_value_at(const kernel *k, float r) {
    return kernel_value(k, wide_set(r * r))[0];
}

VEC_FN float kernel_gradient_at(const kernel *k, float r) {
    return kernel_gradient(k, wide_set(r * r))[0];
}

VEC_FN float laplacian_value_at(const laplacian *l, float r) {
    return laplacian_value(l, wide_set(r * r), kernel_gradient(&l->gradient, wide_set(r * r)))[0];
}

#endif
