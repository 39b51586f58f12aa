/* SPDX-License-Identifier: MIT */
/* The velocities of Position Based Fluids, once positions are found: displacements over dt, vorticity confinement (Eqs.
   15 and 16), XSPH (Eq. 17), and the fluid's viscosity in SI units. */
#include "sim/force/vorticity.h"
#include "sim/method/pbf.h"

/* v = (x* - x) / dt (Algorithm 1, line 21), computed as predicted velocity plus corrections over dt; and x = x*. */
static void velocity_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    const rill_world *w = job->world;
    place *places = places_of(w);
    vec *v = velocities_of(w);
    const float rate = 1.0f / job->dt, dt2 = job->dt * job->dt;
    for (int i = begin; i < end; i++) {
        v[i] = vec_along(v[i], rate, job->shifts[i].now);
        places[i].x = job->at[i].x;
        job->position_lambda[i] = (place){.x = v[i], .m = 0.0f};
        const float inverse_mass = job->traits ? job->traits[i].inverse_mass : 1.0f;
        /* lambda acts as a pressure: from x'' = -grad p / rho follows p = -rho0 lambda / dt^2 */
        pressures_of(w)[i] =
            -job->lambda_sum[i].now * inverse_mass * job->derived->rows.forces.rho0[fluids_of(w)[i]] / dt2;
    }
}

/* Moves periodic images to the new positions of their particles. */
static void image_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    const int n = job->world->particles.count;
    for (int k = n + begin; k < n + end; k++) places_of(job->world)[k].x = job->at[k].x;
}

void rill_pbf_finish(rill_world *w, double dt) {
    const int n = w->particles.count;
    pbf_job job;
    arena a = {0};
    rill_pbf_job_make(w, dt, &job, &a);
    rill_arena_place(&a, &sim_of(w)->scratch);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, velocity_block, &job);
    if (job.cloth) rill_cloth_settle(w, job.cloth);
    rill_parallel_for(w->workers, sim_of(w)->halo.count, REDUCE_BLOCK, image_block, &job);
    rill_halo_exchange(w, &HALO_VALUES(job.position_lambda), 1);
    if (job.params->vorticity > 0.0f) {
        vorticity v = {.world = w,
                       .gradient = &job.derived->rows.pair.gradient,
                       .strength = job.dt * job.params->vorticity,
                       .volume = job.derived->rows.volume,
                       .traits = (const float *)job.traits,
                       .points = job.at,
                       .motion = job.position_lambda,
                       .spins = (spin *)(void *)job.shifts}; /* scratch: the displacements are not needed any more */
        rill_vorticity_confine(&v);
    }
    row_flow flow = {.world = w,
                     .rows = &job.derived->rows,
                     .traits = job.traits,
                     .moving = job.position_lambda,
                     .dt = job.dt,
                     .implicit = job.implicit};
    rill_density_rows_flow(&flow, job.params->xsph); /* Eq. 17 */
    if (job.cloth) rill_cloth_hold_back(w, job.cloth);
}
