/* SPDX-License-Identifier: MIT */
/* The pressure of water in a seam: read from particles off its rim, harmonic in between (seam.c has the reasons). */
#include "core/wide.h"
#include "sim/boundary/seam_parts.h"

/* A rim is wet if a particle is nearer than this, in spacings. */
#define RIM_WET 1.6f
/* Groups of eight seam cells, and groups of TOGETHER particles, that a worker takes at a time. Rims are read in single
   groups of eight. */
#define GROUP_GRAIN 8
#define SPAN_GRAIN  128
/* The correction is at most this share of the pressure. */
#define OFFSET_MOST 0.25f

static int groups_of(int count) {
    return (count + WIDE - 1) / WIDE;
}

/* ---- rims ---- */

/* Whether a particle lies in the first layer at a wall, where pressure is uneven: up to a tenth too high in a
   corner. */
static bool in_first_layer(const finder *f, int i) {
    int count;
    const wall_contact *c = contacts_of(&sim_of(f->world)->contacts, i, &count);
    for (int k = 0; k < count; k++)
        if (c[k].distance < f->dx) return true;
    return false;
}

static void span_particles(int begin, int end, void *context) {
    const finder *f = context;
    const int count = fluid_count(f->world);
    for (int k = begin; k < end; k++)
        for (int i = k * TOGETHER; i < (k + 1) * TOGETHER && i < count; i++)
            span(&f->boxes[k], i == k * TOGETHER, places_of(f->world)[i].x);
}

void rill_seam_span_particles(finder *f) {
    rill_parallel_for(f->world->workers, together_count(fluid_count(f->world)), SPAN_GRAIN, span_particles, f);
}

static void read_particles(const finder *f, int group) {
    for (int i = group * TOGETHER; i < together_end(f, group); i++) {
        const vec x = places_of(f->world)[i].x;
        f->readings[i] = (reading){.x = x,
                                   .head = pressures_of(f->world)[i] - f->density * vec_dot(f->gravity, x),
                                   .first_layer = in_first_layer(f, i)};
    }
    f->have_read[group] = 1;
}

/* Finds and reads the particles near the rims. Bodies of a heap share many of them; each is read once. */
static void find_around(finder *f) {
    const int groups = together_count(fluid_count(f->world));
    f->rim_box = (span_box){f->rims[0].x, f->rims[0].x};
    for (int k = 1; k < f->rim_count; k++) span(&f->rim_box, false, f->rims[k].x);
    for (int k = 0; k < groups; k++) {
        if (!in_reach(&f->boxes[k], &f->rim_box, RIM_REACH * f->dx)) continue;
        if (!f->have_read[k]) read_particles(f, k);
        f->around[f->around_count++] = k;
    }
}

/* Coordinates of eight points. */
typedef struct wide_points {
    wide x[DIM];
} wide_points;

/* Loads coordinates that are stored axis by axis. */
WIDE_FN wide_points load_points(float lanes[DIM][WIDE]) {
    wide_points points;
    for (int axis = 0; axis < DIM; axis++) points.x[axis] = wide_load(lanes[axis]);
    return points;
}

WIDE_FN wide squares_to(const wide_points *points, vec x) {
    wide sum = wide_zero();
    for (int axis = 0; axis < DIM; axis++) {
        const wide d = points->x[axis] - vec_get(x, axis);
        sum = axis == 0 ? d * d : sum + d * d;
    }
    return sum;
}

/* Sums at eight rims, of particles off the walls [0] and in the first layer at a wall [1]. */
typedef struct rim_sums {
    wide weights[2], heads[2], nearest;
} rim_sums;

/* `near`: the box around these rims. */
WIDE_FN void add_readings(const finder *f, const wide_points *rims, const span_box *near, int group, rim_sums *s) {
    const float reach = RIM_REACH * f->dx, beyond = 1.001f * reach; /* so that rounding leaves no particle out */
    if (!in_reach(&f->boxes[group], near, beyond)) return;
    for (int i = group * TOGETHER; i < together_end(f, group); i++) {
        const reading *a = &f->readings[i];
        if (!in_reach(&(span_box){a->x, a->x}, near, beyond)) continue;
        const wide r2 = squares_to(rims, a->x), distance = wide_sqrt(r2), rest = 1.0f - distance / reach;
        const wide share = wide_select(r2 < reach * reach, rest * rest, wide_zero());
        s->nearest = wide_min(s->nearest, distance);
        s->weights[a->first_layer] += share;
        s->heads[a->first_layer] += share * a->head;
    }
}

/* Reads up to eight rims, from particles off the walls, or from the first layer if there are no others. */
static void read_group(const finder *f, rim *first, int count) {
    span_box all = {first->x, first->x};
    float lanes[DIM][WIDE];
    for (int k = 0; k < WIDE; k++) {
        const vec x = first[k < count ? k : 0].x;
        span(&all, false, x);
        for (int axis = 0; axis < DIM; axis++) lanes[axis][k] = vec_get(x, axis);
    }
    const wide_points points = load_points(lanes);
    rim_sums s = {.nearest = wide_set(RIM_REACH * f->dx)};
    for (int n = 0; n < f->around_count; n++) add_readings(f, &points, &all, f->around[n], &s);
    for (int k = 0; k < count; k++) {
        rim *r = &first[k];
        r->wet = s.nearest[k] < RIM_WET * f->dx;
        const int layer = !(s.weights[0][k] > 0.0f);
        r->head = r->wet ? s.heads[layer][k] / s.weights[layer][k] : -f->density * vec_dot(f->gravity, r->x);
    }
}

static void read_rims(int begin, int end, void *context) {
    const finder *f = context;
    for (int k = begin; k < end; k++) {
        const int left = f->rim_count - k * WIDE;
        read_group(f, &f->rims[k * WIDE], left < WIDE ? left : WIDE);
    }
}

static bool any_wet(const finder *f) {
    for (int k = 0; k < f->rim_count; k++)
        if (f->rims[k].wet) return true;
    return false;
}

bool rill_seam_read_rims(finder *f) {
    find_around(f);
    rill_parallel_for(f->world->workers, groups_of(f->rim_count), 1, read_rims, f);
    return any_wet(f);
}

/* ---- pressures ---- */

/* Heads at up to eight points of the surface, harmonic between the rims: from the rims as read and, unless `offset` is
   NULL, with it added at the wet ones. */
typedef struct wide_heads {
    wide read, corrected;
} wide_heads;

WIDE_FN wide_heads heads_at(const finder *f, seam_cell *const *cells, int count, const float *offset) {
    float lanes[DIM][WIDE];
    for (int k = 0; k < WIDE; k++)
        for (int axis = 0; axis < DIM; axis++) lanes[axis][k] = vec_get(cells[k < count ? k : 0]->x, axis);
    const wide_points points = load_points(lanes);
    wide weights = wide_zero();
    wide_heads sums = {wide_zero(), wide_zero()};
    for (const rim *r = f->rims; r < f->rims + f->rim_count; r++) {
        const wide r2 = squares_to(&points, r->x), share = 1.0f / (DIM == 2 ? wide_sqrt(r2) : r2);
        weights += share;
        sums.read += share * r->head;
        if (offset) sums.corrected += share * (r->head + (r->wet ? *offset : 0.0f));
    }
    return (wide_heads){sums.read / weights, sums.corrected / weights};
}

static float pressure_of(const finder *f, float head, vec x) {
    return fmaxf(head + f->density * vec_dot(f->gravity, x), 0.0f);
}

static void correct_pressures(int begin, int end, void *context) {
    const finder *f = context;
    const float offset = (float)POOL_ITEMS(f->world, body)[f->own->body - 1].seam_offset;
    for (int group = begin; group < end; group++) {
        seam_cell *cells[WIDE] = {NULL};
        int count = 0;
        for (int k = group * WIDE; k < f->seam_count && count < WIDE; k++) cells[count++] = &f->cells[f->seams[k]];
        const wide_heads heads = heads_at(f, cells, count, &offset);
        for (int k = 0; k < count; k++) {
            const float read = pressure_of(f, heads.read[k], cells[k]->x);
            const float corrected = pressure_of(f, heads.corrected[k], cells[k]->x);
            cells[k]->pressure = fminf(fmaxf(corrected, (1.0f - OFFSET_MOST) * read), (1.0f + OFFSET_MOST) * read);
        }
    }
}

void rill_seam_correct_heads(finder *f) {
    rill_parallel_for(f->world->workers, groups_of(f->seam_count), GROUP_GRAIN, correct_pressures, f);
}

static void expect_some(const finder *f, seam_cell **cells, int count) {
    const wide_heads heads = heads_at(f, cells, count, NULL);
    for (int k = 0; k < count; k++) cells[k]->pressure = pressure_of(f, heads.read[k], cells[k]->x);
}

static void expect_pressures(int begin, int end, void *context) {
    const finder *f = context;
    const load *l = &f->loads[f->own->body - 1];
    seam_cell *cells[WIDE];
    int count = 0;
    for (seam_cell *c = f->cells + begin; c < f->cells + end; c++) {
        if (is_beside(c, l)) cells[count++] = c;
        if (count == WIDE) expect_some(f, cells, count), count = 0;
    }
    if (count > 0) expect_some(f, cells, count);
}

void rill_seam_expect_pressures(finder *f) {
    rill_parallel_for(f->world->workers, f->cell_count, CELL_GRAIN, expect_pressures, f);
}
