/* SPDX-License-Identifier: MIT */
/* The wall map: the kernel's sums over the layers of a solid beyond a wall, against a fine grid of points in them. */
#include "oracle/check.h"
#include "oracle/sim_main.h"
#include "sim/boundary/boundary.h"
#include "sim/fill.h"

#define H  0.2f
#define DX 0.1f

typedef struct sums {
    double value, gradient, normal, tangent, laplacian, depth;
} sums;

/* Layers at d + DX/2, d + 3 DX/2, ... along -x, each cut into a grid of n cells across the support. */
static sums by_grid(const kernel *value, const kernel *gradient, const laplacian *viscous, double d) {
    const double h = (double)H, dx = (double)DX;
    const int n = DIM == 2 ? 4000 : 400;
    const double step = h / n,
                 share = dx * (DIM == 2
                                   ? 2 * step
                                   : 4 * step * step); /* half of the plane, a quarter of space: the rest by symmetry */
    sums s = {0};
    for (double x = d + 0.5 * dx; x < h; x += dx)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < (DIM == 3 ? n : 1); c++) {
                const double y = (b + 0.5) * step, z = DIM == 3 ? (c + 0.5) * step : 0, r = sqrt(x * x + y * y + z * z);
                if (r >= h) break;
                const double g = (double)kernel_gradient_at(gradient, (float)r);
                const double l = (double)laplacian_value_at(viscous, (float)r);
                s.value += share * (double)kernel_value_at(value, (float)r);
                s.gradient += share * x * g;
                s.normal += share * x * x * g;
                s.tangent += share * y * y * g;
                s.laplacian += share * l;
                s.depth += share * l * (x - d);
            }
    return s;
}

static void integrals(void **state) {
    (void)state;
    const kernel_kind kinds[][2] = {{KERNEL_CUBIC, KERNEL_CUBIC},
                                    {KERNEL_POLY6, KERNEL_SPIKY},
                                    {KERNEL_WENDLAND, KERNEL_WENDLAND},
                                    {KERNEL_QUINTIC, KERNEL_QUINTIC}};
    const double h = (double)H;
    for (int pair = 0; pair < 4; pair++) {
        const kernel value = rill_kernel_make(kinds[pair][0], H), gradient = rill_kernel_make(kinds[pair][1], H);
        const laplacian viscous = laplacian_make(LAPLACIAN_VISCOSITY, &gradient);
        wall_integrals map;
        rill_wall_integrals_make(&map, &value, &gradient, &viscous, DX, RILL_WALLS_MAP);
        for (int k = 0; k < WALL_INTEGRALS_SIZE; k += 9) { /* at the table's entries: between them it is linear */
            const float d = H * (float)k / WALL_INTEGRALS_SIZE;
            const sums s = by_grid(&value, &gradient, &viscous, (double)d);
            assert_near(map.value[k], s.value, 1e-3);
            assert_near((double)map.gradient[k] * h, s.gradient * h, 5e-3);
            assert_near(map.moment_normal[k], s.normal, 5e-3);
            assert_near(map.moment_tangent[k], s.tangent, 5e-3);
            assert_near((double)map.laplacian[k] * h * h, s.laplacian * h * h, 0.02);
            assert_near((double)map.laplacian_depth[k] * h, s.depth * h, 0.02);
            assert_near(wall_integral_at(&map, map.value, d), map.value[k], 1e-6);
            const float half = 0.5f * (map.value[k] + map.value[k + 1]);
            assert_near(wall_integral_at(&map, map.value, H * ((float)k + 0.5f) / WALL_INTEGRALS_SIZE), half, 1e-5);
        }
    }
}

static wall_integrals cubic_map(void) {
    const kernel k = rill_kernel_make(KERNEL_CUBIC, H);
    const laplacian l = laplacian_make(LAPLACIAN_GRADIENT, &k);
    wall_integrals map;
    rill_wall_integrals_make(&map, &k, &k, &l, DX, RILL_WALLS_MAP);
    return map;
}

static void limits(void **state) {
    (void)state;
    const wall_integrals map = cubic_map();
    assert_near(wall_integral_at(&map, map.value, 0.0f), 0.5, 0.02); /* on the wall: half of the kernel */
    assert_near(wall_integral_at(&map, map.value, -1.0f), wall_integral_at(&map, map.value, 0.0f),
                0); /* behind the wall counts as on it */
    assert_near(wall_integral_at(&map, map.value, NAN), wall_integral_at(&map, map.value, 0.0f), 0);
    const float beyond[] = {H, 0.3f, 1e30f};
    for (int n = 0; n < 3; n++) {
        assert_near(wall_integral_at(&map, map.value, beyond[n]), 0, 0);
        assert_near(wall_integral_at(&map, map.gradient, beyond[n]), 0, 0);
    }
    float last = 1.0f;
    for (float d = 0.0f; d < H; d += 0.001f) {
        const float value = wall_integral_at(&map, map.value, d);
        assert_true(value <= last + 1e-6f);
        last = value;
    }
}

/* Half a lattice of fluid and the map for the other half give rest density in every layer, so that such a start stays
   at rest. */
static void half_a_lattice_and_the_map(void **state) {
    (void)state;
    const kernel_kind kinds[] = {KERNEL_CUBIC, KERNEL_WENDLAND, KERNEL_POLY6};
    for (int n = 0; n < 3; n++) {
        const kernel k = rill_kernel_make(kinds[n], H);
        const laplacian l = laplacian_make(LAPLACIAN_GRADIENT, &k);
        wall_integrals map;
        rill_wall_integrals_make(&map, &k, &k, &l, DX, RILL_WALLS_MAP);
        const double full = (double)rill_fill_lattice_sum(kinds[n], H, DX);
        for (int layer = 0; layer < 4; layer++) {
            const float d = ((float)layer + 0.5f) * DX;
            double sum = 0;
            for (int a = -layer; a <= 3; a++)
                for (int b = -3; b <= 3; b++)
                    for (int c = DIM == 3 ? -3 : 0; c <= (DIM == 3 ? 3 : 0); c++)
                        sum +=
                            (double)(dim_power(DX) * kernel_value_at(&k, DX * sqrtf((float)(a * a + b * b + c * c))));
            const double density = sum / full + (double)wall_integral_at(&map, map.value, d);
            assert_near(density, 1, 0.02);
        }
    }
}

/* Two walls at a right angle: at the edge three quarters are solid. */
static void share_at_an_edge(void **state) {
    (void)state;
    const wall_integrals map = cubic_map();
    const wall_contact c[2] = {{.distance = 0.0f, .scale = 1.0f}, {.distance = 0.0f, .scale = 1.0f}};
    assert_near(wall_share(&map, c, 0), 0, 0);
    assert_near(wall_share(&map, c, 1), 0.5, 0.02);
    assert_near(wall_share(&map, c, 2), 0.75, 0.02);
}

/* Walls made of points: each contributes the kernel itself, and several points add up. */
static void share_of_points(void **state) {
    (void)state;
    const kernel k = rill_kernel_make(KERNEL_CUBIC, H);
    const laplacian l = laplacian_make(LAPLACIAN_GRADIENT, &k);
    const float volume = DIM == 2 ? DX * DX : DX * DX * DX;
    wall_integrals map;
    rill_wall_integrals_make(&map, &k, &k, &l, DX, RILL_WALLS_SAMPLES);
    const wall_contact c[2] = {{.distance = 0.05f, .scale = volume}, {.distance = 0.125f, .scale = 0.5f * volume}};
    const float one = volume * kernel_value_at(&k, 0.05f), two = 0.5f * volume * kernel_value_at(&k, 0.125f);
    assert_near(wall_share(&map, c, 2), (double)(one + two), 1e-4);
    assert_near(wall_uncovered(&map, c, 2, 0), 1, 0);
    assert_near(contact_at(&map, map.gradient, &c[0]) * H, (double)(volume * kernel_gradient_at(&k, 0.05f) * 0.05f * H),
                1e-3);
    rill_wall_integrals_make(&map, &k, &k, &l, DX, RILL_WALLS_MAP);
    assert_near(wall_uncovered(&map, (wall_contact[]){{.scale = 1.0f}, {.scale = 1.0f}}, 2, 0), 0.5, 0.02);
}

static double colour_laplacian_by_grid(const kernel *k, double d) {
    const int n = DIM == 2 ? 4000 : 400;
    const double h = (double)H, dx = (double)DX, step = h / n, share = dx * (DIM == 2 ? 2 * step : 4 * step * step);
    double sum = 0;
    for (double x = d + 0.5 * dx; x < h; x += dx)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < (DIM == 3 ? n : 1); c++) {
                const double y = (b + 0.5) * step, z = DIM == 3 ? (c + 0.5) * step : 0;
                sum += share * (double)poly6_laplacian(k, wide_set((float)(x * x + y * y + z * z)))[0];
            }
    return sum;
}

static void colour_map(void **state) {
    (void)state;
    const kernel k = rill_kernel_make(KERNEL_POLY6, H);
    wall_integrals map;
    rill_wall_integrals_make_colour(&map, &k, DX, RILL_WALLS_MAP);
    for (int n = 0; n < WALL_INTEGRALS_SIZE; n += 16) {
        const double scale = (double)H * (double)H, d = (double)H * n / WALL_INTEGRALS_SIZE;
        assert_near((double)map.laplacian[n] * scale, colour_laplacian_by_grid(&k, d) * scale, 0.02);
    }
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals),
        cmocka_unit_test(limits),
        cmocka_unit_test(half_a_lattice_and_the_map),
        cmocka_unit_test(share_at_an_edge),
        cmocka_unit_test(share_of_points),
        cmocka_unit_test(colour_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
