/* SPDX-License-Identifier: MIT */
/* Nothing explodes: deep water from its first step on, wide supports, bodies that start too close to particles, heaps
   of bodies, and artificial pressure of any strength. */
#include "validation/validation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define G 9.81

static double effective(rill_world *world, const char *key) {
    double value = 0;
    if (rill_world_effective(world, key, &value) != RILL_OK) fail_msg("%s", rill_world_message(world));
    return value;
}

static void step(rill_world *world, double most) {
    if (rill_world_step_adaptive(world, most) != RILL_OK) fail_msg("%s", rill_world_message(world));
}

/* ---- columns of water ---- */

/* Water a metre deep and 12 spacings wide on a floor, periodic sideways. */
static rill_world *build_column(const char *method, int dim, int layers, const char *world_settings,
                                const char *settings) {
    char text[1200], wide[64];
    const double dx = 1.0 / layers, width = 12 * dx;
    snprintf(wide, sizeof wide, dim == 2 ? "%.9g" : "%.9g, %.9g", width, width);
    const char *zero = dim == 2 ? "0" : "0, 0";
    snprintf(
        text, sizeof text,
        "{\"dim\": %d, \"method\": \"%s\", \"world\": {\"spacing\": %.9g, \"periodic\": [%s, 0]%s},"
        "\"methods\": {\"%s\": {%s}}, \"fluids\": [{\"name\": \"water\", \"density\": 1000, \"surface_tension\": 0}],"
        "\"blocks\": [{\"shape\": \"box\", \"min\": [%s, 0], \"max\": [%s, 1]}],"
        "\"solids\": [{\"name\": \"floor\", \"shape\": \"half_space\", \"position\": [%s, 0], \"normal\": [%s, 1]}],"
        "\"gauges\": [{\"name\": \"centre\", \"kind\": \"centre\"}]}",
        dim, method, dx, wide, world_settings, method, settings, zero, wide, zero, zero);
    return validation_build_text(text);
}

/* In no step does its kinetic energy exceed that of a fall by half a per cent of its depth, and it keeps its volume. */
static void check_column(const char *method, int dim, int layers, double frame) {
    rill_world *world = build_column(method, dim, layers, "", "");
    const double width = 12.0 / layers, weight = 1000 * G * pow(width, dim - 1);
    double most = 0;
    for (double time = frame; time < 0.4; time += frame)
        while (rill_world_stats(world)->time < time - 1e-9) {
            step(world, time - rill_world_stats(world)->time);
            most = fmax(most, rill_world_stats(world)->kinetic_energy / weight);
        }
    const double volume = 2 * validation_gauge(world, "centre", dim - 1);
    print_message("%s, %dD, %d layers, frames of %g s: kinetic energy %.3f %% of m g H at most, volume %.4f\n", method,
                  dim, layers, frame, 100 * most, volume);
    assert_true(most < 0.005);
    assert_true(fabs(volume - 1) < 0.015);
    rill_world_destroy(world);
}

static void deep_water_stands(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double frame = k == 0 ? 0.05 : 0.005;
        check_column("dfsph", 2, 25, frame);
        check_column("dfsph", 2, 100, frame);
        check_column("dfsph", 3, 25, frame);
        check_column("pcisph", 2, 25, frame);
        check_column("pcisph", 2, 50, frame);
    }
}

/* The solver cannot build up the pressure of deep water in one step. Each step starts from the pressure of the last, so
   that the solver reaches its error after ten. */
static void deep_water_is_solved_after_ten_steps(void **state) {
    (void)state;
    rill_world *world = build_column("dfsph", 2, 50, "", "");
    double most = 0;
    for (int k = 0; k < 60; k++) {
        step(world, 0.01);
        if (k >= 10) most = fmax(most, effective(world, "density_error"));
    }
    print_message("density error %.4f %% at most\n", 100 * most);
    assert_true(most <= 1e-4);
    rill_world_destroy(world);
}

/* ---- the first steps ---- */

static const char pool[] =
    "{\"dim\": 2, \"method\": \"%s\", \"world\": {\"spacing\": 0.02},"
    "\"fluids\": [{\"name\": \"water\", \"density\": 1000, \"surface_tension\": 0}],"
    "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.4, 0.4]}],"
    "\"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [0.4, 4], \"inside\": true}]%s}";

static rill_world *build_pool(const char *method, const char *more) {
    char text[1000];
    snprintf(text, sizeof text, pool, method, more);
    return validation_build_text(text);
}

/* Takes a step and returns its dt sqrt(g depth) in spacings; `depth` [m] stands for all the weight of water and lid. */
static double reach(rill_world *world, double depth) {
    step(world, 1);
    return rill_world_stats(world)->dt * sqrt(G * depth) / 0.02;
}

/* The first steps are short enough for a pressure that is yet to come from depth, added water or a heavy body. */
static void first_steps_foresee_the_pressure(void **state) {
    (void)state;
    static const struct {
        const char *method;
        double reach;
    } cases[] = {{"dfsph", 0.53}, {"pcisph", 0.22}};
    for (int k = 0; k < 2; k++) {
        rill_world *world = build_pool(cases[k].method, "");
        for (int n = 0; n < 3; n++) assert_true(reach(world, 0.4) < cases[k].reach);
        rill_block_def more = rill_block_def_default();
        more.shape.min = (rill_vec){0, 0.44f, 0}, more.shape.max = (rill_vec){0.4f, 2, 0};
        assert_int_equal(rill_world_add_block(world, &more, NULL), RILL_OK);
        for (int n = 0; n < 3; n++) assert_true(reach(world, 1.9) < cases[k].reach);
        rill_world_destroy(world);
        world =
            build_pool(cases[k].method, ", \"bodies\": [{\"name\": \"lid\", \"shape\": \"box\", \"min\": [0.01, 0.41],"
                                        "\"max\": [0.39, 0.51], \"density\": 8000}]");
        for (int n = 0; n < 3; n++) assert_true(reach(world, 1.2) < cases[k].reach);
        rill_world_destroy(world);
    }
}

/* ---- wide supports ---- */

/* Iterations take as large a share of a Jacobi step as is stable with the kernel: a smaller one with a wide support. */
static void wide_supports_hold(void **state) {
    (void)state;
    static const char *const methods[] = {"dfsph", "pcisph"};
    const double weight = 1000 * G; /* of a cubic metre */
    for (int k = 0; k < 2; k++) {
        rill_world *world = build_column(methods[k], 3, 12, ", \"support_ratio\": 3", "\"kernel\": \"wendland\"");
        for (int n = 0; n < 20; n++) {
            step(world, 0.01);
            assert_true(rill_world_stats(world)->kinetic_energy < 0.005 * weight);
        }
        if (k == 0) assert_true(effective(world, "relaxation") < 2 / 6.2); /* 6.2: its largest eigenvalue */
        rill_world_destroy(world);
    }
    rill_world *usual = build_column("dfsph", 3, 12, "", "");
    step(usual, 0.01);
    assert_true(fabs(effective(usual, "relaxation") - 0.5) < 1e-6);
    rill_world_destroy(usual);
}

/* ---- bodies ---- */

/* A box in the middle of a tank, with particles 0.3 spacings from it at the first spacing and 0.5 at the second. It
   rises by its lift and is not thrown. */
static void submerged_bodies_are_not_shot_away(void **state) {
    (void)state;
    static const char *const methods[] = {"dfsph", "pcisph"};
    static const double spacings[] = {0.03125, 0.02};
    for (int k = 0; k < 4; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "{\"dim\": 2, \"method\": \"%s\", \"world\": {\"spacing\": %g},"
                 "\"fluids\": [{\"name\": \"water\", \"density\": 1000, \"surface_tension\": 0}],"
                 "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1]}],"
                 "\"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 2], "
                 "\"inside\": true}],"
                 "\"bodies\": [{\"name\": \"box\", \"shape\": \"box\", \"min\": [0.4, 0.4], \"max\": [0.6, 0.6], "
                 "\"density\": 600}]}",
                 methods[k % 2], spacings[k / 2]);
        rill_world *world = validation_build_text(text);
        double most = 0;
        while (rill_world_stats(world)->time < 0.2)
            step(world, 0.01), most = fmax(most, rill_world_stats(world)->kinetic_energy);
        print_message("%s at %g m: %.1f J at most\n", methods[k % 2], spacings[k / 2], most);
        assert_true(most < 40); /* its lift does 16 J over half its height */
        rill_world_destroy(world);
    }
}

/* Crates that fall into water heap up and cover each other almost completely: the push of the water between them stays
   bounded. They fall by less than 2 m, which gives 6 m/s. */
static void check_heap(const char *method) {
    char scene[256];
    snprintf(scene, sizeof scene,
             "{\"dim\": 2, \"method\": \"%s\", \"world\": {\"spacing\": 0.05}, \"fluids\": [{}],"
             "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [4, 1.2]}],"
             "\"solids\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [4, 20], \"inside\": true}]}",
             method);
    rill_world *world = validation_build_text(scene);
    for (int k = 0; k < 45; k++) {
        rill_body_def crate = rill_body_def_default();
        const float x = 0.4f + 0.4f * (float)(k % 9), y = 1.5f + 0.35f * (float)(k / 9);
        crate.shape.kind = RILL_BOX;
        crate.shape.min = (rill_vec){x - 0.125f, y - 0.125f, 0};
        crate.shape.max = (rill_vec){x + 0.125f, y + 0.125f, 0};
        crate.density = 300.0f + 100.0f * (float)(k % 8);
        assert_int_equal(rill_world_add_body(world, &crate, NULL), RILL_OK);
    }
    double fastest = 0;
    for (int frame = 0; frame < 90; frame++) {
        if (rill_world_advance(world, 1.0 / 60) != RILL_OK) fail_msg("%s", rill_world_message(world));
        for (int k = 0; k < rill_world_body_count(world); k++) {
            rill_body_state s;
            assert_int_equal(rill_world_body_state(world, rill_world_body_at(world, k), &s), RILL_OK);
            fastest = fmax(fastest, hypot((double)s.velocity.x, (double)s.velocity.y));
        }
    }
    print_message("a heap of crates with %s: none faster than %.1f m/s\n", method, fastest);
    assert_true(fastest < 10);
    rill_world_destroy(world);
}

static void heaps_of_crates_hold(void **state) {
    (void)state;
    check_heap("pbf");
    check_heap("constraint");
    check_heap("dfsph");
    check_heap("pcisph");
}

/* ---- artificial pressure ---- */

/* A dam break with artificial pressure gains at most 2 % of energy, in steps of `dt` [s]; 0: adaptive steps, below 0:
   adaptive steps and a wide support. */
static void check_tensile(const char *settings, double dt) {
    char text[1000];
    snprintf(text, sizeof text,
             "{\"dim\": 2, \"method\": \"pbf\", \"world\": {\"spacing\": 0.04%s},"
             "\"methods\": {\"pbf\": {\"tension\": true, %s}},"
             "\"fluids\": [{\"name\": \"water\", \"density\": 1000, \"surface_tension\": 0}],"
             "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.6, 1.2]}],"
             "\"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [2, 2], "
             "\"inside\": true}]}",
             dt < 0 ? ", \"support_ratio\": 3" : "", settings);
    rill_world *world = validation_build_text(text);
    double start = 0, most = 0;
    for (int k = 0; rill_world_stats(world)->time < 0.5; k++) {
        if (dt > 0)
            assert_int_equal(rill_world_step(world, dt), RILL_OK);
        else
            step(world, 0.01);
        const double energy = rill_world_stats(world)->kinetic_energy + rill_world_stats(world)->potential_energy;
        if (k == 0) start = energy;
        most = fmax(most, energy);
    }
    print_message("%s: energy %.3f times that of the start at most\n", settings, most / start);
    assert_true(most < 1.02 * start);
    rill_world_destroy(world);
}

static void artificial_pressure_holds(void **state) {
    (void)state;
    const double any = 0, wide = -1;
    check_tensile("\"tensile\": 0.1, \"iterations\": 6", any);
    check_tensile("\"tensile\": 1, \"iterations\": 4", any);
    check_tensile("\"tensile\": 1, \"iterations\": 20", any);
    check_tensile("\"tensile\": 0.1, \"iterations\": 10, \"density_kernel\": \"wendland\", "
                  "\"gradient_kernel\": \"wendland\"",
                  wide);
    /* the paper's values: poly6 and spiky, k 0.1, dq 0.2 h, n 4, four substeps of ten iterations in a frame */
    check_tensile("\"tensile\": 0.1, \"iterations\": 10, \"substeps\": 4, \"density_kernel\": \"poly6\", "
                  "\"gradient_kernel\": \"spiky\"",
                  1.0 / 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_water_stands),
        cmocka_unit_test(deep_water_is_solved_after_ten_steps),
        cmocka_unit_test(first_steps_foresee_the_pressure),
        cmocka_unit_test(wide_supports_hold),
        cmocka_unit_test(submerged_bodies_are_not_shot_away),
        cmocka_unit_test(heaps_of_crates_hold),
        cmocka_unit_test(artificial_pressure_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
