/* SPDX-License-Identifier: MIT */
/* The end of a substep with density constraints, once positions are found: density, the fluid's viscosity in SI units,
   and XSPH, in one neighbour loop. */
#include "sim/force/implicit_viscosity.h"
#include "sim/force/surface_tension.h"
#include "sim/force/viscosity.h"
#include "sim/force/wall_friction.h"
#include "sim/force/xsph.h"
#include "sim/method/density_rows.h"

/* Sums of eight particles, before their lanes are added up in one go. */
typedef struct flow_sums {
    wide density[WIDE];
    wide_vecs drag; /* change of velocity */
} flow_sums;

/* Sums for particle i, the kth of eight, over eight neighbours at a time. The flags are constant at each call, so that
   the inlined loop has no branch for them. */
WIDE_FN void add_flow(const row_flow *job, int i, bool cubic, bool uniform, bool friction, flow_sums *s, int k) {
    const rill_world *w = job->world;
    const lists *l = &sim_of(w)->lists;
    const density_rows *d = job->rows;
    const row_kernels pair = d->pair;
    const place *places = places_of(w), *moving = job->moving;
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
        row_kernels_of(&pair, cubic, r2, &value, &g, &slope2);
        if (uniform) {
            density = density + value;
            drag = wide_vec_along(drag, friction ? xsph * value + shear * g : xsph * value, v);
        } else {
            wide volume, inverse_mass, mu;
            wide_gather4((const float *)job->traits, list + n, &volume, &inverse_mass, &mu, &unused);
            const wide rho = m / wide_max(volume, wide_set(1e-30f)), share = xsph_volume(m, rho_i, rho);
            density = density + volume * value;
            const wide pair_shear = shear * (viscosity_between(wide_set(mu_i), mu) * volume / rho_i);
            drag = wide_vec_along(drag, friction ? (xsph * share) * value + pair_shear * g : (xsph * share) * value, v);
        }
    }
    s->density[k] = density;
    wide_vecs_put(&s->drag, k, drag);
}

/* Sums over the neighbours of a particle. */
typedef struct flow {
    float density;
    vec drag;
} flow;

WIDE_FN void finish_flow(const row_flow *job, int i, bool uniform, bool friction, flow sum) {
    const rill_world *w = job->world;
    const density_rows *d = job->rows;
    int count;
    wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
    const uint32_t f = fluids_of(w)[i];
    const float volume = uniform ? d->volume : job->traits[i].volume, scale = uniform ? volume : 1.0f;
    vec v = vec_add(job->moving[i].x, sum.drag);
    if (friction && count > 0)
        v = vec_along(v, job->dt,
                      wall_friction(&d->forces, c, count, job->moving[i].x, d->forces.nu[f], places_of(w)[i].m));
    velocities_of(w)[i] = v;
    const float filled = scale * d->pair.value_scale * sum.density + volume * d->self;
    densities_of(w)[i] = d->forces.rho0[f] * (count > 0 ? filled + wall_share(&d->forces.walls, c, count) : filled);
}

WIDE_FN void flow_range(const row_flow *job, int begin, int end, bool cubic, bool uniform, bool friction) {
    flow_sums s = {0};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) add_flow(job, i + k, cubic, uniform, friction, &s, k);
        const wide density = wide_sum_each(s.density);
        const wide_vec drag = wide_vecs_sum(&s.drag);
        for (int k = 0; k < count; k++)
            finish_flow(job, i + k, uniform, friction, (flow){density[k], wide_vec_get(&drag, k)});
    }
}

static void flow_block(int begin, int end, void *context) {
    const row_flow *job = context;
    const bool friction = job->rows->forces.viscosity && !job->implicit;
    const bool cubic = rows_are_cubic(job->rows), uniform = job->rows->uniform;
    if (cubic && uniform && friction)
        flow_range(job, begin, end, true, true, true);
    else if (cubic && uniform)
        flow_range(job, begin, end, true, true, false);
    else if (cubic)
        flow_range(job, begin, end, true, false, friction);
    else if (uniform)
        flow_range(job, begin, end, false, true, friction);
    else
        flow_range(job, begin, end, false, false, friction);
}

/* Implicit friction, after XSPH. */
static void solve_friction(row_flow *job) {
    viscosity_solve s;
    rill_viscosity_begin(&s, job->world, &job->rows->forces, (double)job->dt);
    rill_viscosity_traits(&s);
    rill_viscosity_solve(&s);
}

/* ---- surface tension ---- */

typedef struct arrive_job {
    const rill_world *world;
    const place *at;
} arrive_job;

static void arrive_block(int begin, int end, void *context) {
    const arrive_job *job = context;
    for (int i = begin; i < end; i++) places_of(job->world)[i].x = job->at[i].x;
}

rill_status rill_density_rows_pull(rill_world *w, const density_rows *rows, const place *at) {
    arrive_job job = {.world = w, .at = at};
    if (!rows->forces.surface_tension) return RILL_OK;
    rill_parallel_for(w->workers, w->particles.count + sim_of(w)->halo.count, REDUCE_BLOCK, arrive_block, &job);
    const vec *unused; /* pull_block takes them from rill_surface_last */
    return rill_surface_tension(w, &rows->forces, &unused);
}

/* Surface tension is added last, for like gravity it belongs to the next step: friction that acted on it now, before
   any pressure balances it, would spread it over the neighbours (docs/forces.md). */
static void pull_block(int begin, int end, void *context) {
    const row_flow *job = context;
    vec *v = velocities_of(job->world);
    for (int i = begin; i < end; i++) v[i] = vec_along(v[i], job->dt, job->pull[i]);
}

/* ---- the end of a substep ---- */

void rill_density_rows_flow(row_flow *job, float xsph) {
    const density_rows *rows = job->rows;
    /* mu/rho times the Laplacian of a difference, -2 W'/r (Brookshaw 1985), made exact for a lattice */
    job->xsph = xsph_of_step(xsph, job->dt) * rows->pair.value_scale;
    job->shear = job->dt * rows->forces.viscous.scale * rows->pair.slope_scale;
    rill_parallel_for(job->world->workers, fluid_count(job->world), LOOP_GRAIN, flow_block, job);
    if (job->implicit) solve_friction(job);
    job->pull = rill_surface_last(job->world, &rows->forces);
    if (job->pull) rill_parallel_for(job->world->workers, fluid_count(job->world), REDUCE_BLOCK, pull_block, job);
}
