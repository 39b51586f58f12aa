/* SPDX-License-Identifier: MIT */
/* Bodies in force-based SPH: light ones float with about the right lift, heavy ones sink, and what the fluid gives a
   body it takes from its own momentum. */
#include "validation/validation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define G 9.81

static rill_body_state state_of(rill_world *world, const char *name) {
    rill_body_state s;
    if (rill_world_body_state(world, rill_world_find_body(world, name), &s) != RILL_OK)
        fail_msg("%s", rill_world_message(world));
    return s;
}

static void light_ones_float_and_heavy_ones_sink(void **state) {
    (void)state;
    rill_world *world = validation_build("floating_2d", NULL);
    validation_run_to(world, 4.0);
    const double level = validation_gauge(world, "level", 0);
    validation_gauge(world, "lift_on_cork", 0);
    double lift = 0;
    for (int k = 0; k < 20; k++) {
        validation_run_to(world, 4.0 + 0.05 * (k + 1));
        lift += validation_gauge(world, "lift_on_cork", 1) / 20;
    }
    const double cork = (double)state_of(world, "cork").position.y, oak = (double)state_of(world, "oak").position.y;
    const double tar = (double)state_of(world, "tar").position.y, clay = (double)state_of(world, "clay").position.y;
    const double weight = (double)state_of(world, "cork").mass * G;
    print_message("level %.3f m; centres: cork %.3f, oak %.3f, tar %.3f, clay %.3f m; lift on cork %.1f of %.1f N\n",
                  level, cork, oak, tar, clay, lift, weight);
    /* A floating square of density ratio 1/2 has its centre at the surface, one of 3/4 a quarter of its side below or
     * so. */
    assert_true(fabs(cork - level) < 0.03);
    assert_true(oak < level && oak > level - 0.1);
    assert_true(tar < 0.16 && clay < 0.16);
    assert_true(fabs(lift - weight) < 0.05 * weight);
    /* At this ratio (9/32 < s < 23/32) a square floats with a corner down: an odd multiple of 45 degrees. */
    const double quarter = 1.5707963267948966, turn = fmod(fabs((double)state_of(world, "cork").angle), quarter);
    print_message("cork is turned by %.1f degrees\n", turn / quarter * 90);
    assert_true(fabs(turn - 0.5 * quarter) < 0.15);
    assert_int_equal(rill_world_particle_count(world), 3000);
    rill_world_destroy(world);
}

/* A block flies into a drop, without gravity or walls. With semi-implicit Euler the exchange is exact. */
static const char collision[] =
    "{\"dim\": 2, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.02, \"gravity\": [0, 0]},"
    "\"methods\": {\"wcsph\": {\"integrator\": \"euler\", \"expected_speed\": 2}},"
    "\"fluids\": [{\"name\": \"water\"}],"
    "\"blocks\": [{\"shape\": \"sphere\", \"position\": [0.5, 0], \"radius\": 0.3}],"
    "\"bodies\": [{\"name\": \"block\", \"shape\": \"box\", \"min\": [-0.1, -0.1], \"max\": [0.1, 0.15], "
    "\"density\": 700, \"velocity\": [1.5, 0.2]}],"
    "\"gauges\": [{\"name\": \"fluid\", \"kind\": \"momentum\"}]}";

static void momentum_of_fluid_and_body_is_kept(void **state) {
    (void)state;
    rill_world *world = validation_build_text(collision);
    const rill_body_state before = state_of(world, "block");
    validation_run_to(world, 0.5);
    const rill_body_state after = state_of(world, "block");
    const double fluid[2] = {validation_gauge(world, "fluid", 0), validation_gauge(world, "fluid", 1)};
    const double mass = (double)before.mass, total = mass * 1.5;
    const double x = fluid[0] + mass * (double)(after.velocity.x - before.velocity.x);
    const double y = fluid[1] + mass * (double)(after.velocity.y - before.velocity.y);
    print_message("the fluid got (%.4f, %.4f) N s; unaccounted for: (%.1e, %.1e) of %.1f N s\n", fluid[0], fluid[1], x,
                  y, total);
    assert_true(fabs(fluid[0]) > 0.2 * total); /* it did hit */
    assert_true(fabs(x) < 1e-4 * total && fabs(y) < 1e-4 * total);
    rill_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_ones_float_and_heavy_ones_sink),
        cmocka_unit_test(momentum_of_fluid_and_body_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
