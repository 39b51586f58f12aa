/* SPDX-License-Identifier: MIT */
/* Fits recover the parameters that synthetic points were made from. */
#include "experiment/fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT 200

static double x[COUNT], y[COUNT];

/* A disturbance that is the same on every machine. */
static double noise(int k) {
    return fmod(sin(k * 12.9898) * 43758.5453, 1.0) - 0.5;
}

static void lines_are_found(void **state) {
    (void)state;
    for (int k = 0; k < COUNT; k++) x[k] = 0.01 * k, y[k] = 3 - 2 * x[k];
    line_fit fit;
    assert_true(rill_fit_line(x, y, COUNT, &fit));
    assert_true(fabs(fit.slope + 2) < 1e-12 && fabs(fit.offset - 3) < 1e-12);
    assert_false(rill_fit_line(x, y, 1, &fit));
}

static void exponentials_are_found(void **state) {
    (void)state;
    exponential_fit fit;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int k = 0; k < COUNT; k++) x[k] = 0.01 * k, y[k] = sign * 5 * exp(-1.7 * x[k]);
        assert_true(rill_fit_exponential(x, y, COUNT, &fit));
        assert_true(fabs(fit.rate + 1.7) < 1e-9 && fabs(fit.scale - 5 * sign) < 1e-9);
    }
}

static void decaying_cosines_are_found(void **state) {
    (void)state;
    static const double periods[] = {0.11, 0.5, 1.18, 3.1}, dampings[] = {0, 0.2, 1};
    for (int p = 0; p < 4; p++)
        for (int d = 0; d < 3; d++) {
            for (int k = 0; k < COUNT; k++) {
                x[k] = 0.02 * k;
                y[k] = 0.5 + 0.03 * exp(-dampings[d] * x[k]) * cos(2 * 3.14159265358979 * x[k] / periods[p] + 0.4);
            }
            cosine_fit fit;
            assert_true(rill_fit_decaying_cosine(x, y, COUNT, &fit));
            assert_true(fabs(fit.period / periods[p] - 1) < 1e-6);
            assert_true(fabs(fit.kept - exp(-dampings[d] * periods[p])) < 1e-6);
            assert_true(fabs(fit.amplitude - 0.03) < 1e-6 && fabs(fit.offset - 0.5) < 1e-6);
        }
}

static void noise_does_not_mislead(void **state) {
    (void)state;
    for (int k = 0; k < COUNT; k++)
        x[k] = 0.02 * k, y[k] = exp(-0.2 * x[k]) * cos(2 * 3.14159265358979 * x[k] / 1.18) + 0.2 * noise(k);
    cosine_fit fit;
    assert_true(rill_fit_decaying_cosine(x, y, COUNT, &fit));
    assert_true(fabs(fit.period / 1.18 - 1) < 0.005);
    assert_true(fabs(fit.kept - exp(-0.2 * 1.18)) < 0.03);
    assert_false(rill_fit_decaying_cosine(x, y, 5, &fit));
    /* A pure decay has no period. */
    for (int k = 0; k < COUNT; k++) y[k] = exp(-2 * x[k]);
    assert_false(rill_fit_decaying_cosine(x, y, COUNT, &fit));
}

static void shifts_are_found(void **state) {
    (void)state;
    double u[10], v[10];
    for (int k = 0; k < COUNT; k++) x[k] = 0.02 * k, y[k] = 1 + x[k] * x[k];
    for (int k = 0; k < 10; k++) u[k] = 1 + 0.2 * k, v[k] = 1 + (u[k] - 0.15) * (u[k] - 0.15);
    assert_true(rill_fit_deviation(x, y, COUNT, u, v, 10, 0) > 0.05);
    assert_true(fabs(rill_fit_shift(x, y, COUNT, u, v, 10, 0.3) - 0.15) < 0.002);
    assert_true(rill_fit_deviation(x, y, COUNT, u, v, 10, 0.15) < 1e-4);
    /* Points that cover less than half of the table give no deviation. */
    assert_true(isnan(rill_fit_deviation(x, y, 60, u, v, 10, 0)));
}

static void differences_are_measured(void **state) {
    (void)state;
    double u[10], v[10];
    for (int k = 0; k < COUNT; k++) x[k] = 0.02 * k, y[k] = 3 * x[k];
    for (int k = 0; k < 10; k++) u[k] = 0.1 + 0.2 * k, v[k] = 3 * u[k] + (k % 2 ? 4 : -2);
    assert_true(fabs(rill_fit_rmse(x, y, COUNT, u, v, 10) - sqrt(10)) < 1e-9);
    assert_true(fabs(rill_fit_mae(x, y, COUNT, u, v, 10) - 3) < 1e-9);
    assert_true(isnan(rill_fit_mae(x, y, 30, u, v, 10)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_found),
        cmocka_unit_test(exponentials_are_found),
        cmocka_unit_test(decaying_cosines_are_found),
        cmocka_unit_test(noise_does_not_mislead),
        cmocka_unit_test(shifts_are_found),
        cmocka_unit_test(differences_are_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
