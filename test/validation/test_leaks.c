/* SPDX-License-Identifier: MIT */
/* Nothing leaks: fluid is thrown at walls one spacing thick, at a polygon with notches and at the Stanford bunny.
   Afterwards no particle is missing, behind the wall or inside a solid. */
#include "oracle/check.h"
#include "validation/validation.h"

#include <math.h>
#include <string.h>

static void ok(const rill_world *w, rill_status status) {
    if (status != RILL_OK) fail_msg("%s", rill_world_message(w));
}

static void count_all(rill_world *w, int expected, double least, double most_x) {
    rill_view x;
    ok(w, rill_world_view(w, "position", &x));
    assert_int_equal(x.count, expected);
    assert_int_equal(rill_world_stats(w)->left_out + rill_world_stats(w)->removed, 0);
    double nearest = HUGE_VAL, farthest = -HUGE_VAL;
    for (int i = 0; i < x.count; i++) {
        const float *p = (const float *)x.data + i * x.stride;
        const rill_vec at = {p[0], p[1], x.components == 3 ? p[2] : 0};
        for (int s = 0; s < rill_world_solid_count(w); s++) {
            float distance;
            ok(w, rill_world_solid_distance(w, rill_world_solid_at(w, s), at, &distance, NULL));
            nearest = fmin(nearest, (double)distance);
        }
        farthest = fmax(farthest, (double)at.x);
    }
    print_message("%d particles, nearest to a wall %.4f m, farthest x %.4f m\n", x.count, nearest, farthest);
    assert_true(nearest > least);
    assert_true(farthest < most_x);
}

static void throw(const char *text, double time, double least, double most_x) {
    rill_world *w = validation_build_text(text);
    const int count = rill_world_particle_count(w);
    assert_true(count > 100);
    validation_run_to(w, time);
    count_all(w, count, least, most_x);
    rill_world_destroy(w);
}

#define FLUID                                                                                                   \
    "\"fluids\": [{\"material\": \"water\"}], \"methods\": {\"wcsph\": {\"expected_speed\": 25}}, \"method\": " \
    "\"wcsph\", "

static void thin_plate_2d(void **state) {
    (void)state;
    throw("{\"dim\": 2, \"world\": {\"spacing\": 0.04}, " FLUID
          "\"solids\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [2, 1], \"inside\": true},"
          "{\"shape\": \"box\", \"min\": [1, -0.1], \"max\": [1.04, 1.1]}],"
          "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.6, 0.6], \"velocity\": [20, 3]}]}",
          0.5, 0.019, 1.0);
}

static void thin_chain_2d(void **state) {
    (void)state;
    throw("{\"dim\": 2, \"world\": {\"spacing\": 0.04}, " FLUID
          "\"solids\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [2, 1], \"inside\": true},"
          "{\"shape\": \"segments\", \"radius\": 0.02, \"points\": [[0.9, -0.1], [1.2, 0.5], [0.9, 1.1]]}],"
          "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.6, 0.6], \"velocity\": [20, 3]}]}",
          0.5, 0.019, 1.2);
}

static void thin_plate_3d(void **state) {
    (void)state;
    throw("{\"dim\": 3, \"world\": {\"spacing\": 0.06, \"gravity\": [0, 0, -9.81]}, " FLUID
          "\"solids\": [{\"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [1.5, 0.6, 0.9], \"inside\": true},"
          "{\"shape\": \"box\", \"min\": [0.9, -0.1, -0.1], \"max\": [0.96, 0.7, 1]}],"
          "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [0.6, 0.6, 0.6], \"velocity\": [20, 0, 3]}]}",
          0.3, 0.029, 0.9);
}

/* A sheet of two triangles that encloses nothing: its `thickness` makes it one spacing thick. */
static void thin_sheet_3d(void **state) {
    (void)state;
    throw(
        "{\"dim\": 3, \"world\": {\"spacing\": 0.06, \"gravity\": [0, 0, -9.81]}, " FLUID
        "\"solids\": [{\"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [1.5, 0.6, 0.9], \"inside\": true},"
        "{\"shape\": \"mesh\", \"thickness\": 0.06, \"points\": [[0.9, -0.2, -0.2], [0.9, 0.8, -0.2], [0.9, 0.8, 1.1],"
        "[0.9, -0.2, -0.2], [0.9, 0.8, 1.1], [0.9, -0.2, 1.1]]}],"
        "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [0.6, 0.6, 0.6], \"velocity\": [20, 0, 3]}]}",
        0.3, 0.028, 0.9);
}

static void hollow_polygon_2d(void **state) {
    (void)state;
    throw("{\"dim\": 2, \"world\": {\"spacing\": 0.04}, " FLUID
          "\"solids\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [2, 1], \"inside\": true},"
          "{\"shape\": \"polygon\", \"points\": [[1, 0.1], [1.5, 0.1], [1.5, 0.9], [1, 0.9], [1, 0.75], [1.3, 0.7],"
          "[1.05, 0.55], [1.35, 0.5], [1.05, 0.45], [1.3, 0.3], [1, 0.25]]}],"
          "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.6, 0.8], \"velocity\": [25, 3]}]}",
          0.5, 0.019, 2.0);
}

static void bunny_3d(void **state) {
    (void)state;
    throw("{\"dim\": 3, \"world\": {\"spacing\": 0.05, \"gravity\": [0, -9.81, 0]}, " FLUID
          "\"solids\": [{\"shape\": \"box\", \"min\": [0, 0, -0.5], \"max\": [2, 1.2, 0.5], \"inside\": true},"
          "{\"shape\": \"mesh\", \"file\": \"bunny.obj\", \"scale\": 0.55, \"position\": [1.3, 0.5, 0]}],"
          "\"blocks\": [{\"shape\": \"box\", \"min\": [0, 0, -0.5], \"max\": [0.5, 0.8, 0.5], \"velocity\": [15, 0, "
          "0]}]}",
          getenv("RILL_LONG") ? 0.3 : 0.15, 0.02, 2.0); /* the fluid arrives after 0.05 s */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thin_plate_2d), cmocka_unit_test(thin_chain_2d),     cmocka_unit_test(thin_plate_3d),
        cmocka_unit_test(thin_sheet_3d), cmocka_unit_test(hollow_polygon_2d), cmocka_unit_test(bunny_3d),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
