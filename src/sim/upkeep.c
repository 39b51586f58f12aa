/* SPDX-License-Identifier: MIT */
/* Lifetimes, areas and events of particles. A world that uses none of these skips all of it. */
#include "sim/upkeep.h"

#include "model/notes.h"
#include "solid/placed_shape.h"

#include <float.h>

/* ---- removing ---- */

rill_status rill_upkeep_reserve(rill_world *w) {
    if (rill_buffer_reserve(&w->memory, &sim_of(w)->keep, (size_t)w->particles.capacity, 0)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "no memory to remove particles");
}

rill_status rill_upkeep_remove(rill_world *w, const uint8_t *keep, rill_removal_reason reason, int *gone) {
    const bool listed = w->def.events && reason != RILL_REMOVAL_REASONS;
    int count = 0;
    for (int i = 0; listed && i < w->particles.count; i++) count += !keep[i];
    TRY(rill_notes_reserve_removals(w, count));
    rill_removal *list = w->removals.data;
    for (int i = 0; count > 0 && i < w->particles.count; i++)
        if (!keep[i]) list[w->removal_count++] = (rill_removal){ids_of(w)[i], (int32_t)reason};
    *gone = rill_particles_keep(&w->particles, keep);
    w->stats.removed += *gone;
    return RILL_OK;
}

/* ---- lifetimes ---- */

static float *lives_of(const rill_world *w) {
    return particles_extra(&w->particles, EXTRA_LIFE);
}

static double count_over(int begin, int end, void *context) {
    const float *life = lives_of(context);
    int count = 0;
    for (int i = begin; i < end; i++) count += life[i] < 0.0f;
    return count;
}

static void keep_living(int begin, int end, void *context) {
    const rill_world *w = context;
    uint8_t *keep = sim_of(w)->keep.data;
    for (int i = begin; i < end; i++) keep[i] = (uint8_t) !(lives_of(w)[i] < 0.0f);
}

static rill_status end_lives(rill_world *w) {
    if (!lives_of(w) || !(world_sum(w, count_over, w) > 0)) return RILL_OK;
    TRY(rill_upkeep_reserve(w));
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, keep_living, w);
    int gone;
    TRY(rill_upkeep_remove(w, sim_of(w)->keep.data, RILL_REMOVED_BY_AGE, &gone));
    w->stats.expired += gone;
    return RILL_OK;
}

typedef struct age_job {
    rill_world *world;
    float dt;
} age_job;

/* Ages particles. A remaining life of 0 means for ever, below 0 expired. */
static void age_block(int begin, int end, void *context) {
    const age_job *job = context;
    float *life = lives_of(job->world);
    for (int i = begin; i < end; i++) {
        if (!(life[i] > 0.0f)) continue;
        life[i] -= job->dt;
        if (life[i] <= 0.0f) life[i] = -1.0f;
    }
}

/* ---- the oldest ---- */

typedef struct oldest_job {
    const rill_world *world;
    rill_particle_id below; /* ids below this are removed */
} oldest_job;

/* Whether the particle limit removes particle i. Ids rise with time; particles of walls and cloth always stay. */
static bool is_oldest(const oldest_job *job, int i) {
    const group *g = group_of(job->world, i);
    return is_fluid(job->world, i) && ids_of(job->world)[i] < job->below && !(g && g->def.kind == RILL_GROUP_WALL);
}

static double count_oldest(int begin, int end, void *context) {
    int count = 0;
    for (int i = begin; i < end; i++) count += is_oldest(context, i);
    return count;
}

static void keep_younger(int begin, int end, void *context) {
    const oldest_job *job = context;
    uint8_t *keep = sim_of(job->world)->keep.data;
    for (int i = begin; i < end; i++) keep[i] = (uint8_t)!is_oldest(job, i);
}

/* The least id below which there are at least `wanted` removable particles, by bisection. */
static rill_particle_id bound_of_oldest(rill_world *w, int wanted) {
    rill_particle_id low = 0, high = w->particles.next_id;
    while (low + 1 < high) {
        const rill_particle_id middle = low + (high - low) / 2;
        if (world_sum(w, count_oldest, &(oldest_job){w, middle}) >= wanted)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static rill_status remove_oldest(rill_world *w) {
    const int limit = w->def.particle_limit, excess = w->particles.count - limit;
    if (limit == 0 || excess <= 0) return RILL_OK;
    TRY(rill_upkeep_reserve(w));
    oldest_job job = {w, bound_of_oldest(w, excess)};
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, keep_younger, &job);
    int gone;
    TRY(rill_upkeep_remove(w, sim_of(w)->keep.data, RILL_REMOVED_BY_LIMIT, &gone));
    w->stats.expired += gone;
    return RILL_OK;
}

/* ---- velocities written by the host ---- */

rill_status rill_upkeep_check_written(rill_world *w) {
    if (!w->velocities_written) return RILL_OK;
    for (int i = 0; i < w->particles.count; i++)
        if (!vec_finite(velocities_of(w)[i]))
            return rill_fail(&w->error, RILL_INVALID,
                             "step: the velocity that was written for particle %llu is not finite or too large: its "
                             "square must be below %.3g (m/s)^2",
                             (unsigned long long)ids_of(w)[i], (double)FLT_MAX);
    w->velocities_written = false;
    return RILL_OK;
}

rill_status rill_upkeep_settle(rill_world *w) {
    TRY(end_lives(w));
    return remove_oldest(w);
}

/* ---- areas ---- */

typedef struct area_job {
    rill_world *world;
    const rill_area_def *def;
    placed_shape shape;
    uint32_t bit; /* set in `areas` of the particles inside; 0: the area does not watch */
    float dt;
} area_job;

static uint32_t *areas_of(const rill_world *w) {
    return particles_extra(&w->particles, EXTRA_AREAS);
}

static bool acts(const rill_area_def *def) {
    const rill_vec a = def->acceleration;
    return a.x != 0.0f || a.y != 0.0f || a.z != 0.0f || def->pull != 0.0f || def->swirl != 0.0f || def->drag > 0.0f;
}

/* The velocity after the area's acceleration over dt. Drag is implicit, and so stable for any step. */
static vec pushed(const area_job *job, vec x, vec v) {
    const rill_area_def *def = job->def;
    const vec out = vec_sub(x, vec_of(def->centre));
    const float far = vec_length(out);
    vec a = vec_of(def->acceleration);
    if (far > 0.0f) a = vec_along(a, -def->pull / far, out);
    const float across = sqrtf(out.x * out.x + out.y * out.y);
    if (across > 0.0f) a.x -= def->swirl * out.y / across, a.y += def->swirl * out.x / across;
    return vec_scale(vec_along(v, job->dt, a), 1.0f / (1.0f + job->dt * def->drag));
}

static bool is_in(const area_job *job, int i) {
    const uint32_t *groups = particles_extra(&job->world->particles, EXTRA_GROUP);
    if (job->def->group.index1 > 0 && (!groups || groups[i] != job->def->group.index1)) return false;
    return rill_placed_distance(&job->shape, places_of(job->world)[i].x, NULL) < 0.0f;
}

/* Accelerates the particles in the area; marks and counts those that have entered or left it. */
static double area_block(int begin, int end, void *context) {
    const area_job *job = context;
    uint32_t *areas = areas_of(job->world);
    uint8_t *passed = sim_of(job->world)->keep.data;
    int count = 0;
    for (int i = begin; i < end; i++) {
        const bool in = is_in(job, i);
        if (in && acts(job->def)) {
            vec *v = &velocities_of(job->world)[i];
            *v = pushed(job, places_of(job->world)[i].x, *v);
        }
        if (job->bit == 0) continue;
        passed[i] = (uint8_t)(in != ((areas[i] & job->bit) != 0));
        count += passed[i];
    }
    return count;
}

static rill_status list_passages(rill_world *w, const area *a, uint32_t bit, int count) {
    TRY(rill_notes_reserve_passages(w, count));
    const uint8_t *passed = sim_of(w)->keep.data;
    const rill_area_id id = {(uint32_t)(a - POOL_ITEMS(w, area)) + 1, a->slot.age};
    rill_passage *list = w->passages.data;
    for (int i = 0; i < w->particles.count; i++) {
        if (!passed[i]) continue;
        areas_of(w)[i] ^= bit;
        list[w->passage_count++] = (rill_passage){ids_of(w)[i], id, (areas_of(w)[i] & bit) != 0};
    }
    return RILL_OK;
}

static rill_status follow_area(rill_world *w, const area *a, double dt) {
    const uint32_t bit = a->def.watch ? 1u << (a - POOL_ITEMS(w, area)) : 0;
    placed_shape parts[PLACED_PARTS_MAX];
    area_job job = {w, &a->def, rill_placed_make(&a->def.shape, &a->models, NULL, parts), bit, (float)dt};
    if (bit == 0 && !acts(&a->def)) return RILL_OK;
    const double count = world_sum(w, area_block, &job);
    return count > 0 ? list_passages(w, a, bit, (int)count) : RILL_OK;
}

rill_status rill_upkeep_end(rill_world *w, double dt) {
    if (lives_of(w)) {
        age_job job = {w, (float)dt};
        rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, age_block, &job);
    }
    if (w->areas.living_count == 0) return RILL_OK;
    TRY(rill_upkeep_reserve(w));
    FOR_ALIVE(w, area, a)
    if (w->stats.time >= (double)a->def.start_time && w->stats.time < (double)a->def.end_time)
        TRY(follow_area(w, a, dt));
    return RILL_OK;
}
