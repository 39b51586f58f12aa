/* SPDX-License-Identifier: MIT */
/* From what is drawn to the surface of it. */
#include "picture/fluid_mesh.h"

/* A plane is cheap, and its outline is looked at closely. */
#define CELL_MAX_2D 0.35f

static float wall_distance(int wall, rill_vec point, rill_vec *normal, void *context) {
    const drawing *d = context;
    float distance = 0.0f;
    return rill_world_solid_distance(d->world, wall, point, &distance, normal) == RILL_OK ? distance : 1e30f;
}

rill_status fluid_mesh_make(fluid_mesh *mesh, const drawing *d, int fluid, const rill_vec *carried, rill_error *error) {
    /* The walls are only read, but the function that reads them takes any context. */
    union {
        const drawing *in;
        void *out;
    } context = {d};
    const io_particles *p = d->particles;
    rill_surface_def def = d->def->surface ? *d->def->surface : rill_surface_def_default();
    def.fluid = fluid;
    if (p->dim == 2) def.cell = fminf(def.cell, CELL_MAX_2D);
    rill_surface_particles in = {.dim = p->dim,
                                 .count = p->count,
                                 .position = p->position,
                                 .velocity = p->velocity,
                                 .color = carried,
                                 .fluid = p->fluid,
                                 .spacing = 2.0f * d->radius,
                                 .periodic = d->def->periodic,
                                 .periodic_origin = d->def->periodic_origin,
                                 .wall = wall_distance,
                                 .wall_context = context.out};
    if (d->world && def.walls) in.wall_count = rill_world_solid_count(d->world);
    *mesh = (fluid_mesh){.surface = rill_surface_create(&def, error)};
    return mesh->surface ? rill_surface_of_particles(mesh->surface, &in, &mesh->shape, error) : RILL_INVALID;
}

void fluid_mesh_free(fluid_mesh *mesh) {
    rill_surface_destroy(mesh->surface);
    *mesh = (fluid_mesh){0};
}

int fluid_mesh_count(const drawing *d) {
    const int count = d->world ? rill_world_fluid_count(d->world) : 1;
    return count > 1 ? count : 1;
}
