/* SPDX-License-Identifier: MIT */
/* The rows of a step as a kind of constraints (sim/solve/local_global.h). Fluid takes the share 1/G of a pull in a
   round there, G its diagonal, and so do its contacts: presses follow the rounds of fluid that is divided, and of no
   other. So rows are always solved for by themselves, never together with all particles. */
#include "sim/cloth/cloth.h"

static void look_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) job->x[k] = job->from[k] = job->frame->at[job->member[k]].x;
}

/* The frame divides pulls by the diagonal before it moves anything; rows are solved for whole, so that theirs are
   multiplied by it first. */
static void pull_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const int i = job->member[k];
        const vec gain = rill_cloth_gain(job, k);
        job->frame->pull[i] = vec_along(job->frame->pull[i], job->frame->diagonal[i], gain);
    }
}

static void project(void *context) {
    cloth_job *job = context;
    parallel *workers = job->world->workers;
    rill_cloth_carry_presses(job, job->frame->carry);
    rill_parallel_for(workers, job->member_count, CLOTH_GRAIN, look_block, job);
    rill_cloth_project(job);
    rill_parallel_for(workers, job->member_count, CLOTH_GRAIN, pull_block, job);
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

/* The displacement of members by the frame alone, as the rows' part of the matrix has a diagonal of 1. */
static void load_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const int i = job->member[k];
        const vec left = vec_sub(job->frame->pull[i], job->frame->shifts[i].ahead);
        job->load[k] = vec_scale(left, 1.0f / job->frame->diagonal[i]);
    }
}

/* Cloth goes by its share of the change. Fluid goes by what its contacts press it with, as the cloth feels it: momentum
   of both is then kept whatever conjugate gradients have left. */
static void end_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++)
        job->frame->change[job->member[k]] =
            k < job->cloth_count ? vec_scale(job->change[k], job->step) : rill_cloth_push_on_fluid(job, k);
}

static int solve(void *context) {
    cloth_job *job = context;
    parallel *workers = job->world->workers;
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

/* Rounds that were enough end where the last one looked, and so do presses. */
void rill_cloth_arrive(cloth_job *job) {
    for (int k = 0; job->frame->stopped && k < job->first_wall - job->first_pair; k++)
        job->press[k].here = job->press[k].ahead;
    for (int k = 0; k < job->member_count; k++) {
        const int i = job->member[k];
        job->x[k] = vec_add(places_of(job->world)[i].x, job->frame->shifts[i].here);
    }
}
