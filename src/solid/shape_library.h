/* SPDX-License-Identifier: MIT */
/* Shapes of a world, each made once and shared by all objects with the same one: its model, and the data through which
   fluid and bodies meet it. Everything is in the shape's own frame. */
#ifndef RILL_SOLID_SHAPE_LIBRARY_H
#define RILL_SOLID_SHAPE_LIBRARY_H

#include "geometry/shape_model.h"
#include "model/world_state.h"

/* Most points of a surface at which contacts of bodies are tested. */
#define SURFACE_POINTS_MAX 256

/* Cells along the edge of a block of a curvature map. */
#define CURVATURE_BLOCK 8

/* Values on a grid, stored only for the blocks near a surface; see curvature_map.c. */
typedef struct curvature_map {
    float low[3], node; /* corner, distance of nodes */
    float plane[17];    /* share that a plane covers, by its distance */
    int32_t blocks[3];
    int32_t count;  /* of blocks that exist */
    int32_t *index; /* of each block, x fastest: its number among the existing ones, or -1 */
    float *nodes;
} curvature_map;

/* Samples of a surface with the volumes that they stand for, sorted by cells; see samples.c. */
typedef struct sample_set {
    float (*points)[4]; /* position and volume */
    int32_t count;
    float low[3], cell;
    int32_t cells[3];
    int32_t *first; /* first sample of each cell and one more, x fastest */
} sample_set;

/* A surface cut into small cells; see faces.c. */
typedef struct face_cell {
    float x[3], normal[3], area;
} face_cell;
typedef struct face_set {
    face_cell *cells;
    int32_t count;
    bool looked_at; /* cells were made, or would be too many */
} face_set;

struct shared_shape {
    uint64_t key;
    int32_t uses;
    shape_model model;
    /* Wall data for this support and spacing, rebuilt when these change. */
    float support, spacing;
    curvature_map curvature;
    sample_set samples;
    face_set faces; /* of bodies only */
    /* Points far apart on the surface at which contacts of bodies are tested; made when a body asks for them. */
    float (*points)[3];
    int32_t point_count;
};

/* The entry of a shape that is not a compound, made if there is none yet. NULL on error. */
shared_shape *rill_shape_take(shape_library *library, const shape_context *context, const rill_shape *shape,
                              rill_error *error);
void rill_shape_library_free(shape_library *library, memory *m);

/* Takes the entries of a shape, or of a compound's parts; drops them. */
rill_status rill_shape_models_take(shape_library *library, const shape_context *context, const rill_shape *shape,
                                   shape_models *out, rill_error *error);
void rill_shape_models_drop(shape_library *library, memory *m, shape_models *models);

/* Releases the curvature map, the samples and the faces. */
void rill_shape_forget_walls(memory *m, shared_shape *shape);
/* Bytes that an entry holds besides its struct. */
size_t rill_shape_held_bytes(const shared_shape *shape);

/* Makes the contact points of a shape that is not a compound, unless it has them. */
rill_status rill_surface_points_make(shared_shape *shared, const shape_context *context, const rill_shape *shape,
                                     rill_error *error);

#endif
