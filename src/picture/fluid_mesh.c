/* SPDX-License-Identifier: MIT */
/* Meshes of the fluid in a picture. */
#include "picture/fluid_mesh.h"

/* Cells in 2D are at most this large [particle spacings]: they are cheap, and outlines are looked at closely. */
#define CELL_MAX_2D 0.35f

static rill_surface_def def_of(const drawing *d, int fluid) {
    rill_surface_def def = d->def->surface ? *d->def->surface : rill_surface_def_default();
    def.fluid = fluid;
    return def;
}

static rill_status make(fluid_mesh *mesh, const drawing *d, const rill_surface_def *def, const rill_vec *carried,
                        rill_error *error) {
    rill_frame frame = *d->frame;
    frame.spacing = 2.0f * d->radius; /* the frame itself may not have one */
    *mesh = (fluid_mesh){.surface = rill_surface_create(def, error)};
    return mesh->surface ? rill_surface_of_frame(mesh->surface, &frame, carried, &mesh->shape, error) : RILL_INVALID;
}

rill_status rill_fluid_mesh_make(fluid_mesh *mesh, const drawing *d, int fluid, const rill_vec *carried,
                                 rill_error *error) {
    rill_surface_def def = def_of(d, fluid);
    if (d->frame->dim == 2) def.cell = fminf(def.cell, CELL_MAX_2D);
    return make(mesh, d, &def, carried, error);
}

rill_status rill_fluid_mesh_for_rays(fluid_mesh *mesh, const drawing *d, int fluid, bool droplets, rill_error *error) {
    rill_surface_def def = def_of(d, fluid);
    /* Meshes are rounded by about a cell where walls meet: the overlap hides that part behind the walls. */
    def.overlap = fminf(fmaxf(def.cell, def.overlap), 1.0f);
    def.droplets = droplets;
    return make(mesh, d, &def, NULL, error);
}

void rill_fluid_mesh_free(fluid_mesh *mesh) {
    rill_surface_destroy(mesh->surface);
    *mesh = (fluid_mesh){0};
}

int rill_fluid_mesh_count(const drawing *d) {
    return d->frame->fluid_count > 1 ? d->frame->fluid_count : 1;
}
