/* SPDX-License-Identifier: MIT */
/* The data for measuring distances to a shape: its distance field or its edges, in the shape's own frame. Boxes,
   spheres and other shapes with a formula need neither. */
#ifndef RILL_GEOMETRY_SHAPE_MODEL_H
#define RILL_GEOMETRY_SHAPE_MODEL_H

#include "geometry/field.h"
#include "geometry/shape.h"

/* Edges per bounding box: a look-up skips the boxes that are too far away. */
#define EDGE_BOX 8

typedef struct shape_model {
    int32_t dim;
    distance_field *field; /* mesh, hull and heightfield in 3D */
    outline edges;         /* polygon, segments, hull and heightfield in 2D */
    float (*boxes)[4];     /* of each EDGE_BOX edges: lower and upper corner */
} shape_model;

/* The context that models depend on besides the shape. */
typedef struct shape_context {
    memory *memory;
    parallel *workers;
    int dim;
    float spacing, support;
    const rill_cache *cache; /* the host's; may be NULL */
} shape_context;

/* Equal for shapes that are equal in their own frames, whatever their position and rotation. */
uint64_t rill_shape_model_key(const rill_shape *shape, const shape_context *context);
/* Makes the model of a shape that is not a compound. On error the model holds nothing. */
rill_status rill_shape_model_make(shape_model *model, const shape_context *context, const rill_shape *shape,
                                  rill_error *error);
void rill_shape_model_free(memory *m, shape_model *model);
int rill_shape_box_count(const shape_model *model);

#endif
