/* SPDX-License-Identifier: MIT */
/* What is made from a shape once and shared by all objects with the same one: its distance field, its edges, and what
   the fluid needs to feel it. A model lies in the shape's own frame. */
#ifndef RILL_GEOMETRY_SHAPE_MODEL_H
#define RILL_GEOMETRY_SHAPE_MODEL_H

#include "geometry/field.h"
#include "geometry/shape.h"
#include "model/shape_library.h"

/* Most points of a surface that contacts are found from. */
#define TOUCH_POINTS_MAX 256

/* Edges in one of a chain's boxes: a look-up skips the boxes that are too far away. */
#define EDGE_BOX 8

/* Numbers on a grid of which only the blocks near a surface exist; see sim/boundary/scale_map.c. */
typedef struct block_grid {
    float low[3], node; /* corner, distance of nodes */
    float plane[17];    /* what a plane covers, by its distance */
    int32_t blocks[3];
    int32_t count;  /* of blocks that exist */
    int32_t *index; /* of each block, x fastest: which one, or -1 */
    float *nodes;
} block_grid;

/* Points on a surface with the volumes that they stand for, sorted by cells; see sim/boundary/samples.c. */
typedef struct sample_set {
    float (*points)[4]; /* position and volume */
    int32_t count;
    float low[3], cell;
    int32_t cells[3];
    int32_t *first; /* of each cell and one more, x fastest */
} sample_set;

struct shape_model {
    uint64_t key;
    int32_t uses;
    int32_t dim;
    distance_field *field; /* mesh, hull and heightfield in 3D */
    outline edges;         /* polygon, segments, hull and heightfield in 2D */
    float (*boxes)[4];     /* of every EDGE_BOX edges: lower and upper corner */
    float (*touch)[3];     /* points of the surface that contacts with other bodies are found from */
    int32_t touch_count;
    /* For the fluid's support, made anew when that changes. */
    float support, spacing;
    block_grid scale;
    sample_set samples;
};

/* What models depend on besides the shape. */
typedef struct shape_context {
    memory *memory;
    parallel *workers;
    int dim;
    float spacing, support;
    const rill_cache *cache; /* of the host; may be NULL */
} shape_context;

/* The model of a shape that is no compound, made if there is none yet. NULL on error. */
shape_model *shape_model_take(shape_library *library, const shape_context *context, const rill_shape *shape,
                              rill_error *error);
void shape_model_drop(shape_library *library, memory *m, shape_model *model);
void shape_library_free(shape_library *library, memory *m);
/* Makes the points for contacts, unless they are there. Of a shape that is no compound. */
rill_status shape_model_touch(shape_model *model, const shape_context *context, const rill_shape *shape,
                              rill_error *error);
int shape_box_count(const shape_model *model);
/* Bytes of grids and samples go when the support changes. */
void shape_model_forget(memory *m, shape_model *model);
size_t block_grid_nodes(int dim); /* in one block */

/* The models of a shape, or of a compound's parts. */
rill_status shape_models_take(shape_library *library, const shape_context *context, const rill_shape *shape,
                              shape_models *out, rill_error *error);
void shape_models_drop(shape_library *library, memory *m, shape_models *models);

#endif
