/* SPDX-License-Identifier: MIT */
/* The share of a method in a world: its particle fields and links, its parameters, values derived from them, and its
   rows in fluids and solids. When another method takes over, its share is completed first and then swapped with the old
   one, so that a method that fails leaves the world unchanged. */
#include "sim/switch.h"

#include "core/trig.h"
#include "sim/fill.h"
#include "sim/method/method.h"
#include "sim/sources.h"
#include "sim/step.h"

#include <stdio.h>
#include <string.h>

typedef struct share {
    const method *method;
    particles particles;
    buffer params, method_data;
    buffer fluid_rows, solid_rows;
    /* Values that the method chooses. */
    float derived[sizeof((rill_world *)0)->derived / sizeof(float)];
    float support, wall_distance, body_margin, body_gap;
    float masses[WORLD_FLUIDS_MAX]; /* by fluid slot */
    int64_t method_since;
    bool scene_changed;
} share;

static void share_free(memory *m, share *s) {
    rill_particles_free(m, &s->particles);
    buffer *all[] = {&s->params, &s->method_data, &s->fluid_rows, &s->solid_rows};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) rill_buffer_free(m, all[k]);
}

/* h from the spacing, or from the self-contribution (thesis 3.43: m W(0) = scp rho0). */
static float support_of(const rill_world *w, const method *m, const rill_fluid_def *f) {
    if (!(w->def.scp > 0.0f)) return world_support_ratio(&w->def) * w->def.spacing;
    const float mass = f && f->particle_mass > 0.0f ? f->particle_mass / f->density : dim_power(w->def.spacing);
    const kernel unit = rill_kernel_make(m->density_kernel(w), 1.0f);
    const float power = mass * kernel_value_at(&unit, 0.0f) / w->def.scp; /* h^DIM */
    return DIM == 2 ? sqrtf(power) : (float)rill_cube_root((double)power);
}

/* Sets the lengths that depend on method and definition: h, and the least distance of a particle from a wall. */
static void set_lengths(rill_world *w, const method *m, const rill_fluid_def *f) {
    const bool accurate = w->def.quality == RILL_QUALITY_ACCURATE && m->accurate_wall_distance > 0.0f;
    const float usual = accurate ? m->accurate_wall_distance : 0.5f;
    w->support = support_of(w, m, f);
    w->wall_distance = (w->def.wall_distance > 0.0f ? w->def.wall_distance : usual) * w->def.spacing;
}

/* Reserves a buffer of `size` bytes, all zero. */
static bool get_zeros(memory *m, buffer *b, size_t size) {
    if (!rill_buffer_reserve(m, b, size, 0)) return false;
    if (size > 0) memset(b->data, 0, size);
    return true;
}

/* Makes parameters with their defaults, and empty particle arrays. */
static bool share_make(rill_world *w, const method *m, share *s) {
    *s = (share){.method = m, .method_since = w->stats.step, .scene_changed = true};
    memory *mem = &w->memory;
    const bool made =
        get_zeros(mem, &s->params, m->info.table->size) && get_zeros(mem, &s->method_data, m->derived_size) &&
        rill_particles_init(mem, &s->particles, DIM, m->fields, m->field_count, m->links, m->link_set_count) &&
        rill_particles_reserve(mem, &s->particles, 0); /* room for the null particle */
    if (made)
        rill_table_defaults(m->info.table, s->params.data);
    else
        share_free(mem, s);
    return made;
}

rill_status rill_sim_create(rill_world *w) {
    const method *m = rill_sim_method_find(w->def.method);
    if (!m) return rill_fail(&w->error, RILL_NOT_FOUND, "there is no method '%s'", w->def.method);
    sim *s = rill_memory_get(&w->memory, sizeof *s);
    if (!s) return rill_fail(&w->error, RILL_MEMORY, "no memory for a world");
    *s = (sim){.method = m};
    w->sim = s;
    share first;
    if (!share_make(w, m, &first))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the parameters and particles of '%s'", w->def.method);
    w->particles = first.particles, w->params = first.params, s->method_data = first.method_data;
    set_lengths(w, m, NULL);
    w->scene_changed = true;
    return RILL_OK;
}

void rill_sim_destroy(rill_world *w) {
    sim *s = w->sim;
    if (!s) return;
    memory *mem = &w->memory;
    rill_grid_free(&s->grid, mem);
    rill_lists_free(&s->lists, mem);
    rill_grid_free(&s->cloth_grid, mem);
    rill_grid_free(&s->surface.grid, mem);
    rill_lists_free(&s->surface.lists, mem);
    buffer *all[] = {&s->halo.source,    &s->contacts.items,
                     &s->contacts.first, &s->contacts.block_sum,
                     &s->scratch,        &s->block_stats,
                     &s->keep,           &s->held,
                     &s->seam,           &s->undo,
                     &s->starts,         &s->surface.scratch,
                     &s->look.places,    &s->look.velocities,
                     &s->look.bodies,    &s->surface.edge,
                     &s->surface.wanted, &s->viscous,
                     &s->cloth_step,     &s->cloth,
                     &s->cloth_pairs,    &s->cloth_pieces};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) rill_buffer_free(mem, all[k]);
    share old = {.particles = w->particles, .params = w->params, .method_data = s->method_data};
    share_free(mem, &old);
    w->particles = (particles){0}, w->params = (buffer){0};
    rill_memory_release(mem, s, sizeof *s);
    w->sim = NULL;
}

/* If the support follows from the self-contribution, the first fluid decides it. Masses follow from support and
   spacing. */
void rill_sim_set_fluid_mass(rill_world *w, fluid *f) {
    const method *m = sim_of(w)->method;
    const float old = f->mass;
    set_lengths(w, m, &first_fluid(w)->def);
    f->mass = f->def.particle_mass;
    if (!(f->mass > 0.0f)) {
        f->mass = f->def.density * dim_power(w->def.spacing);
        if (w->def.calibrate_mass && !m->calibrates_sum && rill_step_check_support(w, NULL) == RILL_OK)
            f->mass /= rill_fill_lattice_sum(m->density_kernel(w), w->support, w->def.spacing);
    }
    if (old == f->mass) return;
    for (int i = 0; i < w->particles.count; i++)
        if (fluids_of(w)[i] == (uint32_t)(f - POOL_ITEMS(w, fluid))) places_of(w)[i].m = f->mass;
}

/* ---- another method ---- */

/* Copies the particles: common fields and those that they carry. Fields of the new method are zero, as for a particle
   that was just added. */
static bool copy_particles(rill_world *w, particles *to) {
    const particles *from = &w->particles;
    if (!rill_particles_reserve(&w->memory, to, from->count)) return false;
    to->count = from->count, to->next_id = from->next_id;
    for (int k = 0; k < FIELD_METHOD && from->count > 0; k++)
        memcpy(to->fields[k].data, from->fields[k].data, from->fields[k].size * (size_t)from->count);
    for (int k = 0; k < EXTRA_COUNT; k++) {
        if (from->extra[k] == 0) continue;
        if (!rill_particles_use(&w->memory, to, (extra_field)k)) return false;
        const field *f = &from->fields[from->extra[k]];
        if (from->count > 0) memcpy(to->fields[to->extra[k]].data, f->data, f->size * (size_t)from->count);
    }
    return rill_particles_adopt_links(&w->memory, to, w->workers);
}

/* Makes a row of default values for every slot. */
static bool make_rows(memory *m, buffer *rows, const rill_table *table, int slots) {
    if (!table) return true;
    if (!get_zeros(m, rows, table->size * (size_t)slots)) return false;
    for (int k = 0; k < slots; k++) rill_table_defaults(table, (char *)rows->data + table->size * (size_t)k);
    return true;
}

#define SWAP(type, a, b)     \
    do {                     \
        type swapped_ = (a); \
        (a) = (b);           \
        (b) = swapped_;      \
    } while (0)

/* Swaps the world's share with the other one. */
static void swap_share(rill_world *w, share *other) {
    sim *s = sim_of(w);
    SWAP(particles, w->particles, other->particles);
    SWAP(buffer, w->params, other->params);
    SWAP(buffer, s->method_data, other->method_data);
    SWAP(buffer, w->fluids.method_rows, other->fluid_rows);
    SWAP(buffer, w->solids.method_rows, other->solid_rows);
    for (size_t k = 0; k < sizeof w->derived / sizeof *w->derived; k++) SWAP(float, w->derived[k], other->derived[k]);
    SWAP(float, w->support, other->support);
    SWAP(float, w->wall_distance, other->wall_distance);
    SWAP(float, w->body_margin, other->body_margin);
    SWAP(float, w->body_gap, other->body_gap);
    for (int k = 0; k < w->fluids.count; k++) SWAP(float, POOL_ITEMS(w, fluid)[k].mass, other->masses[k]);
    SWAP(int64_t, w->method_since, other->method_since);
    SWAP(bool, w->scene_changed, other->scene_changed);
    SWAP(const method *, s->method, other->method);
    w->fluids.method_table = s->method->info.fluid_table;
    w->solids.method_table = s->method->info.solid_table;
    snprintf(w->def.method, sizeof w->def.method, "%s", s->method->info.name);
}

/* Fails if the world cannot take a step with its present method. */
static rill_status try_method(rill_world *w) {
    set_lengths(w, sim_of(w)->method, NULL);
    FOR_ALIVE(w, fluid, f) rill_sim_set_fluid_mass(w, f);
    TRY(rill_sources_check_walls(w));
    TRY(rill_step_refresh(w, 0));
    w->scene_changed = true; /* the next step chooses again, for its own dt */
    return RILL_OK;
}

/* Clears the solver statistics of the old method; the new one may have no solver. */
static void forget_solver(rill_stats *stats) {
    stats->iterations = 0, stats->residual = 0;
    stats->residual_density = stats->residual_walls = stats->residual_contacts = stats->residual_joints = 0;
    memset(stats->residuals, 0, sizeof stats->residuals);
}

rill_status rill_sim_set_method(rill_world *w, const char *name) {
    share other;
    memory *m = &w->memory;
    if (w->cloths.living_count > 0)
        return rill_fail(&w->error, RILL_INVALID,
                         "method: a world with cloth keeps its method; remove the cloth before '%s' takes over", name);
    if (!share_make(w, rill_sim_method_find(name), &other))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the parameters and particles of '%s'", name);
    const rill_method_info *info = &other.method->info;
    rill_status status = RILL_OK;
    if (!copy_particles(w, &other.particles) || !make_rows(m, &other.fluid_rows, info->fluid_table, w->fluids.count) ||
        !make_rows(m, &other.solid_rows, info->solid_table, w->solids.count))
        status = rill_fail(&w->error, RILL_MEMORY, "no memory for %d particles of '%s'", w->particles.count, name);
    if (status == RILL_OK) {
        swap_share(w, &other);
        status = try_method(w);
        if (status == RILL_OK)
            forget_solver(&w->stats);
        else
            swap_share(w, &other);
    }
    share_free(m, &other);
    return status;
}
