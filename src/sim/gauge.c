/* SPDX-License-Identifier: MIT */
/* Gauges loop over all particles: they are read once a frame, and do not depend on the last step's neighbour lists.
   Values that take time to measure are gathered step by step (gauge_follow.c), so that a reading depends on the state
   alone. Sums are in double and in memory order, so that a reading is the same on any number of threads. */
#include "sim/gauge.h"

#include "model/gauge_kind.h"
#include "rigid/rigid.h"
#include "sim/boundary/boundary.h"
#include "sim/cloth/cloth.h"

/* Samples per spacing along a line. */
#define SAMPLES 4

/* Sums of interpolated values at a point, not yet divided by `volume`. */
typedef struct probe {
    double volume; /* sum V W: 1 inside the fluid, 0 outside */
    double density, pressure, velocity[3];
} probe;

static bool counts(const rill_world *w, const gauge *g, int i) {
    return is_fluid(w, i) && (g->def.fluid.index1 == 0 || fluids_of(w)[i] == g->def.fluid.index1 - 1);
}

static double volume_of(const rill_world *w, int i) {
    return (double)places_of(w)[i].m / (double)POOL_ITEMS(w, fluid)[fluids_of(w)[i]].def.density;
}

static probe probe_at(const rill_world *w, const gauge *g, const kernel *k, vec x) {
    probe p = {0};
    for (int i = 0; i < w->particles.count; i++) {
        const vec d = nearest_image(w, vec_sub(x, places_of(w)[i].x));
        const float r2 = vec_dot(d, d);
        if (r2 >= k->h2 || !counts(w, g, i)) continue;
        const double share = volume_of(w, i) * (double)kernel_value(k, wide_set(r2))[0];
        p.volume += share;
        p.density += share * (double)densities_of(w)[i];
        p.pressure += share * (double)pressures_of(w)[i];
        for (int axis = 0; axis < DIM; axis++) p.velocity[axis] += share * (double)vec_get(velocities_of(w)[i], axis);
    }
    return p;
}

/* Share of the kernel around x that walls leave to the fluid: near a wall the sum over particles cannot reach 1. */
static double open_share(const rill_world *w, const wall_integrals *map, vec x) {
    double open = 1;
    near_solids near;
    solids_near_box(w, x, x, w->support, &near);
    for (int s = 0; s < near.count; s++) {
        wall walls[PLACED_WALLS_MAX];
        const int n = rill_placed_walls(&placed_shapes_of(w)[near.slots[s]], x, w->support, walls);
        for (int k = 0; k < n; k++) open *= 1 - (double)wall_integral_at(map, map->value, walls[k].distance);
    }
    return open > 0.25 ? open : 0.25;
}

/* A line and how full of fluid it is at each sample: sum V W over the share of the kernel that walls leave open. */
typedef struct line {
    const rill_world *world;
    kernel kernel;
    wall_integrals map;
    vec origin, direction;
    float step, beyond; /* `beyond`: reach of a particle around the line, from which samples may be moved */
    vec low;            /* lower corner of the box in which a particle may reach the line */
    int images[3];      /* of a particle in this box, along each axis; 1 where the world is not periodic */
    int count;
    vec *points;
    float *full;
} line;

/* Moves a sample to half a spacing from nearby walls. The first layer of particles is half a spacing from a wall, or up
   to a spacing where a block was not a whole number of spacings wide. */
static vec off_the_walls(const rill_world *w, vec x) {
    const float apart = 0.5f * w->def.spacing;
    near_solids near;
    solids_near_box(w, x, x, apart, &near);
    for (int s = 0; s < near.count; s++) {
        wall walls[PLACED_WALLS_MAX];
        const int n = rill_placed_walls(&placed_shapes_of(w)[near.slots[s]], x, apart, walls);
        for (int k = 0; k < n; k++)
            if (walls[k].distance > -apart && walls[k].distance < apart)
                x = vec_along(x, apart - walls[k].distance, walls[k].normal);
    }
    return x;
}

/* Adds a particle at x to the samples within its reach. */
static void add_particle(line *l, vec x, float volume) {
    const vec d = vec_sub(x, l->origin);
    const float s = vec_dot(d, l->direction), off2 = vec_dot(d, d) - s * s;
    if (off2 >= l->beyond * l->beyond) return;
    const float reach = sqrtf(l->beyond * l->beyond - fmaxf(off2, 0.0f));
    /* A particle beyond the end of the line; it may be too far away for its sample number to fit an int. */
    if (!(s - reach < (float)l->count * l->step)) return;
    /* Clamped as floats: a particle far away would overflow an int. */
    const float last = (float)(l->count - 1);
    const int from = (int)fminf(fmaxf(ceilf((s - reach) / l->step), 0.0f), last + 1.0f);
    const int to = (int)fmaxf(fminf(floorf((s + reach) / l->step), last), -1.0f);
    for (int n = from; n <= to; n++) {
        const vec apart = vec_sub(x, l->points[n]);
        const float r2 = vec_dot(apart, apart);
        if (r2 < l->kernel.h2) l->full[n] += volume * kernel_value(&l->kernel, wide_set(r2))[0];
    }
}

/* Finds how many images of a particle may reach the line. */
static void count_images(line *l) {
    const vec end = vec_along(l->origin, (float)l->count * l->step, l->direction);
    const float *period = &l->world->def.periodic.x;
    for (int axis = 0; axis < DIM; axis++) {
        const float a = vec_get(l->origin, axis), b = vec_get(end, axis);
        (&l->low.x)[axis] = fminf(a, b) - l->beyond;
        l->images[axis] = period[axis] > 0.0f ? (int)((fabsf(b - a) + 2.0f * l->beyond) / period[axis]) + 1 : 1;
    }
}

/* Image number n of a particle at x. */
static vec image_at(const line *l, vec x, int64_t n) {
    const float *period = &l->world->def.periodic.x;
    for (int axis = 0; axis < DIM; n /= l->images[axis++]) {
        if (!(period[axis] > 0.0f)) continue;
        const double p = (double)period[axis], a = (double)vec_get(x, axis);
        const double first = ceil(((double)vec_get(l->low, axis) - a) / p);
        (&x.x)[axis] = (float)(a + (first + (double)(n % l->images[axis])) * p);
    }
    return x;
}

/* Adds every particle, with its images in a periodic world, to the samples within its reach, and divides by the open
   share. */
static void fill_line(line *l, const gauge *g) {
    const rill_world *w = l->world;
    l->beyond = sqrtf(l->kernel.h2) + w->def.spacing;
    count_images(l);
    for (int n = 0; n < l->count; n++) {
        l->points[n] = off_the_walls(w, vec_along(l->origin, (float)n * l->step, l->direction));
        l->full[n] = 0.0f;
    }
    int64_t images = 1;
    for (int axis = 0; axis < DIM; axis++) images *= l->images[axis];
    for (int i = 0; i < w->particles.count; i++)
        for (int64_t n = 0; n < images && counts(w, g, i); n++)
            add_particle(l, image_at(l, places_of(w)[i].x, n), (float)volume_of(w, i));
    for (int n = 0; n < l->count; n++) l->full[n] /= (float)open_share(w, &l->map, l->points[n]);
}

/* Distance along the line at which the fullness passes one half, between samples n and n + 1. */
static double crossing(const line *l, int n) {
    const float a = l->full[n], b = l->full[n + 1];
    const float share = a != b ? (a - 0.5f) / (a - b) : 0.5f;
    return (double)(((float)n + fminf(fmaxf(share, 0.0f), 1.0f)) * l->step);
}

/* The last full sample, or -1. */
static int highest_full(const line *l) {
    int n = l->count - 1;
    while (n >= 0 && l->full[n] < 0.5f) n--;
    return n;
}

/* The last of the full samples that the line begins with, or -1. Up to one spacing before them may be empty: the gap of
   the wall at which the line begins. */
static int farthest_connected(const line *l) {
    int n = 0;
    while (n < SAMPLES && n + 1 < l->count && l->full[n] < 0.5f) n++;
    if (l->full[n] < 0.5f) return -1;
    while (n + 1 < l->count && l->full[n + 1] >= 0.5f) n++;
    return n;
}

static rill_status read_line(rill_world *w, const gauge *g, double *value) {
    const float step = w->def.spacing / SAMPLES, samples = g->def.length / step;
    if (samples > 1e6f)
        return rill_fail(&w->error, RILL_LIMIT, "gauge '%s': length %g m is more than a million samples", g->def.name,
                         (double)g->def.length);
    line l = {
        .world = w, .kernel = rill_kernel_make(KERNEL_CUBIC, w->support), .step = step, .count = (int)samples + 1};
    const laplacian unused = laplacian_make(LAPLACIAN_GRADIENT, &l.kernel);
    rill_wall_integrals_make(&l.map, &l.kernel, &l.kernel, &unused, w->def.spacing, RILL_WALLS_MAP);
    l.origin = vec_of(g->def.position), l.direction = vec_direction(vec_of(g->def.direction));
    if (!rill_buffer_reserve(&w->memory, &sim_of(w)->scratch, (sizeof(vec) + sizeof(float)) * (size_t)l.count, 0))
        return rill_fail(&w->error, RILL_MEMORY, "gauge '%s': no memory for %d samples", g->def.name, l.count);
    l.points = sim_of(w)->scratch.data;
    l.full = (float *)(void *)(l.points + l.count);
    fill_line(&l, g);
    const int last = g->def.kind == RILL_GAUGE_HEIGHT ? highest_full(&l) : farthest_connected(&l);
    *value = last < 0 ? (double)NAN : last + 1 < l.count ? crossing(&l, last) : (double)g->def.length;
    return RILL_OK;
}

static void read_point(const rill_world *w, const gauge *g, rill_reading *out) {
    const kernel k = rill_kernel_make(KERNEL_CUBIC, w->support);
    const probe p = probe_at(w, g, &k, vec_of(g->def.position));
    /* Normalised by the sum of V W, which is right at walls and surfaces too. Without fluid, density and pressure are 0
       and the velocity is unknown. */
    const bool dry = !(p.volume > 1e-3);
    const double norm = dry ? 0 : 1 / p.volume;
    if (g->def.kind == RILL_GAUGE_DENSITY) out->value[0] = p.density * norm;
    if (g->def.kind == RILL_GAUGE_PRESSURE) out->value[0] = p.pressure * norm;
    if (g->def.kind == RILL_GAUGE_VELOCITY)
        for (int axis = 0; axis < DIM; axis++) out->value[axis] = dry ? (double)NAN : p.velocity[axis] * norm;
}

static bool in_region(const gauge *g, vec x) {
    if (!g->def.in_region) return true;
    for (int axis = 0; axis < DIM; axis++)
        if (vec_get(x, axis) < (&g->def.min.x)[axis] || vec_get(x, axis) > (&g->def.max.x)[axis]) return false;
    return true;
}

static void read_sum(const rill_world *w, const gauge *g, rill_reading *out) {
    double mass = 0, sum[3] = {0};
    for (int i = 0; i < w->particles.count; i++) {
        if (!counts(w, g, i)) continue;
        const place p = places_of(w)[i];
        const vec v = velocities_of(w)[i];
        const double m = (double)p.m;
        mass += m;
        switch ((rill_gauge_kind)g->def.kind) {
        case RILL_GAUGE_KINETIC_ENERGY:
            sum[0] += 0.5 * m * (double)vec_dot(v, v);
            break;
        case RILL_GAUGE_POTENTIAL_ENERGY:
            sum[0] -= m * (double)vec_dot(vec_of(w->def.gravity), p.x);
            break;
        case RILL_GAUGE_MOMENTUM:
            for (int axis = 0; axis < DIM; axis++) sum[axis] += m * (double)vec_get(v, axis);
            break;
        case RILL_GAUGE_CENTRE:
            for (int axis = 0; axis < DIM; axis++) sum[axis] += m * (double)vec_get(p.x, axis);
            break;
        default:
            sum[0] += in_region(g, p.x);
            break;
        }
    }
    for (int k = 0; k < out->count; k++)
        out->value[k] = g->def.kind != RILL_GAUGE_CENTRE ? sum[k] : mass > 0 ? sum[k] / mass : (double)NAN;
}

static double energy_of(const rill_world *w, rill_gauge_kind kind) {
    const gauge g = {.def.kind = (int32_t)kind};
    rill_reading reading = {.count = 1};
    read_sum(w, &g, &reading);
    return reading.value[0];
}

void rill_gauge_count_energies(rill_world *w) {
    w->stats.kinetic_energy = energy_of(w, RILL_GAUGE_KINETIC_ENERGY);
    w->stats.potential_energy = energy_of(w, RILL_GAUGE_POTENTIAL_ENERGY);
}

/* The components of a rotation: the one about z in 2D, all three in 3D. */
static const double *turning_part(const double vector[3]) {
    return DIM == 2 ? vector + 2 : vector;
}

void rill_gauge_read_means(const gauge *g, rill_reading *out) {
    double mean[3];
    *out = (rill_reading){.count = rill_gauge_value_count(g->def.kind, DIM)};
    rill_gauge_read_window(g, mean);
    const double *values = g->def.kind == RILL_GAUGE_TORQUE ? turning_part(mean) : mean;
    for (int k = 0; k < out->count; k++) out->value[k] = values[k];
}

static void read_body(const gauge *g, const body *b, rill_reading *out) {
    double turns;
    const double angle = rill_gauge_turned(g, b, &turns);
    const double *values = g->def.kind == RILL_GAUGE_BODY_ANGLE      ? &angle
                           : g->def.kind == RILL_GAUGE_BODY_SPIN     ? turning_part(b->w)
                           : g->def.kind == RILL_GAUGE_BODY_VELOCITY ? b->v
                                                                     : b->x;
    for (int k = 0; k < out->count; k++) out->value[k] = values[k];
}

static void read_joint(const gauge *g, const joint *j, rill_reading *out) {
    const int32_t kind = g->def.kind;
    out->value[0] = kind == RILL_GAUGE_JOINT_TORQUE     ? j->load_torque
                    : kind == RILL_GAUGE_JOINT_POSITION ? j->position
                    : kind == RILL_GAUGE_JOINT_SPEED    ? j->speed
                                                        : j->load_force;
}

/* The values of a gauge whose object has been removed stay blank. */
static void read_object(const rill_world *w, const gauge *g, rill_reading *out) {
    const body *b = POOL_GET(w, body, g->def.body);
    const joint *j = POOL_GET(w, joint, g->def.joint);
    for (int k = 0; k < out->count; k++) out->value[k] = (double)NAN;
    switch (rill_gauge_kind_at(g->def.kind)->subject) {
    case GAUGE_SURFACE:
        if (POOL_GET(w, solid, g->def.solid)) rill_gauge_read_means(g, out);
        break;
    case GAUGE_PIN:
        if (POOL_GET(w, pin, g->def.pin)) rill_gauge_read_means(g, out);
        break;
    case GAUGE_JOINT:
        if (j) read_joint(g, j, out);
        break;
    case GAUGE_CLOTH:
        if (POOL_GET(w, cloth, g->def.cloth)) rill_cloth_read(w, g, out);
        break;
    default:
        if (b) read_body(g, b, out);
        break;
    }
}

rill_status rill_gauge_read(rill_world *w, const gauge *g, rill_reading *out) {
    *out = (rill_reading){.count = rill_gauge_value_count(g->def.kind, DIM)};
    const rill_status placed = rill_rigid_place(w, w->stats.time);
    if (placed != RILL_OK) return placed;
    switch (rill_gauge_kind_at(g->def.kind)->subject) {
    case GAUGE_LINE:
        return read_line(w, g, &out->value[0]);
    case GAUGE_POINT:
        read_point(w, g, out);
        return RILL_OK;
    case GAUGE_FLUID:
    case GAUGE_REGION:
        read_sum(w, g, out);
        return RILL_OK;
    default:
        read_object(w, g, out);
        return RILL_OK;
    }
}
