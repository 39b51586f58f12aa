/* SPDX-License-Identifier: MIT */
/* The fluid's surface for a picture: closed, and ended at the solids that are drawn. */
#ifndef RILL_PICTURE_FLUID_MESH_H
#define RILL_PICTURE_FLUID_MESH_H

#include "picture/drawing.h"

typedef struct fluid_mesh {
    rill_surface *surface;
    rill_surface_mesh shape; /* valid as long as `surface` */
} fluid_mesh;

/* `fluid` -1: all fluids together. `carried` is interpolated to the vertices, for colours; may be NULL. Free the mesh
   whatever the result. */
rill_status rill_fluid_mesh_make(fluid_mesh *mesh, const drawing *d, int fluid, const rill_vec *carried,
                                 rill_error *error);
/* A mesh for ray tracing: it reaches into solids, so that no gap shows; with lone drops only if `droplets`. */
rill_status rill_fluid_mesh_for_rays(fluid_mesh *mesh, const drawing *d, int fluid, bool droplets, rill_error *error);
void rill_fluid_mesh_free(fluid_mesh *mesh);
/* The number of fluids that are meshed separately: at least one. */
int rill_fluid_mesh_count(const drawing *d);

#endif
