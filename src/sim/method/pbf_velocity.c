/* SPDX-License-Identifier: MIT */
/* What Position Based Fluids does to velocities once the positions are found: vorticity confinement (Eqs. 15 and 16),
   XSPH (Eq. 17), and the fluid's own viscosity and surface tension in SI units. */
#include "sim/force/surface_tension.h"
#include "sim/force/viscosity.h"
#include "sim/force/wall_friction.h"
#include "sim/method/pbf.h"

/* Reference time of XSPH's c [s]: with it the number of substeps does not change how viscous the fluid is. */
#define XSPH_TIME (1.0f / 60.0f)
/* A gradient of |omega| weaker than |omega| times this over h is noise, not a vortex. */
#define VORTEX_EDGE 0.5f

/* v = (x* - x) / dt (Algorithm 1, line 21), as the predicted velocity and the corrections, and x = x*. */
static void velocity_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    const rill_world *w = job->world;
    place *places = places_of(w);
    vec *v = velocities_of(w);
    const float rate = 1.0f / job->dt;
    for (int i = begin; i < end; i++) {
        v[i] = vec_along(v[i], rate, job->shifts[i].now);
        places[i].x = job->at[i].x;
        job->marked[i] = (place){.x = v[i], .m = 0.0f};
    }
}

/* Images follow their particles. */
static void image_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    const int n = job->world->particles.count;
    for (int k = n + begin; k < n + end; k++) places_of(job->world)[k].x = job->at[k].x;
}

/* ---- vorticity confinement ---- */

#if DIM == 2
typedef float spin; /* a scalar: about z */
#else
typedef vec spin;
#endif

/* The vorticity of each particle, kept where its displacements were. */
static spin *spins_of(const pbf_job *job) {
    return (spin *)(void *)job->shifts;
}

/* Volumes of eight neighbours. */
WIDE_FN wide volumes_of(const pbf_job *job, const int32_t *list) {
    wide volume = wide_set(job->derived->volume), inverse_mass, mu, turn;
    if (job->traits) wide_gather4((const float *)job->traits, list, &volume, &inverse_mass, &mu, &turn);
    return volume;
}

/* omega_i = sum V_j (v_i - v_j) x grad W: Eq. 15 with the volume that the paper leaves out, and with the sign of
   Monaghan 1992. The paper's v_j - v_i gives minus the curl, and Eq. 16 then slows every vortex down. */
static void spin_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    const rill_world *w = job->world;
    const lists *l = &sim_of(w)->lists;
    const pbf_derived *d = job->derived;
    const kernel gradient = d->pair.gradient;
    const place *places = places_of(w), *moving = job->marked;
    for (int i = begin; i < end; i++) {
        const int32_t *list = list_of(l, i);
        const wide_vec xi = wide_vec_set(places[i].x), vi = wide_vec_set(moving[i].x);
        wide_vec sum = wide_vec_zero();
        for (int n = 0; n < list_count(l, i); n += WIDE) {
            wide_vec x, v;
            wide m, unused;
            wide_gather_places(places, list + n, &x, &m);
            wide_gather_places(moving, list + n, &v, &unused);
            x = wide_vec_sub(xi, x), v = wide_vec_sub(vi, v);
            const wide g = volumes_of(job, list + n) * kernel_gradient(&gradient, wide_vec_dot(x, x));
#if DIM == 2
            sum.x = sum.x + g * (v.x * x.y - v.y * x.x);
#else
            sum.x = sum.x + g * (v.y * x.z - v.z * x.y);
            sum.y = sum.y + g * (v.z * x.x - v.x * x.z);
            sum.z = sum.z + g * (v.x * x.y - v.y * x.x);
#endif
        }
#if DIM == 2
        spins_of(job)[i] = wide_sum(sum.x);
        job->at[i].m = fabsf(spins_of(job)[i]);
#else
        spins_of(job)[i] = wide_vec_sum(sum);
        job->at[i].m = vec_length(spins_of(job)[i]);
#endif
    }
}

/* dv = dt eps h N x omega, N along eta = grad |omega| (Eq. 16). */
static void confine_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    const lists *l = &sim_of(job->world)->lists;
    const pbf_derived *d = job->derived;
    const kernel gradient = d->pair.gradient;
    const place *at = job->at;
    const float h = d->pair.density.h, strength = job->dt * job->params->vorticity * h;
    for (int i = begin; i < end; i++) {
        const int32_t *list = list_of(l, i);
        const wide_vec xi = wide_vec_set(at[i].x);
        const wide turn_i = wide_set(at[i].m);
        wide_vec sum = wide_vec_zero();
        for (int n = 0; n < list_count(l, i); n += WIDE) {
            wide_vec x;
            wide turn;
            wide_gather_places(at, list + n, &x, &turn);
            x = wide_vec_sub(xi, x);
            const wide g = volumes_of(job, list + n) * kernel_gradient(&gradient, wide_vec_dot(x, x));
            sum = wide_vec_along(sum, (turn - turn_i) * g, x);
        }
        const vec eta = wide_vec_sum(sum);
        const float length = vec_length(eta) + VORTEX_EDGE * at[i].m / h;
        const vec n = vec_scale(eta, length > 0.0f ? 1.0f / length : 0.0f);
        const spin s = spins_of(job)[i];
#if DIM == 2
        const vec turned = {n.y * s, -n.x * s};
#else
        const vec turned = {n.y * s.z - n.z * s.y, n.z * s.x - n.x * s.z, n.x * s.y - n.y * s.x};
#endif
        job->marked[i].x = vec_along(job->marked[i].x, strength, turned);
    }
}

/* ---- density, viscosity, surface tension ---- */

/* Sums of eight particles, whose lanes are added up at once. */
typedef struct flow_sums {
    wide density[WIDE];
    wide_vecs drag, normal; /* change of velocity; gradient of the colour field */
    wide colour_laplacian[WIDE];
} flow_sums;

/* Particle i, the kth of eight, over eight neighbours at a time; the flags are constant where this is inlined. */
WIDE_FN void add_flow(const pbf_job *job, int i, bool cubic, bool uniform, bool friction, bool tension, flow_sums *s,
                      int k) {
    const rill_world *w = job->world;
    const lists *l = &sim_of(w)->lists;
    const pbf_derived *d = job->derived;
    const pbf_pair pair = d->pair;
    const place *places = places_of(w), *moving = job->marked;
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    const wide_vec xi = wide_vec_set(places[i].x), vi = wide_vec_set(moving[i].x);
    const uint32_t f = fluids_of(w)[i];
    const float mu_i = uniform ? 0.0f : job->traits[i].mu, rho_i = d->forces.rho0[f],
                volume_i = uniform ? d->volume : 1.0f;
    const float xsph = job->xsph * volume_i, shear = job->shear * volume_i * (uniform ? d->forces.nu[f] : 1.0f);
    wide density = wide_zero();
    wide_vec drag = wide_vec_zero();
    colour_sums colour = colour_sums_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x, v;
        wide m, unused;
        wide_gather_places(places, list + n, &x, &m);
        wide_gather_places(moving, list + n, &v, &unused);
        x = wide_vec_sub(xi, x), v = wide_vec_sub(v, vi);
        const wide r2 = wide_vec_dot(x, x);
        wide value, g, slope2;
        pbf_kernels(&pair, cubic, r2, &value, &g, &slope2);
        if (uniform) {
            density = density + value;
            drag = wide_vec_along(drag, friction ? xsph * value + shear * g : xsph * value, v);
            if (tension) colour_sums_add(&colour, &d->forces.colour, wide_set(1.0f), x, r2);
        } else {
            wide volume, inverse_mass, mu, turn;
            wide_gather4((const float *)job->traits, list + n, &volume, &inverse_mass, &mu, &turn);
            /* m_j over the mean rest density of both: m_i times it is the same seen from j, so momentum is kept */
            const wide rho = m / wide_max(volume, wide_set(1e-30f)), share = m / (0.5f * (rho_i + rho));
            density = density + volume * value;
            const wide rubbed = shear * (viscosity_between(wide_set(mu_i), mu) * volume / rho_i);
            drag = wide_vec_along(drag, (xsph * share) * value + rubbed * g, v);
            if (tension) colour_sums_add(&colour, &d->forces.colour, volume, x, r2);
        }
    }
    s->density[k] = density;
    wide_vecs_put(&s->drag, k, drag);
    if (!tension) return;
    s->colour_laplacian[k] = colour.laplacian;
    wide_vecs_put(&s->normal, k, colour.normal);
}

/* What the sums of a particle come to. */
typedef struct flow {
    float density;
    vec drag;
    colour_field colour;
} flow;

static inline void finish_flow(const pbf_job *job, int i, bool uniform, bool friction, bool tension, flow sum) {
    const rill_world *w = job->world;
    const pbf_derived *d = job->derived;
    int count;
    contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
    const uint32_t f = fluids_of(w)[i];
    const float volume = uniform ? d->volume : job->traits[i].volume, scale = uniform ? volume : 1.0f;
    vec v = vec_add(job->marked[i].x, sum.drag);
    if (friction && count > 0)
        v = vec_along(v, job->dt,
                      wall_friction(&d->forces, c, count, job->marked[i].x, d->forces.nu[f], places_of(w)[i].m));
    if (tension && d->forces.sigma[f] > 0.0f) {
        const colour_field field = {vec_scale(sum.colour.normal, scale),
                                    scale * sum.colour.laplacian + volume * d->forces.colour_self};
        const float strength = d->forces.sigma[f] / d->forces.rho0[f];
        v = vec_along(v, job->dt, surface_tension(&d->forces, field, c, count, strength));
    }
    velocities_of(w)[i] = v;
    const float filled = scale * d->pair.value_scale * sum.density + volume * d->self;
    densities_of(w)[i] = d->forces.rho0[f] * (count > 0 ? filled + wall_share(&d->forces.walls, c, count) : filled);
    const float inverse_mass = uniform ? 1.0f : job->traits[i].inverse_mass;
    /* lambda acts as a pressure: x'' = -grad p / rho gives p = -rho0 lambda / dt^2 */
    pressures_of(w)[i] = -job->pressed[i].now * inverse_mass * d->forces.rho0[f] / (job->dt * job->dt);
}

WIDE_FN void flow_range(const pbf_job *job, int begin, int end, bool cubic, bool uniform, bool friction, bool tension) {
    flow_sums s = {0};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) add_flow(job, i + k, cubic, uniform, friction, tension, &s, k);
        const wide density = wide_sum_each(s.density);
        const wide_vec drag = wide_vecs_sum(&s.drag);
        const wide laplacian = tension ? wide_sum_each(s.colour_laplacian) : wide_zero();
        const wide_vec normal = tension ? wide_vecs_sum(&s.normal) : wide_vec_zero();
        for (int k = 0; k < count; k++)
            finish_flow(job, i + k, uniform, friction, tension,
                        (flow){density[k], wide_vec_get(&drag, k), {wide_vec_get(&normal, k), laplacian[k]}});
    }
}

static void flow_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    const bool friction = job->derived->forces.viscosity, tension = job->derived->forces.surface_tension;
    const bool cubic = pbf_is_cubic(job->derived), uniform = job->derived->uniform;
    if (cubic && uniform && tension)
        flow_range(job, begin, end, true, true, true, true);
    else if (cubic && uniform && friction)
        flow_range(job, begin, end, true, true, true, false);
    else if (cubic && uniform)
        flow_range(job, begin, end, true, true, false, false);
    else if (cubic)
        flow_range(job, begin, end, true, false, true, true);
    else if (uniform)
        flow_range(job, begin, end, false, true, true, true);
    else
        flow_range(job, begin, end, false, false, true, true);
}

void pbf_finish(rill_world *w, double dt) {
    const int n = w->particles.count;
    pbf_job job;
    arena a = {0};
    pbf_job_make(w, dt, &job, &a);
    arena_place(&a, &sim_of(w)->scratch);
    /* Eq. 17; and mu/rho times the Laplacian of a difference, -2 W'/r (Brookshaw 1985), made exact for a lattice */
    job.xsph = job.params->xsph * fminf(job.dt / XSPH_TIME, 1.0f) * job.derived->pair.value_scale;
    job.shear = job.dt * job.derived->forces.viscous.scale * job.derived->pair.slope_scale;
    parallel_for(w->workers, n, REDUCE_BLOCK, velocity_block, &job);
    parallel_for(w->workers, sim_of(w)->halo.count, REDUCE_BLOCK, image_block, &job);
    halo_exchange(w, &HALO_VALUES(job.marked), 1);
    if (job.params->vorticity > 0.0f) {
        parallel_for(w->workers, n, REDUCE_BLOCK, spin_block, &job);
        halo_exchange(w, &HALO_PLACES(job.at), 1);
        parallel_for(w->workers, n, REDUCE_BLOCK, confine_block, &job);
        halo_exchange(w, &HALO_VALUES(job.marked), 1);
    }
    parallel_for(w->workers, n, REDUCE_BLOCK, flow_block, &job);
}
