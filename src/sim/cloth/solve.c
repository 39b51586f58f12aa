/* SPDX-License-Identifier: MIT */
/* A round of the rows: one step of Newton's method on inertia and the energy of rows. The matrix is 1 + dt^2/m sum D^T
   w H D with H the answer of a row (elements.c), positive definite because H has no negative part. Conjugate gradients
   solve it over the members, which are few beside the particles of a fluid. A line search follows: rows are projected
   at the end of the change, which is halved while it raises the energy. With the constant matrix of Projective Dynamics
   (H = 1) a round turns a stiff line only by the share of its strain, and a catenary of 60 pieces takes 400 rounds
   instead of three. */
#include "sim/cloth/cloth.h"

#include "core/cg.h"

/* Residual at which conjugate gradients end, relative to the start of a round, and their maximum number of iterations.
   Rough rounds are many: 25 iterations leave a third to three quarters of the smoothest errors of a stiff sheet, 30
   such rounds less than a thousandth. With water on the sheet of cloth_3d at 12.3 mm, 30 rounds of 25 iterations end
   within 3 % of a step's motion of the exact result; with 10 iterations they miss it by more than the step's motion. */
#define TOLERANCE        1e-3
#define ITERATIONS       100
#define ROUGH_TOLERANCE  0.1
#define ROUGH_ITERATIONS 25
/* Most halvings of a change that raises the energy. */
#define HALVINGS 6
/* Relative rounding error of energies in floats. */
#define ENERGY_NOISE 1e-6
/* A round has stalled if its residual is above STALLED times that of the round before, and below STALLED_SHARE of the
   first: rounding then hides any gain. In a fold that snaps, residuals rise before they fall. */
#define STALLED       0.7
#define STALLED_SHARE 1e-5
/* Rows have settled if the residual of a round is below this share of the first. */
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

static vec block_times(const cloth_block *b, vec d) {
    vec sum = {0};
    for (int axis = 0; axis < DIM; axis++) sum = vec_along(sum, vec_get(d, axis), b->column[axis]);
    return sum;
}

/* D times the search direction. */
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

/* w H D times the direction, for contacts: they change in every round, so they are not part of the assembled matrix. */
static void image_contacts(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int row = job->first_pair + begin; row < job->first_pair + end; row++)
        job->image_value[row] = vec_scale(answer_of(&job->answer[row], direction_of(job, row)), job->row[row].weight);
}

/* The matrix without inertia, times the direction, for member k. */
static vec image_of(const cloth_job *job, int k) {
    vec sum = {0};
    int n = job->part_first[k];
    if (k < job->cloth_count) {
        for (int b = job->block_first[k]; b < job->block_first[k + 1]; b++)
            sum = vec_add(sum, block_times(&job->block[b], vec_sub(job->direction[job->column[b]], job->direction[k])));
        n = job->elastic_end[k];
    }
    for (; n < job->part_first[k + 1]; n++)
        sum = vec_along(sum, job->part[n].share, job->image_value[job->part[n].row]);
    return vec_scale(sum, job->inverse[k]);
}

/* ---- preconditioning: each member's own part of the matrix, inverted ---- */

static vec unit(int axis) {
    vec e = {0};
    (&e.x)[axis] = 1.0f;
    return e;
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
    /* rows of the inverse, used as columns: it is symmetric */
    return (cloth_block){{vec_scale(p, scale), vec_scale(q, scale), vec_scale(r, scale)}};
#endif
}

/* Inverts 1 + dt^2/m times the response of a member's elastic rows and contacts to its own displacement. */
static void precondition_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const bool cloth = k < job->cloth_count;
        cloth_block own = cloth ? rill_cloth_own_block(job, k) : (cloth_block){0};
        for (int axis = 0; axis < DIM; axis++) {
            vec sum = own.column[axis];
            for (int n = cloth ? job->elastic_end[k] : job->part_first[k]; n < job->part_first[k + 1]; n++) {
                const cloth_part *part = &job->part[n];
                const float weight = job->row[part->row].weight * part->share * part->share;
                sum = vec_along(sum, weight, answer_of(&job->answer[part->row], unit(axis)));
            }
            own.column[axis] = vec_along(unit(axis), job->inverse[k], sum);
        }
        job->precondition[k] = inverse_of(&own);
    }
}

static vec preconditioned(const cloth_job *job, int k) {
    return block_times(&job->precondition[k], job->residual[k]);
}

/* ---- conjugate gradients over the members ---- */

static inline double mass_of(const cloth_job *job, int k) {
    return (double)places_of(job->world)[job->member[k]].m;
}

static double image_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    double sum = 0;
    for (int k = begin; k < end; k++) {
        job->image[k] = vec_add(image_of(job, k), job->direction[k]);
        sum += mass_of(job, k) * (double)vec_dot(job->image[k], job->direction[k]);
    }
    return sum;
}

static double image(void *context) {
    const cloth_job *job = context;
    const int contacts = job->row_count - job->first_pair;
    if (contacts > 0) rill_parallel_for(job->world->workers, contacts, CLOTH_GRAIN, image_contacts, context);
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

/* Starts from no change: the residual is the load, and the first direction the preconditioned load. */
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

/* w/2 |D x - p|^2 of all rows, from their values w (p - D x). Pairs have their own energy (contact_rows.c). */
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

/* The energy of inertia and of all loads but the rows, along the change: d^2/2 - r d times m/dt^2. */
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

/* Halves the change until it does not raise the energy (Nocedal and Wright 2006, section 3.1). */
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
    /* Rounds converge, so the matrix of rounds 1, 2, 4, 8 serves those that follow. Where few rounds must find the end,
       Newton's method needs the matrix of each. */
    const bool renew = (job->round & (job->round - 1)) == 0;
    if (renew || !job->rough) rill_cloth_assemble(job);
    if (renew || job->held) rill_parallel_for(workers, job->member_count, CLOTH_GRAIN, precondition_block, job);
    job->round++;
    const double rz = rill_reduce_sum(workers, job->member_count, CLOTH_GRAIN, start_block, job);
    job->first_residual = fmax(job->first_residual, rz);
    job->stalled = rz > STALLED * job->last_residual && rz < STALLED_SHARE * job->first_residual;
    job->last_residual = rz;
    job->settled = rz <= SETTLED * job->first_residual;
    job->step = 0.0f;
    const cg c = {.context = job, .image = image, .advance = advance, .turn = turn};
    const double tolerance = job->rough ? ROUGH_TOLERANCE : TOLERANCE;
    const int most = job->rough ? ROUGH_ITERATIONS : ITERATIONS;
    const int done = job->settled ? 0 : rill_cg_solve(&c, rz, tolerance * tolerance * rz, most);
    if (!job->held) rill_cloth_look_presses(job);
    if (done > 0) choose_step(job);
    if (!job->held) rill_cloth_end_presses(job);
    return done;
}
