/* SPDX-License-Identifier: MIT */
/* A nonlinear conjugate gradient on top of the sweeps (core/nncg.h). Velocities depend linearly on impulses, so both
   are extrapolated in the same way, without visiting any row. Water of n layers then takes about n rounds of sweeps
   instead of n^2. */
#include "sim/method/constraint.h"

#include "core/nncg.h"

typedef struct nonlinear_job {
    constraint_system *system;
    float beta;
} nonlinear_job;

/* Records impulses and velocities before the sweeps. */
static void mark_block(int begin, int end, void *context) {
    const nonlinear_job *job = context;
    const constraint_system *s = job->system;
    for (int i = begin; i < end; i++) {
        s->before[i] = s->rows[i].lambda;
        s->change[i] = s->speeds[i].v;
        int count;
        wall_row *walls = constraint_walls(s, i, &count);
        for (int k = 0; k < count; k++) walls[k].before = walls[k].lambda;
    }
}

static void mark(void *context) {
    constraint_system *s = ((nonlinear_job *)context)->system;
    rill_parallel_for(s->world->workers, s->count, REDUCE_BLOCK, mark_block, context);
    int n = 0;
    FOR_ALIVE(s->world, body, b) {
        dvec_store(s->body_paths[n].before[0], dvec_load(b->v));
        dvec_store(s->body_paths[n++].before[1], dvec_load(b->w));
    }
    for (int k = 0; k < s->bodies.count; k++) s->row_paths[k].before = s->bodies.items[k].lambda;
}

/* One sweep forward and one back. If the number of sweeps left is odd, the round has one sweep only, so that the last
   extrapolation is always followed by two. */
static bool sweep(void *context) {
    constraint_system *s = ((nonlinear_job *)context)->system;
    const bool single = (s->params->iterations - s->world->stats.iterations) % 2 != 0;
    if (!single) rill_constraint_note(s, rill_constraint_sweep(s, true));
    rill_constraint_note(s, rill_constraint_sweep(s, false));
    return rill_constraint_enough(s);
}

static double length_block(int begin, int end, void *context) {
    const nonlinear_job *job = context;
    const constraint_system *s = job->system;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        const double change = (double)(s->rows[i].lambda - s->before[i]);
        sum += change * change;
    }
    return sum;
}

/* Squared length of the change of the density rows alone: they are most of all rows, and the others follow them. */
static double length(void *context) {
    return world_sum(((nonlinear_job *)context)->system->world, length_block, context);
}

/* lambda += beta p, then p = beta p + (change by the sweeps); velocities change in the same way. */
static void advance_block(int begin, int end, void *context) {
    const nonlinear_job *job = context;
    const constraint_system *s = job->system;
    const float beta = job->beta;
    for (int i = begin; i < end; i++) {
        density_row *row = &s->rows[i];
        const float change = row->lambda - s->before[i], step = beta * s->path[i];
        row->lambda += step;
        s->path[i] = step + change;
        const vec gained = vec_sub(s->speeds[i].v, s->change[i]), push = vec_scale(s->direction[i].v, beta);
        s->speeds[i].v = vec_add(s->speeds[i].v, push);
        s->direction[i].v = vec_add(push, gained);
        int count;
        wall_row *walls = constraint_walls(s, i, &count);
        for (int k = 0; k < count; k++) {
            const float wall_change = walls[k].lambda - walls[k].before, wall_step = beta * walls[k].path;
            walls[k].lambda += wall_step;
            walls[k].path = wall_step + wall_change;
        }
    }
}

static void advance_triple(double value[3], const double before[3], double path[3], double beta) {
    for (int k = 0; k < 3; k++) {
        const double change = value[k] - before[k], step = beta * path[k];
        value[k] += step;
        path[k] = step + change;
    }
}

static void advance_bodies(const constraint_system *s, double beta) {
    int n = 0;
    FOR_ALIVE(s->world, body, b) {
        body_path *path = &s->body_paths[n++];
        advance_triple(b->v, path->before[0], path->path[0], beta);
        advance_triple(b->w, path->before[1], path->path[1], beta);
    }
    for (int k = 0; k < s->bodies.count; k++) {
        row *item = &s->bodies.items[k];
        const double change = item->lambda - s->row_paths[k].before, step = beta * s->row_paths[k].path;
        item->lambda += step;
        s->row_paths[k].path = step + change;
    }
}

static void clear_block(int begin, int end, void *context) {
    const nonlinear_job *job = context;
    const constraint_system *s = job->system;
    for (int i = begin; i < end; i++) {
        s->path[i] = 0.0f;
        s->direction[i].v = (vec){0};
        int count;
        wall_row *walls = constraint_walls(s, i, &count);
        for (int k = 0; k < count; k++) walls[k].path = 0.0f;
    }
}

static void advance(void *context, double beta) {
    nonlinear_job *job = context;
    job->beta = (float)beta;
    rill_parallel_for(job->system->world->workers, job->system->count, REDUCE_BLOCK, advance_block, job);
    advance_bodies(job->system, beta);
}

void rill_constraint_nonlinear(constraint_system *s) {
    nonlinear_job job = {.system = s};
    rill_parallel_for(s->world->workers, s->count, REDUCE_BLOCK, clear_block, &job);
    int n = 0;
    FOR_ALIVE(s->world, body, b) {
        s->body_paths[n++] = (body_path){0};
        (void)b;
    }
    for (int k = 0; k < s->bodies.count; k++) s->row_paths[k] = (row_path){0};
    rill_nncg_solve(&(nncg){.context = &job, .mark = mark, .sweep = sweep, .length = length, .advance = advance});
}
