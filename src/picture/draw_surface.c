/* SPDX-License-Identifier: MIT */
/* Fast pictures in 3D: the fluid's surface as triangles in the depth buffer of the solids, coloured by a quantity. */
#include "core/error.h"
#include "picture/draw_cloth.h"
#include "picture/fluid_mesh.h"
#include "picture/stage_triangle.h"

#include <stdlib.h>

static stage_corner see(const stage *s, const rill_surface_mesh *mesh, int vertex) {
    const drawing *d = s->d;
    const float share = (mesh->color[vertex].x - d->color_min) / (d->color_max - d->color_min);
    return rill_stage_corner(s, mesh->position[vertex], mesh->normal[vertex], share);
}

static void fill_mesh(stage *s, const rill_surface_mesh *mesh) {
    for (int e = 0; e < mesh->element_count; e++) {
        stage_corner t[3];
        for (int k = 0; k < 3; k++) t[k] = see(s, mesh, mesh->index[3 * e + k]);
        rill_stage_fill(s, t, SAMPLE_FLUID, false);
    }
}

/* The mesh interpolates any vector from particles to its vertices; here its x is the quantity that gives the colour. */
static rill_status draw_fluid(stage *s, rill_vec *quantity, rill_error *error) {
    fluid_mesh mesh;
    for (int k = 0; k < s->d->frame->count; k++) quantity[k] = (rill_vec){rill_picture_value(s->d, k), 0, 0};
    rill_status status = rill_fluid_mesh_make(&mesh, s->d, -1, quantity, error);
    if (status == RILL_OK) {
        fill_mesh(s, &mesh.shape);
        rill_picture_cloth_3d(s);
        status = rill_stage_light(s, error);
    }
    rill_fluid_mesh_free(&mesh);
    return status;
}

rill_status rill_picture_draw_surface(drawing *d, rill_error *error) {
    stage s;
    rill_status status = rill_stage_open(&s, d, error);
    rill_vec *quantity = status == RILL_OK ? malloc(((size_t)d->frame->count + 1) * sizeof *quantity) : NULL;
    if (status == RILL_OK && !quantity)
        status = rill_fail(error, RILL_MEMORY, "not enough memory to draw %d particles", d->frame->count);
    s.smooth = true;
    if (status == RILL_OK) status = draw_fluid(&s, quantity, error);
    free(quantity);
    rill_stage_close(&s);
    return status;
}
