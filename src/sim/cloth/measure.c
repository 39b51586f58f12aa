/* SPDX-License-Identifier: MIT */
/* Readings of gauges on a cloth: area, strain, energy, momentum and place. Links may not be in order, so their ends are
   looked up one by one. Energies are those of the rows of a step (elements.c), so that a measured loss is a loss of the
   steps and not a difference of formulas. */
#include "sim/cloth/cloth.h"

/* Present area [m^2], largest strain of a piece, and elastic energy [J]. */
typedef struct measured {
    double area, strain, elastic;
} measured;

/* Finds the positions of a link's particles, and its cloth; false if that is not `only` (NULL: any cloth). */
static bool ends_of(const rill_world *w, const cloth *only, int set, int link, vec *x, const cloth **of) {
    int32_t ends[LINK_ENDS_MAX];
    const link_set *s = links_in(w, set);
    if (!rill_particles_link_ends(&w->particles, s, link, ends)) return false;
    *of = cloth_of(w, ends[0]);
    for (int k = 0; k < s->def.ends; k++) x[k] = places_of(w)[ends[k]].x;
    return !only || *of == only;
}

/* Segments are strips of their width, with stretch/2 strain^2 over the area at rest. */
static void measure_segments(const rill_world *w, const cloth *only, measured *m) {
    const link_set *s = links_in(w, CLOTH_SEGMENTS);
    for (int k = 0; k < s->count; k++) {
        vec x[LINK_ENDS_MAX];
        const cloth *c;
        if (!ends_of(w, only, CLOTH_SEGMENTS, k, x, &c)) continue;
        const double rest = (double)LINK_VALUES(s, SEGMENT_LENGTH, float)[k],
                     width = (double)LINK_VALUES(s, SEGMENT_WIDTH, float)[k];
        const double length = (double)vec_length(vec_sub(x[1], x[0])), strain = length / rest - 1;
        m->area += length * width;
        m->strain = fmax(m->strain, strain);
        m->elastic += 0.5 * (double)c->def.stretch * strain * strain * rest * width;
    }
}

/* |F - R|^2 is the sum of (sigma - 1)^2 over the two singular values of F, and their product the share of area. */
static void measure_triangles(const rill_world *w, const cloth *only, measured *m) {
    const link_set *s = links_in(w, CLOTH_TRIANGLES);
    for (int k = 0; k < s->count; k++) {
        vec x[LINK_ENDS_MAX];
        const cloth *c;
        if (!ends_of(w, only, CLOTH_TRIANGLES, k, x, &c)) continue;
        const float *shape = LINK_VALUES(s, TRIANGLE_SHAPE, float) + 3 * (size_t)k;
        const stretch t = cloth_stretch(shape, x);
        const double rest = 0.5 * (double)(shape[0] * shape[2]), a = (double)t.most - 1, b = (double)t.least - 1;
        m->area += rest * (double)(t.most * t.least);
        m->strain = fmax(m->strain, a);
        m->elastic += 0.5 * (double)c->def.stretch * (a * a + b * b) * rest;
    }
}

/* bend/2 (curvature - curvature at rest)^2 over the area of the hinge or curve. */
static void measure_bends(const rill_world *w, const cloth *only, int set, measured *m) {
    const link_set *s = links_in(w, set);
    for (int k = 0; k < s->count; k++) {
        vec x[LINK_ENDS_MAX], sum = {0};
        const cloth *c;
        if (!ends_of(w, only, set, k, x, &c)) continue;
        const float *shares = LINK_VALUES(s, BEND_SHARES, float) + (size_t)s->def.ends * (size_t)k;
        for (int n = 0; n < s->def.ends; n++) sum = vec_along(sum, shares[n], x[n]);
        const double bent = (double)(vec_length(sum) - LINK_VALUES(s, BEND_REST, float)[k]);
        m->elastic += 0.5 * (double)c->def.bend * bent * bent * (double)LINK_VALUES(s, BEND_AREA, float)[k];
    }
}

static measured measure(const rill_world *w, const cloth *only) {
    measured m = {0};
    measure_segments(w, only, &m);
    measure_triangles(w, only, &m);
    measure_bends(w, only, CLOTH_HINGES, &m);
    measure_bends(w, only, CLOTH_CURVES, &m);
    return m;
}

double rill_cloth_energy(rill_world *w) {
    return measure(w, NULL).elastic;
}

/* Sums over the particles of a cloth. */
typedef struct moved {
    double mass, kinetic, potential, momentum[3], centre[3], lowest;
} moved;

static moved sum_particles(const rill_world *w, const cloth *c) {
    const uint32_t phase = WORLD_FLUIDS_MAX + (uint32_t)(c - POOL_ITEMS(w, cloth));
    const vec g = vec_of(w->def.gravity), down = vec_direction(g);
    moved all = {.lowest = -HUGE_VAL};
    for (int i = 0; i < w->particles.count; i++) {
        if (fluids_of(w)[i] != phase) continue;
        const place p = places_of(w)[i];
        const vec v = velocities_of(w)[i];
        const double m = (double)p.m;
        all.mass += m;
        all.kinetic += 0.5 * m * (double)vec_dot(v, v);
        all.potential -= m * (double)vec_dot(g, p.x);
        all.lowest = fmax(all.lowest, (double)vec_dot(down, p.x));
        for (int axis = 0; axis < DIM; axis++) {
            all.momentum[axis] += m * (double)vec_get(v, axis);
            all.centre[axis] += m * (double)vec_get(p.x, axis);
        }
    }
    for (int axis = 0; axis < DIM; axis++) all.centre[axis] /= all.mass;
    return all;
}

void rill_cloth_read(const rill_world *w, const gauge *g, rill_reading *out) {
    const cloth *c = POOL_GET(w, cloth, g->def.cloth);
    const int32_t kind = g->def.kind;
    if (kind == RILL_GAUGE_CLOTH_AREA) out->value[0] = measure(w, c).area;
    if (kind == RILL_GAUGE_CLOTH_STRAIN) out->value[0] = measure(w, c).strain;
    const moved all = sum_particles(w, c);
    if (kind == RILL_GAUGE_CLOTH_ENERGY) out->value[0] = all.kinetic + all.potential + measure(w, c).elastic;
    if (kind == RILL_GAUGE_CLOTH_LOWEST) out->value[0] = all.lowest;
    for (int axis = 0; axis < DIM; axis++) {
        if (kind == RILL_GAUGE_CLOTH_MOMENTUM) out->value[axis] = all.momentum[axis];
        if (kind == RILL_GAUGE_CLOTH_CENTRE) out->value[axis] = all.centre[axis];
    }
}
