/* SPDX-License-Identifier: MIT */
/* An array of values and the row that describes it: what particles have, and links between them. */
#ifndef RILL_MODEL_FIELD_H
#define RILL_MODEL_FIELD_H

#include "core/parallel.h"
#include "rill/types.h"

/* Flags of a field. */
enum {
    FIELD_SORT = 1,     /* part of the state: permuted with the particles; the others are rebuilt in every step */
    FIELD_SHOW = 2,     /* has a public view */
    FIELD_INTERNAL = 4, /* follows from the rest of the state: not in snapshots */
    FIELD_CARRIED = 16, /* the user's: stays with a particle wherever it is put, and whatever method moves it */
    FIELD_WIDENED = 8,  /* of 64 bits, and of 32 in snapshots of earlier builds */
    FIELD_RATE = 64,    /* a float that the next step measures a rate from; negative: it must not, for it jumped */
    FIELD_FOLLOW = 32,  /* rebuilt in every step, but permuted too: the next step asks what the last one found */
};

typedef struct field_def {
    const char *name, *unit, *doc;
    rill_scalar scalar;
    int components; /* that mean something to a user; 0: as many as the world has dimensions */
    int width;      /* scalars kept for each item; 0: as many as the world has dimensions */
    unsigned flags;
} field_def;

typedef struct field {
    field_def def; /* components and width resolved */
    size_t size;   /* bytes for each item */
    void *data;
    int spare_owner; /* field whose spare array this one is permuted into: the first of its size; -1: never permuted */
    void *spare;     /* as large as `data` if this field is such an owner, otherwise NULL */
} field;

/* Components and width of a definition in a world of this dimension. */
static inline field_def field_resolve(field_def def, int dim) {
    if (def.components == 0) def.components = dim;
    if (def.width == 0) def.width = dim;
    return def;
}

/* to[k] = from[order[k]] for items of `size` bytes. */
void rill_field_permute(parallel *workers, void *to, const void *from, size_t size, const int32_t *order, int count);

#endif
