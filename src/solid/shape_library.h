/* SPDX-License-Identifier: MIT */
/* Shapes that a world holds, each made once and shared by all objects with the same one: its model, and what fluid and
   bodies need to feel it. Everything lies in the shape's own frame. */
#ifndef RILL_SOLID_SHAPE_LIBRARY_H
#define RILL_SOLID_SHAPE_LIBRARY_H

#include "geometry/shape_model.h"
#include "model/world_state.h"

/* Most points of a surface that contacts are found from. */
#define SURFACE_POINTS_MAX 256

/* Cells along the edge of a block of a curvature map. */
#define CURVATURE_BLOCK 8

/* Numbers on a grid of which only the blocks near a surface exist; see curvature_map.c. */
typedef struct curvature_map {
    float low[3], node; /* corner, distance of nodes */
    float plane[17];    /* what a plane covers, by its distance */
    int32_t blocks[3];
    int32_t count;  /* of blocks that exist */
    int32_t *index; /* of each block, x fastest: which one, or -1 */
    float *nodes;
} curvature_map;

/* Points on a surface with the volumes that they stand for, sorted by cells; see samples.c. */
typedef struct sample_set {
    float (*points)[4]; /* position and volume */
    int32_t count;
    float low[3], cell;
    int32_t cells[3];
    int32_t *first; /* of each cell and one more, x fastest */
} sample_set;

/* A surface cut into small cells; see faces.c. */
typedef struct face_cell {
    float x[3], normal[3], area;
} face_cell;
typedef struct face_set {
    face_cell *cells;
    int32_t count;
    bool looked_at; /* there are none if there would be too many */
} face_set;

struct shared_shape {
    uint64_t key;
    int32_t uses;
    shape_model model;
    /* For walls of this support and spacing, rebuilt when they change. */
    float support, spacing;
    curvature_map curvature;
    sample_set samples;
    face_set faces; /* of bodies only */
    /* Points far apart on the surface that contacts of bodies are found from; none until a body asks for them. */
    float (*points)[3];
    int32_t point_count;
};

/* The entry of a shape that is no compound, made if there is none yet. NULL on error. */
shared_shape *rill_shape_take(shape_library *library, const shape_context *context, const rill_shape *shape,
                              rill_error *error);
void rill_shape_library_free(shape_library *library, memory *m);

/* The entries of a shape, or of a compound's parts. */
rill_status rill_shape_models_take(shape_library *library, const shape_context *context, const rill_shape *shape,
                                   shape_models *out, rill_error *error);
void rill_shape_models_drop(shape_library *library, memory *m, shape_models *models);

/* Releases the curvature map, the samples and the faces. */
void rill_shape_forget_walls(memory *m, shared_shape *shape);
/* Bytes that an entry holds beyond its record. */
size_t rill_shape_held_bytes(const shared_shape *shape);

/* Makes the points for contacts of a shape that is no compound, unless they are there. */
rill_status rill_surface_points_make(shared_shape *shared, const shape_context *context, const rill_shape *shape,
                                     rill_error *error);

#endif
