/* SPDX-License-Identifier: MIT */
/* Surfaces for users: checks what is asked for, then runs the steps in their order. */
#include "surface/surface.h"

#include "core/error.h"
#include "model/table.h"

#include <string.h>

#define COOKIE 0x53555246u

static const rill_param rows[] = {
    ROW_CHOICE(rill_surface_def, field, "distance|density|anisotropic", RILL_SURFACE_ANISOTROPIC,
               "function whose level set is the surface", "Clavet et al. 13; Yu & Turk 2013"),
    ROW_NUMBER(rill_surface_def, radius, RILL_PURE, 1.2, 6, 2, "radius of a particle's kernel, in particle spacings",
               NULL),
    ROW_NUMBER(rill_surface_def, cell, RILL_PURE, 0.05, 2, 0.5, "edge of the grid's cells, in particle spacings", NULL),
    ROW_NUMBER(rill_surface_def, level, RILL_PURE, 0, 1e6, 0,
               "of the field on the surface; 0: such that a flat surface encloses the fluid's volume", NULL),
    ROW_INT(rill_surface_def, smoothing, 0, 1000, 4, "rounds of smoothing that keeps the volume", "Taubin 1995"),
    ROW_BOOL(rill_surface_def, droplets, 1, "lone particles show as balls of their volume", NULL),
    ROW_BOOL(rill_surface_def, walls, 1, "the fluid ends at walls, neither before nor behind them", NULL),
    ROW_INT(rill_surface_def, fluid, -1, 63, -1, "number of the only fluid that counts; -1: all together", NULL),
    ROW_INT(rill_surface_def, workers, 0, RILL_MAX_WORKERS, 0, "threads; 0: all cores", NULL),
};

const rill_table *rill_surface_table(void) {
    static const rill_table table = TABLE("surface", "How particles become a surface", rill_surface_def, rows);
    return &table;
}

rill_surface_def rill_surface_def_default(void) {
    rill_surface_def def = {.cookie = COOKIE};
    rill_table_defaults(rill_surface_table(), &def);
    return def;
}

/* ---- creation ---- */

static rill_status check_def(const rill_surface_def *def, rill_error *error) {
    if (!def)
        return rill_fail(error, RILL_INVALID, "surface: the definition is NULL; start from rill_surface_def_default");
    if (def->cookie != COOKIE)
        return rill_fail(error, RILL_INVALID, "surface: the definition was not made by rill_surface_def_default");
    return rill_table_check(rill_surface_table(), def, error);
}

rill_surface *rill_surface_create(const rill_surface_def *def, rill_error *error) {
    if (check_def(def, error) != RILL_OK) return NULL;
    memory m;
    memory_init(&m, &def->allocator);
    rill_surface *s = memory_get(&m, sizeof *s);
    if (!s) {
        rill_fail(error, RILL_MEMORY, "no memory for a surface");
        return NULL;
    }
    *s = (rill_surface){.def = *def, .memory = m};
    s->workers = parallel_create(&s->memory, def->workers, &def->tasks);
    if (!s->workers) {
        rill_fail(error, RILL_MEMORY, "no memory or threads for %d workers", (int)def->workers);
        rill_surface_destroy(s);
        return NULL;
    }
    cube_cases_make(&s->cases);
    return s;
}

void rill_surface_destroy(rill_surface *s) {
    if (!s) return;
    buffer *buffers[] = {&s->taken_data, &s->points_data, &s->sort_data, &s->bin_first,  &s->bin_states, &s->near_bins,
                         &s->blocks,     &s->values,      &s->edges,     &s->scratch,    &s->position,   &s->normal,
                         &s->velocity,   &s->fluid,       &s->index,     &s->links,      &s->link_first, &s->moved,
                         &s->at_wall,    &s->pieces,      &s->sums,      &s->world_data, &s->color};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++) buffer_free(&s->memory, buffers[k]);
    cell_map_free(&s->memory, &s->bins);
    cell_map_free(&s->memory, &s->block_map);
    parallel_destroy(&s->memory, s->workers);
    memory m = s->memory;
    memory_release(&m, s, sizeof *s);
}

/* ---- meshing ---- */

static rill_status check_particles(const rill_surface_particles *p, rill_error *error) {
    if (!p) return rill_fail(error, RILL_INVALID, "surface: the particles are NULL");
    if (p->dim != 2 && p->dim != 3)
        return rill_fail(error, RILL_INVALID, "surface: dim must be 2 or 3, got %d", (int)p->dim);
    if (p->count < 0 || (p->count > 0 && !p->position))
        return rill_fail(error, RILL_INVALID, "surface: %d particles without positions", (int)p->count);
    if (!(p->spacing > 1e-12f && p->spacing < 1e12f))
        return rill_fail(error, RILL_INVALID, "surface: the spacing of the particles must be positive, got %g m",
                         (double)p->spacing);
    const float period[3] = {p->periodic.x, p->periodic.y, p->periodic.z};
    for (int a = 0; a < p->dim; a++)
        if (!(period[a] >= 0.0f && period[a] < 1e12f))
            return rill_fail(error, RILL_INVALID, "surface: the period along %c must be 0 or positive, got %g m",
                             "xyz"[a], (double)period[a]);
    return RILL_OK;
}

static void set_box(rill_surface *s, const rill_surface_particles *p) {
    const float period[3] = {p->periodic.x, p->periodic.y, p->periodic.z};
    const float origin[3] = {p->periodic_origin.x, p->periodic_origin.y, p->periodic_origin.z};
    s->periodic = false;
    for (int a = 0; a < 3; a++) {
        const bool here = a < p->dim && period[a] > 0.0f;
        s->box_min[a] = here ? origin[a] : -HUGE_VALF;
        s->box_max[a] = here ? origin[a] + period[a] : HUGE_VALF;
        s->periodic |= here;
    }
}

static bool run_steps(rill_surface *s, rill_surface_mesh *mesh) {
    s->vertex_count = s->element_count = 0;
    if (!surface_take(s)) return false;
    mesh->left_out = s->left_out;
    if (s->taken.count == 0) return true;
    return surface_sort(s) && surface_look_around(s) && surface_lay_blocks(s) &&
           (surface_evaluate(s), surface_march(s)) && surface_smooth(s) &&
           surface_measure(s, &mesh->volume, &mesh->area);
}

rill_status rill_surface_of_particles(rill_surface *s, const rill_surface_particles *particles, rill_surface_mesh *mesh,
                                      rill_error *error) {
    if (!s || !mesh) return rill_fail(error, RILL_INVALID, "surface: the %s is NULL", s ? "mesh" : "surface");
    *mesh = (rill_surface_mesh){0};
    rill_status status = check_particles(particles, error);
    if (status != RILL_OK) return status;
    if (s->recipe.dim != particles->dim || s->recipe.spacing != particles->spacing) {
        s->recipe.dim = 0;
        if (!surface_calibrate(&s->memory, &s->recipe, &s->def, particles->dim, particles->spacing))
            return rill_fail(error, RILL_MEMORY, "no memory to calibrate a surface");
    }
    s->input = particles;
    s->cell = s->def.cell * particles->spacing;
    /* No smaller than a kernel or a few cells, or there would be more bins than particles. */
    s->bin_edge = fmaxf(s->recipe.radius, 2.0f * s->cell);
    s->bins_around = (int)ceilf(fmaxf(s->recipe.around, s->recipe.reach + s->recipe.shift) / s->bin_edge - 1e-4f);
    set_box(s, particles);
    const bool fine = run_steps(s, mesh);
    s->input = NULL;
    if (!fine) return rill_fail(error, RILL_MEMORY, "no memory for the surface of %d particles", (int)particles->count);
    mesh->dim = particles->dim;
    mesh->vertex_count = s->vertex_count, mesh->element_count = s->element_count;
    mesh->position = s->position.data, mesh->normal = s->normal.data, mesh->velocity = s->velocity.data;
    mesh->color = particles->color ? s->color.data : NULL;
    mesh->fluid = s->fluid.data, mesh->index = s->index.data;
    mesh->bytes = s->memory.bytes;
    return RILL_OK;
}

/* ---- of a world ---- */

static float solid_of_world(int wall, rill_vec point, rill_vec *normal, void *context) {
    float distance = HUGE_VALF;
    return rill_world_solid_distance(context, wall, point, &distance, normal) == RILL_OK ? distance : HUGE_VALF;
}

static rill_vec vector_at(const rill_view *view, int k) {
    const float *from = (const float *)view->data + (size_t)k * (size_t)view->stride;
    return (rill_vec){from[0], from[1], view->components > 2 ? from[2] : 0.0f};
}

rill_status rill_surface_of_world(rill_surface *s, const rill_world *world, rill_surface_mesh *mesh,
                                  rill_error *error) {
    if (!s || !world || !mesh)
        return rill_fail(error, RILL_INVALID, "surface: the %s is NULL", !s ? "surface" : !world ? "world" : "mesh");
    *mesh = (rill_surface_mesh){0};
    const rill_world_def *def = rill_world_get_def(world);
    const int count = rill_world_particle_count(world);
    const size_t n = (size_t)count;
    rill_view position, velocity, fluid;
    if (rill_world_view(world, "position", &position) != RILL_OK ||
        rill_world_view(world, "velocity", &velocity) != RILL_OK || rill_world_view(world, "fluid", &fluid) != RILL_OK)
        return rill_fail(error, RILL_NOT_FOUND, "surface: the world has no positions, velocities or fluids to show");
    if (!buffer_reserve(&s->memory, &s->world_data, n * (2 * sizeof(rill_vec) + sizeof(uint32_t)) + 1, 0))
        return rill_fail(error, RILL_MEMORY, "no memory for the surface of %d particles", count);
    rill_vec *positions = s->world_data.data, *velocities = positions + n;
    uint32_t *fluids = (uint32_t *)(velocities + n);
    for (int k = 0; k < count; k++) {
        positions[k] = vector_at(&position, k), velocities[k] = vector_at(&velocity, k);
        fluids[k] = ((const uint32_t *)fluid.data)[(size_t)k * (size_t)fluid.stride];
    }
    union {
        const rill_world *in;
        void *out;
    } context = {world};
    const rill_surface_particles particles = {.dim = def->dim,
                                              .count = count,
                                              .position = positions,
                                              .velocity = velocities,
                                              .fluid = fluids,
                                              .spacing = def->spacing,
                                              .periodic = def->periodic,
                                              .periodic_origin = def->periodic_origin,
                                              .wall_count = s->def.walls ? rill_world_solid_count(world) : 0,
                                              .wall = solid_of_world,
                                              .wall_context = context.out};
    return rill_surface_of_particles(s, &particles, mesh, error);
}
