/* SPDX-License-Identifier: MIT */
/* Bodies in force-based SPH: light ones float with about the right lift, heavy ones sink, and momentum that a body gets
   the fluid loses. */
#include "validation/validation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define G 9.81

static void light_ones_float_and_heavy_ones_sink(void **state) {
    (void)state;
    const char *const settings[] = {"gauges.lift_on_cork.window=1", NULL};
    rill_world *world = validation_build("floating_2d", settings);
    validation_run_to(world, 4.0);
    const double level = validation_gauge(world, "level", 0);
    for (int k = 0; k < 20; k++) validation_run_to(world, 4.0 + 0.05 * (k + 1));
    const double lift = validation_gauge(world, "lift_on_cork", 1);
    const double cork = (double)validation_body(world, "cork").position.y,
                 oak = (double)validation_body(world, "oak").position.y;
    const double tar = (double)validation_body(world, "tar").position.y,
                 clay = (double)validation_body(world, "clay").position.y;
    const double weight = (double)validation_body(world, "cork").mass * G;
    print_message("level %.3f m; centres: cork %.3f, oak %.3f, tar %.3f, clay %.3f m; lift on cork %.1f of %.1f N\n",
                  level, cork, oak, tar, clay, lift, weight);
    /* A floating square of density ratio 1/2 has its centre at the surface, one of 3/4 about a quarter of its side
       below. */
    assert_true(fabs(cork - level) < 0.03);
    assert_true(oak < level && oak > level - 0.1);
    assert_true(tar < 0.16 && clay < 0.16);
    assert_true(fabs(lift - weight) < 0.05 * weight);
    /* At the cork's ratio of 1/2 (9/32 < s < 23/32) a square floats with a corner down, at an odd multiple of 45
       degrees. */
    const double quarter = 1.5707963267948966, turn = fmod(fabs((double)validation_body(world, "cork").angle), quarter);
    print_message("cork is turned by %.1f degrees\n", turn / quarter * 90);
    assert_true(fabs(turn - 0.5 * quarter) < 0.15);
    assert_int_equal(rill_world_particle_count(world), 3000);
    rill_world_destroy(world);
}

static void momentum_of_fluid_and_body_is_kept(void **state) {
    (void)state;
    static const char *const settings[] = {"integrator=euler", "expected_speed=2", NULL};
    validation_collide("wcsph", settings, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_ones_float_and_heavy_ones_sink),
        cmocka_unit_test(momentum_of_fluid_and_body_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
