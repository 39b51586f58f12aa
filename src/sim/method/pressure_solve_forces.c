/* SPDX-License-Identifier: MIT */
/* Incompressible flow: the forces that are not pressure. Equation numbers: docs/methods/dfsph.md. */
#include "sim/force/field.h"
#include "sim/force/surface_tension.h"
#include "sim/force/viscosity.h"
#include "sim/force/wall_friction.h"
#include "sim/method/pressure_solve.h"

typedef struct push_job {
    const pressure_solve *solve;
    const float *pressure; /* of the last step */
} push_job;

/* The viscosity of each particle, beside its velocity, and its volume, beside its position. An incompressible fluid has
   no sound to carry the heat of a packing that rearranges itself: Eq. 11 takes it out, with the speed that belongs to
   the pressure, sqrt(p/rho). Walls do not rub by it: it would brake every stream over a floor. */
static void viscosity_block(int begin, int end, void *context) {
    const push_job *job = context;
    const pressure_solve *f = job->solve;
    const rill_world *w = f->world;
    const float reach = f->d->setting.noise_damping * w->def.spacing;
    for (int i = begin; i < end; i++) {
        const uint32_t kind = fluids_of(w)[i];
        const float noise = reach * sqrtf(f->d->forces.rho0[kind] * fmaxf(job->pressure[i], 0.0f));
        f->motion[i] = (place){.x = velocities_of(w)[i], .m = f->d->forces.mu[kind] + noise};
        if (f->d->forces.surface_tension)
            f->points[i] = (place){.x = places_of(w)[i].x, .m = places_of(w)[i].m * f->d->specific_volume[kind]};
    }
}

/* Force of viscosity on a unit of volume (Eq. 10). `pair` has V_j W'/r; the Laplacian's scale waits for the sum. */
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

/* Force of surface tension on a unit of volume. */
static vec surface_force(const pressure_solve *f, int i, const wall_contact *c, int walls) {
    const sim *sim = sim_of(f->world);
    const forces *forces = &f->d->forces;
    const int32_t *list = list_of(&sim->lists, i);
    const int count = list_count(&sim->lists, i);
    const wide_vec xi = wide_vec_set(f->points[i].x);
    colour_sums sums = colour_sums_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide volume;
        wide_gather_places(f->points, list + n, &x, &volume);
        x = wide_vec_sub(xi, x);
        colour_sums_add(&sums, &forces->colour, volume, x, wide_vec_dot(x, x));
    }
    const colour_field field = colour_field_of(forces, &sums, f->points[i].m);
    return surface_tension(forces, field, c, walls, forces->sigma[fluids_of(f->world)[i]]);
}

static void push_block(int begin, int end, void *context) {
    const pressure_solve *f = ((const push_job *)context)->solve;
    const rill_world *w = f->world;
    const pressure_derived *d = f->d;
    const vec gravity = field_acceleration(w);
    for (int i = begin; i < end; i++) {
        vec force = {0}; /* on a unit of volume */
        int walls;
        wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &walls);
        const float volume = places_of(w)[i].m * d->specific_volume[fluids_of(w)[i]];
        if (d->friction)
            force = vec_add(friction(f, i),
                            wall_friction(&d->forces, c, walls, f->motion[i].x, d->forces.mu[fluids_of(w)[i]], volume));
        if (d->forces.surface_tension) force = vec_add(force, surface_force(f, i, c, walls));
        const vec a = vec_along(gravity, d->specific_volume[fluids_of(w)[i]], force);
        velocities_of(w)[i] = vec_along(f->motion[i].x, f->dt, a);
    }
}

void rill_pressure_push(pressure_solve *f, const float *pressure) {
    const rill_world *w = f->world;
    push_job job = {f, pressure};
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, viscosity_block, &job);
    rill_pressure_update_motion(f);
    rill_pressure_update_points(f);
    rill_parallel_for(w->workers, w->particles.count, LOOP_GRAIN, push_block, &job);
}
