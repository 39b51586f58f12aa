/* SPDX-License-Identifier: MIT */
/* The operations of core/wide.h on plain arrays, for the width this is compiled for. */
#include "oracle/wide_ops.h"

#include "sim/dim_names.h"

static void arithmetic(const float *a, const float *b, float out[4][8]) {
    const wide x = wide_load(a), y = wide_load(b);
    wide_store(out[0], x + y);
    wide_store(out[1], x - y);
    wide_store(out[2], x * y);
    wide_store(out[3], x / y);
}

static void roots(const float *a, float *out) {
    wide_store(out, wide_sqrt(wide_load(a)));
}

static void extremes(const float *a, const float *b, float *least, float *most) {
    wide_store(least, wide_min(wide_load(a), wide_load(b)));
    wide_store(most, wide_max(wide_load(a), wide_load(b)));
}

static unsigned less(const float *a, const float *b, float *chosen) {
    const wide x = wide_load(a), y = wide_load(b);
    wide_store(chosen, wide_select(x < y, x, y));
    return wide_bits_less(x, y);
}

static unsigned equal(const int32_t *a, const int32_t *b) {
    wide_int x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return wide_bits_equal(x, y);
}

static void gather(const float *base, const int32_t *index, float out[4][8]) {
    wide a, b, c, d;
    wide_gather4(base, index, &a, &b, &c, &d);
    wide_store(out[0], a);
    wide_store(out[1], b);
    wide_store(out[2], c);
    wide_store(out[3], d);
}

static int compress(int32_t *out, const int32_t *index, unsigned bits) {
    wide_int v;
    memcpy(&v, index, sizeof v);
    return wide_compress(out, v, bits);
}

static float sum(const float *a) {
    return wide_sum(wide_load(a));
}

extern const wide_ops SIM_NAME(wide_ops);
const wide_ops SIM_NAME(wide_ops) = {arithmetic, roots, extremes, less, equal, gather, compress, sum};
