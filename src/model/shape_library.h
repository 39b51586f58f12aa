/* SPDX-License-Identifier: MIT */
/* Which models of shapes a world holds; geometry/shape_model.h tells what they are. */
#ifndef RILL_MODEL_SHAPE_LIBRARY_H
#define RILL_MODEL_SHAPE_LIBRARY_H

#include "core/alloc.h"

typedef struct shape_model shape_model;

typedef struct shape_library {
    buffer models; /* shape_model *, by slot; NULL: free */
    int count;
} shape_library;

/* The models of a shape, or of a compound's parts. */
typedef struct shape_models {
    shape_model **items;
    int count;
} shape_models;

#endif
