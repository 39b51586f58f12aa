/* SPDX-License-Identifier: MIT */
/* Water at rest in 3D and between slanting or round walls: pressure grows as rho g depth, the surface stays, and the
   tank carries the weight. In a 2D box that is an experiment (experiments/hydrostatic.json). */
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

#define PROBES 9

static double probe_height(int n) {
    return DEPTH * (n + 1) / (PROBES + 1);
}

/* Water one metre deep on a square base, with a row of pressure gauges in the middle. */
static rill_world *build_tank(double dx, double width) {
    char text[4096];
    int used = snprintf(
        text, sizeof text,
        "{\"dim\": 3, \"method\": \"wcsph\", \"variables\": {\"W\": %g, \"H\": %g}, \"world\": {\"spacing\": %g},"
        "\"fluids\": [{\"name\": \"water\"}],"
        "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [\"=W\", \"=W\", \"=H\"]}],"
        "\"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [\"=W\", \"=W\", \"=2*H\"],"
        "\"inside\": true}],"
        "\"gauges\": [{\"name\": \"surface\", \"kind\": \"height\", \"position\": [\"=W/2\", \"=W/2\", 0],"
        "\"direction\": [0, 0, 1], \"length\": 1.5}, {\"name\": \"weight\", \"kind\": \"force\", \"solid\": \"tank\", "
        "\"window\": 0.2}",
        width, DEPTH, dx);
    for (int n = 0; n < PROBES; n++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         ", {\"name\": \"p%d\", \"kind\": \"pressure\", \"position\": [\"=W/2\", \"=W/2\", %g]}", n,
                         probe_height(n));
    snprintf(text + used, sizeof text - (size_t)used, "]}");
    return validation_build_text(text);
}

/* L2 of p - rho g (surface - height) over the probes, each a mean of `samples` readings, relative to the pressure at
   the bottom. */
static double pressure_error(rill_world *world, int samples) {
    double mean[PROBES] = {0}, surface = 0;
    for (int k = 0; k < samples; k++) {
        validation_run_to(world, rill_world_stats(world)->time + 0.02);
        surface += validation_gauge(world, "surface", 0) / samples;
        for (int n = 0; n < PROBES; n++) {
            char name[8];
            snprintf(name, sizeof name, "p%d", n);
            mean[n] += validation_gauge(world, name, 0) / samples;
        }
    }
    double error = 0;
    for (int n = 0; n < PROBES; n++) {
        const double e = mean[n] - RHO * G * (surface - probe_height(n));
        error += e * e / PROBES;
    }
    return sqrt(error) / (RHO * G * DEPTH);
}

static void pressure_is_hydrostatic_in_3d(void **state) {
    (void)state;
    const double dx = 0.04, width = 0.32, mass = RHO * width * width * DEPTH;
    rill_world *world = build_tank(dx, width);
    validation_run_to(world, 2.0);
    const double error = pressure_error(world, 10), surface = validation_gauge(world, "surface", 0);
    const double weight = -validation_gauge(world, "weight", 2);
    const double rms_speed = sqrt(2 * rill_world_stats(world)->kinetic_energy / mass);
    print_message("pressure L2 %.2f %%, surface %.4f m, weight %.1f of %.1f N, rms speed %.4f m/s\n", 100 * error,
                  surface, weight, mass * G, rms_speed);
    assert_true(error < 0.03);
    assert_true(fabs(surface - DEPTH) < dx);
    assert_true(fabs(weight - mass * G) < 0.02 * mass * G);
    assert_true(rms_speed < 0.02 * sqrt(G * DEPTH));
    rill_world_destroy(world);
}

/* A tank carries the weight of its water within 2 %, and the rms speed of the water is below `speed` [m/s]. */
static void check_rest(const char *text, int up, double settle, double speed) {
    rill_world *world = validation_build_text(text);
    const double mass =
        RHO * pow((double)rill_world_get_def(world)->spacing, up + 1) * rill_world_particle_count(world);
    validation_run_to(world, settle);
    validation_run_to(world, settle + 0.2);
    const double weight = -validation_gauge(world, "weight", up);
    const double rms = sqrt(2 * rill_world_stats(world)->kinetic_energy / mass);
    print_message("weight %.1f of %.1f N, rms speed %.4f m/s\n", weight, mass * G, rms);
    assert_true(fabs(weight - mass * G) < 0.02 * mass * G);
    assert_true(rms < speed);
    rill_world_destroy(world);
}

/* A tank with obtuse inner corners, like a ship's hull. */
static void tank_with_slanting_walls(void **state) {
    (void)state;
    check_rest(
        "{\"dim\": 2, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.02}, \"fluids\": [{\"name\": \"water\"}],"
        "\"blocks\": [{\"shape\": \"box\", \"min\": [-1, 0], \"max\": [1, 0.5]}],"
        "\"solids\": [{\"name\": \"tank\", \"shape\": \"polygon\", \"inside\": true, \"points\": [[-0.2, 0], [0.2, "
        "0.02],"
        "[0.5, 0.25], [0.6, 1], [-0.6, 1], [-0.5, 0.2]]}],"
        "\"gauges\": [{\"name\": \"weight\", \"kind\": \"force\", \"solid\": \"tank\", \"window\": 0.2}]}",
        1, 3.0, 0.02 * sqrt(G * 0.5));
}

/* A sphere, half full. */
static void round_tank(void **state) {
    (void)state;
    check_rest(
        "{\"dim\": 3, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.04}, \"fluids\": [{\"name\": \"water\"}],"
        "\"blocks\": [{\"shape\": \"box\", \"min\": [-0.5, -0.5, -0.5], \"max\": [0.5, 0.5, 0]}],"
        "\"solids\": [{\"name\": \"tank\", \"shape\": \"sphere\", \"inside\": true, \"position\": [0, 0, 0], "
        "\"radius\": 0.4}],"
        "\"gauges\": [{\"name\": \"weight\", \"kind\": \"force\", \"solid\": \"tank\", \"window\": 0.2}]}",
        2, 2.0, 0.02 * sqrt(G * 0.4));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressure_is_hydrostatic_in_3d),
        cmocka_unit_test(tank_with_slanting_walls),
        cmocka_unit_test(round_tank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
