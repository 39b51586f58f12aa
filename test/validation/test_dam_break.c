/* SPDX-License-Identifier: MIT */
/* The front of a collapsing column against Martin and Moyce, Phil. Trans. R. Soc. A 244 (1952) 312, n^2 = 2,
   a = 2.25 in. T = n t sqrt(g/a), Z = x/a. The moment of release is uncertain in the experiment: a shift in time of at
   most 0.3 is allowed, and reported. */
#include "validation/validation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define A       0.05715
#define G       9.81
#define SAMPLES 60
#define T_END   4.0

static const double measured_T[] = {0.84, 1.19, 1.43, 1.63, 1.83, 1.98, 2.20, 2.32, 2.51, 2.65, 2.83, 2.98, 3.11, 3.33};
static const double measured_Z[] = {1.22, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56, 2.78, 3.00, 3.22, 3.44, 3.67, 3.89, 4.11};
#define POINTS (sizeof measured_T / sizeof *measured_T)

static double front_at(const double *Z, double T) {
    const double k = fmin(fmax(T / T_END * SAMPLES, 0), SAMPLES - 1e-9);
    const int cell = (int)k;
    return Z[cell] + (k - cell) * (Z[cell + 1] - Z[cell]);
}

static double rms_error(const double *Z, double shift) {
    double sum = 0;
    for (size_t k = 0; k < POINTS; k++) {
        const double e = (front_at(Z, measured_T[k] - shift) - measured_Z[k]) / measured_Z[k];
        sum += e * e;
    }
    return sqrt(sum / POINTS);
}

static void check_front(const char *method) {
    char text[1200];
    const double dx = A / 25;
    snprintf(text, sizeof text,
             "{\"dim\": 2, \"method\": \"%s\", \"world\": {\"spacing\": %.9g}, \"fluids\": [{\"name\": \"water\"}],"
             "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [%.9g, %.9g]}],"
             "\"solids\": [{\"name\": \"floor\", \"shape\": \"half_space\", \"position\": [0, 0], \"normal\": [0, 1]},"
             "{\"name\": \"wall\", \"shape\": \"half_space\", \"position\": [0, 0], \"normal\": [1, 0]}],"
             "\"gauges\": [{\"name\": \"front\", \"kind\": \"front\", \"position\": [0, %.9g], \"direction\": [1, 0],"
             "\"length\": 0.5}]}",
             method, dx, A, 2 * A, dx / 2);
    rill_world *world = validation_build_text(text);
    double Z[SAMPLES + 1];
    Z[0] = 1;
    for (int k = 1; k <= SAMPLES; k++) {
        validation_run_to(world, T_END * k / SAMPLES * sqrt(A / (2 * G)));
        Z[k] = validation_gauge(world, "front", 0) / A;
    }
    double best = 1, best_shift = 0;
    for (double shift = -0.3; shift < 0.3001; shift += 0.01)
        if (rms_error(Z, shift) < best) best = rms_error(Z, shift), best_shift = shift;
    print_message("%s: front RMS %.1f %% unshifted, %.1f %% after a shift of %.2f\n", method, 100 * rms_error(Z, 0),
                  100 * best, best_shift);
    assert_true(best < 0.07);
    rill_world_destroy(world);
}

static void wcsph_front_runs_as_measured(void **state) {
    (void)state;
    check_front("wcsph");
}

static void muller_front_runs_as_measured(void **state) {
    (void)state;
    check_front("muller");
}

static void pbf_front_runs_as_measured(void **state) {
    (void)state;
    check_front("pbf");
}

static void dfsph_front_runs_as_measured(void **state) {
    (void)state;
    check_front("dfsph");
}

static void pcisph_front_runs_as_measured(void **state) {
    (void)state;
    check_front("pcisph");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wcsph_front_runs_as_measured),  cmocka_unit_test(muller_front_runs_as_measured),
        cmocka_unit_test(pbf_front_runs_as_measured),    cmocka_unit_test(dfsph_front_runs_as_measured),
        cmocka_unit_test(pcisph_front_runs_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
