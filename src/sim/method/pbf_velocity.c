/* SPDX-License-Identifier: MIT */
/* What Position Based Fluids does to velocities once the positions are found: vorticity confinement (Eqs. 15 and 16),
   XSPH (Eq. 17), and the fluid's own viscosity in SI units. */
#include "sim/force/implicit_viscosity.h"
#include "sim/force/viscosity.h"
#include "sim/force/vorticity.h"
#include "sim/force/wall_friction.h"
#include "sim/force/xsph.h"
#include "sim/method/pbf.h"

/* v = (x* - x) / dt (Algorithm 1, line 21), as the predicted velocity and the corrections, and x = x*. */
static void velocity_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    const rill_world *w = job->world;
    place *places = places_of(w);
    vec *v = velocities_of(w);
    const float rate = 1.0f / job->dt;
    for (int i = begin; i < end; i++) {
        v[i] = vec_along(v[i], rate, job->shifts[i].now);
        places[i].x = job->at[i].x;
        job->position_lambda[i] = (place){.x = v[i], .m = 0.0f};
    }
}

/* Images follow their particles. */
static void image_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    const int n = job->world->particles.count;
    for (int k = n + begin; k < n + end; k++) places_of(job->world)[k].x = job->at[k].x;
}

/* ---- density and viscosity ---- */

/* Sums of eight particles, whose lanes are added up at once. */
typedef struct pressure_sums {
    wide density[WIDE];
    wide_vecs drag; /* change of velocity */
} pressure_sums;

/* Particle i, the kth of eight, over eight neighbours at a time; the flags are constant where this is inlined. */
WIDE_FN void add_flow(const pbf_job *job, int i, bool cubic, bool uniform, bool friction, pressure_sums *s, int k) {
    const rill_world *w = job->world;
    const lists *l = &sim_of(w)->lists;
    const pbf_derived *d = job->derived;
    const pbf_pair pair = d->pair;
    const place *places = places_of(w), *moving = job->position_lambda;
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    const wide_vec xi = wide_vec_set(places[i].x), vi = wide_vec_set(moving[i].x);
    const uint32_t f = fluids_of(w)[i];
    const float mu_i = uniform ? 0.0f : job->traits[i].mu, rho_i = d->forces.rho0[f],
                volume_i = uniform ? d->volume : 1.0f;
    const float xsph = job->xsph * volume_i, shear = job->shear * volume_i * (uniform ? d->forces.nu[f] : 1.0f);
    wide density = wide_zero();
    wide_vec drag = wide_vec_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x, v;
        wide m, unused;
        wide_prefetch(list, n);
        wide_gather_places(places, list + n, &x, &m);
        wide_gather_places(moving, list + n, &v, &unused);
        x = wide_vec_sub(xi, x), v = wide_vec_sub(v, vi);
        const wide r2 = wide_vec_dot(x, x);
        wide value, g, slope2;
        pbf_kernels(&pair, cubic, r2, &value, &g, &slope2);
        if (uniform) {
            density = density + value;
            drag = wide_vec_along(drag, friction ? xsph * value + shear * g : xsph * value, v);
        } else {
            wide volume, inverse_mass, mu;
            wide_gather4((const float *)job->traits, list + n, &volume, &inverse_mass, &mu, &unused);
            const wide rho = m / wide_max(volume, wide_set(1e-30f)), share = xsph_volume(m, rho_i, rho);
            density = density + volume * value;
            const wide rubbed = shear * (viscosity_between(wide_set(mu_i), mu) * volume / rho_i);
            drag = wide_vec_along(drag, friction ? (xsph * share) * value + rubbed * g : (xsph * share) * value, v);
        }
    }
    s->density[k] = density;
    wide_vecs_put(&s->drag, k, drag);
}

/* What the sums of a particle come to. */
typedef struct flow {
    float density;
    vec drag;
} flow;

WIDE_FN void finish_flow(const pbf_job *job, int i, bool uniform, bool friction, flow sum) {
    const rill_world *w = job->world;
    const pbf_derived *d = job->derived;
    int count;
    wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
    const uint32_t f = fluids_of(w)[i];
    const float volume = uniform ? d->volume : job->traits[i].volume, scale = uniform ? volume : 1.0f;
    vec v = vec_add(job->position_lambda[i].x, sum.drag);
    if (friction && count > 0)
        v = vec_along(
            v, job->dt,
            wall_friction(&d->forces, c, count, job->position_lambda[i].x, d->forces.nu[f], places_of(w)[i].m));
    velocities_of(w)[i] = v;
    const float filled = scale * d->pair.value_scale * sum.density + volume * d->self;
    densities_of(w)[i] = d->forces.rho0[f] * (count > 0 ? filled + wall_share(&d->forces.walls, c, count) : filled);
    const float inverse_mass = uniform ? 1.0f : job->traits[i].inverse_mass;
    /* lambda acts as a pressure: x'' = -grad p / rho gives p = -rho0 lambda / dt^2 */
    pressures_of(w)[i] = -job->lambda_sum[i].now * inverse_mass * d->forces.rho0[f] / (job->dt * job->dt);
}

WIDE_FN void pressure_range(const pbf_job *job, int begin, int end, bool cubic, bool uniform, bool friction) {
    pressure_sums s = {0};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) add_flow(job, i + k, cubic, uniform, friction, &s, k);
        const wide density = wide_sum_each(s.density);
        const wide_vec drag = wide_vecs_sum(&s.drag);
        for (int k = 0; k < count; k++)
            finish_flow(job, i + k, uniform, friction, (flow){density[k], wide_vec_get(&drag, k)});
    }
}

static void pressure_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    const bool friction = job->derived->forces.viscosity && !job->implicit;
    const bool cubic = pbf_is_cubic(job->derived), uniform = job->derived->uniform;
    if (cubic && uniform && friction)
        pressure_range(job, begin, end, true, true, true);
    else if (cubic && uniform)
        pressure_range(job, begin, end, true, true, false);
    else if (cubic)
        pressure_range(job, begin, end, true, false, friction);
    else if (uniform)
        pressure_range(job, begin, end, false, true, friction);
    else
        pressure_range(job, begin, end, false, false, friction);
}

/* Implicit friction, last of all. */
static void rub(pbf_job *job) {
    viscosity_solve s;
    rill_viscosity_begin(&s, job->world, &job->derived->forces, (double)job->dt);
    rill_viscosity_traits(&s);
    rill_viscosity_solve(&s);
}

void rill_pbf_finish(rill_world *w, double dt) {
    const int n = w->particles.count;
    pbf_job job;
    arena a = {0};
    rill_pbf_job_make(w, dt, &job, &a);
    rill_arena_place(&a, &sim_of(w)->scratch);
    /* Eq. 17; and mu/rho times the Laplacian of a difference, -2 W'/r (Brookshaw 1985), made exact for a lattice */
    job.xsph = xsph_of_step(job.params->xsph, job.dt) * job.derived->pair.value_scale;
    job.shear = job.dt * job.derived->forces.viscous.scale * job.derived->pair.slope_scale;
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, velocity_block, &job);
    rill_parallel_for(w->workers, sim_of(w)->halo.count, REDUCE_BLOCK, image_block, &job);
    rill_halo_exchange(w, &HALO_VALUES(job.position_lambda), 1);
    if (job.params->vorticity > 0.0f) {
        vorticity v = {.world = w,
                       .gradient = &job.derived->pair.gradient,
                       .strength = job.dt * job.params->vorticity,
                       .volume = job.derived->volume,
                       .traits = (const float *)job.traits,
                       .points = job.at,
                       .motion = job.position_lambda,
                       .spins = (spin *)(void *)job.shifts}; /* the displacements are done with */
        rill_vorticity_confine(&v);
    }
    rill_parallel_for(w->workers, n, LOOP_GRAIN, pressure_block, &job);
    if (job.implicit) rub(&job);
}
