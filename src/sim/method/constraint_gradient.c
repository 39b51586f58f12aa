/* SPDX-License-Identifier: MIT */
/* Conjugate gradients for the equality part (Bodin et al., section X). The density rows that press, or all of them if
   they are equalities, form one linear system (J M^-1 J^T + e) x = r, with the diagonal as the preconditioner. Sweeps
   before and after find out which rows press, and solve everything one-sided. Matrix-free: both products gather, so
   that a product costs about as much as a sweep and any number of threads can share it. */
#include "sim/method/constraint.h"

#include "core/cg.h"

/* A round ends when the residual of its rows has fallen by this factor: the next sweeps will change more. */
#define ENOUGH 0.1

typedef struct gradient_job {
    constraint_system *system;
    double alpha, beta;
} gradient_job;

static bool presses(const constraint_system *s, int i) {
    return s->rows[i].inverse > 0.0f && (s->params->equality || s->rows[i].lambda > 0.0f);
}

/* The bodies' part of J v of row i, for the velocities that change_bodies computed. */
static float body_change(const constraint_system *s, int i) {
    int count;
    const wall_row *walls = constraint_walls(s, i, &count);
    double sum = 0;
    for (int k = 0; k < count; k++) {
        if (walls[k].side < 0) continue;
        const row_side *side = &s->sides[walls[k].side];
        const body_path *path = &s->body_paths[side->body];
        sum += (double)walls[k].slope *
               (dvec_dot(side->linear, dvec_load(path->path[0])) + dvec_dot(side->angular, dvec_load(path->path[1])));
    }
    return (float)sum;
}

/* r = target - e lambda - J v for rows that press, p = z = D^-1 r; returns r . z. */
static double start_block(int begin, int end, void *context) {
    const constraint_system *s = ((const gradient_job *)context)->system;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        const density_row *row = &s->rows[i];
        const float bodies = s->serial[i] ? rill_constraint_body_speed(s, i) : 0.0f;
        const float r = presses(s, i) ? row->target - row->e * row->lambda - row_speed(s, s->speeds, i) - bodies : 0.0f;
        s->cg_residual[i] = r;
        s->path[i] = r * row->inverse;
        s->cg_sum[i] = 0.0f;
        sum += (double)r * (double)r * (double)row->inverse;
    }
    return sum;
}

/* The change of the bodies' velocities by impulses `lambda`, into body_paths. */
static void change_bodies(const constraint_system *s, const float *lambda) {
    for (int b = 0; b < s->world->bodies.count; b++) s->body_paths[b] = (body_path){0};
    for (int n = 0; n < s->serial_count; n++) {
        const int i = s->serial_list[n];
        int count;
        const wall_row *walls = constraint_walls(s, i, &count);
        for (int k = 0; k < count; k++) {
            if (walls[k].side < 0) continue;
            const row_side *side = &s->sides[walls[k].side];
            body_path *path = &s->body_paths[side->body];
            const double impulse = (double)walls[k].slope * (double)lambda[i];
            dvec_store(path->path[0], dvec_along(dvec_load(path->path[0]), impulse, side->mass_linear));
            dvec_store(path->path[1], dvec_along(dvec_load(path->path[1]), impulse, side->mass_angular));
        }
    }
}

/* q = (J M^-1 J^T + e) p; returns p . q. */
static double image_block(int begin, int end, void *context) {
    const constraint_system *s = ((const gradient_job *)context)->system;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        float q = 0.0f;
        if (presses(s, i)) {
            q = row_speed(s, s->direction, i) + s->rows[i].e * s->path[i];
            if (s->serial[i]) q += body_change(s, i);
        }
        s->cg_image[i] = q;
        sum += (double)q * (double)s->path[i];
    }
    return sum;
}

static double advance_block(int begin, int end, void *context) {
    const gradient_job *job = context;
    const constraint_system *s = job->system;
    const float alpha = (float)job->alpha;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        s->cg_sum[i] += alpha * s->path[i];
        s->cg_residual[i] -= alpha * s->cg_image[i];
        sum += (double)s->cg_residual[i] * (double)s->cg_residual[i] * (double)s->rows[i].inverse;
    }
    return sum;
}

/* The residual as an energy, like that of a sweep. */
static double energy_block(int begin, int end, void *context) {
    const constraint_system *s = ((const gradient_job *)context)->system;
    double sum = 0;
    for (int i = begin; i < end; i++)
        sum += (double)s->cg_residual[i] * (double)s->cg_residual[i] * (double)s->rows[i].inverse;
    return sum;
}

static void turn_block(int begin, int end, void *context) {
    const gradient_job *job = context;
    const constraint_system *s = job->system;
    for (int i = begin; i < end; i++)
        s->path[i] = s->cg_residual[i] * s->rows[i].inverse + (float)job->beta * s->path[i];
}

/* Adds the solution to the impulses, bounded where a row would begin to pull. */
static void apply_sum_block(int begin, int end, void *context) {
    const constraint_system *s = ((const gradient_job *)context)->system;
    for (int i = begin; i < end; i++) {
        density_row *row = &s->rows[i];
        const float wanted = row->lambda + s->cg_sum[i];
        const float lambda = s->params->equality || wanted > 0.0f ? wanted : 0.0f;
        s->cg_sum[i] = lambda - row->lambda;
        row->lambda = lambda;
    }
}

static double image(void *context) {
    constraint_system *s = ((gradient_job *)context)->system;
    rill_constraint_force(s, s->path);
    change_bodies(s, s->path);
    return world_sum(s->world, image_block, context);
}

static double advance(void *context, double alpha) {
    gradient_job *job = context;
    job->alpha = alpha;
    return world_sum(job->system->world, advance_block, job);
}

static void turn(void *context, double beta) {
    gradient_job *job = context;
    job->beta = beta;
    rill_parallel_for(job->system->world->workers, job->system->count, REDUCE_BLOCK, turn_block, job);
}

static bool enough(void *context) {
    constraint_system *s = ((gradient_job *)context)->system;
    const double left = world_sum(s->world, energy_block, context), small = ENOUGH * (double)s->params->tolerance;
    rill_constraint_note(s, left);
    return left < small * small * s->start;
}

int rill_constraint_gradients(constraint_system *s, int most) {
    gradient_job job = {.system = s};
    const double start = world_sum(s->world, start_block, &job);
    const cg c = {.context = &job, .image = image, .advance = advance, .turn = turn, .enough = enough};
    const int done = rill_cg_solve(&c, start, ENOUGH * ENOUGH * start, most);
    rill_parallel_for(s->world->workers, s->count, REDUCE_BLOCK, apply_sum_block, &job);
    rill_constraint_push(s, s->cg_sum);
    return done;
}
