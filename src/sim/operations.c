/* SPDX-License-Identifier: MIT */
/* The table of functions through which src/api calls this dimension and width. */
#include "core/hash.h"
#include "rigid/rigid.h"
#include "sim/cloth/cloth.h"
#include "sim/displace.h"
#include "sim/fill.h"
#include "sim/find.h"
#include "sim/gauge.h"
#include "sim/look.h"
#include "sim/method/method.h"
#include "sim/sources.h"
#include "sim/step.h"
#include "sim/switch.h"

#include <string.h>

static const rill_method_info *method_info(int index) {
    return index >= 0 && index < rill_sim_method_count() ? &rill_sim_method_list[index]->info : NULL;
}

static rill_status add_particles(rill_world *w, int fluid_slot, const rill_vec *x, const rill_vec *v, int count) {
    const int n = w->particles.count;
    if (n >= INT32_MAX / 2 - count || !rill_particles_grow(&w->memory, &w->particles, n + count))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for %d more particles", count);
    const fluid *f = &POOL_ITEMS(w, fluid)[fluid_slot];
    const int first = rill_particles_append(&w->particles, count);
    for (int k = 0; k < count; k++) {
        places_of(w)[first + k] = (place){.x = vec_of(x[k]), .m = f->mass};
        if (v) velocities_of(w)[first + k] = vec_of(v[k]);
        densities_of(w)[first + k] = f->def.density;
        fluids_of(w)[first + k] = (uint32_t)fluid_slot;
    }
    return RILL_OK;
}

static void set_particles(rill_world *w, const rill_particle_id *ids, const rill_vec *x, const rill_vec *v, int count) {
    for (int k = 0; k < count; k++) {
        const int i = rill_particles_index_of(&w->memory, &w->particles, ids[k]);
        if (x) places_of(w)[i].x = vec_of(x[k]);
        if (v) velocities_of(w)[i] = vec_of(v[k]);
    }
    if (w->stats.step == 0) rill_gauge_count_energies(w);
}

/* Points of a full lattice within the support, the particle itself included. */
static size_t lattice_neighbours(const rill_world *w) {
    const int reach = (int)(w->support / w->def.spacing) + 1;
    const float h = w->support / w->def.spacing;
    size_t count = 0;
    for (int c = DIM == 3 ? -reach : 0; c <= (DIM == 3 ? reach : 0); c++)
        for (int b = -reach; b <= reach; b++)
            for (int a = -reach; a <= reach; a++) count += (float)(a * a + b * b + c * c) < h * h;
    return count;
}

/* Reserves arrays for n particles. The other arrays of a step take their size from the particle arrays and the
   lists. */
static rill_status reserve(rill_world *w, int n) {
    sim *s = sim_of(w);
    memory *m = &w->memory;
    const size_t neighbours = rill_step_check_support(w, NULL) == RILL_OK ? lattice_neighbours(w) : 0;
    /* Moving fluid has up to a quarter more neighbours than a lattice, and lists end with padding. */
    const size_t list = neighbours + neighbours / 4 + WIDE;
    const size_t chunks =
        (size_t)rill_parallel_workers(w->workers); /* of the cell sort, each with a count for every cell */
    if (n < INT32_MAX / 2 && rill_particles_reserve(m, &w->particles, n) &&
        rill_particles_reserve_look_up(m, &w->particles, n) &&
        rill_buffer_reserve(m, &s->lists.index, sizeof(int32_t) * list * (size_t)n, 0) &&
        rill_buffer_reserve(m, &s->contacts.items, sizeof(wall_contact) * (size_t)n, 0) &&
        rill_buffer_reserve(m, &s->grid.start, sizeof(int32_t) * ((size_t)n + 1), 0) &&
        rill_buffer_reserve(m, &s->grid.counts, sizeof(int32_t) * (size_t)n * chunks, 0) &&
        rill_buffer_reserve(m, &s->keep, (size_t)w->particles.capacity, 0))
        return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "reserve: no memory for %d particles", n);
}

static double nozzle_flow(const rill_world *w, const rill_emitter_def *def) {
    const int sheet = rill_emitter_sheet(w, def, NULL, 0);
    return (double)sheet * (double)dim_power(w->def.spacing) * (double)def->speed / (double)w->def.spacing;
}

static rill_status take_models(rill_world *w, const rill_shape *shape, shape_models *models) {
    const shape_context context = {&w->memory, w->workers, DIM, w->def.spacing, w->support, &w->def.cache};
    return rill_shape_models_take(&w->shapes, &context, shape, models, &w->error);
}

static rill_status remove_inside(rill_world *w, const rill_shape *shape, int *removed) {
    int64_t gone = 0;
    shape_models models;
    TRY(take_models(w, shape, &models));
    const rill_status status = rill_sources_remove_inside(w, shape, &models, &gone);
    rill_shape_models_drop(&w->shapes, &w->memory, &models);
    if (removed) *removed = (int)gone;
    return status;
}

static rill_status push_inside(rill_world *w, const rill_shape *shape, rill_vec velocity, float share, int *pushed) {
    shape_models models;
    TRY(take_models(w, shape, &models));
    const int count = rill_sources_push_inside(w, shape, &models, vec_of(velocity), share);
    rill_shape_models_drop(&w->shapes, &w->memory, &models);
    if (pushed) *pushed = count;
    return RILL_OK;
}

static rill_status find_inside(rill_world *w, const rill_shape *shape, rill_particle_id *ids, int capacity,
                               int *count) {
    shape_models models;
    TRY(take_models(w, shape, &models));
    rill_find_inside(w, shape, &models, ids, capacity, count);
    rill_shape_models_drop(&w->shapes, &w->memory, &models);
    return RILL_OK;
}

static rill_status effective(rill_world *w, const char *key, double *value) {
    const method *m = sim_of(w)->method;
    TRY(rill_step_refresh(w, 0));
    return m->effective && m->effective(w, key, value) ? RILL_OK : RILL_NOT_FOUND;
}

static const char *ignores(const rill_world *w, const char *key) {
    const method *m = sim_of(w)->method;
    return m->ignores ? m->ignores(w, key) : NULL;
}

/* A sum over links, so that their order, which may still be pending, does not matter. */
static uint64_t hash_links(const rill_world *w, const link_set *s) {
    uint64_t sum = 0;
    int32_t ends[LINK_ENDS_MAX];
    for (int link = 0; link < s->count; link++) {
        if (!rill_particles_link_ends(&w->particles, s, link, ends)) continue;
        uint64_t h = rill_hash_bytes(HASH_START, ends, sizeof *ends * (size_t)s->def.ends);
        for (int k = 1; k < s->field_count; k++)
            h = rill_hash_bytes(h, (const char *)s->fields[k].data + (size_t)link * s->fields[k].size,
                                s->fields[k].size);
        sum += rill_hash_mix(h);
    }
    return sum;
}

/* Ids are hashed as 32 bits each while all of them fit. Such worlds keep the hashes that they had when ids were 32
   bits. */
static uint64_t hash_ids(uint64_t h, const rill_particle_id *ids, int n) {
    rill_particle_id all = 0;
    for (int i = 0; i < n; i++) all |= ids[i];
    if (all > UINT32_MAX) return rill_hash_bytes(h, ids, sizeof *ids * (size_t)n);
    uint32_t part[256]; /* an even number: the hash takes eight bytes at a time */
    const int most = (int)(sizeof part / sizeof *part);
    for (int first = 0; first < n; first += most) {
        const int count = n - first < most ? n - first : most;
        for (int k = 0; k < count; k++) part[k] = (uint32_t)ids[first + k];
        h = rill_hash_bytes(h, part, sizeof *part * (size_t)count);
    }
    return h;
}

/* Hash of positions, velocities, ids, bodies and saved links, particles in memory order. Equal states hash equally,
   whatever led to them. */
static uint64_t hash(const rill_world *w) {
    uint64_t h = HASH_START;
    const int n = w->particles.count;
    h = rill_hash_bytes(h, places_of(w), sizeof(place) * (size_t)n);
    h = rill_hash_bytes(h, velocities_of(w), sizeof(vec) * (size_t)n);
    h = hash_ids(h, ids_of(w), n);
    FOR_ALIVE(w, body, b) {
        const double *const motion[] = {b->x, b->q, b->v, b->w};
        const size_t sizes[] = {sizeof b->x, sizeof b->q, sizeof b->v, sizeof b->w};
        for (int k = 0; k < 4; k++) h = rill_hash_bytes(h, motion[k], sizes[k]);
    }
    for (int k = 0; k < w->particles.link_set_count; k++) {
        const link_set *s = &w->particles.link_sets[k];
        const uint64_t links = hash_links(w, s);
        if (s->def.flags & LINK_SAVE) h = rill_hash_bytes(h, &links, sizeof links);
    }
    return rill_hash_mix(h);
}

static rill_status derive(rill_world *w) {
    rill_status status = rill_rigid_place(w, w->stats.time);
    if (status == RILL_OK) status = rill_step_check_support(w, &w->error);
    return status == RILL_OK && !w->scene_changed ? rill_step_prepare(w) : status;
}

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

const sim_operations_table sim_operations = {
    .width = STRING(RILL_WIDTH_NAME),
    .method_info = method_info,
    .create = rill_sim_create,
    .destroy = rill_sim_destroy,
    .add_block = rill_fill_block,
    .add_particles = add_particles,
    .set_particles = set_particles,
    .set_fluid_mass = rill_sim_set_fluid_mass,
    .set_method = rill_sim_set_method,
    .reserve = reserve,
    .nozzle_flow = nozzle_flow,
    .displace = rill_displace,
    .remove_inside = remove_inside,
    .push_inside = push_inside,
    .use_cloth = rill_cloth_use,
    .add_cloth = rill_cloth_add,
    .remove_cloth = rill_cloth_remove,
    .add_pin = rill_cloth_add_pin,
    .remove_pin = rill_cloth_remove_pin,
    .find_inside = find_inside,
    .find_stuck = rill_find_stuck,
    .step = rill_step_world,
    .read_gauge = rill_gauge_read,
    .look_begin = rill_look_begin,
    .look_end = rill_look_end,
    .read_gauges = rill_look_read_gauges,
    .effective = effective,
    .ignores = ignores,
    .hash = hash,
    .derive = derive,
};
