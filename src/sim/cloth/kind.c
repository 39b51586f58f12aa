/* SPDX-License-Identifier: MIT */
/* The rows of a step as a kind of constraints (sim/solve/local_global.h). A round moves all fluid by its own
   constraints first, and then takes one round of the rows from there. Fluid forgets the share 1/G of what pushed it in
   a round there, G its diagonal, and so do its contacts: presses follow the rounds of fluid that is divided, and of no
   other. So rows are always solved for by themselves, never together with all particles. */
#include "sim/cloth/cloth.h"

/* Newton's rounds in which a cloth comes to rest under its fluid, at most. */
#define REST_ROUNDS 10

static void project(void *context) {
    cloth_job *job = context;
    rill_cloth_carry_presses(job, job->frame->carry);
}

/* The rows are solved for by `solve`: the diagonal of the others stays theirs, and decides the share that contacts
   have. */
static void weigh(void *context, float *diagonal) {
    cloth_job *job = context;
    for (int row = job->first_pair; row < job->first_wall; row++) {
        const cloth_pair *pair = &job->pair[job->row_pair[row - job->first_pair]];
        job->press[row - job->first_pair].share = 1.0f / diagonal[pair->point];
        job->row[row].weight = pair->weight / diagonal[pair->point];
    }
}

/* Where fluid goes by its own constraints: the frame has divided all that it was pushed by, of which contacts take
   back theirs. All of it goes there, whether it touches a cloth or not, for its constraints push two ways. */
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

/* Cloth is pulled back to where it would go by itself; fluid has been displaced. */
static void load_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const vec gain = rill_cloth_gain(job, k);
        job->load[k] = k < job->cloth_count ? vec_sub(gain, job->frame->shifts[job->member[k]].ahead) : gain;
    }
}

/* Cloth goes by its share of the change. Fluid goes by what its contacts press it with, as the cloth feels it: momentum
   of both is then kept whatever conjugate gradients have left. */
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

/* A particle's equation with all that pulls it where it is now; fluid stays. */
static void rest_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const vec moved = vec_sub(job->x[k], places_of(job->world)[job->member[k]].x);
        const vec gain = rill_cloth_gain(job, k);
        job->from[k] = job->x[k];
        job->load[k] = k < job->cloth_count && job->inverse[k] > 0.0f ? vec_sub(gain, moved) : (vec){0};
    }
}

/* Newton's rounds of the cloth alone, under what its contacts press. Rounds beside fluid are rough, and what they leave
   of the cloth's equation would be lost: up to an eighth of the weight that lies in a bag never reached its pins. */
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

/* Rounds that were enough end where the last one looked, and so do presses. */
void rill_cloth_arrive(cloth_job *job) {
    for (int k = 0; job->frame->stopped && k < job->first_wall - job->first_pair; k++)
        job->press[k].here = job->press[k].ahead;
    for (int k = 0; k < job->member_count; k++) {
        const int i = job->member[k];
        job->x[k] = vec_add(places_of(job->world)[i].x, job->frame->shifts[i].here);
    }
    if (fluid_count(job->world) > 0) come_to_rest(job);
}
