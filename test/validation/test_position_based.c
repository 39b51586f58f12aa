/* SPDX-License-Identifier: MIT */
/* Position Based Fluids: still tanks keep their volume and come to rest, boxes float as Archimedes says, fluid and
   bodies together keep their momentum, vorticity confinement feeds vortices but does not stir still water, and one
   setting suits every resolution and step. */
#include "validation/validation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define G     9.81
#define FRAME (1.0 / 60)

/* Water `depth` deep in a box `width` wide; `settings` is the text of the method's parameters. */
static rill_world *build_tank(int dim, double dx, double depth, double width, const char *settings) {
    char text[1500], more[32] = "", zero[8] = "";
    if (dim == 3) snprintf(more, sizeof more, "%g, ", width), snprintf(zero, sizeof zero, "0, ");
    snprintf(text, sizeof text,
             "{\"dim\": %d, \"method\": \"pbf\", \"world\": {\"spacing\": %.9g}, \"methods\": {\"pbf\": {%s}},"
             "\"fluids\": [{\"name\": \"water\", \"surface_tension\": 0}],"
             "\"blocks\": [{\"shape\": \"box\", \"min\": [0, %s0], \"max\": [%.9g, %s%.9g]}],"
             "\"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, %s0], \"max\": [%.9g, %s%.9g], "
             "\"inside\": true}],"
             "\"gauges\": [{\"name\": \"centre\", \"kind\": \"centre\"}]}",
             dim, dx, settings, zero, width, more, depth, zero, width, more, 2 * depth);
    return validation_build_text(text);
}

typedef struct rest {
    double volume; /* height of the centre of mass over half the depth */
    double error;  /* mean compression */
    double speed;  /* largest rms speed over sqrt(g depth) */
} rest;

/* Runs to `end` and measures over the last third of that time. */
static rest settle(rill_world *world, int dim, double depth, double mass, double dt, double end) {
    rest r = {0};
    int samples = 0;
    validation_run_fixed(world, dt, end * 2 / 3);
    while (rill_world_stats(world)->time < end - 0.5 * dt) {
        validation_run_fixed(world, dt, rill_world_stats(world)->time + dt);
        const rill_stats *s = rill_world_stats(world);
        r.volume += validation_gauge(world, "centre", dim - 1) / (0.5 * depth);
        r.error += s->density_error_mean;
        r.speed = fmax(r.speed, sqrt(2 * s->kinetic_energy / mass / (G * depth)));
        samples++;
    }
    r.volume /= samples, r.error /= samples;
    return r;
}

static void still_tanks_keep_their_volume(void **state) {
    (void)state;
    static const struct {
        int dim;
        double depth, width, end;
    } tanks[] = {{2, 4, 1, 7}, {3, 2, 0.4, 3}};
    for (int k = 0; k < 2; k++) {
        const double depth = tanks[k].depth, width = tanks[k].width;
        const double mass = 1000 * depth * (tanks[k].dim == 2 ? width : width * width);
        rill_world *world = build_tank(tanks[k].dim, 0.05, depth, width, "\"substeps\": 4");
        const rest r = settle(world, tanks[k].dim, depth, mass, FRAME, tanks[k].end);
        print_message("%dD, %g m deep, 1/60 s in 4 substeps: volume %.4f, compression %.2f %%, rms speed %.2f %%\n",
                      tanks[k].dim, depth, r.volume, 100 * r.error, 100 * r.speed);
        assert_true(fabs(r.volume - 1) < 0.03);
        assert_true(r.speed < 0.02);
        rill_world_destroy(world);
    }
}

/* The paper leaves open how to avoid parameters that depend on resolution and step. Here one setting (the default)
   suits all: the number of substeps follows from the compression that is wanted. */
static void one_setting_does_for_every_resolution_and_step(void **state) {
    (void)state;
    static const double spacings[] = {0.05, 0.025, 0.0125}, steps[] = {1.0 / 60, 1.0 / 120, 1.0 / 240};
    for (int s = 0; s < 3; s++) {
        for (int t = 0; t < 3; t++) {
            rill_world *world = build_tank(2, spacings[s], 0.5, 0.4, "\"compression\": 0.01");
            const rest r = settle(world, 2, 0.5, 1000 * 0.5 * 0.4, steps[t], 1.2);
            print_message("dx = %.4f m, dt = 1/%.0f s, %d substeps: volume %.4f, compression %.2f %%, rms %.2f %%\n",
                          spacings[s], 1 / steps[t], rill_world_stats(world)->substeps, r.volume, 100 * r.error,
                          100 * r.speed);
            assert_true(fabs(r.volume - 1) < 0.015);
            assert_true(r.error < 0.01);
            assert_true(r.speed < 0.05);
            rill_world_destroy(world);
        }
    }
}

/* Eight iterations with Chebyshev acceleration leave less than 0.6 of the compression that eight plain ones leave. */
static void chebyshev_beats_jacobi(void **state) {
    (void)state;
    static const char *const settings[] = {
        "\"substeps\": 2, \"iterations\": 8, \"acceleration\": \"none\"",
        "\"substeps\": 2, \"iterations\": 8",
    };
    double error[2];
    for (int k = 0; k < 2; k++) {
        rill_world *world = build_tank(3, 0.05, 1, 0.4, settings[k]);
        error[k] = settle(world, 3, 1, 160, FRAME, 1.5).error;
        rill_world_destroy(world);
    }
    print_message("8 iterations: compression %.3f %% plain, %.3f %% accelerated\n", 100 * error[0], 100 * error[1]);
    assert_true(error[1] < 0.6 * error[0]);
}

static void confinement_leaves_still_water_alone(void **state) {
    (void)state;
    rill_world *world = build_tank(2, 0.05, 1, 1, "\"vorticity\": 3");
    const rest r = settle(world, 2, 1, 1000, FRAME, 3);
    print_message("vorticity 3 /s: volume %.4f, rms speed %.2f %%\n", r.volume, 100 * r.speed);
    assert_true(fabs(r.volume - 1) < 0.03 && r.speed < 0.02);
    rill_world_destroy(world);
}

/* Kinetic energy of a vortex in a full round tank after its core has made a third of a turn. */
static double vortex_energy(int dim, const char *settings) {
    const float dx = 0.05f, radius = 0.6f, rate = 6, core = 0.3f;
    const char *more = dim == 3 ? ", 0" : "";
    char text[600];
    snprintf(text, sizeof text,
             "{\"dim\": %d, \"method\": \"pbf\", \"world\": {\"spacing\": %g, \"gravity\": [0, 0%s]}, \"methods\": {"
             "\"pbf\": {\"substeps\": 2, %s}}, \"fluids\": [{\"name\": \"water\", \"surface_tension\": 0}],"
             "\"solids\": [{\"shape\": \"sphere\", \"position\": [0, 0%s], \"radius\": %g, \"inside\": true}]}",
             dim, (double)dx, more, settings, more, (double)radius);
    rill_world *world = validation_build_text(text);
    const rill_fluid_id water = rill_world_find_fluid(world, "water");
    const int reach = (int)(radius / dx), deep = dim == 3 ? reach : 0;
    for (int c = -deep; c <= deep; c++)
        for (int b = -reach; b <= reach; b++)
            for (int a = -reach; a <= reach; a++) {
                const rill_vec x = {(float)a * dx, (float)b * dx, (float)c * dx};
                const float r2 = x.x * x.x + x.y * x.y, turn = rate * expf(-r2 / (core * core));
                if (sqrtf(r2 + x.z * x.z) > radius - 0.5f * dx) continue;
                const rill_vec v = {-turn * x.y, turn * x.x, 0};
                assert_int_equal(rill_world_add_particle(world, water, x, v, NULL), RILL_OK);
            }
    validation_run_fixed(world, FRAME, 0.35);
    const double energy = rill_world_stats(world)->kinetic_energy;
    rill_world_destroy(world);
    return energy;
}

static void confinement_feeds_vortices(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        const double with = vortex_energy(dim, "\"vorticity\": 3"), without = vortex_energy(dim, "\"vorticity\": 0");
        print_message("%dD vortex, 3 /s: %.3f times the energy that it has without\n", dim, with / without);
        assert_true(with > 1.02 * without && with < 2 * without);
    }
}

/* A box of `ratio` times the density of water lies on water and sinks in until it floats. Returns the relative error of
   its draft. */
static double draft_error(double ratio) {
    const double width = 0.4, height = 0.2, length = 1, depth = 0.5;
    char text[1200];
    snprintf(text, sizeof text,
             "{\"dim\": 2, \"method\": \"pbf\", \"world\": {\"spacing\": 0.02}, \"methods\": {\"pbf\": {"
             "\"compression\": 0.004}}, \"fluids\": [{\"name\": \"water\", \"surface_tension\": 0}],"
             "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 0.5]}],"
             "\"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1.5], "
             "\"inside\": true}],"
             "\"bodies\": [{\"name\": \"box\", \"shape\": \"box\", \"min\": [0.3, 0.52], \"max\": [0.7, 0.72], "
             "\"density\": %g}],"
             "\"gauges\": [{\"name\": \"box\", \"kind\": \"body_position\", \"body\": \"box\"}]}",
             1000 * ratio);
    rill_world *world = validation_build_text(text);
    validation_run_fixed(world, FRAME, 2);
    double bottom = 0, water = 0;
    for (int k = 0; k < 60; k++) {
        validation_run_fixed(world, FRAME, 2 + (k + 1) * FRAME);
        bottom += (validation_gauge(world, "box", 1) - 0.5 * height) / 60;
        water += depth * (1 - rill_world_stats(world)->density_error_mean) / 60; /* less what is compressed */
    }
    rill_world_destroy(world);
    /* The displaced water raises the level: level = depth + width draft / length, draft = level - bottom */
    const double draft = (water - bottom) / (1 - width / length), error = draft / (ratio * height) - 1;
    print_message("box of %.2f times the density of water: draft %.4f m, %+.1f %%\n", ratio, draft, 100 * error);
    return error;
}

static void boxes_float_as_deep_as_they_should(void **state) {
    (void)state;
    assert_true(fabs(draft_error(0.5)) < 0.05);
    assert_true(fabs(draft_error(0.75)) < 0.05);
}

/* A block flies into a drop, without gravity or walls: momentum that one gains the other loses. */
static void momentum_of_fluid_and_body_is_kept(void **state) {
    (void)state;
    static const char *const coarse[] = {"coarse=0.1", NULL};
    validation_collide("pbf", NULL, FRAME);
    validation_collide("pbf", coarse, FRAME);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(still_tanks_keep_their_volume),
        cmocka_unit_test(one_setting_does_for_every_resolution_and_step),
        cmocka_unit_test(chebyshev_beats_jacobi),
        cmocka_unit_test(confinement_leaves_still_water_alone),
        cmocka_unit_test(confinement_feeds_vortices),
        cmocka_unit_test(boxes_float_as_deep_as_they_should),
        cmocka_unit_test(momentum_of_fluid_and_body_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
