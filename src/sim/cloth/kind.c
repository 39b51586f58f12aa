/* SPDX-License-Identifier: MIT */
/* The rows of a step as a kind of constraints (sim/solve/local_global.h). A round first moves all fluid by its own
   constraints, then takes one round of the rows from there. With G the diagonal of a fluid particle, fluid forgets the
   share 1/G of what pushed it in a round, and its contacts do so too. Contact forces can thus follow only fluid that is
   solved by division. So rows are always solved by themselves, never together with all particles. */
#include "sim/cloth/cloth.h"

/* Most Newton rounds in which a cloth comes to rest under its fluid. */
#define REST_ROUNDS 10

static void project(void *context) {
    cloth_job *job = context;
    rill_cloth_carry_presses(job, job->frame->carry);
}

/* Adds nothing, because `solve` solves for the rows. The diagonal of the other kinds decides the share of fluid's
   contacts. */
static void weigh(void *context, float *diagonal) {
    cloth_job *job = context;
    for (int row = job->first_pair; row < job->first_wall; row++) {
        const cloth_pair *pair = &job->pair[job->row_pair[row - job->first_pair]];
        job->press[row - job->first_pair].share = 1.0f / diagonal[pair->point];
        job->row[row].weight = pair->weight / diagonal[pair->point];
    }
}

/* Moves fluid by its own constraints. The frame has divided everything that pushed it, contacts included: their share
   is put back. This holds for all fluid, touching cloth or not, because its constraints push two particles each. */
static void look_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const int i = job->member[k];
        job->from[k] = job->frame->at[i].x;
        if (k >= job->cloth_count)
            job->from[k] = vec_add(job->from[k], vec_add(job->frame->change[i], rill_cloth_forgotten(job, k)));
        job->x[k] = job->from[k];
    }
}

/* Loads of members. Cloth is pulled back to its prediction; fluid has been displaced already. */
static void load_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const vec gain = rill_cloth_gain(job, k);
        job->load[k] = k < job->cloth_count ? vec_sub(gain, job->frame->shifts[job->member[k]].ahead) : gain;
    }
}

/* Moves cloth by its share of the change, and fluid by its contact forces as the cloth feels them: momentum of both is
   then conserved, whatever residual conjugate gradients leave. */
static void end_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const int i = job->member[k];
        job->frame->change[i] = k < job->cloth_count ? vec_scale(job->change[k], job->step)
                                                     : vec_add(vec_sub(job->from[k], job->frame->at[i].x),
                                                               rill_cloth_push_on_fluid(job, k));
    }
}

static int solve(void *context) {
    cloth_job *job = context;
    parallel *workers = job->world->workers;
    rill_parallel_for(workers, job->member_count, CLOTH_GRAIN, look_block, job);
    rill_cloth_project(job);
    rill_parallel_for(workers, job->member_count, CLOTH_GRAIN, load_block, job);
    const int iterations = rill_cloth_round(job);
    rill_parallel_for(workers, job->member_count, CLOTH_GRAIN, end_block, job);
    return iterations;
}

constraints rill_cloth_kind(cloth_job *job, local_global *frame) {
    job->frame = frame;
    job->rough = fluid_count(job->world) > 0;
    return (constraints){.context = job, .project = project, .weigh = weigh, .solve = solve};
}

/* ---- the end of the rounds ---- */

/* The residual of a cloth particle's equation in its present place; fluid stays. */
static void rest_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const vec moved = vec_sub(job->x[k], places_of(job->world)[job->member[k]].x);
        const vec gain = rill_cloth_gain(job, k);
        job->from[k] = job->x[k];
        job->load[k] = k < job->cloth_count && job->inverse[k] > 0.0f ? vec_sub(gain, moved) : (vec){0};
    }
}

/* Newton rounds of the cloth alone, under its contact forces. Rounds beside fluid are rough, and the residual that they
   leave would be lost: up to an eighth of the weight in a bag never reached its pins. */
static void come_to_rest(cloth_job *job) {
    parallel *workers = job->world->workers;
    job->rough = false, job->held = true;
    for (int k = job->cloth_count; k < job->member_count; k++) job->inverse[k] = 0.0f;
    for (int n = 0; n < REST_ROUNDS; n++) {
        rill_cloth_project(job);
        rill_parallel_for(workers, job->member_count, CLOTH_GRAIN, rest_block, job);
        job->frame->solver_iterations += rill_cloth_round(job);
        if (job->settled || (n > 1 && job->stalled)) break;
    }
    for (int k = 0; k < job->cloth_count; k++)
        job->frame->shifts[job->member[k]].here = vec_sub(job->x[k], places_of(job->world)[job->member[k]].x);
}

/* If `enough` ended the rounds, contact forces end where the last round was evaluated, as particles do. */
void rill_cloth_arrive(cloth_job *job) {
    for (int k = 0; job->frame->stopped && k < job->first_wall - job->first_pair; k++)
        job->press[k].here = job->press[k].ahead;
    for (int k = 0; k < job->member_count; k++) {
        const int i = job->member[k];
        job->x[k] = vec_add(places_of(job->world)[i].x, job->frame->shifts[i].here);
    }
    if (fluid_count(job->world) > 0) come_to_rest(job);
}
