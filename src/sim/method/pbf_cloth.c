/* SPDX-License-Identifier: MIT */
/* Cloth in the iteration of Position Based Fluids (section 9). An iteration displaces the fluid according
   to its densities, and then takes one round of the rows of cloth, in which fluid particles that touch cloth take part
   with their mass. A particle keeps the displacement by a contact, and the cloth receives the opposite. */
#include "sim/method/pbf.h"

/* Largest number of rounds in a world with cloth but no fluid. */
#define ROUNDS_ALONE 30

bool rill_pbf_cloth_wants_more(const pbf_job *job, int iteration) {
    const cloth_job *cloth = job->cloth;
    if (!cloth || fluid_count(job->world) > 0) return false;
    return iteration < ROUNDS_ALONE && !cloth->settled && (iteration < 3 || !cloth->stalled);
}

/* A fluid particle keeps its displacements in the next iteration, so that the press of a contact grows until the
   contact holds. Permeable contacts, and those between cloths, which are pulled back by their own inertia, press in
   proportion to the missing distance alone. */
void rill_pbf_cloth_start(const pbf_job *job) {
    cloth_job *cloth = job->cloth;
    for (int k = 0; cloth && k < cloth->first_wall - cloth->first_pair; k++) {
        const cloth_pair *pair = &cloth->pair[cloth->row_pair[k]];
        const bool keeps = is_fluid(job->world, pair->point) && !pair->permeable;
        cloth->press[k].share = keeps ? 0.0f : 1.0f;
    }
}

static void read_positions_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    cloth_job *cloth = job->cloth;
    for (int k = begin; k < end; k++) cloth->x[k] = cloth->from[k] = job->at[cloth->member[k]].x;
}

/* Particles of a cloth are pulled back to their predicted positions, fluid particles are not. */
static void load_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    cloth_job *cloth = job->cloth;
    for (int k = begin; k < end; k++) {
        const vec gain = rill_cloth_gain(cloth, k);
        cloth->load[k] = k < cloth->cloth_count ? vec_sub(gain, job->shifts[cloth->member[k]].now) : gain;
    }
}

static void displace_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    const cloth_job *cloth = job->cloth;
    for (int k = begin; k < end; k++) {
        const int i = cloth->member[k];
        const vec change =
            k < cloth->cloth_count ? vec_scale(cloth->change[k], cloth->step) : rill_cloth_push_on_fluid(cloth, k);
        job->shifts[i].now = vec_add(job->shifts[i].now, change);
        job->at[i].x = vec_add(places_of(job->world)[i].x, job->shifts[i].now);
    }
}

void rill_pbf_cloth_iterate(pbf_job *job) {
    cloth_job *cloth = job->cloth;
    parallel *workers = job->world->workers;
    if (!cloth) return;
    rill_cloth_carry_presses(cloth, job->omega - 1.0f);
    rill_parallel_for(workers, cloth->member_count, CLOTH_GRAIN, read_positions_block, job);
    rill_cloth_project(cloth);
    rill_parallel_for(workers, cloth->member_count, CLOTH_GRAIN, load_block, job);
    rill_cloth_round(cloth);
    rill_parallel_for(workers, cloth->member_count, CLOTH_GRAIN, displace_block, job);
}

void rill_pbf_cloth_finish(pbf_job *job) {
    cloth_job *cloth = job->cloth;
    if (!cloth) return;
    rill_parallel_for(job->world->workers, cloth->member_count, CLOTH_GRAIN, read_positions_block, job);
    rill_cloth_finish(job->world, cloth);
}
