/* SPDX-License-Identifier: MIT */
/* The step. take_step lists its phases in order: read it first. */
#include "sim/step.h"

#include "core/error.h"
#include "core/timer.h"
#include "model/materials.h"
#include "model/notes.h"
#include "rigid/body.h"
#include "rigid/piles.h"
#include "rigid/rigid.h"
#include "sim/boundary/seam.h"
#include "sim/boundary/wetting.h"
#include "sim/dye.h"
#include "sim/energy.h"
#include "sim/force/field.h"
#include "sim/gauge.h"
#include "sim/sources.h"
#include "sim/strays.h"
#include "sim/undo.h"
#include "sim/upkeep.h"

#include <stdio.h>
#include <string.h>

/* Coordinate of the null particle: far from everything, but its squared distance is still finite as a float. */
#define NOWHERE 1e17f

typedef struct clock {
    rill_stats *stats;
    double last;
} clock;

/* Adds the time since the last lap to a phase. */
static void lap(clock *c, rill_phase phase) {
    const double now = rill_timer_now();
    c->stats->seconds[phase] += now - c->last;
    c->stats->seconds_total[phase] += now - c->last;
    c->last = now;
}

/* Moves particles of fluids before those of other phases and keeps the order within both. Neighbour loops then end with
   the last fluid particle, and the particles of a cloth keep their places in memory. */
static rill_status put_fluid_first(rill_world *w) {
    sim *s = sim_of(w);
    const int n = w->particles.count;
    int fluids = 0, first = 0;
    for (int i = 0; i < n; i++) fluids += is_fluid(w, i);
    while (first < n && is_fluid(w, first)) first++;
    s->fluid_count = fluids;
    if (first == fluids) return RILL_OK;
    if (!rill_buffer_reserve(&w->memory, &s->grid.order, sizeof(int32_t) * ((size_t)w->particles.capacity + WIDE), 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory to sort %d particles", n);
    int32_t *order = s->grid.order.data;
    for (int i = 0, fluid = 0, other = fluids; i < n; i++) order[is_fluid(w, i) ? fluid++ : other++] = i;
    rill_particles_permute(&w->particles, w->workers, order);
    return RILL_OK;
}

static rill_status sort_particles(rill_world *w) {
    sim *s = sim_of(w);
    rill_halo_wrap(w);
    if (w->cloths.living_count > 0) TRY(put_fluid_first(w));
    const int fluids = fluid_count(w);
    s->grid.room = s->lists.room = w->particles.capacity;
    TRY(rill_grid_sort(&s->grid, &w->memory, w->workers, places_of(w), fluids, w->support, &w->error));
    for (int i = fluids; i < w->particles.count && fluids > 0; i++) ((int32_t *)s->grid.order.data)[i] = i;
    if (fluids > 0) rill_particles_permute(&w->particles, w->workers, s->grid.order.data);
    if (!rill_particles_settle_links(&w->memory, &w->particles, w->workers))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the links of %d particles", w->particles.count);
    return RILL_OK;
}

static rill_status find_neighbours(rill_world *w) {
    sim *s = sim_of(w);
    const int32_t *slots = NULL;
    TRY(rill_halo_build(w, s->reach));
    const int points = w->particles.count + s->halo.count;
    if (s->halo.count > 0) { /* images stay behind the particles in memory: only the look-up is sorted */
        TRY(rill_grid_sort(&s->grid, &w->memory, w->workers, places_of(w), points, w->support, &w->error));
        slots = s->grid.order.data;
    }
    /* A world that never had a particle has no arrays yet, and the null particle needs them. */
    if (!rill_particles_reserve(&w->memory, &w->particles, points))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for %d particles", points);
    place nowhere = {0};
    for (int axis = 0; axis < DIM; axis++) (&nowhere.x.x)[axis] = NOWHERE;
    places_of(w)[points] = nowhere;
    TRY(rill_lists_build(&s->lists, &s->grid, &w->memory, w->workers, places_of(w), fluid_count(w), slots, points,
                         &w->error));
    return rill_lists_skip(&s->lists, &w->memory, fluid_count(w), w->particles.count, &w->error);
}

typedef struct check_job {
    const rill_world *world;
    float speed2_limit;
} check_job;

/* Whether a particle is slow enough and finite. Without a branch, for almost all particles are good: 0 times a value
   that is not finite makes the comparison false. */
static inline bool is_good(vec x, float speed2, float speed2_limit) {
    return speed2 + 0.0f * vec_dot(x, x) < speed2_limit;
}

static bool is_bad(const check_job *job, int i) {
    const vec v = velocities_of(job->world)[i];
    return !is_good(places_of(job->world)[i].x, vec_dot(v, v), job->speed2_limit);
}

/* The first bad particle; there must be one. */
static int first_bad(const check_job *job) {
    int i = 0;
    while (!is_bad(job, i)) i++;
    return i;
}

enum { SUM_ERROR, SUM_KINETIC, SUM_POTENTIAL, SUM_GRAVITY, SUM_MASS, SUM_BAD };
enum { MOST_ERROR, MOST_SPEED2, MOST_DEPTH };

/* One pass over the particles for the statistics, the search for runaways and the energy watch. */
static totals check_block(int begin, int end, void *context) {
    const check_job *job = context;
    const rill_world *w = job->world;
    const fluid *fluids = POOL_ITEMS(w, fluid);
    const vec gravity = vec_of(w->def.gravity);
    double errors = 0, kinetic = 0, potential = 0, power = 0, mass = 0;
    float error_max = 0.0f, speed2_max = 0.0f, deepest = -INFINITY;
    int good = 0;
    for (int i = begin; i < end; i++) {
        const place p = places_of(w)[i];
        const vec v = velocities_of(w)[i];
        const float speed2 = vec_dot(v, v), down = vec_dot(gravity, p.x);
        const float error = is_fluid(w, i) ? densities_of(w)[i] / fluids[fluids_of(w)[i]].def.density - 1.0f : 0.0f;
        const float excess = error > 0.0f ? error : 0.0f;
        const double m = (double)p.m;
        errors += (double)excess;
        kinetic += 0.5 * m * (double)speed2;
        potential -= m * (double)down;
        power += m * (double)vec_dot(gravity, v);
        mass += m;
        error_max = excess > error_max ? excess : error_max;
        speed2_max = speed2 > speed2_max ? speed2 : speed2_max;
        deepest = down > deepest ? down : deepest;
        good += is_good(p.x, speed2, job->speed2_limit);
    }
    return (totals){.sum = {errors, kinetic, potential, power, mass, end - begin - good},
                    .most = {(double)error_max, (double)speed2_max, (double)deepest}};
}

static rill_status report_blow_up(rill_world *w, int i, double limit) {
    const vec x = places_of(w)[i].x, v = velocities_of(w)[i];
    const rill_vec at = vec_out(x), from = w->def.origin;
    const bool number = vec_finite(x) && vec_finite(v);
    char what[96];
    if (number)
        snprintf(what, sizeof what, "moves at %.3g m/s, over the limit of %.3g m/s", (double)vec_length(v), limit);
    else
        snprintf(what, sizeof what, "is not finite");
    w->failed = true;
    const double dt = w->stats.dt, bound = w->stats.dt_bound;
    return rill_fail(&w->error, RILL_BLOW_UP, "step %lld, t = %g s: particle %llu at (%g, %g, %g) %s. %s: %s",
                     (long long)w->stats.step, w->stats.time, (unsigned long long)ids_of(w)[i], (double)(from.x + at.x),
                     (double)(from.y + at.y), (double)(from.z + at.z), what,
                     dt > 1.01 * bound ? "Likely cause: the step is longer than the stable one"
                                       : "Likely cause: particles that started too close together, or forces too large",
                     sim_of(w)->method->blow_up_advice);
}

static double speed_limit(const rill_world *w) {
    return w->def.max_speed > 0.0f ? (double)w->def.max_speed : sim_of(w)->method->speed_limit(w);
}

/* Memory for the end of the step is reserved before anything moves, so that a step that finds none can be undone. */
static rill_status reserve_sums(rill_world *w) {
    const size_t blocks = (size_t)reduce_block_count(w->particles.capacity),
                 by_block = blocks * (size_t)w->solids.count;
    const size_t by_contact = contacts_room(w);
    const size_t sums = by_block > by_contact ? by_block : by_contact;
    if (rill_buffer_reserve(&w->memory, &sim_of(w)->block_stats, sums * sizeof(double[6]), 0)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "no memory for the forces on %d solids", w->solids.count);
}

static double count_runaways(int begin, int end, void *context) {
    const check_job *job = context;
    const place *places = places_of(job->world);
    const vec *velocities = velocities_of(job->world);
    int good = 0;
    for (int i = begin; i < end; i++)
        good += is_good(places[i].x, vec_dot(velocities[i], velocities[i]), job->speed2_limit);
    return end - begin - good;
}

/* The first particle that is too fast, or -1. Checked before collisions take the speed away: a fluid that flies apart
   in a container must not pass for one at rest in its corners. */
static int first_runaway(rill_world *w, double limit) {
    check_job job = {w, (float)(limit * limit)};
    return world_sum(w, count_runaways, &job) > 0 ? first_bad(&job) : -1;
}

static rill_status contain_runaways(rill_world *w, double dt) {
    const double limit = speed_limit(w);
    const int runaway = first_runaway(w, limit);
    if (runaway < 0) return RILL_OK;
    if (w->def.failure != RILL_FAILURE_STOP) {
        rill_strays_tame(w, limit, dt);
        return RILL_OK;
    }
    TRY(rill_rigid_place(w, w->stats.time)); /* put solids where the clock has them, for a world that is saved now */
    return report_blow_up(w, runaway, limit);
}

static rill_status check(rill_world *w, fluid_motion *motion) {
    sim *s = sim_of(w);
    const int n = w->particles.count;
    const double limit = speed_limit(w);
    check_job job = {w, (float)(limit * limit)};
    const totals all = world_totals(w, check_block, &job);
    rill_stats *st = &w->stats;
    st->particles = n;
    const int fluids = fluid_count(w);
    st->density_error_mean = fluids ? all.sum[SUM_ERROR] / fluids : 0;
    st->density_error_max = all.most[MOST_ERROR];
    st->kinetic_energy = all.sum[SUM_KINETIC], st->potential_energy = all.sum[SUM_POTENTIAL];
    st->max_speed = sqrt(all.most[MOST_SPEED2]);
    st->neighbours_mean = fluids ? (double)s->lists.pairs / fluids : 0;
    st->neighbours_max = s->lists.max_count;
    st->bytes = w->memory.bytes;
    *motion = (fluid_motion){.kinetic = all.sum[SUM_KINETIC],
                             .potential = all.sum[SUM_POTENTIAL],
                             .gravity = all.sum[SUM_GRAVITY],
                             .mass = all.sum[SUM_MASS],
                             .deepest = all.most[MOST_DEPTH],
                             .speed2 = all.most[MOST_SPEED2]};
    if (!(all.sum[SUM_BAD] > 0)) return RILL_OK;
    if (w->def.failure == RILL_FAILURE_STOP) return report_blow_up(w, first_bad(&job), limit);
    rill_strays_tame(w, limit, 0);
    return check(w, motion);
}

/* Whether position, velocity and spin are finite as floats, in which the fluid and the host get them. */
static bool is_finite_body(const body *b) {
    float sum = 0.0f;
    for (int k = 0; k < 3; k++) sum += 0.0f * ((float)b->x[k] + (float)b->v[k] + (float)b->w[k]);
    return sum == 0.0f;
}

/* Fails if a body is not finite, before its collisions make the fluid so too, and leave no state worth saving. */
static rill_status check_bodies(rill_world *w) {
    FOR_ALIVE(w, body, b) {
        if (is_finite_body(b)) continue;
        w->failed = true;
        return rill_fail(&w->error, RILL_BLOW_UP,
                         "step %lld, t = %g s: place or speed of the body '%s' is not finite. Likely cause: forces too "
                         "large, or joints and contacts that work against each other: take shorter steps (smaller dt "
                         "or world.cfl), or softer springs",
                         (long long)w->stats.step, w->stats.time, b->def.name);
    }
    return RILL_OK;
}

/* Wide enough for every useful scp (1 to about 0.005 in 2D), narrow enough for the neighbour search. */
#define SUPPORT_RATIO_MIN 0.5f
#define SUPPORT_RATIO_MAX 16.0f

/* The adaptive step: the share world.cfl of the stable one, shortened so that `limit` is reached in equal steps. A
   world that chooses its own steps has no limit, and they depend on its state alone. */
static double adaptive_step(const rill_world *w, double limit) {
    double dt = (double)w->def.cfl * w->stats.dt_bound;
    dt = fmin(dt, (double)w->def.dt_max);
    if (limit == HUGE_VAL) return dt;
    const double steps = ceil(limit / dt - 1e-9);
    /* If the steps that the caller allows do not reach the end, none is shortened. */
    if (w->hurry > 0 && steps > limit / w->hurry + 1e-6) return fmin(dt, limit);
    return steps > 1 ? limit / steps : limit;
}

rill_status rill_step_check_support(const rill_world *w, rill_error *error) {
    const float ratio = w->support / w->def.spacing;
    if (!(ratio >= SUPPORT_RATIO_MIN && ratio <= SUPPORT_RATIO_MAX))
        return rill_fail(error, RILL_INVALID,
                         "world: the support is %g times the spacing; expected %g to %g: change scp, spacing or the "
                         "particle_mass of the first fluid",
                         (double)ratio, (double)SUPPORT_RATIO_MIN, (double)SUPPORT_RATIO_MAX);
    const float *period = &w->def.periodic.x;
    for (int axis = 0; axis < DIM; axis++)
        if (period[axis] > 0.0f && period[axis] < 2.0f * w->support)
            return rill_fail(error, RILL_INVALID,
                             "world: periodic along %c must be 0 or at least two supports (%g m), got %g m",
                             "xyz"[axis], (double)(2.0f * w->support), (double)period[axis]);
    return RILL_OK;
}

/* Refuses a viscosity or surface tension that the user set and the method ignores. Values that come with a named
   material are not refused. */
static rill_status refuse_ignored(rill_world *w) {
    const method *m = sim_of(w)->method;
    const char *viscosity = m->ignores ? m->ignores(w, "viscosity") : NULL;
    const char *tension = m->ignores ? m->ignores(w, "surface_tension") : NULL;
    FOR_ALIVE(w, fluid, f) {
        if (viscosity && f->def.viscosity > 0.0f && !rill_material_brings_viscosity(&f->def))
            return rill_fail(&w->error, RILL_INVALID, "fluids.%s.viscosity = %g Pa s has no effect: %s", f->def.name,
                             (double)f->def.viscosity, viscosity);
        if (tension && f->def.surface_tension > 0.0f && !rill_material_brings_tension(&f->def))
            return rill_fail(&w->error, RILL_INVALID, "fluids.%s.surface_tension = %g N/m has no effect: %s",
                             f->def.name, (double)f->def.surface_tension, tension);
    }
    return RILL_OK;
}

rill_status rill_step_prepare(rill_world *w) {
    sim_of(w)->reach = w->support; /* forces may ask for more */
    return sim_of(w)->method->prepare(w);
}

rill_status rill_step_refresh(rill_world *w, double dt) {
    const method *m = sim_of(w)->method;
    if (!w->scene_changed) return RILL_OK;
    TRY(refuse_ignored(w));
    TRY(rill_step_check_support(w, &w->error));
    TRY(rill_rigid_place(w, w->stats.time));
    TRY(m->choose(w, dt > 0 ? dt : (double)w->def.dt_max));
    TRY(rill_step_prepare(w));
    w->scene_changed = false;
    return RILL_OK;
}

static void forget_forces(rill_world *w) {
    FOR_ALIVE(w, solid, s) {
        memset(s->impulse, 0, sizeof s->impulse);
        memset(s->moment, 0, sizeof s->moment);
    }
}

/* Gives bodies the forces of the fluid and moves them; methods with `solves_bodies` have found their velocities
   already. */
static rill_status move_bodies(rill_world *w, double dt) {
    rill_rigid_begin(w, dt);
    if (sim_of(w)->method->solves_bodies) {
        rill_rigid_solved(w);
        return rill_rigid_finish(w, dt);
    }
    rill_rigid_receive(w, dt);
    return rill_rigid_step(w, dt);
}

/* One step of dt, or one substep of it. */
static rill_status take_step(rill_world *w, double dt, double limit, clock *c) {
    sim *s = sim_of(w);
    const method *m = s->method;
    forget_forces(w);
    find_filters(w);
    TRY(rill_rigid_place(w, w->stats.time));
    TRY(rill_sources_emit(w));
    TRY(rill_sources_drain(w));
    TRY(rill_strays_settle(w));
    TRY(rill_upkeep_settle(w));
    TRY(rill_step_refresh(w, dt));
    rill_energy_begin(w);
    const bool step_first = m->predict || m->step_first;
    if (step_first) {
        w->stats.dt_bound = m->max_dt(w);
        if (dt <= 0) dt = adaptive_step(w, limit);
    }
    field_begin(w, m, dt);
    if (m->predict) m->predict(w, dt);
    lap(c, RILL_PHASE_SOURCES);

    TRY(sort_particles(w));
    lap(c, RILL_PHASE_SORT);
    TRY(find_neighbours(w));
    lap(c, RILL_PHASE_NEIGHBOURS);
    if (w->particles.count > 0) TRY(rill_solids_prepare(w));
    rill_piles_find(w);
    TRY(rill_contacts_build(
        w, m->predict ? dt : 0)); /* walls as they will be at the end of the step, where predicted particles are */
    rill_wetting_find(w);
    TRY(reserve_sums(w));
    TRY(rill_seams_reserve(w));
    lap(c, RILL_PHASE_BOUNDARY);

    if (m->predict) TRY(rill_sources_hold(w, dt));
    w->stats.iterations = 0; /* of this step, even if there is nothing to solve */
    if (step_first) rill_dye_spread(w, dt);
    TRY(m->solve(w, dt));
    if (!step_first) {
        w->stats.dt_bound = m->max_dt(w);
        if (dt <= 0) dt = adaptive_step(w, limit);
        rill_dye_spread(w, dt);
    }
    if (m->friction) m->friction(w, dt);
    lap(c, RILL_PHASE_SOLVE);

    if (!m->solves_bodies) TRY(rill_rigid_reserve(w, dt));
    if (m->predict) { /* the solve has found the positions; `move` may still add wall friction */
        m->move(w, dt);
        rill_contacts_sum_forces(w, dt);
    } else {
        TRY(rill_sources_hold(w, 0));
        rill_contacts_sum_forces(w, dt);
        m->move(w, dt);
    }
    rill_energy_guide(w);
    rill_sources_guide(w, dt);
    rill_strays_clamp(w);
    if (w->stats.substeps++ == 0) w->stats.step++;
    w->stats.time += dt;
    w->stats.dt = w->last_dt = dt;
    w->call_time += dt;
    TRY(contain_runaways(w, dt));
    lap(c, RILL_PHASE_MOVE);

    TRY(rill_seams_find(w, dt));
    lap(c, RILL_PHASE_BOUNDARY); /* part of the cost of fluid at solids: it grows with the number of particles there */
    TRY(move_bodies(w, dt));
    TRY(check_bodies(w));
    TRY(rill_rigid_place(w, w->stats.time));
    lap(c, RILL_PHASE_BODIES);

    TRY(rill_solids_collide(w, dt, m->bodies_were_paid && m->bodies_were_paid(w)));
    TRY(rill_seams_correct(w, dt));
    rill_rigid_collided(w);
    rill_gauges_follow(w, dt);
    lap(c, RILL_PHASE_MOVE);

    fluid_motion motion;
    TRY(check(w, &motion));
    TRY(rill_energy_end(w, &motion, dt));
    TRY(rill_upkeep_end(w, dt));
    lap(c, RILL_PHASE_CHECK);
    return RILL_OK;
}

static rill_status take_steps(rill_world *w, double dt, double limit) {
    const method *m = sim_of(w)->method;
    clock c = {&w->stats, rill_timer_now()};
    memset(w->stats.seconds, 0, sizeof w->stats.seconds);
    int count = 1;
    TRY(rill_upkeep_check_written(w));
    TRY(rill_strays_remove_runaways(w));
    if (m->substeps) {
        TRY(rill_step_refresh(w, dt));
        w->stats.dt_bound = m->max_dt(w);
        if (dt <= 0) dt = adaptive_step(w, limit);
        count = m->substeps(w, dt);
    }
    w->stats.substeps = 0;
    for (int k = 0; k < count; k++) {
        const double start = c.last;
        if (k > 0) TRY(rill_strays_remove_runaways(w));
        TRY(take_step(w, dt > 0 ? dt / count : dt, limit, &c));
        rill_parallel_note_span(w->workers, w->particles.count, c.last - start);
    }
    if (dt > 0) w->stats.dt = dt;
    return RILL_OK;
}

rill_status rill_step_world(rill_world *w, double dt, double limit) {
    TRY(rill_undo_keep(w));
    if (!w->in_call) {
        rill_notes_begin(w);
        rill_rigid_call_begin(w);
    }
    rill_bodies_set_off(w, w->call_span);
    const rill_status status = take_steps(w, dt, limit);
    /* A world that blew up keeps the state that shows how. After any other failure it is as it was before the step. */
    if (status != RILL_OK && status != RILL_BLOW_UP) rill_undo_restore(w);
    return status;
}
