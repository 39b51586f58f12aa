/* SPDX-License-Identifier: MIT */
/* Friction inside the fluid. Rayleigh's dissipation function 1/2 sum k_ij |v_i - v_j|^2, put into the discrete
   variational step (Bodin et al., section X), gives one velocity row for every pair, with the compliance 1/(dt k_ij).
   Eliminating the multipliers of these rows leaves (M + dt L) v+ = M v, with L the Laplacian of the weights k_ij. This
   system is symmetric, and stable for any viscosity and step. It is solved by conjugate gradients with M as the
   preconditioner, because then every iterate has the momentum of the start. */
#include "sim/method/constraint.h"

#include "core/cg.h"
#include "rigid/body.h"
#include "sim/force/viscosity.h"
#include "sim/force/wall_friction.h"

/* Residual at which the iterations end, relative to the start, and their largest number. */
#define TOLERANCE  1e-4
#define ITERATIONS 100

typedef struct friction_job {
    constraint_system *system;
    speed *direction;     /* p */
    vec *residual;        /* M^-1 (b - A v) */
    vec *image;           /* M^-1 A p */
    const speed *operand; /* multiply_block: result = dt M^-1 L operand */
    vec *result;
    bool walls_move; /* velocities of walls count: for the right-hand side */
    double alpha, beta;
} friction_job;

/* Rate at which the velocity of particle i relative to a no-slip wall decays [1/s]. */
static float wall_friction_of(const constraint_system *s, int i, const wall_contact *c) {
    if (s->params->viscosity_rule == CONSTRAINT_VISCOSITY_DAMPING) return 0.0f;
    const forces *f = &s->derived->forces;
    const uint32_t kind = fluids_of(s->world)[i];
    return f->mu[kind] * f->inverse_rho0[kind] * wall_friction_rate(f, c);
}

/* Prefetches the friction weights of a row that follows soon, as row_fetch does its groups. */
static inline void friction_fetch(const constraint_system *s, int i) {
    if (i + ROWS_AHEAD >= s->count) return;
    const float *k = s->friction + (size_t)s->rows[i + ROWS_AHEAD].first * WIDE;
    for (int n = 0; n < USUAL_GROUPS; n += 2) __builtin_prefetch(k + (size_t)n * WIDE);
}

/* result = dt M^-1 L operand; with `walls_move` for velocities, without for directions. */
static void multiply_block(int begin, int end, const friction_job *job) {
    const constraint_system *s = job->system;
    const float dt = (float)s->dt;
    for (int i = begin; i < end; i++) {
        const density_row *row = &s->rows[i];
        row_fetch(s, i);
        friction_fetch(s, i);
        const wide_vec own = wide_vec_set(job->operand[i].v);
        wide_vec sum = wide_vec_set((vec){0});
        for (uint32_t g = row->first; g < row->first + (uint32_t)row_groups(row); g++) {
            const wide k = wide_load(s->friction + (size_t)g * WIDE);
            wide_vec v;
            wide unused;
            wide_gather_speeds(job->operand, group_owners(s, &s->groups[g]), &v, &unused);
            sum = wide_vec_along(sum, k, wide_vec_sub(own, v));
        }
        vec result = vec_scale(wide_vec_sum(sum), constraint_inverse_mass(s, i));
        int count;
        const wall_contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
        for (int k = 0; k < count; k++) {
            const vec wall = job->walls_move ? c[k].velocity : (vec){0};
            result = vec_along(result, wall_friction_of(s, i, &c[k]), vec_sub(job->operand[i].v, wall));
        }
        job->result[i] = vec_scale(result, dt);
    }
}

/* Multiplies, and sums the products that `sum` computes in the same loop, while their factors are in the cache. */
static double multiply(friction_job *job, const speed *operand, vec *result, bool walls_move, part_fn *sum) {
    job->operand = operand, job->result = result, job->walls_move = walls_move;
    return world_sum(job->system->world, sum, job);
}

/* r = -dt M^-1 L v, p = r; returns r M r. */
static double start_block(int begin, int end, void *context) {
    const friction_job *job = context;
    const constraint_system *s = job->system;
    multiply_block(begin, end, job);
    double sum = 0;
    for (int i = begin; i < end; i++) {
        const vec r = vec_scale(job->residual[i], -1.0f);
        job->residual[i] = job->direction[i].v = r;
        sum += (double)vec_dot(r, r) / (double)constraint_inverse_mass(s, i);
    }
    return sum;
}

/* M^-1 A p = p + dt M^-1 L p; returns p A p. */
static double image_block(int begin, int end, void *context) {
    const friction_job *job = context;
    multiply_block(begin, end, job);
    double sum = 0;
    for (int i = begin; i < end; i++) {
        job->image[i] = vec_add(job->image[i], job->direction[i].v);
        sum += (double)vec_dot(job->image[i], job->direction[i].v) / (double)constraint_inverse_mass(job->system, i);
    }
    return sum;
}

static double advance_block(int begin, int end, void *context) {
    const friction_job *job = context;
    const float alpha = (float)job->alpha;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        job->system->speeds[i].v = vec_along(job->system->speeds[i].v, alpha, job->direction[i].v);
        job->residual[i] = vec_along(job->residual[i], -alpha, job->image[i]);
        sum += (double)vec_dot(job->residual[i], job->residual[i]) / (double)constraint_inverse_mass(job->system, i);
    }
    return sum;
}

static void turn_block(int begin, int end, void *context) {
    const friction_job *job = context;
    for (int i = begin; i < end; i++)
        job->direction[i].v = vec_along(job->residual[i], (float)job->beta, job->direction[i].v);
}

/* Adds to contacts the friction forces of walls that the solved equation contains. */
static void wall_block(int begin, int end, void *context) {
    const friction_job *job = context;
    const constraint_system *s = job->system;
    for (int i = begin; i < end; i++) {
        const vec v = s->speeds[i].v;
        int count;
        wall_contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
        for (int k = 0; k < count; k++)
            c[k].force = vec_along(c[k].force, wall_friction_of(s, i, &c[k]) / constraint_inverse_mass(s, i),
                                   vec_sub(c[k].velocity, v));
    }
}

/* Gives bodies the reaction to the forces of contacts so far: friction and surface tension. */
static void drag_bodies(const constraint_system *s) {
    const rill_world *w = s->world;
    for (int n = 0; n < s->serial_count; n++) {
        const int i = s->serial_list[n];
        int count;
        const wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
        const wall_row *walls = constraint_walls(s, i, &count);
        for (int k = 0; k < count; k++) {
            if (walls[k].side < 0) continue;
            body *b = &POOL_ITEMS(w, body)[s->sides[walls[k].side].body];
            const dvec impulse = dvec_scale(dvec_of(vec_out(c[k].force)), -s->dt);
            const vec touch = vec_along(places_of(w)[i].x, -c[k].distance, c[k].normal);
            const dvec arm = dvec_sub(dvec_of(vec_out(touch)), dvec_load(b->x));
            dvec_store(b->v, dvec_add(dvec_load(b->v), rill_body_mass_linear(w, b, impulse)));
            dvec_store(b->w, dvec_add(dvec_load(b->w), rill_body_mass_angular(w, b, dvec_cross(arm, impulse))));
        }
    }
}

static double image(void *context) {
    friction_job *job = context;
    return multiply(job, job->direction, job->image, false, image_block);
}

static double advance(void *context, double alpha) {
    friction_job *job = context;
    job->alpha = alpha;
    return world_sum(job->system->world, advance_block, job);
}

static void turn(void *context, double beta) {
    friction_job *job = context;
    job->beta = beta;
    rill_parallel_for(job->system->world->workers, job->system->count, REDUCE_BLOCK, turn_block, job);
}

/* Solves for the velocities after friction. */
static void solve_friction(friction_job *job) {
    const constraint_system *s = job->system;
    const double rr = multiply(job, s->speeds, job->residual, true, start_block);
    const cg c = {.context = job, .image = image, .advance = advance, .turn = turn};
    rill_cg_solve(&c, rr, TOLERANCE * TOLERANCE * rr, ITERATIONS);
}

void rill_constraint_friction_solve(constraint_system *s) {
    friction_job job = {.system = s, .residual = s->change, .direction = s->direction, .image = s->image};
    if (s->has_friction) solve_friction(&job);
    rill_parallel_for(s->world->workers, s->count, REDUCE_BLOCK, wall_block, &job);
    drag_bodies(s);
}
