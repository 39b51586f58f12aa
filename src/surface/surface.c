/* SPDX-License-Identifier: MIT */
/* The public interface to surfaces: checks the arguments, then runs the steps in their order. */
#include "surface/surface.h"

#include "core/error.h"
#include "model/table.h"

#include <string.h>

#define COOKIE 0x53555246u

static const rill_param rows[] = {
    ROW_CHOICE(rill_surface_def, field, "distance|density|anisotropic", RILL_SURFACE_ANISOTROPIC,
               "function whose level set is the surface", "SCA 2005, Eq. 13; Yu & Turk 2013"),
    ROW_NUMBER(rill_surface_def, radius, RILL_PURE, 1.2, 6, 2, "radius of a particle's kernel, in particle spacings",
               NULL),
    ROW_NUMBER(rill_surface_def, cell, RILL_PURE, 0.05, 2, 0.5, "edge of the grid's cells, in particle spacings", NULL),
    ROW_NUMBER(rill_surface_def, level, RILL_PURE, 0, 1e6, 0,
               "value of the field on the surface; 0: chosen so that a flat surface encloses the fluid's volume", NULL),
    ROW_INT(rill_surface_def, smoothing, 0, 1000, 4, "rounds of smoothing, which keeps the volume", "Taubin 1995"),
    ROW_BOOL(rill_surface_def, droplets, 1, "lone particles show as balls of their volume", NULL),
    ROW_BOOL(rill_surface_def, walls, 1, "the mesh ends exactly at walls", NULL),
    ROW_NUMBER(rill_surface_def, overlap, RILL_PURE, 0, 1, 0,
               "depth to which the mesh reaches into walls, in particle spacings; at 0 renderers may show a gap", NULL),
    ROW_INT(rill_surface_def, fluid, -1, 63, -1, "number of the only fluid that is meshed; -1: all together", NULL),
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
    rill_memory_init(&m, &def->allocator);
    rill_surface *s = rill_memory_get(&m, sizeof *s);
    if (!s) {
        rill_fail(error, RILL_MEMORY, "no memory for a surface");
        return NULL;
    }
    *s = (rill_surface){.def = *def, .memory = m};
    s->workers = rill_parallel_create(&s->memory, def->workers, &def->tasks);
    if (!s->workers) {
        rill_fail(error, RILL_MEMORY, "no memory or threads for %d workers", (int)def->workers);
        rill_surface_destroy(s);
        return NULL;
    }
    rill_cube_cases_make(&s->cases);
    return s;
}

void rill_surface_destroy(rill_surface *s) {
    if (!s) return;
    buffer *buffers[] = {&s->taken_data, &s->points_data, &s->sort_data, &s->bin_first,  &s->bin_states, &s->near_bins,
                         &s->blocks,     &s->values,      &s->edges,     &s->scratch,    &s->position,   &s->normal,
                         &s->velocity,   &s->fluid,       &s->index,     &s->links,      &s->link_first, &s->moved,
                         &s->at_wall,    &s->pieces,      &s->sums,      &s->frame_data, &s->color,      &s->lone};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++) rill_buffer_free(&s->memory, buffers[k]);
    rill_cell_map_free(&s->memory, &s->bins);
    rill_cell_map_free(&s->memory, &s->block_map);
    rill_parallel_destroy(&s->memory, s->workers);
    rill_frame_free(&s->frame);
    memory m = s->memory;
    rill_memory_release(&m, s, sizeof *s);
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
    s->vertex_count = s->element_count = s->lone_count = 0;
    if (!rill_surface_take(s)) return false;
    mesh->left_out = s->left_out;
    if (s->taken.count == 0) return true;
    return rill_surface_sort(s) && rill_surface_look_around(s) && rill_surface_lay_blocks(s) &&
           (rill_surface_evaluate(s), rill_surface_march(s)) && rill_surface_smooth(s) &&
           rill_surface_measure(s, &mesh->volume, &mesh->area);
}

rill_status rill_surface_of_particles(rill_surface *s, const rill_surface_particles *particles, rill_surface_mesh *mesh,
                                      rill_error *error) {
    if (!s || !mesh) return rill_fail(error, RILL_INVALID, "surface: the %s is NULL", s ? "mesh" : "surface");
    *mesh = (rill_surface_mesh){0};
    TRY(check_particles(particles, error));
    if (s->recipe.dim != particles->dim || s->recipe.spacing != particles->spacing) {
        s->recipe.dim = 0;
        if (!rill_surface_calibrate(&s->memory, &s->recipe, &s->def, particles->dim, particles->spacing))
            return rill_fail(error, RILL_MEMORY, "no memory to calibrate a surface");
    }
    s->input = particles;
    s->cell = s->def.cell * particles->spacing;
    s->overlap = s->def.overlap * particles->spacing;
    /* At least a kernel's radius and two cells; with smaller bins there would be more bins than particles. */
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
    mesh->lone_count = s->lone_count, mesh->lone = s->lone_count ? rill_surface_lone_list(s) : NULL;
    mesh->bytes = s->memory.bytes;
    return RILL_OK;
}

/* ---- of a frame ---- */

static float solid_of_frame(int wall, rill_vec point, rill_vec *normal, void *context) {
    return rill_frame_distance(context, wall, point, normal);
}

rill_status rill_surface_of_frame(rill_surface *s, const rill_frame *frame, const rill_vec *color,
                                  rill_surface_mesh *mesh, rill_error *error) {
    if (!s || !frame || !mesh)
        return rill_fail(error, RILL_INVALID, "surface: the %s is NULL", !s ? "surface" : !frame ? "frame" : "mesh");
    *mesh = (rill_surface_mesh){0};
    const rill_view *position = rill_frame_field(frame, "position"), *velocity = rill_frame_field(frame, "velocity");
    const rill_view *fluid = rill_frame_field(frame, "fluid");
    if (!position) return rill_fail(error, RILL_NOT_FOUND, "surface: the particles have no positions");
    const size_t n = (size_t)frame->count;
    if (!rill_buffer_reserve(&s->memory, &s->frame_data, n * (2 * sizeof(rill_vec) + sizeof(uint32_t)) + 1, 0))
        return rill_fail(error, RILL_MEMORY, "no memory for the surface of %d particles", (int)frame->count);
    rill_vec *positions = s->frame_data.data, *velocities = positions + n;
    uint32_t *fluids = (uint32_t *)(velocities + n);
    for (int k = 0; k < frame->count; k++) {
        positions[k] = rill_frame_vec(frame, position, k), velocities[k] = rill_frame_vec(frame, velocity, k);
        fluids[k] = (uint32_t)rill_frame_uint(frame, fluid, k);
    }
    /* The function takes any context and only reads this one: the union casts away `const`. */
    union {
        const rill_frame *in;
        void *out;
    } context = {frame};
    const rill_surface_particles particles = {.dim = frame->dim,
                                              .count = frame->count,
                                              .position = positions,
                                              .velocity = velocities,
                                              .color = color,
                                              .fluid = fluids,
                                              .spacing = frame->spacing,
                                              .periodic = frame->periodic,
                                              .periodic_origin = frame->periodic_origin,
                                              .wall_count = s->def.walls ? frame->solid_count : 0,
                                              .wall = solid_of_frame,
                                              .wall_context = context.out};
    return rill_surface_of_particles(s, &particles, mesh, error);
}

rill_status rill_surface_of_world(rill_surface *s, const rill_world *world, rill_surface_mesh *mesh,
                                  rill_error *error) {
    if (!s || !world || !mesh)
        return rill_fail(error, RILL_INVALID, "surface: the %s is NULL", !s ? "surface" : !world ? "world" : "mesh");
    *mesh = (rill_surface_mesh){0};
    s->frame.allocator = s->def.allocator;
    const rill_status status = rill_frame_of_world(&s->frame, world, error);
    return status == RILL_OK ? rill_surface_of_frame(s, &s->frame, NULL, mesh, error) : status;
}
