/* SPDX-License-Identifier: MIT */
/* Polygons and chains of segments (in 2D only), against points sampled along them. */
#include "oracle/check.h"
#include "oracle/placed_of.h"
#include "oracle/sim_main.h"
#include "sim/boundary/boundary.h"

/* An L, counter-clockwise, with one inner corner at (1, 1). */
static const rill_vec corners[] = {{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};
static const rill_vec backwards[] = {{0, 3, 0}, {1, 3, 0}, {1, 1, 0}, {3, 1, 0}, {3, 0, 0}, {0, 0, 0}};

static rill_shape an_l(bool clockwise) {
    rill_shape s = rill_shape_default();
    s.kind = RILL_POLYGON;
    s.points = (rill_points){clockwise ? backwards : corners, 6};
    return s;
}

static double nearest_sample(const rill_vec *p, int count, bool closed, vec x) {
    double best = 1e30;
    for (int k = 0; k < count - (closed ? 0 : 1); k++)
        for (int n = 0; n <= 1000; n++) {
            const rill_vec a = p[k], b = p[(k + 1) % count];
            const float share = (float)n / 1000.0f;
            const double dx = (double)(a.x + share * (b.x - a.x) - x.x), dy = (double)(a.y + share * (b.y - a.y) - x.y);
            const double d = sqrt(dx * dx + dy * dy);
            best = d < best ? d : best;
        }
    return best;
}

static bool in_l(vec x) {
    return x.x > 0 && x.y > 0 && ((x.x < 3 && x.y < 1) || (x.x < 1 && x.y < 3));
}

static void polygon(void **state) {
    (void)state;
    uint32_t random = 31;
    for (int clockwise = 0; clockwise < 2; clockwise++) {
        rill_shape shape = an_l(clockwise);
        const placed_shape f = placed_of(&shape, NULL);
        shape.inside = true;
        const placed_shape container = placed_of(&shape, NULL);
        for (int k = 0; k < 500; k++) {
            const vec x = {random_in(&random, -1, 4), random_in(&random, -1, 4)};
            const double wanted = nearest_sample(corners, 6, true, x) * (in_l(x) ? -1 : 1);
            vec n;
            const float d = rill_placed_distance(&f, x, &n);
            assert_near(d, wanted, 2e-3);
            assert_true(rill_placed_distance(&container, x, NULL) == -d);
            /* away from ridges a step of -d along the normal leads to the surface */
            if (fabsf(d) > 0.05f && fabsf(d) < 0.3f)
                assert_near(rill_placed_distance(&f, vec_along(x, -d, n), NULL), 0, 1e-4);
        }
        /* on the edge itself the normal still points out */
        vec n;
        assert_near(rill_placed_distance(&f, (vec){2.0f, 0.0f}, &n), 0, 1e-6);
        assert_near(n.y, -1, 1e-5);
    }
}

static void segments(void **state) {
    (void)state;
    static const rill_vec chain[] = {{0, 0, 0}, {1, 0.5f, 0}, {2, 0, 0}, {2, 2, 0}};
    rill_shape shape = rill_shape_default();
    shape.kind = RILL_SEGMENTS, shape.points = (rill_points){chain, 4}, shape.radius = 0.05f;
    const placed_shape f = placed_of(&shape, NULL);
    uint32_t random = 32;
    for (int k = 0; k < 500; k++) {
        const vec x = {random_in(&random, -1, 3), random_in(&random, -1, 3)};
        const double wanted = nearest_sample(chain, 4, false, x) - 0.05;
        vec n;
        const float d = rill_placed_distance(&f, x, &n);
        assert_near(d, wanted, 2e-3);
        if (d > 0.05f) assert_near(rill_placed_distance(&f, vec_along(x, -d, n), NULL), 0, 1e-4);
    }
}

/* A point in the inner corner of the L has both edges as walls; at an outer corner only the nearest. */
static void walls_at_corners(void **state) {
    (void)state;
    const rill_shape shape = an_l(false);
    const placed_shape f = placed_of(&shape, NULL);
    wall walls[PLACED_WALLS_MAX];
    assert_int_equal(rill_placed_walls(&f, (vec){1.05f, 1.08f}, 0.2f, walls), 2);
    const bool first_is_x = walls[0].normal.x > 0.5f;
    assert_near(walls[first_is_x ? 0 : 1].distance, 0.05, 1e-5);
    assert_near(walls[first_is_x ? 1 : 0].distance, 0.08, 1e-5);
    assert_near(vec_dot(walls[0].normal, walls[1].normal), 0, 1e-5);
    assert_int_equal(rill_placed_walls(&f, (vec){1.05f, 2.0f}, 0.2f, walls), 1);
    assert_int_equal(rill_placed_walls(&f, (vec){3.05f, -0.05f}, 0.2f, walls), 1);
    assert_int_equal(rill_placed_walls(&f, (vec){2.0f, 2.0f}, 0.2f, walls), 0);
    /* the same shape as a container: its outer corners become inner ones */
    rill_shape hollow = shape;
    hollow.inside = true;
    const placed_shape c = placed_of(&hollow, NULL);
    assert_int_equal(rill_placed_walls(&c, (vec){0.1f, 0.1f}, 0.2f, walls), 2);
    assert_int_equal(rill_placed_walls(&c, (vec){0.5f, 0.5f}, 0.2f, walls), 0);
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygon),
        cmocka_unit_test(segments),
        cmocka_unit_test(walls_at_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
