/* SPDX-License-Identifier: MIT */
/* The table through which src/api reaches this dimension and width. */
#include "core/hash.h"
#include "core/trig.h"
#include "rigid/rigid.h"
#include "sim/fill.h"
#include "sim/gauge.h"
#include "sim/method/method.h"
#include "sim/sources.h"
#include "sim/step.h"

#include <string.h>

static const rill_method_info *method_info(int index) {
    return index >= 0 && index < rill_sim_method_count() ? &rill_sim_method_list[index]->info : NULL;
}

/* h from the spacing, or from the self-contribution (thesis 3.43: m W(0) = scp rho0). */
static float support_of(const rill_world *w, const method *m, const rill_fluid_def *f) {
    if (!(w->def.scp > 0.0f)) return w->def.support_ratio * w->def.spacing;
    const float mass = f && f->particle_mass > 0.0f ? f->particle_mass / f->density : dim_power(w->def.spacing);
    const kernel unit = rill_kernel_make(m->density_kernel(w), 1.0f);
    const float power = mass * kernel_value_at(&unit, 0.0f) / w->def.scp; /* h^DIM */
    return DIM == 2 ? sqrtf(power) : (float)rill_cube_root((double)power);
}

static rill_status create(rill_world *w) {
    const method *m = rill_sim_method_find(w->def.method);
    if (!m) return rill_fail(&w->error, RILL_NOT_FOUND, "there is no method '%s'", w->def.method);
    sim *s = rill_memory_get(&w->memory, sizeof *s);
    if (!s) return rill_fail(&w->error, RILL_MEMORY, "no memory for a world");
    *s = (sim){.method = m};
    w->sim = s;
    if (!rill_buffer_reserve(&w->memory, &w->params, m->info.table->size, 0) ||
        !rill_buffer_reserve(&w->memory, &s->method_data, m->derived_size, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the parameters of '%s'", w->def.method);
    memset(w->params.data, 0, m->info.table->size);
    if (m->derived_size > 0) memset(s->method_data.data, 0, m->derived_size);
    rill_table_defaults(m->info.table, w->params.data);
    if (!rill_particles_init(&w->memory, &w->particles, DIM, m->fields, m->field_count, m->links, m->link_set_count))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the particles of '%s'", w->def.method);
    w->support = support_of(w, m, NULL);
    w->params_dirty = true;
    return RILL_OK;
}

static void destroy(rill_world *w) {
    sim *s = w->sim;
    if (!s) return;
    memory *mem = &w->memory;
    rill_grid_free(&s->grid, mem);
    rill_lists_free(&s->lists, mem);
    buffer *all[] = {&s->halo.source, &s->contacts.items, &s->contacts.first, &s->contacts.block_sum,
                     &s->scratch,     &s->block_stats,    &s->keep,           &s->held,
                     &s->undo,        &s->method_data,    &s->starts};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) rill_buffer_free(mem, all[k]);
    rill_particles_free(mem, &w->particles);
    rill_buffer_free(mem, &w->params);
    rill_memory_release(mem, s, sizeof *s);
    w->sim = NULL;
}

/* The first fluid decides the support if it follows from the self-contribution; all masses follow from both. */
static void set_fluid_mass(rill_world *w, fluid *f) {
    const method *m = sim_of(w)->method;
    const float old = f->mass;
    w->support = support_of(w, m, &POOL_ITEMS(w, fluid)[0].def);
    f->mass = f->def.particle_mass;
    if (!(f->mass > 0.0f)) {
        f->mass = f->def.density * dim_power(w->def.spacing);
        if (w->def.calibrate_mass && rill_step_check_support(w, NULL) == RILL_OK)
            f->mass /= rill_fill_lattice_sum(m->density_kernel(w), w->support, w->def.spacing);
    }
    if (old == f->mass) return;
    for (int i = 0; i < w->particles.count; i++)
        if (fluids_of(w)[i] == (uint32_t)(f - POOL_ITEMS(w, fluid))) places_of(w)[i].m = f->mass;
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

static double nozzle_flow(const rill_world *w, const rill_emitter_def *def) {
    const int sheet = rill_emitter_sheet(w, def, NULL, 0);
    return (double)sheet * (double)dim_power(w->def.spacing) * (double)def->speed / (double)w->def.spacing;
}

static rill_status remove_inside(rill_world *w, const rill_shape *shape, int *removed) {
    int64_t gone = 0;
    const shape_context context = {&w->memory, w->workers, DIM, w->def.spacing, w->support, &w->def.cache};
    shape_models models;
    rill_status status = rill_shape_models_take(&w->shapes, &context, shape, &models, &w->error);
    if (status != RILL_OK) return status;
    status = rill_sources_remove_inside(w, shape, &models, &gone);
    rill_shape_models_drop(&w->shapes, &w->memory, &models);
    if (removed) *removed = (int)gone;
    return status;
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

/* A sum over links, which may wait to be put into order. */
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

/* Ids count as 32 bits each while all of them fit: hashes of worlds that fit stay what they were when ids had no more.
 */
static uint64_t hash_ids(uint64_t h, const rill_particle_id *ids, int n) {
    rill_particle_id all = 0;
    for (int i = 0; i < n; i++) all |= ids[i];
    if (all > UINT32_MAX) return rill_hash_bytes(h, ids, sizeof *ids * (size_t)n);
    uint32_t part[256]; /* an even number, for the hash takes eight bytes at a time */
    const int most = (int)(sizeof part / sizeof *part);
    for (int first = 0; first < n; first += most) {
        const int count = n - first < most ? n - first : most;
        for (int k = 0; k < count; k++) part[k] = (uint32_t)ids[first + k];
        h = rill_hash_bytes(h, part, sizeof *part * (size_t)count);
    }
    return h;
}

/* Particle by particle in memory order: equal states hash equally, whatever made them. */
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
    return status == RILL_OK && !w->params_dirty ? sim_of(w)->method->prepare(w) : status;
}

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

const sim_operations_table sim_operations = {
    .width = STRING(RILL_WIDTH_NAME),
    .method_info = method_info,
    .create = create,
    .destroy = destroy,
    .add_block = rill_fill_block,
    .add_particles = add_particles,
    .set_fluid_mass = set_fluid_mass,
    .nozzle_flow = nozzle_flow,
    .clear_solid = rill_fill_clear_solid,
    .remove_inside = remove_inside,
    .step = rill_step_world,
    .read_gauge = rill_gauge_read,
    .effective = effective,
    .ignores = ignores,
    .hash = hash,
    .derive = derive,
};
