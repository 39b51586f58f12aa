/* SPDX-License-Identifier: MIT */
/* Closest point and solid angle of one triangle, compared with independent formulas. */
#include "geometry/shapes.h"

static dvec closest_on_segment(dvec p, dvec a, dvec b) {
    const dvec ab = dvec_sub(b, a);
    const double share = dvec_dot(dvec_sub(p, a), ab) / dvec_dot(ab, ab);
    return dvec_along(a, fmin(fmax(share, 0.0), 1.0), ab);
}

/* The foot of the perpendicular if it is in the triangle, otherwise the nearest point of its edges. */
static double plain_distance(dvec p, dvec a, dvec b, dvec c) {
    const dvec n = dvec_cross(dvec_sub(b, a), dvec_sub(c, a));
    const double height = dvec_dot(dvec_sub(p, a), n) / dvec_length(n);
    const dvec foot = dvec_along(p, -height / dvec_length(n), n);
    bool in = true;
    const dvec corner[3] = {a, b, c};
    double best = (double)INFINITY;
    for (int k = 0; k < 3; k++) {
        const dvec from = corner[k], to = corner[(k + 1) % 3];
        in = in && dvec_dot(dvec_cross(dvec_sub(to, from), dvec_sub(foot, from)), n) >= 0.0;
        best = fmin(best, dvec_length(dvec_sub(p, closest_on_segment(p, from, to))));
    }
    return in ? fabs(height) : best;
}

static void check_region(dvec q, const dvec corner[3], triangle_region region) {
    if (region < REGION_EDGE) {
        assert_near(dvec_length(dvec_sub(q, corner[region])), 0, 1e-12);
    } else if (region < REGION_FACE) {
        const dvec from = corner[region - REGION_EDGE], to = corner[(region - REGION_EDGE + 1) % 3];
        assert_near(dvec_length(dvec_sub(q, closest_on_segment(q, from, to))), 0, 1e-9);
    } else {
        const dvec n = dvec_cross(dvec_sub(corner[1], corner[0]), dvec_sub(corner[2], corner[0]));
        assert_near(dvec_dot(dvec_sub(q, corner[0]), n) / dvec_length(n), 0, 1e-9);
    }
}

static void closest_point(void **state) {
    (void)state;
    uint32_t seed = 1;
    int seen[7] = {0};
    for (int k = 0; k < 20000; k++) {
        dvec corner[3] = {random_point(&seed, 1), random_point(&seed, 1), random_point(&seed, 1)};
        /* every fourth a needle */
        if (k % 4 == 0) corner[2] = dvec_along(corner[1], 1e-4, corner[2]);
        const dvec p = random_point(&seed, 2);
        triangle_region region;
        const dvec q = rill_triangle_closest(p, corner[0], corner[1], corner[2], &region);
        assert_near(dvec_length(dvec_sub(p, q)), plain_distance(p, corner[0], corner[1], corner[2]), 1e-7);
        check_region(q, corner, region);
        seen[region]++;
    }
    for (int k = 0; k < 7; k++) assert_true(seen[k] > 100);
}

static void known_regions(void **state) {
    (void)state;
    const dvec a = {0, 0, 0}, b = {2, 0, 0}, c = {0, 2, 0};
    static const struct {
        dvec p;
        int region;
        double distance;
    } cases[] = {
        {{-1, -1, 0}, 0, 1.4142135623730951}, {{4, 0, 0}, 1, 2},  {{0, 5, 4}, 2, 5},      {{1, -3, 4}, 3, 5},
        {{2, 2, 0}, 4, 1.4142135623730951},   {{-1, 1, 0}, 5, 1}, {{0.5, 0.5, -7}, 6, 7},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        triangle_region region;
        const dvec q = rill_triangle_closest(cases[k].p, a, b, c, &region);
        assert_int_equal(region, cases[k].region);
        assert_near(dvec_length(dvec_sub(cases[k].p, q)), cases[k].distance, 1e-14);
    }
}

static void solid_angle(void **state) {
    (void)state;
    const dvec x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, origin = {0, 0, 0};
    /* an eighth of the sphere, seen from behind and from in front */
    assert_near(rill_triangle_solid_angle(origin, x, y, z), 4.0 * PI / 8.0, 1e-14);
    assert_near(rill_triangle_solid_angle((dvec){1, 1, 1}, x, y, z),
                -rill_triangle_solid_angle((dvec){1, 1, 1}, x, z, y), 1e-14);
    assert_true(rill_triangle_solid_angle((dvec){1, 1, 1}, x, y, z) < 0.0);
    /* at a point in its plane but outside of it, and at a corner */
    assert_near(rill_triangle_solid_angle((dvec){-3, 0, 0}, origin, x, y), 0, 0);
    assert_near(rill_triangle_solid_angle(x, x, y, z), 0, 0);
    /* just above and below the middle of a face: half of everything */
    assert_near(rill_triangle_solid_angle((dvec){0.3, 0.3, 1e-9}, origin, x, y), -2.0 * PI, 1e-6);
    assert_near(rill_triangle_solid_angle((dvec){0.3, 0.3, -1e-9}, origin, x, y), 2.0 * PI, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_point),
        cmocka_unit_test(known_regions),
        cmocka_unit_test(solid_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
