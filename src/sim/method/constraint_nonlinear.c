/* SPDX-License-Identifier: MIT */
/* A nonlinear conjugate gradient on top of the sweeps (Silcowitz-Hansen, Niebe and Erleben, "A nonsmooth nonlinear
   conjugate gradient method for interactive contact force problems", 2010): what two sweeps changed is a gradient; the
   next sweeps start farther along the last direction. Velocities follow linearly from impulses, so that the same is
   done to both and no row is visited: sweeps over n layers of water take some n rounds instead of n^2. */
#include "sim/method/constraint.h"

typedef struct nonlinear_job {
    const constraint_system *system;
    float beta;
    double *sums;
} nonlinear_job;

/* Where impulses and velocities stand before the sweeps. */
static void mark_block(int begin, int end, int worker, void *context) {
    (void)worker;
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

static void mark_bodies(const constraint_system *s) {
    int n = 0;
    FOR_ALIVE(s->world, body, b) {
        dvec_store(s->body_paths[n].before[0], dvec_load(b->v));
        dvec_store(s->body_paths[n++].before[1], dvec_load(b->w));
    }
    for (int k = 0; k < s->bodies.count; k++) s->row_paths[k].before = s->bodies.items[k].lambda;
}

static void length_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const nonlinear_job *job = context;
    const constraint_system *s = job->system;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        const double change = (double)(s->rows[i].lambda - s->before[i]);
        sum += change * change;
    }
    job->sums[begin / REDUCE_BLOCK] = sum;
}

/* lambda += beta p, then p = beta p + what the sweeps changed; likewise for the velocities. */
static void advance_block(int begin, int end, int worker, void *context) {
    (void)worker;
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

static void clear_block(int begin, int end, int worker, void *context) {
    (void)worker;
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

void constraint_nonlinear_start(constraint_system *s) {
    nonlinear_job job = {.system = s};
    parallel_for(s->world->workers, s->count, REDUCE_BLOCK, clear_block, &job);
    int n = 0;
    FOR_ALIVE(s->world, body, b) {
        s->body_paths[n++] = (body_path){0};
        (void)b;
    }
    for (int k = 0; k < s->bodies.count; k++) s->row_paths[k] = (row_path){0};
}

void constraint_nonlinear_mark(constraint_system *s) {
    nonlinear_job job = {.system = s};
    parallel_for(s->world->workers, s->count, REDUCE_BLOCK, mark_block, &job);
    mark_bodies(s);
}

double constraint_nonlinear_advance(constraint_system *s, double last) {
    parallel *workers = s->world->workers;
    nonlinear_job job = {.system = s, .sums = s->partial};
    parallel_for(workers, s->count, REDUCE_BLOCK, length_block, &job);
    double length = 0;
    for (int b = 0; b < reduce_block_count(s->count); b++) length += job.sums[b];
    /* Sweeps that no longer get smaller: the direction has lost its meaning. */
    const double beta = last > 0 && length < last ? length / last : 0;
    job.beta = (float)beta;
    parallel_for(workers, s->count, REDUCE_BLOCK, advance_block, &job);
    advance_bodies(s, beta);
    return length;
}
