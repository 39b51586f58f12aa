/* SPDX-License-Identifier: MIT */
/* Kernels give the same bits on every SIMD width. */
#include "oracle/check.h"
#include "oracle/kernel_bits.h"
#include "oracle/widths.h"

#define COUNT 2048

#define DECLARE(width) kernel_bits_fn kernel_bits_2d_##width, kernel_bits_3d_##width;
FOR_WIDTHS(DECLARE)

static const struct {
    const char *name;
    kernel_bits_fn *fn[2];
} widths[] = {
#define ENTRY(width) {#width, {kernel_bits_2d_##width, kernel_bits_3d_##width}},
    FOR_WIDTHS(ENTRY)};
#define WIDTHS (sizeof widths / sizeof *widths)

static void same_bits(void **state) {
    (void)state;
    static float r2[COUNT];
    static kernel_result scalar[COUNT / 8], other[COUNT / 8];
    uint32_t random = 7;
    const float supports[] = {0.037f, 1.0f, 1.7f};
    for (int s = 0; s < 3; s++) {
        const float h = supports[s];
        for (int n = 0; n < COUNT; n++) r2[n] = random_in(&random, 0.0f, 1.3f * h * h);
        r2[0] = 0.0f, r2[1] = h * h, r2[2] = 1e-30f, r2[3] = 0.25f * h * h, r2[4] = 1e30f;
        for (int dim = 0; dim < 2; dim++)
            for (int kind = 0; kind < KERNELS; kind++) {
                memset(scalar, 0, sizeof scalar);
                widths[0].fn[dim](kind, h, r2, COUNT, scalar);
                for (size_t w = 1; w < WIDTHS; w++) {
                    if (!width_runs(widths[w].name)) continue;
                    memset(other, 0xff, sizeof other);
                    widths[w].fn[dim](kind, h, r2, COUNT, other);
                    if (memcmp(scalar, other, sizeof scalar) != 0)
                        fail_msg("kernel %d in %dD: %s differs from scalar", kind, dim + 2, widths[w].name);
                }
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
