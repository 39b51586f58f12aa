/* SPDX-License-Identifier: MIT */
/* Finds the constants of a field from a lattice that fills a half-space. The surface must lie half a spacing above the
   last layer, so that meshes enclose the fluid's volume for every field, radius and dimension. */
#include "core/trig.h"
#include "core/wide.h"
#include "surface/surface.h"

#include <string.h>

/* A particle with less than this share of an inner particle's neighbours is alone. Yu & Turk use 25 of 268. */
#define FEW_SHARE 0.093f

static double kernel(const recipe *r, double q) {
    if (r->field == RILL_SURFACE_DISTANCE) return (1.0 - q) * (1.0 - q);
    const double t = 1.0 - q * q;
    return t * t * t;
}

/* Tabulates the share of the kernel's integral in front of a plane at distance u, as a sum over shells of radius q from
   which the plane cuts a cap. */
static void make_cover(recipe *r) {
    const int steps = 512;
    for (int k = 0; k <= COVER_STEPS; k++) {
        const double u = (double)k / COVER_STEPS;
        double all = 0.0, hidden = 0.0;
        for (int n = 0; n < steps; n++) {
            const double q = (n + 0.5) / steps, part = kernel(r, q) * (r->dim == 3 ? q * q : q);
            all += part;
            if (q > u) hidden += part * (r->dim == 3 ? 0.5 * (1.0 - u / q) : rill_trig_acos(u / q) / PI);
        }
        r->cover[k] = (float)(1.0 - hidden / all);
    }
}

/* The lattice z <= 0 (y <= 0 in 2D), with the middle of its top layer at the origin. */
static void make_lattice(const recipe *r, point_set *set, int half, int layers) {
    for (int layer = 0; layer < layers; layer++)
        for (int j = r->dim == 3 ? -half : 0; j <= (r->dim == 3 ? half : 0); j++)
            for (int i = -half; i <= half; i++) {
                const float down = -(float)layer * r->spacing, side = (float)j * r->spacing;
                const int k = set->count++;
                set->x[k] = (float)i * r->spacing;
                set->y[k] = r->dim == 3 ? side : down;
                set->z[k] = r->dim == 3 ? down : 0.0f;
            }
    for (int k = set->count; k < WIDE_ROUND_UP(set->count); k++)
        set->x[k] = set->y[k] = set->z[k] = 1e18f, set->weight[k] = 0.0f;
}

/* Mean of the field over one lattice cell at a height above the last layer. */
static float flat_field(const recipe *r, const point_set *set, float height) {
    const int samples = 4;
    double sum = 0.0;
    for (int j = 0; j < (r->dim == 3 ? samples : 1); j++)
        for (int i = 0; i < samples; i++) {
            const float x = ((float)i + 0.5f) / (float)samples * r->spacing;
            const float y = ((float)j + 0.5f) / (float)samples * r->spacing;
            const float at[3] = {x, r->dim == 3 ? y : height, r->dim == 3 ? height : 0.0f};
            sum += (double)rill_field_at(r, set, at, 1.0f);
        }
    return (float)(sum / (r->dim == 3 ? samples * samples : samples));
}

/* The surroundings of a lattice particle in this layer below the surface. */
static surroundings see_layer(const recipe *r, const point_set *lattice, int layer) {
    surroundings seen;
    const float down = -(float)layer * r->spacing;
    const float at[3] = {0.0f, r->dim == 3 ? 0.0f : down, r->dim == 3 ? down : 0.0f};
    rill_surroundings_of(r, lattice, at, &seen);
    return seen;
}

static void shape_lattice(const recipe *r, const point_set *lattice, point_set *shaped) {
    for (int k = 0; k < lattice->count; k++) {
        const float at[3] = {lattice->x[k], lattice->y[k], lattice->z[k]};
        /* Only particles that reach the middle matter; at the rim, shapes would be wrong. */
        if (fabsf(at[0]) > r->reach + r->shift + r->spacing ||
            (r->dim == 3 && fabsf(at[1]) > r->reach + r->shift + r->spacing))
            continue;
        const int n = shaped->count++;
        shaped->x[n] = at[0], shaped->y[n] = at[1], shaped->z[n] = at[2];
        surroundings seen;
        rill_surroundings_of(r, lattice, at, &seen);
        rill_shape_point(r, &seen, NULL, 0, shaped, n);
    }
    for (int k = shaped->count; k < WIDE_ROUND_UP(shaped->count); k++) {
        shaped->x[k] = shaped->y[k] = shaped->z[k] = 1e18f, shaped->weight[k] = 0.0f;
        for (int m = 0; m < 6; m++) shaped->form[m][k] = m < 3 ? 1.0f : 0.0f;
    }
}

static void see_layers(recipe *r, const point_set *lattice) {
    const int layers = (int)ceilf(r->around / r->spacing) + 1;
    for (int k = 0; r->field == RILL_SURFACE_ANISOTROPIC && k < layers && k < LAYERS_MAX; k++) {
        const surroundings seen = see_layer(r, lattice, k);
        r->layer_weight[k] = seen.weight;
        r->layer_mean[k] = r->dim == 3 ? fabsf(seen.mean[2]) : fabsf(seen.mean[1]);
        r->layers = k + 1;
    }
}

static void choose_drop_weight(recipe *r) {
    const float size = r->field == RILL_SURFACE_ANISOTROPIC ? LONE_AXIS * r->radius : r->radius;
    const double at_drop = kernel(r, (double)fminf(r->drop / size, 0.95f));
    const double level = r->field == RILL_SURFACE_DISTANCE ? (double)r->level * (double)r->level : (double)r->level;
    r->drop_weight = (float)(level / at_drop);
}

/* Sets the constants that follow from the definition alone. */
static void choose_sizes(recipe *r, const rill_surface_def *def, int dim, float spacing) {
    *r = (recipe){.dim = dim, .field = (rill_surface_field)def->field, .spacing = spacing};
    const bool stretched = r->field == RILL_SURFACE_ANISOTROPIC;
    r->radius = def->radius * spacing;
    r->axis = stretched ? INNER_AXIS * r->radius : r->radius;
    r->reach = stretched ? LONGEST_AXIS * r->axis : r->radius;
    r->around = stretched ? 2.0f * r->radius : r->radius;
    r->shift = stretched ? SHIFT_MAX * r->radius : 0.0f;
    /* radius of a ball (in 2D a disc) with a particle's volume */
    r->drop = spacing * (dim == 3 ? 0.6203505f : 0.5641896f);
    /* A mesh has its vertices on the ball and cuts off the rest. The fewer cells the ball has, the more is lost, so its
       radius is increased to make up for it. */
    const float cells = fminf(def->cell * spacing / r->drop, 1.0f), cut = stretched ? 0.11f : 0.21f;
    r->drop *= 1.0f + (dim == 3 ? cut : 0.5f * cut) * cells * cells;
    make_cover(r);
}

bool rill_surface_calibrate(memory *m, recipe *r, const rill_surface_def *def, int dim, float spacing) {
    choose_sizes(r, def, dim, spacing);
    const int half = (int)ceilf((r->reach + r->shift + r->around) / spacing) + 2;
    const int layers = 2 * (int)ceilf(r->around / spacing) + 3, side = 2 * half + 1;
    const int points = side * (dim == 3 ? side : 1) * layers;
    const size_t bytes = rill_point_set_bytes(points);
    char *data = rill_memory_get(m, 2 * bytes);
    if (!data) return false;
    memset(data, 0, 2 * bytes);
    point_set lattice, shaped;
    rill_point_set_lay(&lattice, data, points), rill_point_set_lay(&shaped, data + bytes, points);
    make_lattice(r, &lattice, half, layers);
    /* The middle layer reaches neither the surface nor the bottom. */
    const surroundings inside = see_layer(r, &lattice, layers / 2), flat = see_layer(r, &lattice, 0);
    r->rest_sum = inside.sum, r->flat_sum = flat.sum;
    r->few = FEW_SHARE * inside.count;
    r->stretch = inside.covariance[0] > 0.0f ? 1.0f / inside.covariance[0] : 1.0f;
    see_layers(r, &lattice);
    shape_lattice(r, &lattice, &shaped);
    const float height = 0.5f * spacing, step = 0.25f * spacing;
    r->level = def->level > 0.0f ? def->level : flat_field(r, &shaped, height);
    r->slope = (flat_field(r, &shaped, height - step) - flat_field(r, &shaped, height + step)) / (2.0f * step);
    choose_drop_weight(r);
    r->droplets = def->droplets;
    rill_memory_release(m, data, 2 * bytes);
    return true;
}
