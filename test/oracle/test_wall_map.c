/* SPDX-License-Identifier: MIT */
/* The wall map: the kernel's integrals over the solid beyond a wall, against a fine lattice of points in it. */
#include "oracle/check.h"
#include "oracle/sim_main.h"
#include "sim/boundary/boundary.h"
#include "sim/fill.h"

typedef struct sums {
    double value, gradient, laplacian, depth;
} sums;

/* The int over the half-space at distance d along -x, by midpoints of a grid of n cells across the support. */
static sums by_grid(const kernel *value, const kernel *gradient, const laplacian *viscous, double d) {
    const double h = (double)value->h;
    const int n = DIM == 2 ? 400 : 90;
    const double step = h / n, cell = DIM == 2 ? step * step : step * step * step;
    sums s = {0};
    /* by symmetry one quarter of the plane through the wall, or half the line in 2D */
    const double copies = DIM == 2 ? 2 : 4;
    for (int a = 0; a < n; a++) {
        const double x = d + (a + 0.5) * step;
        if (x >= h) break;
        for (int b = 0; b < n; b++)
            for (int c = 0; c < (DIM == 3 ? n : 1); c++) {
                const double y = (b + 0.5) * step, z = DIM == 3 ? (c + 0.5) * step : 0, r = sqrt(x * x + y * y + z * z);
                if (r >= h) break;
                const double share = copies * cell;
                s.value += share * (double)kernel_value_at(value, (float)r);
                s.gradient += share * x * (double)kernel_gradient_at(gradient, (float)r);
                const double l = (double)laplacian_value_at(viscous, (float)r);
                s.laplacian += share * l;
                s.depth += share * l * (x - d);
            }
    }
    return s;
}

static void integrals(void **state) {
    (void)state;
    const float h = 0.2f;
    const kernel_kind kinds[][2] = {{KERNEL_CUBIC, KERNEL_CUBIC}, {KERNEL_POLY6, KERNEL_SPIKY}, {KERNEL_WENDLAND, KERNEL_WENDLAND}};
    for (int pair = 0; pair < 3; pair++) {
        const kernel value = kernel_make(kinds[pair][0], h), gradient = kernel_make(kinds[pair][1], h);
        const laplacian viscous = laplacian_make(LAPLACIAN_VISCOSITY, &gradient);
        wall_map map;
        wall_map_make(&map, &value, &gradient, &viscous);
        for (double q = 0.013; q < 1; q += 0.171) {
            const float d = (float)q * h;
            const sums s = by_grid(&value, &gradient, &viscous, (double)d);
            assert_near(wall_map_at(&map, map.value, d), s.value, 4e-3);
            assert_near((double)wall_map_at(&map, map.gradient, d) * (double)h, s.gradient * (double)h, 0.02);
            const double scale = 1 / ((double)h * (double)h);
            assert_near((double)wall_map_at(&map, map.laplacian, d) / scale, s.laplacian / scale, 0.1);
            assert_near((double)wall_map_at(&map, map.laplacian_depth, d) * (double)h, s.depth * (double)h, 0.02);
        }
    }
}

static void limits(void **state) {
    (void)state;
    const kernel k = kernel_make(KERNEL_CUBIC, 0.2f);
    const laplacian l = laplacian_make(LAPLACIAN_GRADIENT, &k);
    wall_map map;
    wall_map_make(&map, &k, &k, &l);
    assert_near(wall_map_at(&map, map.value, 0.0f), 0.5, 1e-3);  /* on the wall: half of it */
    assert_near(wall_map_at(&map, map.value, -1.0f), 0.5, 1e-3); /* behind counts as on */
    const float beyond[] = {0.2f, 0.3f, 1e30f, NAN};
    for (int n = 0; n < 4; n++) {
        assert_near(wall_map_at(&map, map.value, beyond[n]), n == 3 ? 0.5 : 0, n == 3 ? 1e-3 : 0);
        assert_near(wall_map_at(&map, map.gradient, n == 3 ? 0.2f : beyond[n]), 0, 0);
    }
    float last = 1.0f;
    for (float d = 0.0f; d < 0.2f; d += 0.001f) {
        const float value = wall_map_at(&map, map.value, d);
        assert_true(value <= last);
        last = value;
    }
}

/* Half a lattice of fluid and the map for the other half make rest density, as near as a sum can be to an integral. The
   first layer, half a spacing from the wall, comes out 2 to 5 % too dense: a lattice is not quite at rest there. */
static void half_a_lattice_and_the_map(void **state) {
    (void)state;
    const float dx = 0.1f, h = 2.0f * dx;
    const kernel_kind kinds[] = {KERNEL_CUBIC, KERNEL_WENDLAND, KERNEL_POLY6};
    for (int n = 0; n < 3; n++) {
        const kernel k = kernel_make(kinds[n], h);
        const laplacian l = laplacian_make(LAPLACIAN_GRADIENT, &k);
        wall_map map;
        wall_map_make(&map, &k, &k, &l);
        const double full = (double)fill_lattice_sum(kinds[n], h, dx);
        for (int layer = 0; layer < 4; layer++) {
            const float d = ((float)layer + 0.5f) * dx;
            double sum = 0;
            for (int a = -layer; a <= 3; a++)
                for (int b = -3; b <= 3; b++)
                    for (int c = DIM == 3 ? -3 : 0; c <= (DIM == 3 ? 3 : 0); c++)
                        sum += (double)(dim_power(dx) * kernel_value_at(&k, dx * sqrtf((float)(a * a + b * b + c * c))));
            const double density = sum / full + (double)wall_map_at(&map, map.value, d);
            assert_near(density, layer == 0 ? 1.034 : 1, layer == 0 ? 0.017 : 0.004);
        }
    }
}

/* Two walls at a right angle: the product form is exact for a separable kernel and close for a round one. */
static void share_at_an_edge(void **state) {
    (void)state;
    const kernel k = kernel_make(KERNEL_CUBIC, 0.2f);
    const laplacian l = laplacian_make(LAPLACIAN_GRADIENT, &k);
    wall_map map;
    wall_map_make(&map, &k, &k, &l);
    contact c[2] = {{.distance = 0.0f}, {.distance = 0.0f}};
    assert_near(wall_share(&map, c, 0), 0, 0);
    assert_near(wall_share(&map, c, 1), 0.5, 1e-3);
    assert_near(wall_share(&map, c, 2), 0.75, 1e-3); /* in the edge three quarters are solid */
}

static double colour_laplacian_by_grid(const kernel *k, double d) {
    const double h = (double)k->h;
    const int n = DIM == 2 ? 600 : 120;
    const double step = h / n, share = (DIM == 2 ? 2 : 4) * (DIM == 2 ? step * step : step * step * step);
    double sum = 0;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < (DIM == 3 ? n : 1); c++) {
                const double x = d + (a + 0.5) * step, y = (b + 0.5) * step, z = DIM == 3 ? (c + 0.5) * step : 0;
                sum += share * (double)poly6_laplacian(k, wide_set((float)(x * x + y * y + z * z)))[0];
            }
    return sum;
}

static void colour_map(void **state) {
    (void)state;
    const kernel k = kernel_make(KERNEL_POLY6, 0.2f);
    wall_map map;
    wall_map_make_colour(&map, &k);
    for (double q = 0.1; q < 1; q += 0.3) {
        const double d = q * 0.2, scale = 1 / (0.2 * 0.2);
        assert_near((double)wall_map_at(&map, map.laplacian, (float)d) / scale, colour_laplacian_by_grid(&k, d) / scale, 0.03);
    }
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals),        cmocka_unit_test(limits),     cmocka_unit_test(half_a_lattice_and_the_map),
        cmocka_unit_test(share_at_an_edge), cmocka_unit_test(colour_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
