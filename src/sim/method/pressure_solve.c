/* SPDX-License-Identifier: MIT */
/* The common part of `dfsph` and `pcisph`: densities, the operator from pressures to velocities, walls, and the memory
   of a step. Equation numbers are those of docs/methods/dfsph.md.

   The operator A maps pressures to rates of density: first accelerations by pressure (Eq. 4), then the rate of density
   of the resulting velocities (Eq. 2). Eq. 4 is the transpose of Eq. 2, so A is symmetric and positive semidefinite.
   Its diagonal (Eq. 6) is computed for each particle, its largest eigenvalue is estimated in pressure_solve_spectrum.c.
   The factors of pairs (V_j W'/r) are computed once in a step: positions do not change during the solve, and loading a
   factor is cheaper than a root and a division.

   pressure_solve_setup.c has the constants of a scene and the bound of a step, pressure_solve_forces.c the forces
   besides pressure. */
#include "sim/method/pressure_solve.h"
#include "sim/boundary/contact_body.h"

#include <string.h>

/* ---- memory of a step ---- */

/* Largest compression that a step of full length corrects. A correction becomes a speed, here a tenth of sqrt(g dx) in
   fluid at rest, so that particles which start too close to each other or to a body separate without throwing it. */
#define CORRECTION_MOST 0.06f

static vec wall_push(const void *context, const body_touch *touch) {
    return ((const pressure_solve *)context)->walls[touch->contact].push;
}

rill_status rill_pressure_begin(pressure_solve *f, rill_world *w, const pressure_derived *d, double dt) {
    *f = (pressure_solve){.world = w, .d = d, .dt = (float)dt};
    f->bodies = (giving_way){.world = w, .dt = (float)dt, .push = wall_push, .context = f};
    sim *sim = sim_of(w);
    const int points = w->particles.capacity;
    arena a = {0};
    ARENA_ASK(&a, f->points, points);
    ARENA_ASK(&a, f->motion, points);
    ARENA_ASK(&a, f->start, points);
    ARENA_ASK(&a, f->slope, points);
    ARENA_ASK(&a, f->ratio, points);
    ARENA_ASK(&a, f->inverse_diagonal, points);
    ARENA_ASK(&a, f->source_term, points);
    ARENA_ASK(&a, f->previous_pressure, points);
    ARENA_ASK(&a, f->walls, contacts_room(w));
    ARENA_ASK(&a, f->pair, sim->lists.index.size / sizeof(float));
    rill_give_way_ask(&f->bodies, &a);
    if (!rill_arena_give(&a, &w->memory, &sim->scratch))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the pressure of %d particles", w->particles.count);
    /* A step may be much shorter than the flow needs, because of viscosity or the end of a frame. Its corrections,
       divided by its dt, must not throw particles apart. */
    const double part = dt / d->travel_dt;
    f->correction_share = (float)fmin(16 * part, 1);
    f->correction_most = CORRECTION_MOST * (float)fmin(part, 1);
    return RILL_OK;
}

void rill_pressure_give_way(pressure_solve *f) {
    if (f->bodies.count == 0) return;
    rill_give_way(&f->bodies);
    wall_contact *items = sim_of(f->world)->contacts.items.data;
    for (const body_touch *t = f->bodies.touches; t < f->bodies.touches + f->bodies.count; t++)
        items[t->contact].velocity = vec_add(t->velocity, give_way_speed(&f->bodies, t));
}

/* Images take the pressures of their particles, and keep their own positions. */
void rill_pressure_update_points(const pressure_solve *f) {
    const halo_array pressures = {&f->points->m, sizeof(float), sizeof(place), false};
    rill_halo_exchange(f->world, &pressures, 1);
}

void rill_pressure_update_motion(const pressure_solve *f) {
    rill_halo_exchange(f->world, &HALO_VALUES(f->motion), 1);
}

/* ---- densities ---- */

pressure_error rill_pressure_reduce(const pressure_solve *f, totals_fn *fn, void *context) {
    const int n = f->world->particles.count;
    const totals all = world_loop_totals(f->world, fn, context);
    return (pressure_error){n > 0 ? all.sum[0] / n : 0, (float)all.most[0], (int)all.sum[1]};
}

/* Puts volumes beside the positions and specific volumes beside the velocities, for the density pass only. */
static void pack_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    const rill_world *w = f->world;
    for (int i = begin; i < end; i++) {
        const place p = places_of(w)[i];
        const float specific = f->d->specific_volume[fluids_of(w)[i]];
        f->points[i] = (place){.x = p.x, .m = p.m * specific};
        f->motion[i] = (place){.x = velocities_of(w)[i], .m = specific};
    }
}

/* Sets the positions of the images and of the null particle, which has neither volume nor velocity. */
static void pack_beyond(const pressure_solve *f) {
    const rill_world *w = f->world;
    const int n = w->particles.count, images = sim_of(w)->halo.count;
    memcpy(f->points + n, places_of(w) + n, sizeof(place) * ((size_t)images + 1));
    f->points[n + images].m = 0.0f;
    f->motion[n + images] = (place){0};
}

/* A particle sees a surface if the gradient of the density ratio, times h, is longer than this: it is 1 at the surface
   of a lattice, about 0.3 inside a disordered packing. */
#define STEEP_GRADIENT 0.7f
/* Largest cosine between the normals of walls that face each other. */
#define OPPOSITE (-0.5f)

/* The walls' part of the gradient of the density ratio at a particle. It counts twice in Eq. 2 and 4 if the solid holds
   the mirror image of the fluid in front of it. */
static vec measure_walls(const pressure_derived *d, pressure_wall *walls, const wall_contact *c, int count) {
    const wall_integrals *map = &d->forces.walls;
    vec slope = {0};
    for (int k = 0; k < count; k++) {
        /* without the part that other walls cover already */
        const float share = contact_at(map, map->gradient, &c[k]) * wall_uncovered(map, c, count, k);
        walls[k].share = d->mirrors ? 2.0f * share : share;
        slope = vec_along(slope, share, c[k].normal);
    }
    return slope;
}

/* The first term of the diagonal (Eq. 6), by the particle's own motion, over V_i/m_i. `slope`: the gradient, in which
   walls count once. */
static float own_square(const pressure_solve *f, int i, vec slope, const wall_contact *c, int count) {
    if (!f->d->mirrors || count == 0) return vec_dot(slope, slope);
    const pressure_wall *walls = pressure_walls(f, c);
    vec push = f->slope[i], all;
    for (int k = 0; k < count; k++) push = vec_along(push, walls[k].share, c[k].normal);
    all = push;
    for (int k = 0; k < count; k++) push = wall_corrected(&f->d->forces.walls, &c[k], push);
    return vec_dot(all, push);
}

/* Sums over the neighbours of eight particles, before their lanes are added up in one go. */
typedef struct density_sums {
    wide density[WIDE], square[WIDE];
    wide_vecs slope;
} density_sums;

/* Sums over the neighbours of a particle. */
typedef struct density_sum {
    float density, square;
    vec slope;
} density_sum;

/* Sums for particle i, the kth of eight. Stores V_j W'/r of each neighbour for the solver. */
WIDE_FN void sum_densities(const pressure_solve *f, int i, const kernel *kernel, density_sums *s, int k) {
    const lists *l = &sim_of(f->world)->lists;
    const wide_vec xi = wide_vec_set(f->points[i].x);
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    float *pair = pressure_pairs(f, i);
    wide sum = wide_zero(), square = wide_zero();
    wide_vec slope = wide_vec_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x, v;
        wide volume, specific;
        wide_gather_places(f->points, list + n, &x, &volume);
        wide_gather_places(f->motion, list + n, &v, &specific);
        x = wide_vec_sub(xi, x);
        const wide r2 = wide_vec_dot(x, x), g = kernel_gradient(kernel, r2), vg = volume * g;
        sum = sum + volume * kernel_value(kernel, r2);
        slope = wide_vec_along(slope, vg, x);
        square = square + specific * vg * g * r2;
        wide_store(pair + n, vg);
    }
    s->density[k] = sum, s->square[k] = square;
    wide_vecs_put(&s->slope, k, slope);
}

/* Whether a particle is in a gap of less than a spacing between two solids, at least one of them a body. */
static bool is_pinched(const rill_world *w, const wall_contact *c, int count) {
    const solid *solids = POOL_ITEMS(w, solid);
    for (int k = 1; k < count; k++)
        for (int l = 0; l < k; l++)
            if (c[k].distance + c[l].distance < w->def.spacing && vec_dot(c[k].normal, c[l].normal) < OPPOSITE &&
                (solids[c[k].solid].body > 0 || solids[c[l].solid].body > 0))
                return true;
    return false;
}

float rill_pressure_counted_share(const pressure_solve *f, const wall_contact *c, int count, float share) {
    const float most = f->d->pinched_share;
    return count > 1 && share > most && is_pinched(f->world, c, count) ? most : share;
}

static inline void measure(const pressure_solve *f, int i, float self, density_sum sum, pressure_error *packing) {
    const rill_world *w = f->world;
    const pressure_derived *d = f->d;
    int walls;
    const wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &walls);
    const float volume = f->points[i].m, specific = f->motion[i].m;
    /* Eq. 1: density over rest density; the solid's part of the kernel counts as fluid at rest. */
    const float share = rill_pressure_counted_share(f, c, walls, wall_share(&d->forces.walls, c, walls));
    const float ratio = volume * self + sum.density + share;
    f->ratio[i] = ratio;
    f->slope[i] = sum.slope;
    /* Eq. 6: the diagonal, by the particle's own motion and by that of its neighbours. */
    const vec all = vec_add(sum.slope, measure_walls(d, pressure_walls(f, c), c, walls));
    const float diagonal = specific * own_square(f, i, all, c, walls) + volume * sum.square;
    f->inverse_diagonal[i] = diagonal > 0.0f ? 1.0f / diagonal : 0.0f;
    densities_of(w)[i] = ratio * d->forces.rho0[fluids_of(w)[i]];
    packing->mean += (double)(ratio - 1.0f);
    packing->steep += vec_length(all) * w->support > STEEP_GRADIENT;
}

WIDE_FN totals measure_range(const pressure_solve *f, int begin, int end, const kernel *kernel) {
    const float self = kernel_value_at(kernel, 0.0f);
    pressure_error packing = {0};
    density_sums s = {0};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) sum_densities(f, i + k, kernel, &s, k);
        const wide density = wide_sum_each(s.density), square = wide_sum_each(s.square);
        const wide_vec slope = wide_vecs_sum(&s.slope);
        for (int k = 0; k < count; k++)
            measure(f, i + k, self, (density_sum){density[k], square[k], wide_vec_get(&slope, k)}, &packing);
    }
    return pressure_part(packing);
}

static totals measure_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    kernel kernel = f->d->kernel;
    if (kernel.kind != KERNEL_CUBIC) return measure_range(f, begin, end, &kernel);
    kernel.kind = KERNEL_CUBIC; /* the usual kernel, constant here: its loop has no branch for the kind */
    return measure_range(f, begin, end, &kernel);
}

/* Fluid that fills its container to the last corner cannot expand. If it is too much for the container, no pressure
   makes it fit, and pressures that try grow without bound; the solver then aims at the mean density everywhere. In a
   disordered packing a few particles of a full container may seem to see a surface; an open tank of a thousand layers
   has more. */
static void find_rest(pressure_solve *f, pressure_error packing) {
    f->full = packing.steep <= f->world->particles.count / 1000 + 2;
    f->rest = f->full && packing.mean > 0 ? 1.0f + (float)packing.mean : 1.0f;
}

void rill_pressure_measure(pressure_solve *f) {
    const rill_world *w = f->world;
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, pack_block, f);
    pack_beyond(f);
    rill_pressure_update_points(f);
    rill_pressure_update_motion(f);
    find_rest(f, rill_pressure_reduce(f, measure_block, f));
}

/* ---- pressure ---- */

/* The walls' part of Eq. 4, the transpose of their part of Eq. 2. */
static vec push_of_walls(const pressure_solve *f, int i, vec v, const wall_contact *c, int count) {
    const rill_world *w = f->world;
    const float volume = places_of(w)[i].m * f->d->specific_volume[fluids_of(w)[i]];
    const float pressure = f->points[i].m, per_mass = f->dt / places_of(w)[i].m;
    pressure_wall *walls = pressure_walls(f, c);
    for (int k = 0; k < count; k++) {
        walls[k].push = vec_scale(c[k].normal, -volume * pressure * walls[k].share);
        v = vec_along(v, per_mass, walls[k].push);
    }
    return v;
}

/* The pressure gradient continues behind the wall, which divides the acceleration by 1 + M (Eq. 4). The solid receives
   the difference as a force. */
static vec correct_at_walls(const pressure_solve *f, int i, vec v, const wall_contact *c, int count) {
    const float mass = places_of(f->world)[i].m;
    pressure_wall *walls = pressure_walls(f, c);
    vec change = vec_sub(v, f->start[i]);
    for (int k = 0; k < count; k++) {
        const vec corrected = wall_corrected(&f->d->forces.walls, &c[k], change);
        walls[k].push = vec_along(walls[k].push, mass / f->dt, vec_sub(corrected, change));
        change = corrected;
    }
    return vec_add(f->start[i], change);
}

/* Stops a particle at the least distance from walls (Eq. 8). Without this row in the system, pressure would drive the
   first layer into the wall, the collision phase would put it back, and the next layer would stay 1 % too dense. */
static vec stop_at_walls(const pressure_solve *f, int i, vec v, const wall_contact *c, int count) {
    const rill_world *w = f->world;
    const float keep_off = w->wall_distance, mass = places_of(w)[i].m;
    pressure_wall *walls = pressure_walls(f, c);
    for (int k = 0; k < count; k++) {
        const float gap = c[k].distance > keep_off ? c[k].distance - keep_off : 0.0f;
        const float lack = -gap / f->dt - vec_dot(c[k].normal, vec_sub(v, c[k].velocity));
        if (!(lack > 0.0f)) continue;
        v = vec_along(v, lack, c[k].normal);
        walls[k].push = vec_along(walls[k].push, lack * mass / f->dt, c[k].normal);
    }
    return v;
}

/* sum V_j p_j grad W of particle i, before lanes are added up. */
WIDE_FN wide_vec pressure_gradient(const pressure_solve *f, int i) {
    const sim *sim = sim_of(f->world);
    const wide_vec xi = wide_vec_set(f->points[i].x);
    const int32_t *list = list_of(&sim->lists, i);
    const int count = list_count(&sim->lists, i);
    const float *pair = pressure_pairs(f, i);
    wide_vec sum = wide_vec_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide pressure;
        wide_prefetch(list, n), wide_prefetch(pair, n);
        wide_gather_places(f->points, list + n, &x, &pressure);
        sum = wide_vec_along(sum, pressure * wide_load(pair + n), wide_vec_sub(xi, x));
    }
    return sum;
}

static vec accelerate_at_walls(const pressure_solve *f, int i, vec v) {
    int walls;
    const wall_contact *c = contacts_of(&sim_of(f->world)->contacts, i, &walls);
    if (walls == 0) return v;
    v = push_of_walls(f, i, v, c, walls);
    if (f->d->mirrors) v = correct_at_walls(f, i, v, c, walls);
    return f->free ? v : stop_at_walls(f, i, v, c, walls);
}

static inline void accelerate(const pressure_solve *f, int i, vec gradient, bool at_walls) {
    /* Eq. 4: -(V_i/m_i) sum V_j (p_i + p_j) grad W */
    const float specific = f->d->specific_volume[fluids_of(f->world)[i]];
    const vec force = vec_along(gradient, f->points[i].m, f->slope[i]);
    vec v = vec_along(f->start[i], -f->dt * specific, force);
    if (at_walls) v = accelerate_at_walls(f, i, v);
    f->motion[i].x = v;
}

static void accelerate_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    wide_vecs sums = {0};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) wide_vecs_put(&sums, k, pressure_gradient(f, i + k));
        const wide_vec gradients = wide_vecs_sum(&sums);
        const bool walls = any_at_wall(&sim_of(f->world)->contacts, i, count);
        for (int k = 0; k < count; k++) accelerate(f, i + k, wide_vec_get(&gradients, k), walls);
    }
}

void rill_pressure_accelerate(pressure_solve *f) {
    const rill_world *w = f->world;
    rill_pressure_update_points(f);
    rill_parallel_for(w->workers, w->particles.count, LOOP_GRAIN, accelerate_block, f);
    rill_pressure_update_motion(f);
}

static void keep_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    wall_contact *items = sim_of(f->world)->contacts.items.data;
    for (int k = begin; k < end; k++) items[k].force = vec_add(items[k].force, f->walls[k].push);
}

void rill_pressure_keep_pushes(pressure_solve *f) {
    rill_parallel_for(f->world->workers, sim_of(f->world)->contacts.count, REDUCE_BLOCK, keep_block, f);
}
