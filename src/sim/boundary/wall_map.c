/* SPDX-License-Identifier: MIT */
/* Integrals of a kernel over the half-space beyond a flat wall, tabulated by distance. With them a particle at a wall
   sees the density, pressure and viscous stress of a solid that continues the fluid, without wall particles.

   For a wall at distance d, slice the solid by planes at distance s >= d from the particle. With the kernel's integral
   over such a plane, F(s) = int W(sqrt(s^2 + t^2)) dt (2D) or 2 pi int W t dt (3D), the share of the kernel in the
   solid is int_d^h F(s) ds, and its gradient along the wall's normal is -F(d): moving away from the wall takes that
   slice out. */
#include "sim/boundary/boundary.h"

#define SLICES 256

/* Integral over the plane at distance s of a radial function given by `at`, times t^2 for each direction in the plane
   if `tangent`. */
static double plane_integral(double (*at)(const void *, double), const void *function, double s, double h,
                             bool tangent) {
    if (s >= h) return 0;
    const double pi = 3.14159265358979323846, reach = sqrt(h * h - s * s);
    double sum = 0;
    for (int k = 0; k < SLICES; k++) {
        const double t = (k + 0.5) * reach / SLICES;
        const double f = at(function, sqrt(s * s + t * t)) * (tangent ? t * t / (DIM - 1) : 1);
        sum += DIM == 2 ? 2 * f : 2 * pi * t * f;
    }
    return sum * reach / SLICES;
}

static double at_value(const void *function, double r) {
    return (double)kernel_value_at(function, (float)r);
}

static double at_gradient(const void *function, double r) {
    /* grad W = (W'/r) x: along the normal, at depth s, that is (W'/r) s; the caller multiplies by s. */
    return (double)kernel_gradient_at(function, (float)r);
}

static double at_laplacian(const void *function, double r) {
    return (double)laplacian_value_at(function, (float)r);
}

/* What each slice at distance s is weighted with, for a wall at distance d. */
typedef enum weight { WEIGHT_ONE, WEIGHT_S, WEIGHT_S2, WEIGHT_DEPTH, WEIGHT_TANGENT } weight;

/* Fills the table from the far end: out[k] = int_{d_k}^{h} plane(s) weight(s) ds by the midpoint rule. */
static void tabulate(float *out, double h, double (*at)(const void *, double), const void *function, weight by) {
    const int parts = 4;
    const double step = h / WALL_MAP_SIZE, fine = step / parts;
    double sum = 0, first = 0, second = 0;
    out[WALL_MAP_SIZE] = 0;
    for (int k = WALL_MAP_SIZE - 1; k >= 0; k--) {
        for (int j = 0; j < parts; j++) {
            const double s = k * step + (j + 0.5) * fine;
            const double f = plane_integral(at, function, s, h, by == WEIGHT_TANGENT) * fine;
            sum += f;
            first += f * s;
            second += f * s * s;
        }
        switch (by) {
        case WEIGHT_ONE:
        case WEIGHT_TANGENT:
            out[k] = (float)sum;
            break;
        case WEIGHT_S:
            out[k] = (float)first;
            break;
        case WEIGHT_S2:
            out[k] = (float)second;
            break;
        case WEIGHT_DEPTH:
            out[k] = (float)(first - k * step * sum);
            break;
        }
    }
}

static double at_poly6_laplacian(const void *function, double r) {
    return (double)poly6_laplacian(function, wide_set((float)(r * r)))[0];
}

void wall_map_make_colour(wall_map *map, const kernel *poly6) {
    const double h = (double)poly6->h;
    *map = (wall_map){.h = poly6->h};
    tabulate(map->value, h, at_value, poly6, WEIGHT_ONE);
    tabulate(map->gradient, h, at_gradient, poly6, WEIGHT_S);
    tabulate(map->laplacian, h, at_poly6_laplacian, poly6, WEIGHT_ONE);
}

void wall_map_make(wall_map *map, const kernel *value, const kernel *gradient, const laplacian *viscous) {
    const double h = (double)value->h;
    map->h = value->h;
    tabulate(map->value, h, at_value, value, WEIGHT_ONE);
    tabulate(map->gradient, h, at_gradient, gradient, WEIGHT_S);
    tabulate(map->moment_normal, h, at_gradient, gradient, WEIGHT_S2);
    tabulate(map->moment_tangent, h, at_gradient, gradient, WEIGHT_TANGENT);
    tabulate(map->laplacian, h, at_laplacian, viscous, WEIGHT_ONE);
    tabulate(map->laplacian_depth, h, at_laplacian, viscous, WEIGHT_DEPTH);
}
