/* SPDX-License-Identifier: MIT */
/* Bodies in a constraint fluid against Archimedes: boxes that float at the right draft, rise, hover or sink. With
   RILL_LONG in the environment the long tests run instead, with finer resolutions and tilts from many starts: those
   that docs/methods/constraint.md has numbers of. They take a quarter of an hour. */
#include "validation/validation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

/* ---- Archimedes ---- */

typedef struct point {
    double x, y;
} point;

/* Share of a square of side 1 with centre at height y, turned by `angle`, that lies below height 0. */
static double submerged(double y, double angle) {
    const double c = cos(angle), s = sin(angle);
    const point corner[4] = {{-0.5 * c + 0.5 * s, -0.5 * s - 0.5 * c},
                             {0.5 * c + 0.5 * s, 0.5 * s - 0.5 * c},
                             {0.5 * c - 0.5 * s, 0.5 * s + 0.5 * c},
                             {-0.5 * c - 0.5 * s, -0.5 * s + 0.5 * c}};
    point cut[8];
    int n = 0;
    for (int k = 0; k < 4; k++) {
        const point p = corner[k], q = corner[(k + 1) % 4];
        const double a = p.y + y, b = q.y + y;
        if (a <= 0) cut[n++] = p;
        if (a * b < 0) cut[n++] = (point){p.x + (q.x - p.x) * a / (a - b), p.y + (q.y - p.y) * a / (a - b)};
    }
    double area = 0;
    for (int k = 0; k < n; k++) area += cut[k].x * cut[(k + 1) % n].y - cut[(k + 1) % n].x * cut[k].y;
    return 0.5 * fabs(area);
}

/* Tilt [degrees] of a box whose shape was defined with the angle `start`: by symmetry between 0 and 45. */
static double tilt_of(const rill_body_state *s, double start) {
    return fabs(remainder((double)s->angle + start * PI / 180, PI / 2)) * 180 / PI;
}

static void check_draft(double ratio, double dx) {
    char density[64], spacing[64];
    snprintf(density, sizeof density, "bodies.box.density=%g", 1000 * ratio);
    snprintf(spacing, sizeof spacing, "world.spacing=%g", dx);
    const char *settings[] = {density, spacing, "bodies.box.angle=15 deg", NULL};
    rill_world *world = validation_build("floating_box_2d", settings);
    validation_run_to(world, 10);
    double share = 0, turn = 0;
    for (int k = 1; k <= 40; k++) {
        validation_run_to(world, 10 + 0.1 * k);
        const double level =
            0.5 * (validation_gauge(world, "level_left", 0) + validation_gauge(world, "level_right", 0));
        const rill_body_state s = validation_body(world, "box");
        share += submerged(((double)s.position.y - level) / 0.4, (double)s.angle + 15 * PI / 180) / 40;
        turn += tilt_of(&s, 15) / 40;
    }
    print_message("box of density ratio %g, dx %g m: %.3f under water, tilted by %.1f degrees\n", ratio, dx, share,
                  turn);
    assert_true(fabs(share - ratio) < 0.03);
    if (ratio == 0.5) assert_true(fabs(turn - 45) < 3);
    rill_world_destroy(world);
}

static void boxes_float_as_archimedes_says(void **state) {
    (void)state;
    check_draft(0.25, 0.04);
    check_draft(0.5, 0.04);
    check_draft(0.75, 0.04);
}

/* A flat box, which floats upright, so that its height in the water gives the draft. */
static void check_draft_3d(double ratio, double dx) {
    char density[64], spacing[64];
    snprintf(density, sizeof density, "bodies.box.density=%g", 1000 * ratio);
    snprintf(spacing, sizeof spacing, "world.spacing=%g", dx);
    const char *settings[] = {density, spacing, NULL};
    rill_world *world = validation_build("floating_box_3d", settings);
    validation_run_to(world, 4);
    double draft = 0;
    for (int k = 1; k <= 10; k++) {
        validation_run_to(world, 4 + 0.1 * k);
        const double level =
            0.5 * (validation_gauge(world, "level_left", 0) + validation_gauge(world, "level_right", 0));
        draft += ((level - (double)validation_body(world, "box").position.z) / 0.25 + 0.5) / 10;
    }
    print_message("3D box of density ratio %g, dx %g m: draft %.3f of its height\n", ratio, dx, draft);
    assert_true(fabs(draft - ratio) < 0.03);
    rill_world_destroy(world);
}

static void drafts_at_two_resolutions(void **state) {
    (void)state;
    static const double ratios[] = {0.25, 0.5, 0.75};
    for (int k = 0; k < 3; k++) {
        check_draft(ratios[k], 0.04);
        check_draft(ratios[k], 0.02);
        check_draft_3d(ratios[k], 0.05);
        check_draft_3d(ratios[k], 0.03);
    }
}

/* A box as dense as water stays where it is, apart from bobbing with the motion that is left in the water. */
static void check_hovering(double dx, double seconds) {
    char text[800];
    snprintf(text, sizeof text,
             "{\"dim\": 2, \"method\": \"constraint\", \"world\": {\"spacing\": %g},"
             "\"fluids\": [{\"name\": \"water\"}],"
             "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [1.6, 1.2]}],"
             "\"solids\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [1.6, 2], \"inside\": true}],"
             "\"bodies\": [{\"name\": \"box\", \"shape\": \"box\", \"min\": [0.6, 0.4], \"max\": [1, 0.8], "
             "\"density\": 1000}]}",
             dx);
    rill_world *world = validation_build_text(text);
    validation_run_to(world, 1);
    const double start = (double)validation_body(world, "box").position.y;
    validation_run_to(world, 1 + seconds);
    const double drift = ((double)validation_body(world, "box").position.y - start) / seconds;
    print_message("box of density ratio 1, dx %g m: rises by %.2f cm/s\n", dx, 100 * drift);
    assert_true(fabs(drift) < 0.01);
    rill_world_destroy(world);
}

static void a_box_as_dense_as_water_hovers(void **state) {
    (void)state;
    check_hovering(0.05, 5);
}

static void it_hovers_at_two_resolutions(void **state) {
    (void)state;
    check_hovering(0.05, 12);
    check_hovering(0.025, 12);
}

/* Tilt [degrees] of a box that was let go at `start` degrees. Particles at rest lie like a crystal and resist a little
   shear, more than the righting torque of these boxes overcomes, so that a box could stick where it was let go.
   Therefore it is tapped every second, to alternate sides and more and more gently. */
static double tapped_tilt(double ratio, double start) {
    char density[64], angle[64];
    snprintf(density, sizeof density, "bodies.box.density=%g", 1000 * ratio);
    snprintf(angle, sizeof angle, "bodies.box.angle=%g deg", start);
    const char *settings[] = {density,
                              angle,
                              "world.spacing=0.02",
                              "solids.tank.max=[1.2,2]",
                              "blocks.0.max=[1.2,0.7]",
                              "bodies.box.min=[0.4,0.72]",
                              "bodies.box.max=[0.8,1.12]",
                              NULL};
    rill_world *world = validation_build("floating_box_2d", settings);
    const rill_body_id box = rill_world_find_body(world, "box");
    double tilt = 0, tap = 3;
    for (int second = 1; second <= 20; second++, tap *= -0.88) {
        rill_body_state s = validation_body(world, "box");
        s.angular_velocity.z += (float)(second <= 18 ? tap : 0);
        assert_int_equal(rill_world_body_set_velocity(world, box, s.velocity, s.angular_velocity), RILL_OK);
        validation_run_to(world, second);
        s = validation_body(world, "box");
        if (second > 18) tilt += tilt_of(&s, start) / 2;
    }
    print_message("box of density ratio %g, tapped from %g degrees: tilted by %.1f\n", ratio, start, tilt);
    rill_world_destroy(world);
    return tilt;
}

/* Tilts of floating squares from twelve starts, against the stable equilibrium: 45 degrees at a density ratio of 0.5,
   and at 0.25 and 0.75 the angle whose tangent is 1/2. The mean depends on the lift: an error of 1 % is 3 degrees at
   0.75. One of the twelve may stick, because the righting torque at 0.75 is small. */
static void check_tilts(double ratio, double theory) {
    int near = 0;
    double mean = 0;
    for (int start = 0; start < 48; start += 4) {
        const double tilt = tapped_tilt(ratio, start);
        mean += tilt / 12;
        near += fabs(tilt - theory) < 5;
    }
    print_message("ratio %g: %.1f degrees in the mean (%.1f), %d of 12 within 5\n", ratio, mean, theory, near);
    assert_true(fabs(mean - theory) < 3);
    assert_true(near >= 11);
}

static void tilts_from_everywhere(void **state) {
    (void)state;
    check_tilts(0.25, 26.57);
    check_tilts(0.5, 45);
    check_tilts(0.75, 26.57);
}

/* Of five dropped boxes two light ones float and two heavy ones sink. In the thesis only the lightest floated. */
static void five_boxes_dropped(void **state) {
    (void)state;
    const char *settings[] = {"world.spacing=0.05", NULL};
    rill_world *world = validation_build("five_boxes_dropped_2d", settings);
    validation_run_to(world, 6);
    const double level = validation_gauge(world, "level", 0), ice = (double)validation_body(world, "ice").position.y;
    const double cork = (double)validation_body(world, "cork").position.y,
                 oak = (double)validation_body(world, "oak").position.y;
    const double tar = (double)validation_body(world, "tar").position.y,
                 clay = (double)validation_body(world, "clay").position.y;
    print_message("level %.3f m; cork %.3f, oak %.3f, ice %.3f, tar %.3f, clay %.3f m\n", level, cork, oak, ice, tar,
                  clay);
    assert_true(fabs(cork - level) < 0.08 && oak > level - 0.2 && oak < level);
    assert_true(tar < 0.33 && clay < 0.33); /* half a diagonal, 0.21 m, and fluid that they caught under them */
    rill_world_destroy(world);
}

/* Water is poured over five boxes on the floor: the two light ones rise to the surface, the two heavy ones stay down.
   In the thesis none rose. Boxes jostle and the level sloshes for long, so that means over 3 s are compared with the
   level, to within half a diagonal, 0.21 m. */
static void five_boxes_poured_over(void **state) {
    (void)state;
    static const char *const names[] = {"cork", "oak", "tar", "clay"};
    const char *settings[] = {"world.spacing=0.05", NULL};
    rill_world *world = validation_build("five_boxes_poured_2d", settings);
    validation_run_to(world, 9);
    double y[4] = {0};
    for (int k = 1; k <= 30; k++) {
        validation_run_to(world, 9 + 0.1 * k);
        for (int b = 0; b < 4; b++) y[b] += (double)validation_body(world, names[b]).position.y / 30;
    }
    /* Area of the water and of the parts of the boxes below its surface, over the width of the tank. */
    const double level = (rill_world_particle_count(world) * 0.05 * 0.05 + (0.5 + 0.75 + 1 + 1 + 1) * 0.3 * 0.3) / 3.3;
    print_message("level %.3f m; cork %.3f, oak %.3f, tar %.3f, clay %.3f m\n", level, y[0], y[1], y[2], y[3]);
    assert_true(fabs(y[0] - level) < 0.21 && fabs(y[1] - level) < 0.21);
    assert_true(y[2] < 0.33 && y[3] < 0.33);
    rill_world_destroy(world);
}

/* A light block that stands flush on the floor, with water beside and above it, rises and floats. */
static void check_block_on_the_floor(double dx) {
    char text[1000];
    snprintf(text, sizeof text,
             "{\"dim\": 2, \"method\": \"constraint\", \"world\": {\"spacing\": %g},"
             "\"fluids\": [{\"name\": \"water\"}],"
             "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.6, 0.8]},"
             "{\"shape\": \"box\", \"min\": [1, 0], \"max\": [1.6, 0.8]},"
             "{\"shape\": \"box\", \"min\": [0.6, 0.4], \"max\": [1, 0.8]}],"
             "\"solids\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [1.6, 2], \"inside\": true}],"
             "\"bodies\": [{\"name\": \"block\", \"shape\": \"box\", \"min\": [0.6, 0], \"max\": [1, 0.4], "
             "\"density\": 500}],"
             "\"gauges\": [{\"name\": \"level\", \"kind\": \"height\", \"position\": [0.2, 0], \"length\": 2}]}",
             dx);
    rill_world *world = validation_build_text(text);
    validation_run_to(world, 5);
    const double y = (double)validation_body(world, "block").position.y, level = validation_gauge(world, "level", 0);
    print_message("block from the floor, dx %g m: at %.3f m, level %.3f m\n", dx, y, level);
    assert_true(fabs(y - level) < 0.1);
    rill_world_destroy(world);
}

static void a_block_on_the_floor_rises(void **state) {
    (void)state;
    check_block_on_the_floor(0.05);
}

static void it_rises_with_fine_particles_too(void **state) {
    (void)state;
    check_block_on_the_floor(0.02);
}

/* Momentum goes from the block to the drop it flies into, and none is lost. */
static void momentum_of_fluid_and_body_is_kept(void **state) {
    (void)state;
    validation_collide("constraint", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_float_as_archimedes_says),
        cmocka_unit_test(a_box_as_dense_as_water_hovers),
        cmocka_unit_test(five_boxes_dropped),
        cmocka_unit_test(five_boxes_poured_over),
        cmocka_unit_test(a_block_on_the_floor_rises),
        cmocka_unit_test(momentum_of_fluid_and_body_is_kept),
    };
    const struct CMUnitTest long_tests[] = {
        cmocka_unit_test(drafts_at_two_resolutions),
        cmocka_unit_test(tilts_from_everywhere),
        cmocka_unit_test(it_hovers_at_two_resolutions),
        cmocka_unit_test(it_rises_with_fine_particles_too),
    };
    return getenv("RILL_LONG") ? cmocka_run_group_tests(long_tests, NULL, NULL)
                               : cmocka_run_group_tests(tests, NULL, NULL);
}
