/* SPDX-License-Identifier: MIT */
/* Implicit viscosity: see implicit_viscosity.h. */
#include "sim/force/implicit_viscosity.h"

#include "core/arena.h"
#include "core/cg.h"
#include "sim/force/viscosity.h"
#include "sim/force/wall_friction.h"
#include "sim/force/xsph.h"
#include "sim/neighbours/neighbours.h"

/* Residual at which the iterations end, relative to the start, and iterations at most. */
#define TOLERANCE  1e-4
#define ITERATIONS 100

bool rill_viscosity_is_implicit(const rill_world *w, const forces *f, double dt) {
    if (!f->viscosity || w->def.viscosity_solver == RILL_VISCOSITY_EXPLICIT) return false;
    if (w->def.viscosity_solver == RILL_VISCOSITY_IMPLICIT) return true;
    return dt > rill_forces_viscous_dt(f, FRICTION_EXPLICIT);
}

static arena ask(viscosity_solve *s, const rill_world *w) {
    arena a = {0};
    const int points = w->particles.capacity;
    ARENA_ASK(&a, s->traits, points);
    ARENA_ASK(&a, s->direction, points);
    ARENA_ASK(&a, s->velocity, points);
    ARENA_ASK(&a, s->residual, points);
    ARENA_ASK(&a, s->image, points);
    ARENA_ASK(&a, s->weights, sim_of(w)->lists.index.size / sizeof(float));
    return a;
}

rill_status rill_viscosity_reserve(rill_world *w) {
    viscosity_solve s;
    const arena a = ask(&s, w);
    if (rill_arena_give(&a, &w->memory, &sim_of(w)->viscous)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "no memory for the viscosity of %d particles", w->particles.count);
}

void rill_viscosity_begin(viscosity_solve *s, rill_world *w, const forces *f, double dt) {
    *s = (viscosity_solve){.world = w, .forces = f, .dt = dt, .walls = true};
    const arena a = ask(s, w);
    rill_arena_place(&a, &sim_of(w)->viscous);
}

static void trait_block(int begin, int end, void *context) {
    const viscosity_solve *s = context;
    const rill_world *w = s->world;
    for (int i = begin; i < end; i++) {
        const uint32_t kind = fluids_of(w)[i];
        const float m = places_of(w)[i].m;
        s->traits[i] =
            (viscous_trait){m * s->forces->inverse_rho0[kind], s->forces->mu[kind], m, s->forces->rho0[kind]};
    }
}

void rill_viscosity_traits(viscosity_solve *s) {
    rill_parallel_for(s->world->workers, s->world->particles.count, REDUCE_BLOCK, trait_block, s);
}

/* ---- the matrix ---- */

static float *weights_of(const viscosity_solve *s, int i) {
    return s->weights + (size_t)((const uint32_t *)sim_of(s->world)->lists.first.data)[i] * WIDE;
}

static void weight_block(int begin, int end, void *context) {
    const viscosity_solve *s = context;
    const lists *l = &sim_of(s->world)->lists;
    const laplacian viscous = s->forces->viscous;
    const kernel smooth = s->smooth ? *s->smooth : viscous.gradient;
    const place *places = places_of(s->world);
    for (int i = begin; i < end; i++) {
        const int32_t *list = list_of(l, i);
        const int count = list_count(l, i);
        const viscous_trait own = s->traits[i];
        const wide_vec xi = wide_vec_set(places[i].x);
        float *weights = weights_of(s, i);
        for (int n = 0; n < count; n += WIDE) {
            wide_vec x;
            wide m, volume, mu, mass, density;
            wide_gather_places(places, list + n, &x, &m);
            wide_gather4((const float *)s->traits, list + n, &volume, &mu, &mass, &density);
            x = wide_vec_sub(xi, x);
            const wide r2 = wide_vec_dot(x, x);
            const wide lap = laplacian_value(&viscous, r2, kernel_gradient(&viscous.gradient, r2));
            wide k = own.volume * volume * viscosity_between(wide_set(own.mu), mu) * lap;
            if (s->smooth)
                k = k + s->smoothing * own.mass * xsph_volume(mass, own.density, density) * kernel_value(&smooth, r2);
            wide_store(weights + n, k);
        }
    }
}

/* Force of a no-slip wall per difference of velocity [kg/s]. */
static float wall_weight(const viscosity_solve *s, int i, const wall_contact *c) {
    return s->walls ? s->traits[i].volume * s->forces->mu[fluids_of(s->world)[i]] * wall_friction_rate(s->forces, c)
                    : 0.0f;
}

/* result = dt M^-1 (K + K_w) operand; with `walls_move`, K_w acts on the difference to the velocity of the walls. */
static void multiply_block(int begin, int end, void *context) {
    const viscosity_solve *s = context;
    const sim *sim = sim_of(s->world);
    for (int i = begin; i < end; i++) {
        const int32_t *list = list_of(&sim->lists, i);
        const int count = list_count(&sim->lists, i);
        const float *weights = weights_of(s, i);
        const vec v = s->operand[i].x;
        const wide_vec own = wide_vec_set(v);
        wide_vec sum = wide_vec_zero();
        for (int n = 0; n < count; n += WIDE) {
            wide_vec other;
            wide unused;
            wide_gather_places(s->operand, list + n, &other, &unused);
            sum = wide_vec_along(sum, wide_load(weights + n), wide_vec_sub(own, other));
        }
        vec force = wide_vec_sum(sum);
        int walls;
        const wall_contact *c = contacts_of(&sim->contacts, i, &walls);
        for (int k = 0; k < walls; k++)
            force = vec_along(force, wall_weight(s, i, &c[k]), s->walls_move ? vec_sub(v, c[k].velocity) : v);
        s->result[i] = vec_scale(force, (float)s->dt / s->traits[i].mass);
    }
}

static void multiply(viscosity_solve *s, place *operand, vec *result, bool walls_move) {
    s->operand = operand, s->result = result, s->walls_move = walls_move;
    rill_halo_exchange(s->world, &HALO_VALUES(operand), 1);
    rill_parallel_for(s->world->workers, s->world->particles.count, LOOP_GRAIN, multiply_block, s);
}

/* ---- conjugate gradients ---- */

static double start_block(int begin, int end, void *context) {
    const viscosity_solve *s = context;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        const vec r = vec_scale(s->residual[i], -1.0f);
        s->residual[i] = s->direction[i].x = r;
        sum += (double)vec_dot(r, r) * (double)s->traits[i].mass;
    }
    return sum;
}

/* A p = M (p + dt M^-1 K p): completes the image and returns p A p. */
static double image_block(int begin, int end, void *context) {
    const viscosity_solve *s = context;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        s->image[i] = vec_add(s->image[i], s->direction[i].x);
        sum += (double)vec_dot(s->image[i], s->direction[i].x) * (double)s->traits[i].mass;
    }
    return sum;
}

static double image(void *context) {
    viscosity_solve *s = context;
    multiply(s, s->direction, s->image, false);
    return world_sum(s->world, image_block, s);
}

static double advance_block(int begin, int end, void *context) {
    const viscosity_solve *s = context;
    const float alpha = (float)s->alpha;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        s->velocity[i].x = vec_along(s->velocity[i].x, alpha, s->direction[i].x);
        s->residual[i] = vec_along(s->residual[i], -alpha, s->image[i]);
        sum += (double)vec_dot(s->residual[i], s->residual[i]) * (double)s->traits[i].mass;
    }
    return sum;
}

static double advance(void *context, double alpha) {
    viscosity_solve *s = context;
    s->alpha = alpha;
    return world_sum(s->world, advance_block, s);
}

static void turn_block(int begin, int end, void *context) {
    const viscosity_solve *s = context;
    for (int i = begin; i < end; i++) s->direction[i].x = vec_along(s->residual[i], (float)s->beta, s->direction[i].x);
}

static void turn(void *context, double beta) {
    viscosity_solve *s = context;
    s->beta = beta;
    rill_parallel_for(s->world->workers, s->world->particles.count, REDUCE_BLOCK, turn_block, s);
}

/* ---- all of it ---- */

static void load_block(int begin, int end, void *context) {
    const viscosity_solve *s = context;
    for (int i = begin; i < end; i++) s->velocity[i] = (place){.x = velocities_of(s->world)[i]};
}

/* Stores the new velocities, and gives walls the friction of the equation that was solved. */
static void store_block(int begin, int end, void *context) {
    const viscosity_solve *s = context;
    for (int i = begin; i < end; i++) {
        const vec v = s->velocity[i].x;
        velocities_of(s->world)[i] = v;
        int walls;
        wall_contact *c = contacts_of(&sim_of(s->world)->contacts, i, &walls);
        for (int k = 0; k < walls; k++)
            c[k].force = vec_along(c[k].force, wall_weight(s, i, &c[k]), vec_sub(c[k].velocity, v));
    }
}

int rill_viscosity_solve(viscosity_solve *s) {
    const rill_world *w = s->world;
    const int n = w->particles.count, null = n + sim_of(w)->halo.count;
    rill_halo_exchange(w, &HALO_VALUES(s->traits), 1);
    s->traits[null] = (viscous_trait){.density = 1.0f};
    s->velocity[null] = s->direction[null] = (place){0};
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, load_block, s);
    rill_parallel_for(w->workers, n, LOOP_GRAIN, weight_block, s);
    multiply(s, s->velocity, s->residual, true);
    const double rr = world_sum(w, start_block, s);
    const cg c = {.context = s, .image = image, .advance = advance, .turn = turn};
    const int iterations = rill_cg_solve(&c, rr, TOLERANCE * TOLERANCE * rr, ITERATIONS);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, store_block, s);
    return iterations;
}
