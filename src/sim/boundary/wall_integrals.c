/* SPDX-License-Identifier: MIT */
/* Integrals of a kernel over the half-space beyond a flat wall, tabulated by distance. With them a particle at a wall
   sees the density, pressure and viscous stress of a solid that continues the fluid, without wall particles.

   The solid is modelled as layers of particles, one spacing apart, the first half a spacing deep, each smeared out over
   its plane: for a wall at distance d they lie at s = d + (n + 1/2) dx, and an integral is the sum of dx times the
   kernel's integral over each plane, F(s) = int W(sqrt(s^2 + t^2)) dt (2D) or 2 pi int W t dt (3D). A true integral
   over s would be 4 to 5 % too dense beside a lattice that fills the space up to the wall, because the fluid itself is
   summed over layers: a fluid started like that bursts apart. */
#include "sim/boundary/boundary.h"

#define SLICES 256

/* Integral over the plane at distance s of the radial function `at`; if `tangent`, times t^2 along one direction in
   it. */
static double plane_integral(double (*at)(const void *, double), const void *function, double s, double h,
                             bool tangent) {
    if (s >= h) return 0;
    const double reach = sqrt(h * h - s * s);
    double sum = 0;
    for (int k = 0; k < SLICES; k++) {
        const double t = (k + 0.5) * reach / SLICES;
        const double f = at(function, sqrt(s * s + t * t)) * (tangent ? t * t / (DIM - 1) : 1);
        sum += DIM == 2 ? 2 * f : 2 * PI * t * f;
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

/* The weight of each slice at distance s, for a wall at distance d. */
typedef enum weight { WEIGHT_ONE, WEIGHT_S, WEIGHT_S2, WEIGHT_DEPTH, WEIGHT_TANGENT } weight;

static double weight_of(weight by, double s, double d) {
    switch (by) {
    case WEIGHT_S:
        return s;
    case WEIGHT_S2:
        return s * s;
    case WEIGHT_DEPTH:
        return s - d;
    case WEIGHT_ONE:
    case WEIGHT_TANGENT:
        break;
    }
    return 1;
}

static void tabulate(float *out, double h, double dx, double (*at)(const void *, double), const void *function,
                     weight by) {
    for (int k = 0; k <= WALL_INTEGRALS_SIZE; k++) {
        const double d = k * h / WALL_INTEGRALS_SIZE;
        double sum = 0;
        for (double s = d + 0.5 * dx; s < h; s += dx)
            sum += plane_integral(at, function, s, h, by == WEIGHT_TANGENT) * dx * weight_of(by, s, d);
        out[k] = (float)sum;
    }
}

static double at_poly6_laplacian(const void *function, double r) {
    return (double)poly6_laplacian(function, wide_set((float)(r * r)))[0];
}

/* For contacts that are points: the kernel itself, by distance. A point lies on the surface, so its depth is 0. */
static void tabulate_point(wall_integrals *map, const kernel *value, const kernel *gradient, const laplacian *viscous) {
    map->additive = true;
    for (int k = 0; k < WALL_INTEGRALS_SIZE; k++) {
        const float d = map->h * (float)k / WALL_INTEGRALS_SIZE;
        map->value[k] = kernel_value_at(value, d);
        map->gradient[k] = kernel_gradient_at(gradient, d) * d;
        map->moment_normal[k] = map->gradient[k] * d;
        map->laplacian[k] = viscous ? laplacian_value_at(viscous, d) : 0.0f;
    }
}

void rill_wall_integrals_make_colour(wall_integrals *map, const kernel *poly6, float spacing, rill_walls walls) {
    const double h = (double)poly6->h, dx = (double)spacing;
    *map = (wall_integrals){.h = poly6->h};
    if (walls == RILL_WALLS_FIELD || walls == RILL_WALLS_SAMPLES) {
        tabulate_point(map, poly6, poly6, NULL);
        for (int k = 0; k < WALL_INTEGRALS_SIZE; k++)
            map->laplacian[k] = (float)at_poly6_laplacian(poly6, (double)map->h * k / WALL_INTEGRALS_SIZE);
        return;
    }
    tabulate(map->value, h, dx, at_value, poly6, WEIGHT_ONE);
    tabulate(map->gradient, h, dx, at_gradient, poly6, WEIGHT_S);
    tabulate(map->laplacian, h, dx, at_poly6_laplacian, poly6, WEIGHT_ONE);
}

void rill_wall_integrals_make_surface(wall_integrals *map, float adhesion[WALL_INTEGRALS_SIZE + 1], const kernel *value,
                                      float spacing, const double *along, int layers) {
    const double h = (double)value->h, dx = (double)spacing;
    *map = (wall_integrals){.h = value->h};
    tabulate(map->value, h, dx, at_value, value, WEIGHT_ONE);
    tabulate(map->gradient, h, dx, at_gradient, value, WEIGHT_S);
    /* The integral over all planes is 1/2. The factor makes the sum over the layers of a lattice, weighted with
       `along`, 1/2 too. */
    double sum = 0;
    for (int k = 0; k < layers; k++) sum += along[k] * dx * plane_integral(at_value, value, (k + 0.5) * dx, h, false);
    for (int k = 0; k <= WALL_INTEGRALS_SIZE; k++) {
        const double s = k * h / WALL_INTEGRALS_SIZE;
        adhesion[k] = (float)(0.5 / sum * s * plane_integral(at_gradient, value, s, h, false));
    }
}

void rill_wall_integrals_make(wall_integrals *map, const kernel *value, const kernel *gradient,
                              const laplacian *viscous, float spacing, rill_walls walls) {
    const double h = (double)value->h, dx = (double)spacing;
    *map = (wall_integrals){.h = value->h};
    if (walls == RILL_WALLS_FIELD || walls == RILL_WALLS_SAMPLES) {
        tabulate_point(map, value, gradient, viscous);
        return;
    }
    tabulate(map->value, h, dx, at_value, value, WEIGHT_ONE);
    tabulate(map->gradient, h, dx, at_gradient, gradient, WEIGHT_S);
    tabulate(map->moment_normal, h, dx, at_gradient, gradient, WEIGHT_S2);
    tabulate(map->moment_tangent, h, dx, at_gradient, gradient, WEIGHT_TANGENT);
    tabulate(map->laplacian, h, dx, at_laplacian, viscous, WEIGHT_ONE);
    tabulate(map->laplacian_depth, h, dx, at_laplacian, viscous, WEIGHT_DEPTH);
}
