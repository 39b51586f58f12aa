/* SPDX-License-Identifier: MIT */
/* Surface tension: see surface_tension.h. Three passes over its own neighbour lists: gradient of the colour field,
   curvature and stress, force. */
#include "sim/force/surface_tension.h"

#include "core/arena.h"
#include "sim/force/surface_search.h"
#include "sim/neighbours/neighbours.h"

typedef struct tension_job {
    const rill_world *world;
    const forces *forces;
    const lists *lists;
    place *points;  /* positions; `m` is the volume */
    place *normals; /* n, into the fluid; `m` is |g| */
    place *stress;  /* n; `m` is k sigma |g|/f */
    vec *result;
} tension_job;

/* ---- walls ---- */

static float contact_cosine(const rill_world *w, const wall_contact *c) {
    return (float)rill_trig_cos((double)POOL_ITEMS(w, solid)[c->solid].def.contact_angle);
}

/* Whether the fluid wets a wall, which then continues the fluid. */
static bool is_wetted(float cosine) {
    return cosine > -1e-4f;
}

/* The walls' part of g. */
static vec wall_gradient(const tension_job *job, int i) {
    const surface_constants *s = &job->forces->surface;
    int count;
    const wall_contact *c = contacts_of(&sim_of(job->world)->contacts, i, &count);
    vec sum = {0};
    for (int k = 0; k < count; k++) {
        if (!is_wetted(contact_cosine(job->world, &c[k]))) continue;
        const float share = contact_at(&s->walls, s->walls.gradient, &c[k]) * wall_uncovered(&s->walls, c, count, k);
        sum = vec_along(sum, share, c[k].normal);
    }
    return sum;
}

/* Force of walls on a unit of the particle's volume: the stress, mirrored in the wall, and the attraction. */
static vec wall_pull(const tension_job *job, int i) {
    const surface_constants *s = &job->forces->surface;
    const float sigma = job->forces->sigma[fluids_of(job->world)[i]], volume = job->points[i].m;
    const place stress = job->stress[i];
    int count;
    wall_contact *c = contacts_of(&sim_of(job->world)->contacts, i, &count);
    vec sum = {0};
    for (int k = 0; k < count; k++) {
        const float cosine = contact_cosine(job->world, &c[k]);
        const bool wetted = is_wetted(cosine);
        const wall_entry at = wall_integral_find(&s->walls, c[k].distance);
        float pull = 2.0f * sigma * (wetted ? cosine : 1.0f + cosine) * wall_entry_of(s->adhesion, at);
        if (wetted) {
            const float across = vec_dot(stress.x, c[k].normal);
            pull += 2.0f * stress.m * (1.0f - SURFACE_SHARE * across * across) * wall_entry_of(s->walls.gradient, at) *
                    wall_uncovered(&s->walls, c, count, k);
        }
        const vec force = vec_scale(c[k].normal, c[k].scale * pull);
        c[k].force = vec_along(c[k].force, volume, force);
        sum = vec_add(sum, force);
    }
    return sum;
}

/* ---- passes ---- */

static void point_block(int begin, int end, void *context) {
    const tension_job *job = context;
    const rill_world *w = job->world;
    for (int i = begin; i < end; i++) {
        const place p = places_of(w)[i];
        job->points[i] = (place){.x = p.x, .m = p.m * job->forces->inverse_rho0[fluids_of(w)[i]]};
    }
}

static void normal_block(int begin, int end, void *context) {
    const tension_job *job = context;
    const surface_constants *s = &job->forces->surface;
    const kernel kernel = s->kernel;
    for (int i = begin; i < end; i++) {
        job->normals[i] = (place){0};
        if (!at_surface(&sim_of(job->world)->surface, i)) continue;
        const int32_t *list = list_of(job->lists, i);
        const int count = list_count(job->lists, i);
        const wide_vec xi = wide_vec_set(job->points[i].x);
        wide_vec sum = wide_vec_zero();
        for (int n = 0; n < count; n += WIDE) {
            wide_vec x;
            wide volume;
            wide_gather_places(job->points, list + n, &x, &volume);
            x = wide_vec_sub(xi, x);
            sum = wide_vec_along(sum, volume * kernel_gradient(&kernel, wide_vec_dot(x, x)), x);
        }
        const vec g = vec_add(wide_vec_sum(sum), wall_gradient(job, i));
        const float length = vec_length(g);
        if (length > s->gradient_min) job->normals[i] = (place){.x = vec_scale(g, 1.0f / length), .m = length};
    }
}

/* Curvature (d - 1)/R of the surface at particle i, from how the normals turn along it. */
static float curvature(const tension_job *job, int i) {
    const kernel kernel = job->forces->surface.kernel;
    const int32_t *list = list_of(job->lists, i);
    const int count = list_count(job->lists, i);
    const wide_vec xi = wide_vec_set(job->points[i].x), ni = wide_vec_set(job->normals[i].x);
    wide turn = wide_zero(), way = wide_zero();
    for (int k = 0; k < count; k += WIDE) {
        wide_vec x, n;
        wide unused, g;
        wide_gather_places(job->points, list + k, &x, &unused);
        wide_gather_places(job->normals, list + k, &n, &g);
        x = wide_vec_sub(xi, x);
        const wide weight = g * kernel_value(&kernel, wide_vec_dot(x, x));
        x = wide_vec_along(x, -wide_vec_dot(x, ni), ni); /* along the surface */
        turn = turn + weight * wide_vec_dot(n, x);
        way = way + weight * wide_vec_dot(x, x);
    }
    const float square = wide_sum(way);
    return square > 0.0f ? (float)(DIM - 1) * wide_sum(turn) / square : 0.0f;
}

static void stress_block(int begin, int end, void *context) {
    const tension_job *job = context;
    const surface_constants *s = &job->forces->surface;
    for (int i = begin; i < end; i++) {
        job->stress[i] = job->normals[i];
        if (!(job->normals[i].m > 0.0f)) continue;
        job->stress[i].m *=
            s->strength * job->forces->sigma[fluids_of(job->world)[i]] / surface_bent(s->depth * curvature(job, i));
    }
}

/* Pi x for eight particles. */
WIDE_FN wide_vec pull_along(wide strength, wide_vec n, wide_vec x) {
    x = wide_vec_along(x, -SURFACE_SHARE * wide_vec_dot(n, x), n);
    return wide_vec_scale(x, strength);
}

static void force_block(int begin, int end, void *context) {
    const tension_job *job = context;
    const kernel kernel = job->forces->surface.kernel;
    const rill_world *w = job->world;
    for (int i = begin; i < end; i++) {
        const int32_t *list = list_of(job->lists, i);
        const int count = list_count(job->lists, i);
        const wide_vec xi = wide_vec_set(job->points[i].x), ni = wide_vec_set(job->stress[i].x);
        const wide own = wide_set(job->stress[i].m);
        wide_vec sum = wide_vec_zero();
        for (int k = 0; k < count; k += WIDE) {
            wide_vec x, n;
            wide volume, strength;
            wide_gather_places(job->points, list + k, &x, &volume);
            wide_gather_places(job->stress, list + k, &n, &strength);
            x = wide_vec_sub(xi, x);
            const wide weight = volume * kernel_gradient(&kernel, wide_vec_dot(x, x));
            x = wide_vec_scale(x, weight);
            sum = wide_vec_along(sum, wide_set(1.0f), pull_along(own, ni, x));
            sum = wide_vec_along(sum, wide_set(1.0f), pull_along(strength, n, x));
        }
        const vec force = vec_add(wide_vec_sum(sum), wall_pull(job, i));
        job->result[i] = vec_scale(force, job->forces->inverse_rho0[fluids_of(w)[i]]);
    }
}

/* ---- all of it ---- */

static arena ask(tension_job *job, const rill_world *w) {
    arena a = {0};
    ARENA_ASK(&a, job->points, w->particles.capacity);
    ARENA_ASK(&a, job->normals, w->particles.capacity);
    ARENA_ASK(&a, job->stress, w->particles.capacity);
    ARENA_ASK(&a, job->result, w->particles.capacity);
    return a;
}

const vec *rill_surface_last(rill_world *w, const forces *f) {
    if (!f->surface_tension || fluid_count(w) == 0) return NULL;
    tension_job job;
    const arena a = ask(&job, w);
    rill_arena_place(&a, &sim_of(w)->surface.scratch);
    return job.result;
}

rill_status rill_surface_tension(rill_world *w, const forces *f, const vec **accelerations) {
    *accelerations = NULL;
    const int n = fluid_count(w);
    if (!f->surface_tension || n == 0) return RILL_OK;
    sim *sim = sim_of(w);
    tension_job job = {.world = w, .forces = f, .lists = &sim->surface.lists};
    const arena a = ask(&job, w);
    if (!rill_arena_give(&a, &w->memory, &sim->surface.scratch))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the surface tension of %d particles", n);
    TRY(rill_surface_search(w, f->surface.kernel.h));
    const int null = w->particles.count + sim->halo.count;
    rill_parallel_for(w->workers, null, REDUCE_BLOCK, point_block, &job);
    job.points[null] = (place){.x = places_of(w)[null].x};
    job.normals[null] = job.stress[null] = (place){0};
    rill_parallel_for(w->workers, n, LOOP_GRAIN, normal_block, &job);
    rill_halo_exchange(w, &HALO_VALUES(job.normals), 1);
    rill_parallel_for(w->workers, n, LOOP_GRAIN, stress_block, &job);
    rill_halo_exchange(w, &HALO_VALUES(job.stress), 1);
    rill_parallel_for(w->workers, n, LOOP_GRAIN, force_block, &job);
    for (int i = n; i < w->particles.count; i++) job.result[i] = (vec){0};
    *accelerations = job.result;
    return RILL_OK;
}
