/* SPDX-License-Identifier: MIT */
/* Force-based SPH, the solver of `muller` and `wcsph`.

   Unknowns: density, pressure and acceleration of each particle. Each follows directly from the one before; no system
   is solved.

   Equations, in brackets those of the thesis (Sjoestroem 2011, section 3.4):
     rho_i = sum_j m_j W_ij + rho0 (share of the kernel in solids)                                    [3.19]
             in a mixture of fluids sum_j rho0_i V_j W_ij + rho0_i (share), V_j = m_j/rho0_j
     p_i   = cs^2 (rho_i - rho0), or rho0 cs^2 / gamma ((rho_i / rho0)^gamma - 1)                 [3.22, 3.23]
     dv_i  = -sum_j m_j (p_i / rho_i^2 + p_j / rho_j^2) grad W_ij,
             or the mean form -sum_j m_j (p_i + p_j) / (2 rho_i rho_j) grad W_ij                  [3.27, 3.28]
             in a mixture, for the first form, -1/m_i sum_j ((m_i/rho_i)^2 p_i + (m_j/rho_j)^2 p_j) grad W_ij
           + viscosity + surface tension + gravity                                        (src/sim/force/)

   Iteration: none. One step is densities and pressures, then all forces in one loop over pairs, then leap-frog or
   semi-implicit Euler. The step is bounded by the time that sound needs to cross h, so a high sound speed is expensive:
   it is chosen just high enough that fluid at the bottom of the scene is compressed by 1 %.

   What differs from the papers: walls count in the density and push back (docs/methods/sph.md, "Walls"); the pressure
   reported with the mean form is the one that acts, half of that of the equation of state; fluids of several densities
   sum volumes instead of masses, so that a heavy neighbour does not count as compression of a light particle; negative
   pressure is cut off unless `tension` is on; density may be integrated along the flow instead (`density_rule`,
   sph_continuity.c); and pressure resists a change of density (`sound_damping`), which damps sound and leaves flow
   alone. */
#include "sim/method/sph.h"

#include "sim/fill.h"
#include "sim/force/colour_field.h"
#include "sim/force/field.h"
#include "sim/force/implicit_viscosity.h"
#include "sim/force/surface_tension.h"
#include "sim/force/viscosity.h"
#include "sim/force/wall_friction.h"

#include <string.h>

const field_def rill_sph_fields[SPH_FIELD_COUNT] = {
    {"acceleration", "m/s^2", "acceleration in the last step", RILL_SCALAR_FLOAT, 0, 0, FIELD_SORT | FIELD_SHOW},
    {"lag", "s", "length of the last step; 0 for a new particle", RILL_SCALAR_FLOAT, 1, 1, FIELD_SORT},
    {"last_density", "kg/m^3",
     "density of the last step; negative: no rate may be taken from it, because a body was placed there since",
     RILL_SCALAR_FLOAT, 1, 1, FIELD_SORT | FIELD_RATE},
};

/* Data of a neighbour that the force loop reads besides its place: two aligned quads, gathered like places. */
typedef struct pack {
    vec v;
    float inverse_density;
#if DIM == 2
    float unused;
#endif
} pack;
typedef struct pack_more {
    float pressure; /* p/rho^2 (symmetric; p (m/rho)^2 in a mixture) or p (mean) */
    float mu;
    float own; /* `pressure` with the sign that it has in the particle's own sum: see inside_pull */
    float unused;
} pack_more;
_Static_assert(sizeof(pack) == 16 && sizeof(pack_more) == 16, "packs are gathered as quads");

static const sph_params *params_of(const rill_world *w) {
    return method_params(w);
}

static sph_derived *derived_of(const rill_world *w) {
    return sim_of(w)->method_data.data;
}

/* ---- density and pressure ---- */

/* p(rho): thesis 3.21 to 3.23. */
static float state_pressure(const sph_params *p, const sph_derived *d, float rho, float rho0) {
    const float cs2 = d->sound_speed * d->sound_speed;
    if (p->pressure != SPH_TAIT) return cs2 * (rho - rho0);
    const float ratio = rho / rho0;
    float power = ratio;
    /* An integer exponent by multiplication: powf differs between libraries. */
    for (int k = 1; k < p->gamma; k++) power *= ratio;
    return rho0 * cs2 / (float)p->gamma * (power - 1.0f);
}

/* The pressure that acts. Mueller's mean form (thesis 3.28) counts half the pressure gradient, so half the pressure of
   the equation of state acts on the fluid, and a gauge should read that half. */
static float acting_pressure(const sph_params *p, const sph_derived *d, float rho, float rho0) {
    const float pressure = state_pressure(p, d, rho, rho0);
    return p->symmetry == SPH_MEAN ? 0.5f * pressure : pressure;
}

static void set_pressure(const rill_world *w, int i, float rho) {
    const sph_derived *d = derived_of(w);
    const sph_params *p = params_of(w);
    const float rho0 = d->forces.rho0[fluids_of(w)[i]], lag = FIELD_AS(w, FIELD_LAG, float)[i];
    float *last = &FIELD_AS(w, FIELD_LAST_DENSITY, float)[i];
    float pressure = acting_pressure(p, d, rho, rho0);
    /* Sound changes density and flow does not, so a pressure that resists the change damps sound alone (Sun, Pilloton,
       Antuono and Colagrossi 2023; here with the rate since the last step, which costs nothing). A density below rest
       is no sound but a surface, a splash or the next sheet of an emitter, and is not damped. */
    const float rise = p->tension ? rho - *last : fmaxf(rho, rho0) - fmaxf(*last, rho0);
    if (lag > 0.0f && *last > 0.0f) pressure += p->sound_damping * d->sound_speed * w->support * rise / lag;
    *last = rho;
    densities_of(w)[i] = rho;
    pressures_of(w)[i] = pressure < 0.0f && !p->tension ? 0.0f : pressure;
}

typedef struct force_job {
    rill_world *world;
    place *volumes; /* positions; `m` is the volume at rest. NULL: all fluids have one density, and masses are summed */
    pack *packs;
    pack_more *more;
    const vec *tension; /* acceleration by surface tension; NULL: there is none, or the colour field gives it */
    sph_carried carried;
} force_job;

static void pressure_block(int begin, int end, void *context) {
    const rill_world *w = ((const force_job *)context)->world;
    for (int i = begin; i < end; i++) set_pressure(w, i, densities_of(w)[i]);
}

static void volume_block(int begin, int end, void *context) {
    const force_job *job = context;
    const rill_world *w = job->world;
    const float *inverse_rho0 = derived_of(w)->forces.inverse_rho0;
    for (int i = begin; i < end; i++) {
        const place p = places_of(w)[i];
        job->volumes[i] = (place){.x = p.x, .m = p.m * inverse_rho0[fluids_of(w)[i]]};
    }
}

static void density_block(int begin, int end, void *context) {
    const force_job *job = context;
    const rill_world *w = job->world;
    const sim *sim = sim_of(w);
    const sph_derived *d = derived_of(w);
    const place *places = job->volumes ? job->volumes : places_of(w);
    const kernel k = d->density;
    const float self = kernel_value_at(&k, 0.0f);
    for (int i = begin; i < end; i++) {
        const wide_vec xi = wide_vec_set(places[i].x);
        const int32_t *list = list_of(&sim->lists, i);
        const int count = list_count(&sim->lists, i);
        wide sum = wide_zero();
        for (int n = 0; n < count; n += WIDE) {
            wide_vec x;
            wide m;
            wide_gather_places(places, list + n, &x, &m);
            x = wide_vec_sub(xi, x);
            sum = sum + m * kernel_value(&k, wide_vec_dot(x, x));
        }
        int walls;
        const wall_contact *c = contacts_of(&sim->contacts, i, &walls);
        const uint32_t kind = fluids_of(w)[i];
        /* thesis 3.19, with the solid's part of the kernel filled with fluid at rest */
        const float rho0 = d->forces.rho0[kind], unit = job->volumes ? rho0 : 1.0f;
        const float rho = d->calibration[kind] * unit * (places[i].m * self + wide_sum(sum)) +
                          rho0 * wall_share(&d->forces.walls, c, walls);
        set_pressure(w, i, rho);
    }
}

/* ---- forces ---- */

/* Whether the force on particle i takes the difference p_j - p_i of pressures instead of their sum: with `density_rule:
   continuity`, inside the fluid, where p_i < 0 (sph_continuity.c). */
static bool inside_pull(const force_job *job, int i) {
    return job->carried.inside && job->carried.inside[i] && pressures_of(job->world)[i] < 0.0f;
}

static void pack_block(int begin, int end, void *context) {
    const force_job *job = context;
    const rill_world *w = job->world;
    const sph_derived *d = derived_of(w);
    const bool symmetric = params_of(w)->symmetry == SPH_SYMMETRIC;
    for (int i = begin; i < end; i++) {
        const float inverse = 1.0f / densities_of(w)[i], p = pressures_of(w)[i];
        const float per = job->volumes ? places_of(w)[i].m * inverse : inverse;
        const float pressure = symmetric ? p * per * per : p;
        job->packs[i] = (pack){.v = velocities_of(w)[i], .inverse_density = inverse};
        job->more[i] = (pack_more){.pressure = pressure,
                                   .mu = d->implicit ? 0.0f : d->forces.mu[fluids_of(w)[i]],
                                   .own = inside_pull(job, i) ? -pressure : pressure};
    }
}

/* Sums over the neighbours of one particle. */
typedef struct force_sums {
    wide_vec pressure, friction; /* accelerations */
    colour_sums colour;
} force_sums;

/* Adds the neighbours of particle i, eight at a time. `tension` (by the colour field) is constant at each call, so that
   the inlined loop has no branch for it. */
WIDE_FN void add_neighbours(const force_job *job, int i, const int32_t *list, int count, bool tension, force_sums *s) {
    const rill_world *w = job->world;
    const sph_derived *d = derived_of(w);
    const sph_params *p = params_of(w);
    const place *places = places_of(w);
    const kernel gradient = d->gradient;
    const laplacian viscous = d->forces.viscous;
    const pack *pi = &job->packs[i];
    const bool symmetric = p->symmetry == SPH_SYMMETRIC, mixture = job->volumes;
    const wide inverse_mass = wide_set(1.0f / places[i].m);
    const wide_vec xi = wide_vec_set(places[i].x), vi = wide_vec_set(pi->v);
    const wide inverse_i = wide_set(pi->inverse_density), pressure_i = wide_set(job->more[i].own);
    const wide mu_i = wide_set(job->more[i].mu);
    /* Monaghan's h is half the support. */
    const float hm = 0.5f * gradient.h, alpha_c = d->artificial_viscosity * d->sound_speed * hm;
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x, v;
        wide m, inverse, pressure, mu, unused, unused2;
        wide_gather_places(places, list + n, &x, &m);
#if DIM == 2
        wide_gather4((const float *)job->packs, list + n, &v.x, &v.y, &inverse, &unused);
#else
        wide_gather4((const float *)job->packs, list + n, &v.x, &v.y, &v.z, &inverse);
#endif
        wide_gather4((const float *)job->more, list + n, &pressure, &mu, &unused, &unused2);
        (void)unused2;
        x = wide_vec_sub(xi, x);
        v = wide_vec_sub(vi, v);
        const wide r2 = wide_vec_dot(x, x), g = kernel_gradient(&gradient, r2);
        /* pressure: m_j (p_i/rho_i^2 + p_j/rho_j^2) grad W (3.27) or m_j (p_i+p_j)/(2 rho_i rho_j) grad W (3.28) */
        wide push = pressure_i + pressure;
        if (!symmetric) push = push * (inverse_i * inverse);
        const wide weight = mixture && symmetric ? inverse_mass : m;
        s->pressure = wide_vec_along(s->pressure, -(weight * push * g), x);
        /* damping of approaching pairs: -alpha c h (v.x)/(r^2 + 0.01 h^2) / mean density (Monaghan 1992, Eq. 4.1, 4.2).
           Where a light fluid meets a heavy one, the mean of both inverses is far above the inverse of the mean, so
           mixtures take the latter. */
        const wide approach = wide_min(wide_vec_dot(v, x), wide_zero());
        const wide thinness =
            mixture ? 2.0f * inverse_i * inverse / (inverse_i + inverse) : 0.5f * (inverse_i + inverse);
        const wide brake = alpha_c * thinness * (approach / (r2 + 0.01f * hm * hm));
        s->friction = wide_vec_along(s->friction, m * brake * g, x);
        const wide shear = viscosity_pair(&viscous, viscosity_between(mu_i, mu), m, inverse_i * inverse, r2, g);
        s->friction = wide_vec_along(s->friction, -shear, v);
        if (tension) colour_sums_add(&s->colour, &d->forces.colour, m * inverse, x, r2);
    }
}

/* Adds the walls' part to `pressure`, the acceleration by the pressure of the neighbours. The solid continues the
   fluid: first with the particle's own pressure, 2 p_i/rho_i times the wall's part of the gradient (thesis 3.27; once
   for the mean form), then with the change of pressure across the solid. */
static vec wall_pressure(const force_job *job, int i, vec pressure, wall_contact *c, int count) {
    const rill_world *w = job->world;
    const wall_integrals *map = &derived_of(w)->forces.walls;
    const float mass = places_of(w)[i].m, times = inside_pull(job, i) ? 0.0f : 2.0f;
    const float own = times * pressures_of(w)[i] * job->packs[i].inverse_density;
    for (int k = 0; k < count; k++) {
        /* wall_uncovered leaves out the part that other walls already cover, which would count twice. */
        const float share = contact_at(map, map->gradient, &c[k]) * wall_uncovered(map, c, count, k);
        const vec push = vec_scale(c[k].normal, -own * share);
        c[k].force = vec_along(c[k].force, mass, push);
        pressure = vec_add(pressure, push);
    }
    for (int k = 0; k < count; k++) {
        const vec corrected = wall_corrected(map, &c[k], pressure);
        c[k].force = vec_along(c[k].force, mass, vec_sub(corrected, pressure));
        pressure = corrected;
    }
    return pressure;
}

/* Whether velocities belong to the middle of a step: with Euler, and always with implicit viscosity. Implicit friction
   belongs to the end of a step. Leap-frog would move particles by a velocity that contains all of this friction but
   only half of the forces that it resists, and a thick fluid would move against its forces. */
bool rill_sph_midway(const rill_world *w) {
    return params_of(w)->integrator != SPH_LEAPFROG || derived_of(w)->implicit;
}

enum { MOST_SPEED2, MOST_ACCELERATION2 };

static totals force_block(int begin, int end, void *context) {
    const force_job *job = context;
    const rill_world *w = job->world;
    const sim *sim = sim_of(w);
    const forces *f = &derived_of(w)->forces;
    const bool colour = f->colour_tension;
    const vec gravity = field_acceleration(w);
    const bool staggered = rill_sph_midway(w);
    vec *acceleration = FIELD_AS(w, FIELD_ACCELERATION, vec);
    const float *lag = FIELD_AS(w, FIELD_LAG, float);
    float speed2 = 0, acceleration2 = 0;
    for (int i = begin; i < end; i++) {
        force_sums sums;
        memset(&sums, 0, sizeof sums);
        const int32_t *list = list_of(&sim->lists, i);
        const int count = list_count(&sim->lists, i);
        if (colour)
            add_neighbours(job, i, list, count, true, &sums);
        else
            add_neighbours(job, i, list, count, false, &sums);
        int walls;
        wall_contact *c = contacts_of(&sim->contacts, i, &walls);
        const float nu = job->more[i].mu * job->packs[i].inverse_density;
        const vec pressure = wall_pressure(job, i, wide_vec_sum(sums.pressure), c, walls);
        const vec friction = vec_add(wide_vec_sum(sums.friction),
                                     wall_friction(f, c, walls, velocities_of(w)[i], nu, places_of(w)[i].m));
        vec a = vec_add(gravity, vec_add(pressure, friction));
        if (job->tension) a = vec_add(a, job->tension[i]);
        if (colour) {
            const float inverse = job->packs[i].inverse_density;
            const colour_field field = colour_field_of(f, &sums.colour, places_of(w)[i].m * inverse);
            a = vec_add(a, colour_tension(f, field, c, walls, f->sigma[fluids_of(w)[i]] * inverse));
        }
        vec *v = &velocities_of(w)[i];
        /* Leap-frog: the second half of the last kick used the old acceleration; replace it by the new one. */
        if (!staggered && lag[i] > 0.0f) *v = vec_along(*v, 0.5f * lag[i], vec_sub(a, acceleration[i]));
        acceleration[i] = a;
        speed2 = fmaxf(speed2, vec_dot(*v, *v));
        acceleration2 = fmaxf(acceleration2, vec_dot(a, a));
    }
    return (totals){.most = {[MOST_SPEED2] = (double)speed2, [MOST_ACCELERATION2] = (double)acceleration2}};
}

/* Longest distance that sound may travel in a step, over the support h. With `density_rule: continuity` the density
   follows the flow of the last step, and at 0.4 a rotating square would gain energy. */
static double sound_share(const rill_world *w) {
    return params_of(w)->density_rule == SPH_CONTINUITY ? 0.2 : 0.4;
}

/* Whether viscosity is implicit in this step. An adaptive step (dt = 0) is not known yet: it is assumed to be as long
   as sound allows. */
static bool is_implicit(const rill_world *w, const sph_derived *d, double dt) {
    const double sound = sound_share(w) * (double)w->support / (double)d->sound_speed * (double)w->def.cfl;
    return rill_viscosity_is_implicit(w, &d->forces, dt > 0 ? dt : sound);
}

rill_status rill_sph_solve(rill_world *w, double dt) {
    sim *sim = sim_of(w);
    sph_derived *d = derived_of(w);
    d->implicit = is_implicit(w, d, dt);
    if (d->implicit) TRY(rill_viscosity_reserve(w));
    const int n = w->particles.count, points = n + sim->halo.count;
    force_job job = {.world = w};
    const bool carried = params_of(w)->density_rule == SPH_CONTINUITY;
    arena a = {0};
    ARENA_ASK(&a, job.packs, w->particles.capacity);
    ARENA_ASK(&a, job.more, w->particles.capacity);
    if (d->mixture) ARENA_ASK(&a, job.volumes, w->particles.capacity);
    if (carried) rill_sph_carry_ask(&a, &job.carried, w->particles.capacity);
    if (!rill_arena_give(&a, &w->memory, &sim->scratch))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the forces on %d particles", n);
    if (carried) rill_sph_carry(w, d, &job.carried);
    if (d->mixture) {
        rill_parallel_for(w->workers, points, REDUCE_BLOCK, volume_block, &job);
        job.volumes[points] = (place){.x = places_of(w)[points].x};
    }
    rill_parallel_for(w->workers, n, LOOP_GRAIN, carried ? pressure_block : density_block, &job);
    rill_parallel_for(w->workers, n, LOOP_GRAIN, pack_block, &job);
    rill_halo_exchange(w, (halo_array[]){HALO_VALUES(job.packs), HALO_VALUES(job.more)}, 2);
    job.packs[points] = (pack){0};
    job.more[points] = (pack_more){0};
    TRY(rill_surface_tension(w, &d->forces, &job.tension));
    const totals all = world_loop_totals(w, force_block, &job);
    d->max_speed = sqrtf((float)all.most[MOST_SPEED2]);
    d->max_acceleration = sqrtf((float)all.most[MOST_ACCELERATION2]);
    w->stats.iterations = 1;
    return RILL_OK;
}

/* ---- integration ---- */

typedef struct move_job {
    rill_world *world;
    float dt;
} move_job;

static void push_block(int begin, int end, void *context) {
    const move_job *job = context;
    vec *v = velocities_of(job->world);
    const vec *a = FIELD_AS(job->world, FIELD_ACCELERATION, vec);
    for (int i = begin; i < end; i++) v[i] = vec_along(v[i], job->dt, a[i]);
}

/* Implicit friction, solved for the velocities that the step would reach without it. The push by the other forces is
   taken back afterwards, because rill_sph_move applies it. */
void rill_sph_friction(rill_world *w, double dt) {
    const sph_derived *d = derived_of(w);
    if (!d->implicit || w->particles.count == 0) return;
    viscosity_solve s;
    rill_viscosity_begin(&s, w, &d->forces, dt);
    rill_viscosity_traits(&s);
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, push_block, &(move_job){w, (float)dt});
    rill_viscosity_solve(&s);
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, push_block, &(move_job){w, -(float)dt});
}

static void move_block(int begin, int end, void *context) {
    const move_job *job = context;
    const rill_world *w = job->world;
    const float dt = job->dt;
    const bool staggered = rill_sph_midway(w);
    const vec gravity = vec_of(w->def.gravity);
    place *places = places_of(w);
    vec *v = velocities_of(w);
    const vec *a = FIELD_AS(w, FIELD_ACCELERATION, vec);
    float *lag = FIELD_AS(w, FIELD_LAG, float);
    for (int i = begin; i < end; i++) {
        if (staggered) {
            /* Gravity acts from the middle of the last step to the middle of this one (force/field.h); other forces act
               over the step, like their reactions on bodies. */
            v[i] = vec_along(vec_along(v[i], dt, a[i]), 0.5f * (lag[i] - dt), gravity);
            places[i].x = vec_along(places[i].x, dt, v[i]);
        } else {
            const vec half = vec_along(v[i], 0.5f * dt, a[i]);
            places[i].x = vec_along(places[i].x, dt, half);
            v[i] = vec_along(half, 0.5f * dt, a[i]); /* to the end of the step; the next solve corrects this half */
        }
        lag[i] = dt;
    }
}

void rill_sph_move(rill_world *w, double dt) {
    move_job job = {w, (float)dt};
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, move_block, &job);
}

/* ---- steps and automatic values ---- */

double rill_sph_max_dt(rill_world *w) {
    const sph_derived *d = derived_of(w);
    const double h = (double)w->support;
    if (w->particles.count == 0) return (double)w->def.dt_max;
    double dt = sound_share(w) * h / ((double)d->sound_speed + (double)d->max_speed);
    const friction_scheme scheme = params_of(w)->integrator == SPH_LEAPFROG ? FRICTION_LEAPFROG : FRICTION_EXPLICIT;
    dt = fmin(dt, rill_forces_max_dt(w, &d->forces, scheme));
    if (!d->implicit) dt = fmin(dt, rill_forces_viscous_dt(&d->forces, scheme));
    if (d->max_acceleration > 0.0f) dt = fmin(dt, 0.25 * sqrt(h / (double)d->max_acceleration));
    return dt;
}

/* cs of rule 'depth': ten times the fastest flow keeps density variations within 1 % (Monaghan 1994). `speed` gets that
   of the fastest flow. */
static float speed_by_depth(const rill_world *w, const sph_params *p, float *speed) {
    const vec gravity = vec_of(w->def.gravity);
    const float g = vec_length(gravity);
    float low, high, moving = 0.0f;
    rill_method_extent(w, g > 0.0f ? vec_scale(gravity, -1.0f / g) : (vec){0}, &low, &high, &moving);
    float depth = p->expected_depth;
    if (depth == 0.0f && g > 0.0f && high > low) depth = high - low + w->def.spacing;
    /* An expected speed without an expected depth replaces the depth: the height of a scene that is periodic along
       gravity says nothing. */
    if (p->expected_speed > 0.0f && p->expected_depth == 0.0f) depth = 0.0f, moving = p->expected_speed;
    float v2 = fmaxf(moving * moving, 2.0f * g * depth);
    v2 = fmaxf(v2, p->expected_speed * p->expected_speed);
    FOR_ALIVE(w, fluid, f) v2 = fmaxf(v2, f->def.surface_tension / (f->def.density * w->support));
    if (!(v2 > 0.0f)) v2 = 0.01f;
    *speed = sqrtf(v2);
    return sqrtf(v2 / p->compression);
}

rill_status rill_sph_choose(rill_world *w, double dt) {
    const sph_params *p = params_of(w);
    float speed = 0.0f;
    const float by_depth = speed_by_depth(w, p, &speed);
    float cs = p->pressure == SPH_STIFFNESS ? sqrtf(p->stiffness) : p->sound_speed;
    if (p->stiffness_rule == SPH_RULE_DEPTH) cs = by_depth;
    if (p->stiffness_rule == SPH_RULE_STABLE) {
        cs = (float)sound_share(w) * w->support / (float)dt - p->expected_speed;
        if (!(cs > 0.0f))
            return rill_fail(&w->error, RILL_INVALID,
                             "stiffness_rule: no stiffness is stable at dt = %g s with expected_speed = %g m/s; take a "
                             "shorter step",
                             dt, (double)p->expected_speed);
    }
    if (!(cs > 0.0f))
        return rill_fail(&w->error, RILL_INVALID, "%s: must be greater than 0 with stiffness_rule 'fixed'",
                         p->pressure == SPH_STIFFNESS ? "stiffness" : "sound_speed");
    w->derived[SPH_CHOSEN_SOUND_SPEED] = cs;
    w->derived[SPH_CHOSEN_SPEED] = speed;
    return RILL_OK;
}

/* Artificial viscosity (alpha) that keeps a still tank calm. A sheared crystal of particles snaps from one packing to
   the next, and viscosity has to dissipate the kinetic energy set free. The packing of accurate quality has no yield
   stress and sets less free; a packing under poly6 is still rearranging after five seconds. */
#define ALPHA_FAST     0.08f
#define ALPHA_POLY6    0.16f
#define ALPHA_ACCURATE 0.02f

static float calming_viscosity(const rill_world *w, const sph_derived *d) {
    if (w->def.quality == RILL_QUALITY_ACCURATE) return ALPHA_ACCURATE;
    return d->density.kind == KERNEL_POLY6 ? ALPHA_POLY6 : ALPHA_FAST;
}

/* Scales the density sum such that a lattice at rest has its rest density: poly6 sums to 1.4 % more in 2D. The sum is
   scaled and not the mass, so that a kilogram of fluid has a kilogram. Fluids whose particle mass the user gave are not
   scaled. */
static void calibrate(const rill_world *w, sph_derived *d) {
    const float lattice =
        w->def.calibrate_mass ? rill_fill_lattice_sum(d->density.kind, w->support, w->def.spacing) : 1;
    for (int k = 0; k < WORLD_PHASES_MAX; k++) d->calibration[k] = 1.0f;
    FOR_ALIVE(w, fluid, f)
    if (!(f->def.particle_mass > 0.0f)) d->calibration[f - POOL_ITEMS(w, fluid)] = 1.0f / lattice;
}

static bool is_mixture(const rill_world *w) {
    float density = 0.0f;
    FOR_ALIVE(w, fluid, f) {
        if (density > 0.0f && f->def.density != density) return true;
        density = f->def.density;
    }
    return false;
}

rill_status rill_sph_prepare(rill_world *w) {
    const sph_params *p = params_of(w);
    sph_derived *d = derived_of(w);
    d->density = rill_kernel_make(sim_of(w)->method->density_kernel(w), w->support);
    d->gradient = rill_kernel_make(method_gradient_kernel(p->gradient_kernel, d->density.kind), w->support);
    calibrate(w, d);
    d->mixture = is_mixture(w);
    d->sound_speed = w->derived[SPH_CHOSEN_SOUND_SPEED];
    d->artificial_viscosity = p->artificial_viscosity < 0.0f ? calming_viscosity(w, d) : p->artificial_viscosity;
    rill_forces_prepare(&d->forces, w,
                        &(forces_setting){.density = &d->density,
                                          .gradient = &d->gradient,
                                          .viscous = (laplacian_kind)p->viscosity_operator,
                                          .colour = p->surface_tension_model == SPH_COLOUR,
                                          .surface_threshold = p->surface_threshold});
    return RILL_OK;
}

/* ---- energy ---- */

/* log(s) by a series, because libm's differs between platforms; 0.1 % too small at s = 4. Used by the energy watch
   alone. */
static double log_of(double s) {
    const double z = (s - 1) / (s + 1), z2 = z * z;
    return 2 * z * (1 + z2 * (1.0 / 3 + z2 * (1.0 / 5 + z2 * (1.0 / 7 + z2 / 9))));
}

/* Particles whose energy is computed side by side. */
#define STORED_LANES 32

/* Energy that compression stores in a unit of mass, times gamma/cs^2: the integral of p/rho^2 from rest density on.
   `s`: densities over rest density. */
static void store_in_unit_mass(int gamma, const double s[STORED_LANES], double energy[STORED_LANES]) {
    if (gamma == 1) {
        for (int n = 0; n < STORED_LANES; n++) energy[n] = log_of(s[n]) - 1 + 1 / s[n];
        return;
    }
    double power[STORED_LANES];
    for (int n = 0; n < STORED_LANES; n++) power[n] = 1;
    for (int k = 1; k < gamma; k++)
        for (int n = 0; n < STORED_LANES; n++) power[n] *= s[n];
    for (int n = 0; n < STORED_LANES; n++) energy[n] = (power[n] - 1) / (gamma - 1) - 1 + 1 / s[n];
}

/* Energy stored by the pressure that acts. Particles that store nothing count as if at rest density: new ones, which
   have no density yet, and, without `tension`, those below rest density. */
static double stored_block(int begin, int end, void *context) {
    const rill_world *w = context;
    const sph_params *p = params_of(w);
    const sph_derived *d = derived_of(w);
    const int gamma = p->pressure == SPH_TAIT ? p->gamma : 1;
    const double share = p->symmetry == SPH_MEAN ? 0.5 : 1.0, cs2 = (double)d->sound_speed * (double)d->sound_speed;
    const double scale = share * cs2 / gamma, least = p->tension ? 0 : 1;
    double sum = 0;
    for (int first = begin; first < end; first += STORED_LANES) {
        const int lanes = end - first < STORED_LANES ? end - first : STORED_LANES;
        double s[STORED_LANES], energy[STORED_LANES];
        for (int n = 0; n < STORED_LANES; n++) {
            const int i = first + (n < lanes ? n : 0);
            s[n] = (double)densities_of(w)[i] / (double)d->forces.rho0[fluids_of(w)[i]];
            s[n] = s[n] <= 0 || s[n] < least ? 1 : s[n];
        }
        store_in_unit_mass(gamma, s, energy);
        for (int n = 0; n < lanes; n++) sum += (double)places_of(w)[first + n].m * (scale * energy[n]);
    }
    return sum;
}

double rill_sph_stored_energy(rill_world *w) {
    return world_sum(w, stored_block, w);
}

double rill_sph_speed_limit(const rill_world *w) {
    return 5.0 * fmax((double)w->derived[SPH_CHOSEN_SOUND_SPEED], 10.0 * (double)w->derived[SPH_CHOSEN_SPEED]);
}

bool rill_sph_effective(const rill_world *w, const char *key, double *value) {
    const float cs = w->derived[SPH_CHOSEN_SOUND_SPEED];
    if (strcmp(key, "sound_speed") == 0)
        *value = (double)cs;
    else if (strcmp(key, "stiffness") == 0)
        *value = (double)cs * (double)cs;
    else if (strcmp(key, "artificial_viscosity") == 0)
        *value = (double)derived_of(w)->artificial_viscosity;
    else if (strcmp(key, "expected_speed") == 0)
        *value = (double)w->derived[SPH_CHOSEN_SPEED];
    else
        return false;
    return true;
}
