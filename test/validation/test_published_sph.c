/* SPDX-License-Identifier: MIT */
/* The compression of plain SPH as published in two documents, reproduced within 15 %: the comparison run of Bodin,
   Lacoursiere and Servin, "Constraint Fluids", section IX (mean density about 2190 kg/m^3), and the pillar of
   Sjoestroem's thesis, section 7.1 (about 5.5 m deep at SCP 0.6, 4 m at SCP 1). */
#include "validation/validation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define DT (1.0 / 120)

static double mean_density(const rill_world *world) {
    rill_view rho;
    assert_int_equal(rill_world_view(world, "density", &rho), RILL_OK);
    double sum = 0;
    for (int i = 0; i < rho.count; i++) sum += (double)((const float *)rho.data)[i];
    return sum / rho.count;
}

static void bodins_box_shrinks_to_2190(void **state) {
    (void)state;
    rill_world *world = validation_build("box_bodin_3d", NULL);
    assert_int_equal(rill_world_particle_count(world), 10000);
    validation_run_fixed(world, DT, 4.0);
    const double rho = mean_density(world), volume = validation_gauge(world, "surface", 0) * 0.36 * 0.36 * 1000;
    print_message("box of 70 l: mean density %.0f kg/m^3 (2190), volume %.1f l (32), neighbours %.1f (35)\n", rho,
                  volume, rill_world_stats(world)->neighbours_mean);
    assert_true(fabs(rho - 2190) < 0.15 * 2190);
    assert_true(fabs(volume - 32) < 0.15 * 32);
    rill_world_destroy(world);
}

static void check_pillar(const char *scp, double published) {
    const char *const settings[] = {scp, NULL};
    rill_world *world = validation_build("pillar_2d", settings);
    assert_int_equal(rill_world_particle_count(world), 1000);
    validation_run_fixed(world, DT, 10.0);
    double depth = 0;
    for (int k = 0; k < 20; k++) { /* a mean, because it never quite comes to rest */
        validation_run_fixed(world, DT, 10.0 + 0.1 * (k + 1));
        depth += validation_gauge(world, "depth", 0) / 20;
    }
    print_message("pillar at %s: %.2f m deep (%.1f)\n", scp, depth, published);
    assert_true(fabs(depth - published) < 0.15 * published);
    rill_world_destroy(world);
}

static void pillar_settles_as_in_the_thesis(void **state) {
    (void)state;
    check_pillar("world.scp=0.6", 5.5);
    check_pillar("world.scp=1", 4.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodins_box_shrinks_to_2190),
        cmocka_unit_test(pillar_settles_as_in_the_thesis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
