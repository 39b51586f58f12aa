/* SPDX-License-Identifier: MIT */
/* Constants of surface tension, from sums over the layers of a lattice that fills a half-space. */
#include "sim/force/surface_constants.h"

/* A gradient of the colour field, times dx, below this is due to a disordered packing, not to a surface. */
#define GRADIENT_MIN 0.01f
/* Number of layers: twice the reach of the kernel. */
#define LAYERS 8

/* Sums over layers of a lattice of unit spacing; layer 0 lies at the surface. */
typedef struct layers {
    double across[LAYERS][LAYERS]; /* from a layer to a layer: sum of V (W'/r) x, x along the normal */
    double slope[LAYERS];          /* their sum over all layers */
    double along[LAYERS];          /* moment of the pull along the surface: minus the sum of V (W'/r) t^2 */
} layers;

/* Adds one layer, `apart` layers away. */
static void add_layer(layers *l, const kernel *k, double dx, int from, int apart) {
    const int reach = (int)((double)k->h / dx) + 1, depth = DIM == 3 ? reach : 0;
    for (int c = -depth; c <= depth; c++)
        for (int b = -reach; b <= reach; b++) {
            const double r = dx * sqrt((double)(apart * apart + b * b + c * c));
            if (!(r > 0)) continue;
            const double g = (double)(dim_power((float)dx) * kernel_gradient_at(k, (float)r)) * dx * dx;
            if (from + apart >= 0 && from + apart < LAYERS) l->across[from][from + apart] -= g * apart;
            l->slope[from] -= g * apart;
            l->along[from] -= g * b * b;
        }
}

/* Lengths in spacings: slopes are times dx. */
static layers layers_of(const kernel *k, double dx) {
    const int reach = (int)((double)k->h / dx) + 1;
    layers l = {0};
    for (int from = 0; from < LAYERS; from++)
        for (int apart = -from; apart <= reach; apart++) add_layer(&l, k, dx, from, apart);
    return l;
}

/* Solves a x = b by Gaussian elimination with pivoting; x replaces b. False if there is no solution. */
static bool solve_layers(double a[LAYERS][LAYERS], double b[LAYERS]) {
    for (int k = 0; k < LAYERS; k++) {
        int best = k;
        for (int i = k + 1; i < LAYERS; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        if (!(fabs(a[best][k]) > 1e-9)) return false;
        for (int j = 0; j < LAYERS; j++) {
            const double swap = a[k][j];
            a[k][j] = a[best][j], a[best][j] = swap;
        }
        const double swap = b[k];
        b[k] = b[best], b[best] = swap;
        for (int i = k + 1; i < LAYERS; i++) {
            const double share = a[i][k] / a[k][k];
            for (int j = k; j < LAYERS; j++) a[i][j] -= share * a[k][j];
            b[i] -= share * b[k];
        }
    }
    for (int k = LAYERS - 1; k >= 0; k--) {
        for (int j = k + 1; j < LAYERS; j++) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return true;
}

/* The part of the pull along the surface that is lost to the pressure which balances the cohesion (1 - b) |g|. */
static double pressure_part(const layers *surface, const layers *push) {
    double a[LAYERS][LAYERS], p[LAYERS], sum = 0;
    for (int i = 0; i < LAYERS; i++) {
        p[i] = 0;
        for (int j = 0; j < LAYERS; j++) {
            a[i][j] = push->across[i][j] + (i == j ? push->slope[i] : 0);
            p[i] += (1 - (double)SURFACE_SHARE) * surface->across[i][j] * (surface->slope[i] + surface->slope[j]);
        }
    }
    if (!solve_layers(a, p)) return 0;
    for (int i = 0; i < LAYERS; i++) sum += fmax(p[i], 0) * push->along[i];
    return sum;
}

/* Pull along the surface of the stress |g| (I - b n n). As an integral it is 3/8 b. */
static double lattice_pull(const kernel *k, const layers *push, double dx) {
    const layers surface = layers_of(k, dx);
    double sum = 0;
    for (int layer = 0; layer < LAYERS; layer++) sum += surface.slope[layer] * surface.along[layer];
    return sum - pressure_part(&surface, push);
}

void rill_surface_prepare(surface_constants *s, const kernel *pressure, float spacing) {
    const layers push = layers_of(pressure, (double)spacing);
    s->kernel = rill_kernel_make(KERNEL_CUBIC, SURFACE_REACH * spacing);
    s->strength = (float)(1 / lattice_pull(&s->kernel, &push, (double)spacing));
    s->depth = SURFACE_DEPTH * spacing;
    s->gradient_min = GRADIENT_MIN / spacing;
    rill_wall_integrals_make_surface(&s->walls, s->adhesion, &s->kernel, spacing, push.along, LAYERS);
}
