/* SPDX-License-Identifier: MIT */
/* Conjugate gradients for the equality part (Bodin et al., section X): the density rows that press, or all of them when
   they are equalities, as one linear system (J M^-1 J^T + e) x = r with the diagonal as the preconditioner. Which rows
   press, and everything one-sided, is for the sweeps before and after. Matrix-free: both products gather, so that a
   product costs about as much as a sweep and any number of threads may share it. */
#include "sim/method/constraint.h"

/* A round ends when the residual of its rows is this much smaller: the sweeps will change more. */
#define ENOUGH 0.1

typedef struct gradient_job {
    const constraint_system *system;
    double alpha, beta;
} gradient_job;

static double total(const constraint_system *s) {
    double sum = 0;
    for (int b = 0; b < reduce_block_count(s->count); b++) sum += s->partial[b];
    return sum;
}

/* J v of row i for velocities in `speeds`, bodies left out. */
WIDE_FN float row_speed(const constraint_system *s, const speed *speeds, int i) {
    const density_row *row = &s->rows[i];
    wide sum = wide_zero();
    for (uint32_t g = row->first; g < row->first + (uint32_t)row_groups(row); g++) {
        wide_vec v;
        wide unused;
        wide_gather_speeds(speeds, group_owners(s, &s->groups[g]), &v, &unused);
        sum = sum + wide_vec_dot(row_blocks(s, i, &s->groups[g]), v);
    }
    return vec_dot(row->own, speeds[i].v) + wide_sum(sum);
}

static bool presses(const constraint_system *s, int i) {
    return s->rows[i].inverse > 0.0f && (s->params->equality || s->rows[i].lambda > 0.0f);
}

/* What bodies add to the velocity of row i: their own, or what an impulse along the direction changed. */
static float body_speed(const constraint_system *s, int i, bool change) {
    int count;
    const wall_row *walls = constraint_walls(s, i, &count);
    double sum = 0;
    for (int k = 0; k < count; k++) {
        if (walls[k].side < 0) continue;
        const row_side *side = &s->sides[walls[k].side];
        const body_path *path = &s->body_paths[side->body];
        const double v = change ? dvec_dot(side->linear, dvec_load(path->path[0])) +
                                      dvec_dot(side->angular, dvec_load(path->path[1]))
                                : constraint_side_velocity(s, side);
        sum += (double)walls[k].slope * v;
    }
    return (float)sum;
}

/* r = target - e lambda - J v where rows press, z = D^-1 r, p = z. */
static void start_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const constraint_system *s = ((const gradient_job *)context)->system;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        const density_row *row = &s->rows[i];
        const float bodies = s->serial[i] ? body_speed(s, i, false) : 0.0f;
        const float r = presses(s, i) ? row->target - row->e * row->lambda - row_speed(s, s->speeds, i) - bodies : 0.0f;
        s->cg_residual[i] = r;
        s->path[i] = r * row->inverse;
        s->cg_sum[i] = 0.0f;
        sum += (double)r * (double)r * (double)row->inverse;
    }
    s->partial[begin / REDUCE_BLOCK] = sum;
}

/* What impulses along p change in the velocities of bodies. */
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

/* q = (J M^-1 J^T + e) p and p q. */
static void image_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const constraint_system *s = ((const gradient_job *)context)->system;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        float q = 0.0f;
        if (presses(s, i)) {
            q = row_speed(s, s->direction, i) + s->rows[i].e * s->path[i];
            if (s->serial[i]) q += body_speed(s, i, true);
        }
        s->cg_image[i] = q;
        sum += (double)q * (double)s->path[i];
    }
    s->partial[begin / REDUCE_BLOCK] = sum;
}

static void advance_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const gradient_job *job = context;
    const constraint_system *s = job->system;
    const float alpha = (float)job->alpha;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        s->cg_sum[i] += alpha * s->path[i];
        s->cg_residual[i] -= alpha * s->cg_image[i];
        sum += (double)s->cg_residual[i] * (double)s->cg_residual[i] * (double)s->rows[i].inverse;
    }
    s->partial[begin / REDUCE_BLOCK] = sum;
}

static void length_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const constraint_system *s = ((const gradient_job *)context)->system;
    double sum = 0;
    for (int i = begin; i < end; i++) sum += (double)s->cg_residual[i] * (double)s->cg_residual[i];
    s->partial[begin / REDUCE_BLOCK] = sum;
}

static void turn_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const gradient_job *job = context;
    const constraint_system *s = job->system;
    for (int i = begin; i < end; i++)
        s->path[i] = s->cg_residual[i] * s->rows[i].inverse + (float)job->beta * s->path[i];
}

/* Takes the sum over, cut where a row would begin to pull. */
static void take_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const constraint_system *s = ((const gradient_job *)context)->system;
    for (int i = begin; i < end; i++) {
        density_row *row = &s->rows[i];
        const float wanted = row->lambda + s->cg_sum[i];
        const float lambda = s->params->equality || wanted > 0.0f ? wanted : 0.0f;
        s->cg_sum[i] = lambda - row->lambda;
        row->lambda = lambda;
    }
}

int constraint_gradients(constraint_system *s, int most) {
    parallel *workers = s->world->workers;
    gradient_job job = {.system = s};
    parallel_for(workers, s->count, REDUCE_BLOCK, start_block, &job);
    double rz = total(s);
    const double start = rz;
    int done = 0;
    while (done < most && rz > 0) {
        constraint_force(s, s->path);
        change_bodies(s, s->path);
        parallel_for(workers, s->count, REDUCE_BLOCK, image_block, &job);
        const double curvature = total(s);
        if (!(curvature > 0)) break;
        job.alpha = rz / curvature;
        parallel_for(workers, s->count, REDUCE_BLOCK, advance_block, &job);
        const double next = total(s);
        job.beta = next / rz, rz = next;
        parallel_for(workers, s->count, REDUCE_BLOCK, turn_block, &job);
        parallel_for(workers, s->count, REDUCE_BLOCK, length_block, &job);
        done++;
        constraint_note(s, total(s));
        if (s->world->stats.residual < ENOUGH * (double)s->params->tolerance || next < ENOUGH * ENOUGH * start) break;
    }
    parallel_for(workers, s->count, REDUCE_BLOCK, take_block, &job);
    constraint_push(s, s->cg_sum);
    return done;
}
