/* SPDX-License-Identifier: MIT */
/* The end of a step of Clavet's method: velocities and positions, wet friction (Eq. 11) and stickiness (Eq. 12) of
   walls. The wall receives the opposite impulse. */
#include "sim/method/clavet.h"

#include "core/exponential.h"

/* Arguments of the loop over particles besides the job. */
typedef struct finish_context {
    clavet_job job;
    float reach;    /* range of stickiness, beyond the collision radius [m] */
    float keep_off; /* the collision radius [m] */
    float touch;    /* distance from a wall within which there is wet friction [m] */
    float per_tick; /* dt in ticks: exponent from the share that is kept in 1/30 s to that of a step */
} finish_context;

/* Change of velocity by stickiness (Eq. 12), with the largest pull in place of k_stick. It is reached half way. */
static float stick(const finish_context *c, float strength, float distance) {
    const float part = distance / c->reach;
    return part > 0.0f && part < 1.0f ? -c->job.dt * 4.0f * strength * part * (1.0f - part) : 0.0f;
}

/* Change of velocity by wet friction: the tangential part of Eq. 11, for a step of any length. */
static vec wet_friction_change(const finish_context *c, const clavet_solid *wall, vec v, const wall_contact *near) {
    const vec slip = vec_sub(v, near->velocity), slide = vec_along(slip, -vec_dot(slip, near->normal), near->normal);
    const double kept = rill_power(1.0 - (double)wall->wet_friction, (double)c->per_tick);
    return vec_scale(slide, (float)kept - 1.0f);
}

/* Line 6 of Algorithm 6 as printed: the body gets the impulse that would stop the particle now. The particle is later
   stopped by another impulse (line 13), so momentum is not conserved. */
static vec printed_impulse(vec v, const wall_contact *near, float friction) {
    const vec slip = vec_sub(v, near->velocity);
    const float approach = vec_dot(slip, near->normal);
    if (!(approach < 0.0f)) return vec_zero();
    return vec_along(vec_scale(vec_along(slip, -approach, near->normal), -friction), -approach, near->normal);
}

/* Change of a particle's velocity by the walls near it. Adds the reactions to the contacts. */
static vec touch_walls(const finish_context *c, int i, vec v) {
    const rill_world *w = c->job.world;
    int count;
    wall_contact *walls = contacts_of(&sim_of(w)->contacts, i, &count);
    const float m = places_of(w)[i].m;
    vec change = vec_zero();
    for (int k = 0; k < count; k++) {
        const clavet_solid *wall = method_solid(w, walls[k].solid);
        const solid *s = &POOL_ITEMS(w, solid)[walls[k].solid];
        const float distance = walls[k].distance + vec_dot(c->job.shifts[i].x, walls[k].normal);
        vec now = vec_zero();
        if (wall->stickiness > 0.0f) {
            now = vec_scale(walls[k].normal, stick(c, wall->stickiness, distance - c->keep_off));
            if (c->job.derived->sticky)
                c->job.pulls[i] += m * vec_dot(now, vec_along(vec_sub(v, walls[k].velocity), 0.5f, now));
        }
        if (wall->wet_friction > 0.0f && distance < c->touch)
            now = vec_add(now, wet_friction_change(c, wall, v, &walls[k]));
        walls[k].force = vec_along(walls[k].force, m / c->job.dt, now);
        change = vec_add(change, now);
        if (c->job.params->bodies == CLAVET_PRINTED && s->body > 0 && distance < c->keep_off)
            walls[k].force = vec_along(walls[k].force, m / c->job.dt, printed_impulse(v, &walls[k], s->def.friction));
    }
    return change;
}

/* Velocities by Algorithm 1, line 20, computed as predicted velocities plus displacements over dt; and densities and
   pressures in SI units. */
static void finish_range(int begin, int end, void *context) {
    const finish_context *c = context;
    const rill_world *w = c->job.world;
    const clavet_derived *d = c->job.derived;
    const float rate = 1.0f / c->job.dt, full = 1.0f / (d->rest.density + 1.0f), tick = (float)CLAVET_TICK;
    const float virial = w->support / (2.0f * (float)DIM * tick * tick);
    const int32_t *first = sim_of(w)->contacts.first.data;
    for (int i = begin; i < end; i++) {
        const float rho0 = d->rho0[fluids_of(w)[i]];
        vec *v = &velocities_of(w)[i];
        *v = vec_along(*v, rate, c->job.shifts[i].x);
        vec moved = c->job.shifts[i].x;
        if (d->sticky) c->job.pulls[i] = 0.0f;
        if (first[i + 1] > first[i]) {
            const vec change = touch_walls(c, i, *v);
            *v = vec_add(*v, change);
            moved = vec_along(moved, c->job.dt, change);
        }
        places_of(w)[i].x = vec_add(places_of(w)[i].x, moved);
        densities_of(w)[i] = rho0 * full * (densities_of(w)[i] + 1.0f);
        pressures_of(w)[i] *= rho0 * virial;
    }
}

static double sum_pulls(int begin, int end, void *context) {
    const finish_context *c = context;
    double sum = 0;
    for (int i = begin; i < end; i++) sum += (double)c->job.pulls[i];
    return sum;
}

void rill_clavet_finish(rill_world *w, double dt) {
    finish_context c = {.keep_off = w->wall_distance};
    arena a = {0};
    rill_clavet_job_make(w, dt, &c.job, &a);
    rill_arena_place(&a, &sim_of(w)->scratch);
    c.reach = c.job.params->stick_distance * w->support;
    c.touch = w->def.spacing;
    c.per_tick = c.job.ticks;
    rill_parallel_for(w->workers, w->particles.count, LOOP_GRAIN, finish_range, &c);
    if (c.job.derived->sticky) w->energy.given += world_sum(w, sum_pulls, &c);
}
