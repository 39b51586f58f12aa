/* SPDX-License-Identifier: MIT */
/* The wide type against plain C, lane by lane, on every width: equal bits, not just close values. */
#include "oracle/check.h"
#include "oracle/wide_ops.h"
#include "oracle/widths.h"

#define DECLARE(width) extern const wide_ops wide_ops_2d_##width;
FOR_WIDTHS(DECLARE)

static const struct {
    const char *name;
    const wide_ops *ops;
} widths[] = {
#define ENTRY(width) {#width, &wide_ops_2d_##width},
    FOR_WIDTHS(ENTRY)};
#define FOR_EACH_WIDTH(w)                                       \
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) \
        if (width_runs(widths[w].name))

static void same(const float *got, const float *wanted, const char *width, const char *what) {
    for (int k = 0; k < 8; k++)
        if (memcmp(&got[k], &wanted[k], sizeof *got) != 0)
            fail_msg("%s, %s, lane %d: %.9g, expected %.9g", width, what, k, (double)got[k], (double)wanted[k]);
}

/* Numbers of all magnitudes, and now and then a special one. */
static void fill(float *a, uint32_t *random) {
    static const float special[] = {0.0f, 1.0f, 1e-40f, 1e-30f, 3e38f, 0.5f};
    for (int k = 0; k < 8; k++) {
        a[k] = random_in(random, -2.0f, 2.0f) * powf(10.0f, random_in(random, -12.0f, 12.0f));
        if (random_bits(random) % 7 == 0) a[k] = special[random_bits(random) % 6];
    }
}

static void arithmetic(void **state) {
    (void)state;
    uint32_t random = 3;
    for (int round = 0; round < 500; round++) {
        float a[8], b[8], wanted[4][8], roots[8], least[8], most[8], chosen[8];
        fill(a, &random), fill(b, &random);
        unsigned bits = 0;
        for (int k = 0; k < 8; k++) {
            if (b[k] == 0.0f) b[k] = 2.0f;
            wanted[0][k] = a[k] + b[k], wanted[1][k] = a[k] - b[k];
            wanted[2][k] = a[k] * b[k], wanted[3][k] = a[k] / b[k];
            roots[k] = sqrtf(fabsf(a[k]));
            least[k] = a[k] < b[k] ? a[k] : b[k], most[k] = a[k] > b[k] ? a[k] : b[k];
            chosen[k] = a[k] < b[k] ? a[k] : b[k];
            bits |= (a[k] < b[k] ? 1u : 0u) << k;
        }
        FOR_EACH_WIDTH(w) {
            const wide_ops *ops = widths[w].ops;
            float out[4][8], positive[8], low[8], high[8], pick[8];
            ops->arithmetic(a, b, out);
            static const char *const names[] = {"+", "-", "*", "/"};
            for (int k = 0; k < 4; k++) same(out[k], wanted[k], widths[w].name, names[k]);
            for (int k = 0; k < 8; k++) positive[k] = fabsf(a[k]);
            ops->roots(positive, out[0]);
            same(out[0], roots, widths[w].name, "sqrt");
            ops->extremes(a, b, low, high);
            same(low, least, widths[w].name, "min");
            same(high, most, widths[w].name, "max");
            assert_int_equal(ops->less(a, b, pick), bits);
            same(pick, chosen, widths[w].name, "select");
        }
    }
}

static void equal_integers(void **state) {
    (void)state;
    uint32_t random = 4;
    for (int round = 0; round < 200; round++) {
        int32_t a[8], b[8];
        unsigned bits = 0;
        for (int k = 0; k < 8; k++) {
            a[k] = (int32_t)random_bits(&random);
            b[k] = random_bits(&random) % 2 ? a[k] : (int32_t)random_bits(&random);
            bits |= (a[k] == b[k] ? 1u : 0u) << k;
        }
        FOR_EACH_WIDTH(w) assert_int_equal(widths[w].ops->equal(a, b), bits);
    }
}

static void gather(void **state) {
    (void)state;
    uint32_t random = 5;
    _Alignas(16) float base[4 * 50];
    for (int k = 0; k < 200; k++) base[k] = (float)k;
    for (int round = 0; round < 100; round++) {
        int32_t index[8];
        float wanted[4][8];
        for (int k = 0; k < 8; k++) {
            index[k] = (int32_t)(random_bits(&random) % 50);
            for (int c = 0; c < 4; c++) wanted[c][k] = base[4 * index[k] + c];
        }
        FOR_EACH_WIDTH(w) {
            float out[4][8];
            widths[w].ops->gather(base, index, out);
            for (int c = 0; c < 4; c++) same(out[c], wanted[c], widths[w].name, "gather4");
        }
    }
}

static void compress_every_mask(void **state) {
    (void)state;
    const int32_t index[8] = {11, 22, 33, 44, 55, 66, 77, 88};
    for (unsigned bits = 0; bits < 256; bits++) {
        FOR_EACH_WIDTH(w) {
            int32_t out[9];
            for (int k = 0; k < 9; k++) out[k] = -1;
            const int n = widths[w].ops->compress(out, index, bits);
            int wanted = 0;
            for (int k = 0; k < 8; k++)
                if (bits >> k & 1) assert_int_equal(out[wanted++], index[k]);
            assert_int_equal(n, wanted);
            assert_int_equal(out[8], -1); /* never writes more than eight */
        }
    }
}

static void sum_has_one_order(void **state) {
    (void)state;
    uint32_t random = 9;
    for (int round = 0; round < 500; round++) {
        float a[8];
        for (int k = 0; k < 8; k++) a[k] = random_in(&random, -1.0f, 1.0f) * powf(10.0f, random_in(&random, 0, 6));
        const float wanted = ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
        FOR_EACH_WIDTH(w) {
            const float got = widths[w].ops->sum(a);
            assert_memory_equal(&got, &wanted, sizeof got);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),          cmocka_unit_test(equal_integers),    cmocka_unit_test(gather),
        cmocka_unit_test(compress_every_mask), cmocka_unit_test(sum_has_one_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
