/* SPDX-License-Identifier: MIT */
/* Start-up of Poiseuille and Couette flow against the exact series (Morris, Fox and Zhu, J. Comput. Phys. 136 (1997)
   214, Eqs. 20 and 21): plates 1 mm apart, nu = 1e-6 m^2/s, 50 particles across. */
#include "validation/validation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define PI    3.14159265358979323846
#define WIDTH 1e-3    /* between the plates [m] */
#define NU    1e-6    /* [m^2/s] */
#define FORCE 1e-4    /* [m/s^2] */
#define PLATE 1.25e-5 /* speed of the upper plate [m/s] */

static const double times[] = {0.0225, 0.045, 0.1125, 0.225, 1.0};

static double poiseuille(double y, double t) {
    double v = FORCE / (2 * NU) * y * (WIDTH - y);
    for (int n = 0; n < 60; n++) {
        const double k = PI * (2 * n + 1) / WIDTH;
        v -= 4 * FORCE * WIDTH * WIDTH / (NU * pow(PI * (2 * n + 1), 3)) * sin(k * y) * exp(-k * k * NU * t);
    }
    return v;
}

static double couette(double y, double t) {
    double v = PLATE * y / WIDTH;
    for (int n = 1; n < 120; n++)
        v += 2 * PLATE / (n * PI) * (n % 2 ? -1 : 1) * sin(n * PI * y / WIDTH) *
             exp(-NU * n * n * PI * PI / (WIDTH * WIDTH) * t);
    return v;
}

/* Relative L2 error of the particles' velocity along the channel. */
static double profile_error(const rill_world *world, double (*exact)(double, double), double t) {
    rill_view x, v;
    assert_int_equal(rill_world_view(world, "position", &x), RILL_OK);
    assert_int_equal(rill_world_view(world, "velocity", &v), RILL_OK);
    double error = 0, norm = 0;
    for (int i = 0; i < x.count; i++) {
        const double y = (double)((const float *)x.data)[i * x.stride + 1];
        const double u = (double)((const float *)v.data)[i * v.stride], right = exact(y, t);
        error += (u - right) * (u - right);
        norm += right * right;
    }
    return sqrt(error / norm);
}

static void check_start_up(const char *scene, double (*exact)(double, double)) {
    rill_world *world = validation_build(scene, NULL);
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        validation_run_to(world, times[k]);
        const double error = profile_error(world, exact, times[k]);
        print_message("%s: t = %.4f s, L2 error %.2f %%\n", scene, times[k], 100 * error);
        assert_true(error < 0.03);
    }
    rill_world_destroy(world);
}

static void poiseuille_starts_as_the_series_says(void **state) {
    (void)state;
    check_start_up("poiseuille_2d", poiseuille);
}

static void couette_starts_as_the_series_says(void **state) {
    (void)state;
    check_start_up("couette_2d", couette);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poiseuille_starts_as_the_series_says),
        cmocka_unit_test(couette_starts_as_the_series_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
