/* SPDX-License-Identifier: MIT */
/* Filling shapes with particles. */
#include "sim/fill.h"

#include "core/hash.h"
#include "model/groups.h"
#include "rigid/rigid.h"
#include "sim/gauge.h"
#include "solid/placed_solids.h"

/* Most particles one block may hold: a typo in a size must not take the machine down. */
#define FILL_MAX 200000000.0

/* A regular arrangement: `count` points along each axis from `origin`, odd rows and layers shifted if hexagonal. A box
   whose edges are not multiples of the spacing is fitted instead: it gets as many points as it has volumes dx^DIM,
   shared evenly by rows along the first axis. */
typedef struct arrangement {
    vec step;   /* between points along each axis */
    vec origin; /* of the first point, in the shape's frame */
    int64_t count[3];
    bool hexagonal;
    int64_t fitted; /* points of a fitted box; 0: not fitted */
} arrangement;

/* Steps along the axes that give each particle the volume dx^DIM. */
static vec steps_of(float dx, bool hexagonal) {
    vec step = {0};
    for (int axis = 0; axis < DIM; axis++) (&step.x)[axis] = dx;
    if (!hexagonal) return step;
#if DIM == 2 /* rows of spacing a, sqrt(3)/2 a apart: a^2 sqrt(3)/2 = dx^2 */
    const float a = dx * 1.0745699f;
    step = (vec){a, a * 0.8660254f};
#else /* close packing: a^3/sqrt(2) = dx^3; layers sqrt(2/3) a apart */
    const float a = dx * 1.1224620f;
    step = (vec){a, a * 0.8660254f, a * 0.8164966f};
#endif
    return step;
}

/* Rounding tolerance: a box of 0.99999 spacings counts as one spacing wide. */
#define FILL_TOLERANCE 1e-3

/* Whether all edges of a box are at least one spacing long, and one is not a whole number of them. */
static bool needs_fitting(vec half, float dx) {
    bool uneven = false;
    for (int axis = 0; axis < DIM; axis++) {
        const double n = (double)(2.0f * vec_get(half, axis) / dx);
        if (n < 1 - FILL_TOLERANCE) return false;
        uneven |= fabs(n - floor(n + 0.5)) > FILL_TOLERANCE;
    }
    return uneven;
}

/* Fits rows and layers as near to a spacing apart as whole numbers allow, and as many points as the box has volumes
   dx^DIM. False if they are too many. */
static bool fit(vec half, float dx, arrangement *out) {
    double volume = 1;
    *out = (arrangement){.count = {1, 1, 1}};
    for (int axis = 0; axis < DIM; axis++) {
        const float length = 2.0f * vec_get(half, axis);
        const double n = floor((double)(length / dx) + 0.5);
        volume *= (double)(length / dx);
        if (!(volume <= FILL_MAX)) return false;
        out->count[axis] = (int64_t)n;
        (&out->step.x)[axis] = length / (float)n;
        (&out->origin.x)[axis] = -0.5f * (float)(n - 1) * vec_get(out->step, axis);
    }
    out->fitted = (int64_t)floor(volume + 0.5);
    return true;
}

static bool arrange(const placed_shape *f, bool is_box, float dx, bool hexagonal, arrangement *out) {
    vec low = f->low, high = f->high;
    if (is_box && !hexagonal && needs_fitting(f->half, dx)) return fit(f->half, dx, out);
    if (is_box) low = vec_scale(f->half, -1.0f), high = f->half;
    *out = (arrangement){.step = steps_of(dx, hexagonal), .count = {1, 1, 1}, .hexagonal = hexagonal};
    double total = 1;
    for (int axis = 0; axis < DIM; axis++) {
        const float length = vec_get(high, axis) - vec_get(low, axis), step = vec_get(out->step, axis);
        const double n = floor((double)length / (double)step + FILL_TOLERANCE);
        total *= n;
        if (!(total <= FILL_MAX)) return false;
        out->count[axis] = (int64_t)n;
        /* Centred: both sides share the remainder. */
        (&out->origin.x)[axis] = 0.5f * (vec_get(low, axis) + vec_get(high, axis)) - 0.5f * (float)(n - 1) * step;
    }
    return true;
}

/* Points of a row. Rows of a fitted box differ by one at most. */
static int64_t row_length(const arrangement *a, int64_t j, int64_t k) {
    if (a->fitted == 0) return a->count[0];
    const int64_t row = k * a->count[1] + j, rows = a->count[1] * a->count[2];
    return (row + 1) * a->fitted / rows - row * a->fitted / rows;
}

/* Position along a row of a fitted box, whose points are spread evenly over the whole edge. */
static float fitted_x(const arrangement *a, int64_t i, int64_t length) {
    const float whole = (float)a->count[0] * a->step.x;
    return (((float)i + 0.5f) / (float)length - 0.5f) * whole;
}

static vec arranged_point(const arrangement *a, int64_t i, int64_t j, int64_t k) {
    vec p = a->origin;
    p.x += (float)i * a->step.x;
    p.y += (float)j * a->step.y;
    if (a->fitted > 0) p.x = fitted_x(a, i, row_length(a, j, k));
    if (a->hexagonal && (j & 1)) p.x += 0.5f * a->step.x;
#if DIM == 3
    p.z += (float)k * a->step.z;
    if (a->hexagonal && (k & 1)) p.x += 0.5f * a->step.x, p.y += a->step.y / 3.0f;
#else
    (void)k;
#endif
    return p;
}

static vec jittered(vec p, const rill_world *w, const rill_block_def *def, uint32_t item) {
    float *c = &p.x;
    for (int axis = 0; axis < DIM; axis++)
        c[axis] += (rill_random_unit((uint32_t)w->def.seed, item, (uint32_t)axis) - 0.5f) * 2.0f * def->jitter *
                   w->def.spacing;
    return p;
}

static bool in_solid(const rill_world *w, vec x) {
    near_solids near;
    solids_near_box(w, x, x, fill_search_reach(w), &near);
    for (int n = 0; n < near.count; n++)
        if (rill_placed_distance(&placed_shapes_of(w)[near.slots[n]], x, NULL) < fill_least_distance(w)) return true;
    return false;
}

/* ---- stored fills ---- */

static vec block_velocity(const rill_block_def *def, const placed_shape *f, vec x) {
    vec v = vec_of(def->velocity);
    const vec arm = vec_sub(x, vec_scale(vec_add(f->low, f->high), 0.5f));
    v.x -= def->spin * arm.y;
    v.y += def->spin * arm.x;
    return v;
}

static void set_particle(const rill_world *w, int i, int fluid_slot, vec x, vec v) {
    const fluid *f = &POOL_ITEMS(w, fluid)[fluid_slot];
    places_of(w)[i] = (place){.x = x, .m = f->mass};
    velocities_of(w)[i] = v;
    fluids_of(w)[i] = (uint32_t)fluid_slot;
    densities_of(w)[i] = f->def.density;
}

/* Whether a stored place is used. Fluid that was stored at rest touches its walls, so only places inside a solid are
   left out. */
static bool is_taken(const rill_world *w, const placed_shape *f, vec x, int64_t *left_out) {
    if (!(rill_placed_distance(f, x, NULL) < 0.0f)) return false;
    near_solids near;
    solids_near_box(w, x, x, fill_search_reach(w), &near);
    for (int n = 0; n < near.count; n++)
        if (rill_placed_distance(&placed_shapes_of(w)[near.slots[n]], x, NULL) < 0.0f) return ++*left_out, false;
    return true;
}

static rill_status fill_stored(rill_world *w, const rill_block_def *def, int fluid_slot, const placed_shape *f,
                               bool count_only, int *added) {
    const rill_points *places = &def->places;
    int64_t left_out = 0;
    int n = 0;
    for (int k = 0; k < places->count; k++) n += is_taken(w, f, vec_of(places->data[k]), &left_out);
    if (added) *added = n;
    if (count_only || n == 0) return RILL_OK;
    if (w->particles.count > INT32_MAX / 2 - n ||
        !rill_particles_reserve(&w->memory, &w->particles, w->particles.count + n))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for %d more particles", n);
    int i = rill_particles_append(&w->particles, n);
    int64_t counted = 0;
    for (int k = 0; k < places->count; k++) {
        const vec x = vec_of(places->data[k]);
        if (!is_taken(w, f, x, &counted)) continue;
        const vec v = def->velocities.count > 0 ? vec_of(def->velocities.data[k]) : (vec){0};
        set_particle(w, i++, fluid_slot, x, vec_add(v, block_velocity(def, f, x)));
    }
    rill_groups_admit(w, def->group, w->particles.count - n, n);
    w->stats.left_out += left_out;
    if (w->stats.step == 0) rill_gauge_count_energies(w);
    return RILL_OK;
}

/* ---- arranged fills ---- */

/* Writes every point of the block that no solid covers to `places`; with NULL only counts them. Returns their
   number. */
static int64_t walk(const rill_world *w, const rill_block_def *def, const placed_shape *f, const arrangement *a,
                    place *places, float mass, int64_t *left_out) {
    const bool is_box = f->kind == RILL_BOX;
    int64_t n = 0;
    *left_out = 0;
    for (int64_t k = 0; k < a->count[2]; k++)
        for (int64_t j = 0; j < a->count[1]; j++)
            for (int64_t i = 0, length = row_length(a, j, k); i < length; i++) {
                vec p = arranged_point(a, i, j, k);
                if (is_box) p = rill_placed_to_world(f, p);
                if ((!is_box || a->hexagonal) && !(rill_placed_distance(f, p, NULL) < 0.0f)) continue;
                if (in_solid(w, p)) {
                    ++*left_out;
                    continue;
                }
                if (places) {
                    if (def->fill == RILL_FILL_JITTERED) p = jittered(p, w, def, (uint32_t)n);
                    places[n] = (place){.x = p, .m = mass};
                }
                n++;
            }
    return n;
}

/* Adds the particles of an arrangement to the world. */
static rill_status add_arranged(rill_world *w, const rill_block_def *def, int fluid_slot, const placed_shape *f,
                                const arrangement *a, int64_t n) {
    if (w->particles.count + n > INT32_MAX / 2 ||
        !rill_particles_reserve(&w->memory, &w->particles, (int)(w->particles.count + n)))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for %lld more particles", (long long)n);
    const int first = rill_particles_append(&w->particles, (int)n);
    int64_t left_out;
    walk(w, def, f, a, places_of(w) + first, POOL_ITEMS(w, fluid)[fluid_slot].mass, &left_out);
    for (int i = first; i < w->particles.count; i++) {
        const vec x = places_of(w)[i].x;
        set_particle(w, i, fluid_slot, x, block_velocity(def, f, x));
    }
    rill_groups_admit(w, def->group, first, (int)n);
    return RILL_OK;
}

static rill_status fill_form(rill_world *w, const rill_block_def *def, int fluid_slot, const placed_shape *f,
                             bool count_only, int *added) {
    arrangement a;
    if (!arrange(f, f->kind == RILL_BOX, w->def.spacing, def->fill == RILL_FILL_HEXAGONAL, &a))
        return rill_fail(
            &w->error, RILL_LIMIT,
            "block: more than %.0f particles at a spacing of %g m; take a larger spacing or a smaller shape", FILL_MAX,
            (double)w->def.spacing);
    int64_t left_out;
    const int64_t n = walk(w, def, f, &a, NULL, 0.0f, &left_out);
    if (added) *added = (int)n;
    const rill_status status = count_only || n == 0 ? RILL_OK : add_arranged(w, def, fluid_slot, f, &a, n);
    if (status != RILL_OK || count_only) return status;
    w->stats.left_out += left_out;
    if (w->stats.step == 0) rill_gauge_count_energies(w);
    return RILL_OK;
}

/* Positions are single precision: farther out than this they are rounded by more than a hundredth of the spacing, and
   the rounding becomes noise in the fluid (experiment far_from_origin). */
static rill_status check_distance(rill_world *w, const placed_shape *f) {
    const float most = 0.01f * w->def.spacing * 16777216.0f;
    float far = 0.0f;
    for (int axis = 0; axis < DIM; axis++)
        far = fmaxf(far, fmaxf(fabsf(vec_get(f->low, axis)), fabsf(vec_get(f->high, axis))));
    if (far <= most) return RILL_OK;
    return rill_fail(&w->error, RILL_INVALID,
                     "shape: a block %.3g m from the origin is too far out for a spacing of %g m: positions there are "
                     "rounded to %.2g m; move world.origin to within %.3g m of it",
                     (double)far, (double)w->def.spacing, (double)far / 16777216.0, (double)most);
}

rill_status rill_fill_block(rill_world *w, const rill_block_def *def, int fluid_slot, bool count_only, int *added) {
    const rill_shape *shape = &def->shape;
    if (shape->kind == RILL_HALF_SPACE || shape->inside)
        return rill_fail(&w->error, RILL_INVALID, "shape: a block of fluid must be finite: no half_space, no inside");
    const shape_context context = {&w->memory, w->workers, DIM, w->def.spacing, w->support, &w->def.cache};
    shape_models models;
    rill_status status = rill_rigid_place(w, w->stats.time);
    if (status == RILL_OK) status = rill_shape_models_take(&w->shapes, &context, shape, &models, &w->error);
    if (status != RILL_OK) return status;
    placed_shape parts[PLACED_PARTS_MAX];
    const placed_shape f = rill_placed_make(shape, &models, NULL, parts);
    status = check_distance(w, &f);
    if (status == RILL_OK)
        status = def->fill == RILL_FILL_STORED ? fill_stored(w, def, fluid_slot, &f, count_only, added)
                                               : fill_form(w, def, fluid_slot, &f, count_only, added);
    rill_shape_models_drop(&w->shapes, &w->memory, &models);
    return status;
}

float rill_fill_lattice_sum(kernel_kind kind, float h, float dx) {
    const kernel k = rill_kernel_make(kind, h);
    const int reach = (int)(h / dx) + 1;
    double sum = 0;
    for (int c = DIM == 3 ? -reach : 0; c <= (DIM == 3 ? reach : 0); c++)
        for (int b = -reach; b <= reach; b++)
            for (int a = -reach; a <= reach; a++)
                sum += (double)kernel_value_at(&k, dx * sqrtf((float)(a * a + b * b + c * c)));
    return (float)(sum * (double)dim_power(dx));
}
