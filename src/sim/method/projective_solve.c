/* SPDX-License-Identifier: MIT */
/* A step of Projective Fluids: rounds of local and global steps, then velocities. */
#include "core/error.h"
#include "sim/force/implicit_viscosity.h"
#include "sim/method/projective.h"

/* Implicit Euler damps sound by a time constant of dt/2, which is too little in short steps. So the rate of compression
   counts as well, C + tau dC/dt in place of C, where dt/2 + tau is the time in which sound crosses a support. Returns
   tau/dt, which is 0 in steps longer than twice that time. */
static float sound_damping(const rill_world *w, const projective_derived *d, float dt) {
    return fminf(fmaxf(w->support / (d->sound_speed * dt) - 0.5f, 0.0f), 1e4f);
}

/* Fills in the job of a step and asks for its arrays. rill_projective_finish makes the job again, and finds the arrays
   of rill_projective_solve in the same places. */
static void make_job(rill_world *w, double dt, projective_job *job, arena *a) {
    const projective_params *p = projective_params_of(w);
    const projective_derived *d = projective_derived_of(w);
    *job = (projective_job){.world = w, .params = p, .derived = d};
    const float travel = d->sound_speed * (float)dt, damping = sound_damping(w, d, (float)dt);
    job->weight = travel * travel * d->rows.s_ref * (1.0f + damping);
    job->remembered = damping / (1.0f + damping);
    const bool cautious = p->diagonal == DIAGONAL_NEIGHBOURS;
    job->share = cautious ? 1.0f : d->eigenvalue / d->members;
    job->implicit = rill_viscosity_is_implicit(w, &d->rows.forces, dt);
    job->frame = (local_global){.world = w,
                                .dt = (float)dt,
                                .rounds = p->rounds,
                                .accelerate = p->acceleration,
                                .convexity = 1.0f / (1.0f + job->weight * job->share * d->members),
                                .solver = (global_solver)p->solver,
                                .outrun = d->outrun,
                                .context = job};
    job->frame.kinds[job->frame.kind_count++] = rill_projective_density_kind(job);
    job->frame.kinds[job->frame.kind_count++] = rill_projective_nozzle_kind(job);
    job->cloth = world_has_cloth(w) ? sim_of(w)->cloth_step.data : NULL;
    if (job->cloth) job->frame.kinds[job->frame.kind_count++] = rill_cloth_kind(job->cloth, &job->frame);
    const int points = w->particles.capacity;
    rill_local_global_ask(&job->frame, a);
    ARENA_ASK(a, job->position_lambda, points);
    ARENA_ASK(a, job->holds, contacts_room(w));
    ARENA_ASK(a, job->jet_pull, sim_of(w)->held_count);
    if (!d->rows.uniform) ARENA_ASK(a, job->traits, points);
    if (p->coordinates == COORDINATES_DIFFERENTIAL) ARENA_ASK(a, job->means, points);
}

/* ---- the end of the rounds ---- */

enum { SUM_ERROR };
enum { MOST_ERROR };

static totals error_block(int begin, int end, void *context) {
    const projective_job *job = context;
    totals all = {0};
    for (int i = begin; i < end; i++) {
        const double c = (double)densities_of(job->world)[i];
        all.sum[SUM_ERROR] += c > 0 ? c : 0;
        all.most[MOST_ERROR] = c > all.most[MOST_ERROR] ? c : all.most[MOST_ERROR];
    }
    return all;
}

/* Whether the rounds may end, by the errors at the positions where the last round was evaluated. The first round is
   evaluated before anything has moved, so the rounds never end there. */
static bool enough(void *context, int round) {
    projective_job *job = context;
    rill_world *w = job->world;
    const int n = fluid_count(w);
    const totals all = rill_reduce_totals(w->workers, n, REDUCE_BLOCK, error_block, job);
    const double mean = n > 0 ? all.sum[SUM_ERROR] / n : 0;
    w->stats.residual = mean;
    if (round < RILL_RESIDUALS_MAX) w->stats.residuals[round] = (float)mean;
    const bool cloth_done = !job->cloth || job->cloth->settled || (round > 2 && job->cloth->stalled);
    if (n == 0 && job->cloth) return cloth_done;
    const float wanted = job->params->density_error, wanted_max = job->params->density_error_max;
    if (round == 0 || !(wanted > 0.0f || wanted_max > 0.0f)) return false;
    return cloth_done && (wanted == 0.0f || mean <= (double)wanted) &&
           (wanted_max == 0.0f || all.most[MOST_ERROR] <= (double)wanted_max);
}

/* ---- the solve ---- */

static void trait_block(int begin, int end, void *context) {
    const projective_job *job = context;
    for (int i = begin; i < end; i++) job->traits[i] = row_trait_make(job->world, &job->derived->rows, i);
}

/* Final positions of the rounds. */
static void arrive_block(int begin, int end, void *context) {
    const projective_job *job = context;
    for (int i = begin; i < end; i++)
        job->frame.at[i].x = vec_add(places_of(job->world)[i].x, job->frame.shifts[i].here);
}

rill_status rill_projective_solve(rill_world *w, double dt) {
    sim *s = sim_of(w);
    const int n = w->particles.count, points = n + s->halo.count;
    projective_job job;
    arena a = {0};
    rill_projective_send_jets(w, dt);
    TRY(rill_cloth_begin(w, dt));
    make_job(w, dt, &job, &a);
    if (job.cloth && job.frame.coupled)
        return rill_fail(&w->error, RILL_INVALID,
                         "projective: cloth cannot be combined with solver = gradients or coordinates = differential; "
                         "leave these out");
    if (!rill_arena_give(&a, &w->memory, &s->scratch))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the constraints of %d particles", n);
    job.position_lambda[points] = places_of(w)[points]; /* the null particle */
    job.position_lambda[points].m = 0.0f;
    if (job.traits) {
        rill_parallel_for(w->workers, n, REDUCE_BLOCK, trait_block, &job);
        job.traits[points] = (row_trait){0};
        rill_halo_exchange(w, &HALO_VALUES(job.traits), 1);
    }
    job.frame.enough = enough;
    TRY(rill_local_global_run(&job.frame));
    if (job.cloth) {
        rill_cloth_arrive(job.cloth);
        rill_cloth_finish(w, job.cloth);
    }
    if (job.implicit) TRY(rill_viscosity_reserve(w)); /* after the rounds, which may have rebuilt the lists */
    w->stats.iterations = job.frame.done;
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, arrive_block, &job);
    rill_halo_exchange(w, &HALO_PLACES(job.frame.at), 1);
    return rill_density_rows_pull(w, &job.derived->rows, job.frame.at);
}

/* ---- velocities ---- */

/* v = (x' - x) / dt, computed as predicted velocity plus corrections over dt; and x = x'. */
static void velocity_block(int begin, int end, void *context) {
    const projective_job *job = context;
    const rill_world *w = job->world;
    const local_global *frame = &job->frame;
    vec *v = velocities_of(w);
    const float rate = 1.0f / frame->dt, dt2 = frame->dt * frame->dt;
    for (int i = begin; i < end; i++) {
        v[i] = vec_along(v[i], rate, frame->shifts[i].here);
        places_of(w)[i].x = frame->at[i].x;
        job->position_lambda[i] = (place){.x = v[i]};
        const float inverse_mass = job->traits ? job->traits[i].inverse_mass : 1.0f;
        /* A multiplier acts as a pressure: from x'' = -grad p / rho follows p = -rho0 lambda / dt^2. */
        pressures_of(w)[i] =
            -frame->values[i].here * inverse_mass * job->derived->rows.forces.rho0[fluids_of(w)[i]] / dt2;
    }
}

static void image_block(int begin, int end, void *context) {
    const projective_job *job = context;
    const int n = job->world->particles.count;
    for (int k = n + begin; k < n + end; k++) places_of(job->world)[k].x = job->frame.at[k].x;
}

/* The parameter `xsph`; below 0 the value of the quality. */
static float smoothing(const rill_world *w) {
    const float xsph = projective_params_of(w)->xsph;
    if (xsph >= 0.0f) return xsph;
    return w->def.quality == RILL_QUALITY_ACCURATE ? 0.0f : 0.05f;
}

static void remember_block(int begin, int end, void *context) {
    const projective_job *job = context;
    const rill_world *w = job->world;
    const float *inverse_rho0 = job->derived->rows.forces.inverse_rho0;
    for (int i = begin; i < end; i++)
        compressions_of(w)[i] = fmaxf(densities_of(w)[i] * inverse_rho0[fluids_of(w)[i]] - 1.0f, 0.0f);
}

void rill_projective_finish(rill_world *w, double dt) {
    projective_job job;
    arena a = {0};
    make_job(w, dt, &job, &a);
    rill_arena_place(&a, &sim_of(w)->scratch);
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, velocity_block, &job);
    rill_projective_pay_jets(&job);
    if (job.cloth) rill_cloth_settle(w, job.cloth);
    rill_parallel_for(w->workers, sim_of(w)->halo.count, REDUCE_BLOCK, image_block, &job);
    rill_halo_exchange(w, &HALO_VALUES(job.position_lambda), 1);
    row_flow flow = {.world = w,
                     .rows = &job.derived->rows,
                     .traits = job.traits,
                     .moving = job.position_lambda,
                     .dt = job.frame.dt,
                     .implicit = job.implicit};
    rill_density_rows_flow(&flow, smoothing(w));
    rill_parallel_for(w->workers, fluid_count(w), REDUCE_BLOCK, remember_block, &job);
    if (job.cloth) rill_cloth_hold_back(w, job.cloth);
}
