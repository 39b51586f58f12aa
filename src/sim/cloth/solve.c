/* SPDX-License-Identifier: MIT */
/* A round of the rows: one step of Newton's method on inertia and the energy of rows. The matrix is 1 + dt^2/m sum D^T
   w H D with H the answer of a row (elements.c), positive because H is; conjugate gradients solve it over the members,
   which are few beside the particles of a fluid. A line search follows: rows are projected at the end of the change,
   which is halved while it costs more than it gains. With the constant matrix of Projective Dynamics (H = 1) a stiff
   line turns by the share of its strain in a round, and a catenary of 60 pieces takes 400 rounds instead of three. */
#include "sim/cloth/cloth.h"

#include "core/cg.h"

/* Of a change that would cost more than it gains. */
#define HALVINGS 6
/* By which energies of the same state may differ, in floats. */
#define ENERGY_NOISE 1e-6
/* Residual of a round, over that of the round before, from which on rounds gain nothing: what floats can tell, if it is
   that small a share of the first. In a fold that snaps, residuals rise before they fall. */
#define STALLED       0.7
#define STALLED_SHARE 1e-5
/* Residual of a round, over that of the first, at which rows have settled. */
#define SETTLED 1e-8

/* ---- projections ---- */

static void project_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int row = begin; row < end; row++) {
        if (row < job->first_pair)
            rill_cloth_project_row(job, row);
        else if (row < job->first_wall)
            rill_cloth_project_pair(job, row);
        else
            rill_cloth_project_wall(job, row);
    }
}

void rill_cloth_project(cloth_job *job) {
    rill_parallel_for(job->world->workers, job->row_count, CLOTH_GRAIN, project_block, job);
}

/* ---- the matrix ---- */

/* D times the direction of the search. */
static vec direction_of(const cloth_job *job, int row) {
    const cloth_row *r = &job->row[row];
    vec sum = {0};
    for (int k = 0; k < ROW_ENDS; k++) sum = vec_along(sum, r->share[k], job->direction[r->end[k]]);
    return sum;
}

/* H d: one factor along the axis of the row, another across it. */
static vec answer_of(const cloth_answer *a, vec d) {
    return vec_along(vec_scale(d, a->across), a->along * vec_dot(a->axis, d), a->axis);
}

static void image_rows(int begin, int end, void *context) {
    const cloth_job *job = context;
    const int segments = links_in(job->world, CLOTH_SEGMENTS)->count;
    for (int row = begin; row < end; row++) {
        vec d = direction_of(job, row);
        if (!cloth_row_is_triangle(job, row)) {
            job->image_value[row] = vec_scale(answer_of(&job->answer[row], d), job->row[row].weight);
        } else if ((row - segments) % 2 == 0) {
            vec other = direction_of(job, row + 1);
            rill_cloth_answer_triangle(job, row, &d, &other);
            job->image_value[row] = vec_scale(d, job->row[row].weight);
            job->image_value[row + 1] = vec_scale(other, job->row[row].weight);
        }
    }
}

vec rill_cloth_image_of(const cloth_job *job, int k) {
    vec sum = {0};
    for (int n = job->part_first[k]; n < job->part_first[k + 1]; n++)
        sum = vec_along(sum, job->part[n].share, job->image_value[job->part[n].row]);
    return vec_scale(sum, job->inverse[k]);
}

void rill_cloth_image(cloth_job *job) {
    rill_parallel_for(job->world->workers, job->row_count, CLOTH_GRAIN, image_rows, job);
}

/* ---- preconditioning: each member's own part of the matrix, inverted ---- */

static vec unit(int axis) {
    vec e = {0};
    (&e.x)[axis] = 1.0f;
    return e;
}

/* The contribution of the nth part of member k to its block for a displacement e. The two rows of a triangle go
 * together. */
static vec own_answer(const cloth_job *job, int k, const cloth_part *part, vec e) {
    const int row = part->row;
    const float weight = job->row[row].weight;
    if (!cloth_row_is_triangle(job, row))
        return vec_scale(answer_of(&job->answer[row], e), weight * part->share * part->share);
    const bool second = (row - links_in(job->world, CLOTH_SEGMENTS)->count) % 2 != 0;
    const cloth_row *other = &job->row[second ? row - 1 : row + 1];
    float share = 0.0f;
    for (int n = 0; n < 3; n++)
        if (other->end[n] == k && other->share[n] != 0.0f) share = other->share[n];
    if (second && share != 0.0f) return (vec){0}; /* the first row has both */
    vec d1 = vec_scale(e, second ? 0.0f : part->share), d2 = vec_scale(e, second ? part->share : share);
    rill_cloth_answer_triangle(job, second ? row - 1 : row, &d1, &d2);
    return vec_scale(second ? vec_scale(d2, part->share) : vec_along(vec_scale(d1, part->share), share, d2), weight);
}

static cloth_block inverse_of(const cloth_block *a) {
#if DIM == 2
    const vec *c = a->column;
    const float scale = 1.0f / (c[0].x * c[1].y - c[0].y * c[1].x);
    return (cloth_block){{{c[1].y * scale, -c[0].y * scale}, {-c[1].x * scale, c[0].x * scale}}};
#else
    const vec p = vec_cross(a->column[1], a->column[2]), q = vec_cross(a->column[2], a->column[0]),
              r = vec_cross(a->column[0], a->column[1]);
    const float scale = 1.0f / vec_dot(a->column[0], p);
    /* rows of the inverse, and columns, for it is symmetric */
    return (cloth_block){{vec_scale(p, scale), vec_scale(q, scale), vec_scale(r, scale)}};
#endif
}

static void precondition_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        cloth_block own;
        for (int axis = 0; axis < DIM; axis++) {
            vec sum = {0};
            for (int n = job->part_first[k]; n < job->part_first[k + 1]; n++)
                sum = vec_add(sum, own_answer(job, k, &job->part[n], unit(axis)));
            own.column[axis] = vec_along(unit(axis), job->inverse[k], sum);
        }
        job->precondition[k] = inverse_of(&own);
    }
}

static vec preconditioned(const cloth_job *job, int k) {
    vec z = {0};
    for (int axis = 0; axis < DIM; axis++)
        z = vec_along(z, vec_get(job->residual[k], axis), job->precondition[k].column[axis]);
    return z;
}

/* ---- conjugate gradients over the members ---- */

static inline double mass_of(const cloth_job *job, int k) {
    return (double)places_of(job->world)[job->member[k]].m;
}

static double image_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    double sum = 0;
    for (int k = begin; k < end; k++) {
        job->image[k] = vec_add(rill_cloth_image_of(job, k), job->direction[k]);
        sum += mass_of(job, k) * (double)vec_dot(job->image[k], job->direction[k]);
    }
    return sum;
}

static double image(void *context) {
    cloth_job *job = context;
    rill_cloth_image(job);
    return rill_reduce_sum(job->world->workers, job->member_count, CLOTH_GRAIN, image_block, context);
}

static double advance_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    const float alpha = (float)job->alpha;
    double sum = 0;
    for (int k = begin; k < end; k++) {
        job->change[k] = vec_along(job->change[k], alpha, job->direction[k]);
        job->residual[k] = vec_along(job->residual[k], -alpha, job->image[k]);
        sum += mass_of(job, k) * (double)vec_dot(job->residual[k], preconditioned(job, k));
    }
    return sum;
}

static double advance(void *context, double alpha) {
    cloth_job *job = context;
    job->alpha = alpha;
    return rill_reduce_sum(job->world->workers, job->member_count, CLOTH_GRAIN, advance_block, job);
}

static void turn_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++)
        job->direction[k] = vec_along(preconditioned(job, k), (float)job->beta, job->direction[k]);
}

static void turn(void *context, double beta) {
    cloth_job *job = context;
    job->beta = beta;
    rill_parallel_for(job->world->workers, job->member_count, CLOTH_GRAIN, turn_block, job);
}

static double start_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    double sum = 0;
    for (int k = begin; k < end; k++) {
        job->change[k] = (vec){0}, job->residual[k] = job->load[k];
        job->direction[k] = preconditioned(job, k);
        sum += mass_of(job, k) * (double)vec_dot(job->load[k], job->direction[k]);
    }
    return sum;
}

/* ---- how far a change goes ---- */

static double energy_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    double sum = 0;
    for (int row = begin; row < end; row++) {
        const float weight = job->row[row].weight;
        if (row >= job->first_pair && row < job->first_wall)
            sum += rill_cloth_pair_energy(job, row);
        else if (weight > 0.0f)
            sum += 0.5 * (double)(vec_dot(job->value[row], job->value[row]) / weight);
    }
    return sum;
}

static double energy_of_rows(cloth_job *job) {
    return rill_reduce_sum(job->world->workers, job->row_count, CLOTH_GRAIN, energy_block, job);
}

static void try_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) job->x[k] = vec_along(job->from[k], job->step, job->change[k]);
}

/* The cost of inertia and of all else but the rows along the change: d^2/2 - r d times m/dt^2. */
static double rest_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    double sum = 0;
    for (int k = begin; k < end; k++) {
        if (!(job->inverse[k] > 0.0f)) continue;
        const vec d = vec_scale(job->change[k], job->step);
        const vec r = vec_sub(job->load[k], job->pulled[k]);
        sum += (double)((0.5f * vec_dot(d, d) - vec_dot(r, d)) / job->inverse[k]);
    }
    return sum;
}

/* Halves the change until it costs no more than none (Nocedal and Wright 2006, section 3.1). */
static void choose_step(cloth_job *job) {
    parallel *workers = job->world->workers;
    const double before = energy_of_rows(job);
    job->step = 1.0f;
    for (int k = 0; k < HALVINGS; k++, job->step *= 0.5f) {
        rill_parallel_for(workers, job->member_count, CLOTH_GRAIN, try_block, job);
        rill_cloth_project(job);
        const double rest = rill_reduce_sum(workers, job->member_count, CLOTH_GRAIN, rest_block, job);
        if (energy_of_rows(job) + rest <= before + ENERGY_NOISE * before) return;
    }
}

int rill_cloth_round(cloth_job *job) {
    parallel *workers = job->world->workers;
    /* Rounds come closer to each other, so the blocks of rounds 1, 2, 4, 8 serve those that follow. */
    if ((job->round & (job->round - 1)) == 0)
        rill_parallel_for(workers, job->member_count, CLOTH_GRAIN, precondition_block, job);
    job->round++;
    const double rz = rill_reduce_sum(workers, job->member_count, CLOTH_GRAIN, start_block, job);
    job->first_residual = fmax(job->first_residual, rz);
    job->stalled = rz > STALLED * job->last_residual && rz < STALLED_SHARE * job->first_residual;
    job->last_residual = rz;
    job->settled = rz <= SETTLED * job->first_residual;
    job->step = 0.0f;
    const cg c = {.context = job, .image = image, .advance = advance, .turn = turn};
    const double enough = job->tolerance * job->tolerance * rz;
    const int done = job->settled ? 0 : rill_cg_solve(&c, rz, enough, job->iterations);
    rill_cloth_look_presses(job);
    if (done > 0) choose_step(job);
    rill_cloth_end_presses(job);
    return done;
}
