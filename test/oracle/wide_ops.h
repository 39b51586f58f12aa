/* SPDX-License-Identifier: MIT */
/* The operations of core/wide.h on plain arrays, as wide_ops.c offers them for each width. */
#ifndef RILL_TEST_WIDE_OPS_H
#define RILL_TEST_WIDE_OPS_H

#include <stdint.h>

typedef struct wide_ops {
    void (*arithmetic)(const float *a, const float *b, float out[4][8]); /* + - * / */
    void (*roots)(const float *a, float *out);
    void (*extremes)(const float *a, const float *b, float *least, float *most);
    unsigned (*less)(const float *a, const float *b, float *chosen); /* bits of a < b; a < b ? a : b */
    unsigned (*equal)(const int32_t *a, const int32_t *b);           /* bits of a == b */
    void (*gather)(const float *base, const int32_t *index, float out[4][8]);
    int (*compress)(int32_t *out, const int32_t *index, unsigned bits);
    float (*sum)(const float *a);
} wide_ops;

#endif
