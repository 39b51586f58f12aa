/* SPDX-License-Identifier: MIT */
/* The library's own sine, cosine, inverse functions and cube root against the C library's, and their pinned bits. */
#include "core/trig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Windows computes sines with the x87, whose pi has 66 bits, so that they are wrong for large angles. */
#if defined(_WIN32)
#define LIBM_EXACT_TO 1e4
#else
#define LIBM_EXACT_TO 1.3e8
#endif

static void near(double got, double expected, double x) {
    if (!(fabs(got - expected) <= 1e-15)) fail_msg("at %.17g: %.17g is not %.17g", x, got, expected);
}

static void sine_and_cosine_agree_with_libm(void **state) {
    (void)state;
    for (int k = -200000; k <= 200000; k++) {
        const double x = k * 1.2345e-4;
        near(rill_trig_sin(x), sin(x), x);
        near(rill_trig_cos(x), cos(x), x);
    }
    for (double x = 1e-300; x < LIBM_EXACT_TO; x *= 1.0173) {
        near(rill_trig_sin(x), sin(x), x);
        near(rill_trig_cos(-x), cos(x), x);
    }
    for (int k = 0; k < 1000; k++) near(rill_trig_sin(k * (PI / 2)), sin(k * (PI / 2)), k);
}

static void huge_angles_stay_within_one(void **state) {
    (void)state;
    for (double x = 1e8; x < 1e300; x *= 3) assert_true(fabs(rill_trig_sin(x)) <= 1 && fabs(rill_trig_cos(x)) <= 1);
    assert_true(rill_trig_sin(HUGE_VAL) == 0 && rill_trig_cos(HUGE_VAL) == 1);
}

static void arc_tangent_agrees_with_libm(void **state) {
    (void)state;
    for (int k = -4000; k <= 4000; k++) {
        const double angle = k * PI / 4000, r = k % 7 == 0 ? 1e-200 : 3.7;
        const double y = r * sin(angle), x = r * cos(angle);
        near(rill_trig_atan2(y, x), atan2(y, x), angle);
    }
    assert_true(rill_trig_atan2(0, 0) == 0 && rill_trig_atan2(0, 1) == 0 && rill_trig_atan2(1, 0) == PI / 2);
    assert_true(rill_trig_atan2(0, -1) == PI && rill_trig_atan2(-1, 0) == -PI / 2);
}

static void arc_cosine_agrees_with_libm(void **state) {
    (void)state;
    for (int k = -20000; k <= 20000; k++) near(rill_trig_acos(k / 20000.0), acos(k / 20000.0), k / 20000.0);
    assert_true(rill_trig_acos(1) == 0 && rill_trig_acos(-1) == PI);
}

/* One unit in the last place is at most 2.3e-16 of the value. */
static void cube_root_is_exact_to_a_unit(void **state) {
    (void)state;
    for (double x = 1e-320; x < 1.7e308; x *= 1.00731) {
        const double got = rill_cube_root(x), expected = (double)cbrtl((long double)x);
        if (!(fabs(got - expected) <= 2.3e-16 * expected)) fail_msg("at %.17g: %.17g is not %.17g", x, got, expected);
        assert_true(rill_cube_root(-x) == -got);
    }
    for (int k = 1; k <= 1000; k++) assert_true(rill_cube_root((double)k * k * k) == k);
    assert_true(rill_cube_root(0) == 0 && rill_cube_root(HUGE_VAL) == HUGE_VAL && isnan(rill_cube_root((double)NAN)));
}

static uint64_t bits(double x) {
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

/* The bits are the same on every machine and with every compiler. */
static void bits_are_pinned(void **state) {
    (void)state;
    uint64_t all = 0;
    for (int k = 0; k < 1000; k++) {
        const double x = 0.731 * k - 100;
        all = 31 * all + (bits(rill_trig_sin(x)) ^ bits(rill_trig_cos(x)) * 3 ^ bits(rill_trig_atan2(x, 17 - x)) * 5);
    }
    if (all != UINT64_C(0xf8a208469de3a36d)) fail_msg("0x%016llx", (unsigned long long)all);
    all = 0;
    for (int k = 0; k < 1000; k++)
        all = 31 * all + (bits(rill_trig_acos(k / 1000.0 - 0.3)) ^ bits(rill_cube_root(0.37 * k)) * 3);
    if (all != UINT64_C(0x5c70f2a29898dbf6)) fail_msg("0x%016llx", (unsigned long long)all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_agree_with_libm), cmocka_unit_test(huge_angles_stay_within_one),
        cmocka_unit_test(arc_tangent_agrees_with_libm),    cmocka_unit_test(arc_cosine_agrees_with_libm),
        cmocka_unit_test(cube_root_is_exact_to_a_unit),    cmocka_unit_test(bits_are_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
