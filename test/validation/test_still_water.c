/* SPDX-License-Identifier: MIT */
/* Water at rest: pressure grows as rho g depth, the surface stays, the tank carries the weight. */
#include "validation/validation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define G     9.81
#define RHO   1000.0
#define DEPTH 1.0

/* Water one metre deep; z (3D) or y (2D) is up. */
static const char tank_2d[] =
    "{\"dim\": 2, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.0125}, \"fluids\": [{\"name\": \"water\"}],"
    "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.5, 1]}],"
    "\"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [0.5, 2], \"inside\": true}],"
    "\"gauges\": [{\"name\": \"surface\", \"kind\": \"height\", \"position\": [0.25, 0], \"direction\": [0, 1], "
    "\"length\": 1.5},"
    "{\"name\": \"weight\", \"kind\": \"force\", \"solid\": \"tank\"}]}";
static const char tank_3d[] =
    "{\"dim\": 3, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.02}, \"fluids\": [{\"name\": \"water\"}],"
    "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [0.2, 0.2, 1]}],"
    "\"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [0.2, 0.2, 2], \"inside\": "
    "true}],"
    "\"gauges\": [{\"name\": \"surface\", \"kind\": \"height\", \"position\": [0.1, 0.1, 0], \"direction\": [0, 0, 1], "
    "\"length\": 1.5}, {\"name\": \"weight\", \"kind\": \"force\", \"solid\": \"tank\"}]}";

/* L2 of p - rho g (surface - height) over all particles, relative to the pressure at the bottom; the mean of `samples`.
 */
static double pressure_error(rill_world *world, int up, int samples) {
    double error = 0, count = 0;
    for (int k = 0; k < samples; k++) {
        validation_run_to(world, rill_world_stats(world)->time + 0.02);
        const double surface = validation_gauge(world, "surface", 0);
        rill_view x, p;
        assert_int_equal(rill_world_view(world, "position", &x), RILL_OK);
        assert_int_equal(rill_world_view(world, "pressure", &p), RILL_OK);
        for (int i = 0; i < x.count; i++) {
            const double height = (double)((const float *)x.data)[i * x.stride + up];
            const double e = (double)((const float *)p.data)[i] - RHO * G * (surface - height);
            error += e * e, count++;
        }
    }
    return sqrt(error / count) / (RHO * G * DEPTH);
}

static void check_tank(const char *text, double base, double settle) {
    rill_world *world = validation_build_text(text);
    const int up = rill_world_get_def(world)->dim - 1;
    validation_run_to(world, settle);
    validation_gauge(world, "weight", up); /* forget the settling */
    const double error = pressure_error(world, up, 10), surface = validation_gauge(world, "surface", 0);
    const double weight = -validation_gauge(world, "weight", up), mass = RHO * base * DEPTH;
    const rill_stats *stats = rill_world_stats(world);
    const double rms_speed = sqrt(2 * stats->kinetic_energy / mass);
    print_message("%dD: pressure L2 %.2f %%, surface %.4f m, weight %.1f of %.1f N, rms speed %.4f m/s\n", up + 1,
                  100 * error, surface, weight, mass * G, rms_speed);
    assert_true(error < 0.03);
    assert_true(fabs(surface - DEPTH) < 0.015 * DEPTH);
    assert_true(fabs(weight - mass * G) < 0.02 * mass * G);
    assert_true(rms_speed < 0.02 * sqrt(G * DEPTH));
    rill_world_destroy(world);
}

static void pressure_is_hydrostatic_in_2d(void **state) {
    (void)state;
    check_tank(tank_2d, 0.5, 3.0);
}

static void pressure_is_hydrostatic_in_3d(void **state) {
    (void)state;
    check_tank(tank_3d, 0.04, 2.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressure_is_hydrostatic_in_2d),
        cmocka_unit_test(pressure_is_hydrostatic_in_3d),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
