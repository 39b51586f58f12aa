/* SPDX-License-Identifier: MIT */
/* Closest point and solid angle of one triangle, against other ways to get them. */
#include "geometry/shapes.h"

static vec3 closest_on_segment(vec3 p, vec3 a, vec3 b) {
    const vec3 ab = vec3_sub(b, a);
    const double share = vec3_dot(vec3_sub(p, a), ab) / vec3_dot(ab, ab);
    return vec3_along(a, fmin(fmax(share, 0.0), 1.0), ab);
}

/* The foot of the perpendicular if it is in the triangle, otherwise the nearest point of its edges. */
static double plain_distance(vec3 p, vec3 a, vec3 b, vec3 c) {
    const vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    const double height = vec3_dot(vec3_sub(p, a), n) / vec3_length(n);
    const vec3 foot = vec3_along(p, -height / vec3_length(n), n);
    bool in = true;
    const vec3 corner[3] = {a, b, c};
    double best = (double)INFINITY;
    for (int k = 0; k < 3; k++) {
        const vec3 from = corner[k], to = corner[(k + 1) % 3];
        in = in && vec3_dot(vec3_cross(vec3_sub(to, from), vec3_sub(foot, from)), n) >= 0.0;
        best = fmin(best, vec3_length(vec3_sub(p, closest_on_segment(p, from, to))));
    }
    return in ? fabs(height) : best;
}

static void check_region(vec3 q, const vec3 corner[3], triangle_region region) {
    if (region < REGION_EDGE) {
        assert_near(vec3_length(vec3_sub(q, corner[region])), 0, 1e-12);
    } else if (region < REGION_FACE) {
        const vec3 from = corner[region - REGION_EDGE], to = corner[(region - REGION_EDGE + 1) % 3];
        assert_near(vec3_length(vec3_sub(q, closest_on_segment(q, from, to))), 0, 1e-9);
    } else {
        const vec3 n = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
        assert_near(vec3_dot(vec3_sub(q, corner[0]), n) / vec3_length(n), 0, 1e-9);
    }
}

static void closest_point(void **state) {
    (void)state;
    uint32_t seed = 1;
    int seen[7] = {0};
    for (int k = 0; k < 20000; k++) {
        vec3 corner[3] = {random_point(&seed, 1), random_point(&seed, 1), random_point(&seed, 1)};
        /* every fourth a needle */
        if (k % 4 == 0) corner[2] = vec3_along(corner[1], 1e-4, corner[2]);
        const vec3 p = random_point(&seed, 2);
        triangle_region region;
        const vec3 q = triangle_closest(p, corner[0], corner[1], corner[2], &region);
        assert_near(vec3_length(vec3_sub(p, q)), plain_distance(p, corner[0], corner[1], corner[2]), 1e-7);
        check_region(q, corner, region);
        seen[region]++;
    }
    for (int k = 0; k < 7; k++) assert_true(seen[k] > 100);
}

static void known_regions(void **state) {
    (void)state;
    const vec3 a = {0, 0, 0}, b = {2, 0, 0}, c = {0, 2, 0};
    static const struct {
        vec3 p;
        int region;
        double distance;
    } cases[] = {
        {{-1, -1, 0}, 0, 1.4142135623730951}, {{4, 0, 0}, 1, 2},  {{0, 5, 4}, 2, 5},      {{1, -3, 4}, 3, 5},
        {{2, 2, 0}, 4, 1.4142135623730951},   {{-1, 1, 0}, 5, 1}, {{0.5, 0.5, -7}, 6, 7},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        triangle_region region;
        const vec3 q = triangle_closest(cases[k].p, a, b, c, &region);
        assert_int_equal(region, cases[k].region);
        assert_near(vec3_length(vec3_sub(cases[k].p, q)), cases[k].distance, 1e-14);
    }
}

static void solid_angle(void **state) {
    (void)state;
    const vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, origin = {0, 0, 0};
    /* an eighth of the sphere, seen from behind and from in front */
    assert_near(triangle_solid_angle(origin, x, y, z), 4.0 * PI / 8.0, 1e-14);
    assert_near(triangle_solid_angle((vec3){1, 1, 1}, x, y, z), -triangle_solid_angle((vec3){1, 1, 1}, x, z, y), 1e-14);
    assert_true(triangle_solid_angle((vec3){1, 1, 1}, x, y, z) < 0.0);
    /* in its plane but outside of it, and in a corner */
    assert_near(triangle_solid_angle((vec3){-3, 0, 0}, origin, x, y), 0, 0);
    assert_near(triangle_solid_angle(x, x, y, z), 0, 0);
    /* just above and below the middle of a face: half of everything */
    assert_near(triangle_solid_angle((vec3){0.3, 0.3, 1e-9}, origin, x, y), -2.0 * PI, 1e-6);
    assert_near(triangle_solid_angle((vec3){0.3, 0.3, -1e-9}, origin, x, y), 2.0 * PI, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_point),
        cmocka_unit_test(known_regions),
        cmocka_unit_test(solid_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
