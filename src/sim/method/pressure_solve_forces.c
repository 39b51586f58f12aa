/* SPDX-License-Identifier: MIT */
/* Incompressible flow: the forces besides pressure. Equation numbers: docs/methods/dfsph.md. */
#include "sim/force/field.h"
#include "sim/force/implicit_viscosity.h"
#include "sim/force/noise_damping.h"
#include "sim/force/surface_tension.h"
#include "sim/force/viscosity.h"
#include "sim/force/wall_friction.h"
#include "sim/method/pressure_solve.h"

typedef struct push_job {
    const pressure_solve *solve;
    const float *pressure; /* of the last step */
    const vec *tension;    /* acceleration by surface tension; NULL: none */
    bool implicit;         /* friction is solved after the other forces */
} push_job;

typedef struct friction_job {
    const pressure_solve *flow;
    viscosity_solve solve;
} friction_job;

/* Puts the viscosity of each particle beside its velocity. A packing that rearranges itself under pressure sets kinetic
   energy free, and an incompressible fluid has no sound to carry it away. Noise damping (Eq. 11) dissipates it, with
   sqrt(p/rho) as its speed. It does not act at walls, where it would brake every stream over a floor. */
static void viscosity_block(int begin, int end, void *context) {
    const push_job *job = context;
    const pressure_solve *f = job->solve;
    const rill_world *w = f->world;
    const float reach = f->d->setting.noise_damping * w->def.spacing;
    for (int i = begin; i < end; i++) {
        const uint32_t kind = fluids_of(w)[i];
        const float noise = noise_viscosity(reach, f->d->forces.rho0[kind], job->pressure[i]);
        f->motion[i] = (place){.x = velocities_of(w)[i], .m = f->d->forces.mu[kind] + noise};
    }
}

/* Force of viscosity on a unit of volume (Eq. 10). `pair` has V_j W'/r, without the scale of the Laplacian. */
static vec friction(const pressure_solve *f, int i) {
    const sim *sim = sim_of(f->world);
    const int32_t *list = list_of(&sim->lists, i);
    const int count = list_count(&sim->lists, i);
    const float *pair = pressure_pairs(f, i);
    const wide_vec vi = wide_vec_set(f->motion[i].x);
    const wide mu_i = wide_set(f->motion[i].m);
    wide_vec sum = wide_vec_set(vec_zero());
    for (int n = 0; n < count; n += WIDE) {
        wide_vec v;
        wide mu;
        wide_gather_places(f->motion, list + n, &v, &mu);
        sum = wide_vec_along(sum, viscosity_between(mu_i, mu) * wide_load(pair + n), wide_vec_sub(v, vi));
    }
    return vec_scale(wide_vec_sum(sum), f->d->forces.viscous.scale);
}

static void push_block(int begin, int end, void *context) {
    const push_job *job = context;
    const pressure_solve *f = job->solve;
    const rill_world *w = f->world;
    const pressure_derived *d = f->d;
    const vec gravity = field_acceleration(w);
    for (int i = begin; i < end; i++) {
        vec force = {0}; /* on a unit of volume */
        int walls;
        wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &walls);
        const float volume = places_of(w)[i].m * d->specific_volume[fluids_of(w)[i]];
        if (d->friction && !job->implicit)
            force = vec_add(friction(f, i),
                            wall_friction(&d->forces, c, walls, f->motion[i].x, d->forces.mu[fluids_of(w)[i]], volume));
        vec a = vec_along(gravity, d->specific_volume[fluids_of(w)[i]], force);
        if (job->tension) a = vec_add(a, job->tension[i]);
        velocities_of(w)[i] = vec_along(f->motion[i].x, f->dt, a);
    }
}

static void trait_block(int begin, int end, void *context) {
    const pressure_solve *f = ((const friction_job *)context)->flow;
    const rill_world *w = f->world;
    viscous_trait *traits = ((const friction_job *)context)->solve.traits;
    for (int i = begin; i < end; i++) {
        const uint32_t kind = fluids_of(w)[i];
        const float m = places_of(w)[i].m;
        traits[i] = (viscous_trait){m * f->d->specific_volume[kind], f->motion[i].m, m, f->d->forces.rho0[kind]};
    }
}

static void press_block(int begin, int end, void *context) {
    const push_job *job = context;
    const pressure_solve *f = job->solve;
    for (int i = begin; i < end; i++) {
        f->points[i] = (place){.x = places_of(f->world)[i].x, .m = job->pressure[i]};
        f->start[i] = velocities_of(f->world)[i];
    }
}

/* Adds the push of the last step's pressure to the velocities, and keeps it in `start`. */
static void add_last_push_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    for (int i = begin; i < end; i++) {
        const vec v = f->motion[i].x;
        velocities_of(f->world)[i] = v;
        f->start[i] = vec_sub(v, f->start[i]);
    }
}

static void remove_last_push_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    for (int i = begin; i < end; i++) velocities_of(f->world)[i] = vec_sub(velocities_of(f->world)[i], f->start[i]);
}

/* Implicit friction, after all other forces. It acts on velocities that the last step's pressure has pushed as well;
   that push is taken back before the density solve. Without the push, friction would act on forces that pressure is
   about to balance: it would spread the pull of a surface over the neighbours, and hang the weight of still honey on
   the side walls (docs/forces.md). */
static rill_status solve_friction(pressure_solve *f, push_job *push) {
    rill_world *w = f->world;
    const int n = w->particles.count;
    friction_job job = {.flow = f};
    TRY(rill_viscosity_reserve(w));
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, press_block, push);
    rill_pressure_accelerate(f);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, add_last_push_block, f);
    rill_viscosity_begin(&job.solve, w, &f->d->forces, (double)f->dt);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, trait_block, &job);
    rill_viscosity_solve(&job.solve);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, remove_last_push_block, f);
    return RILL_OK;
}

rill_status rill_pressure_push(pressure_solve *f, const float *pressure) {
    rill_world *w = f->world;
    push_job job = {.solve = f, .pressure = pressure};
    job.implicit = f->d->friction && rill_viscosity_is_implicit(w, &f->d->forces, (double)f->dt);
    TRY(rill_surface_tension(w, &f->d->forces, &job.tension));
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, viscosity_block, &job);
    rill_pressure_update_motion(f);
    rill_parallel_for(w->workers, w->particles.count, LOOP_GRAIN, push_block, &job);
    return job.implicit ? solve_friction(f, &job) : RILL_OK;
}
