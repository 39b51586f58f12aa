/* SPDX-License-Identifier: MIT */
/* Fields: arrays of values, with the row that describes each, of particles and of links between particles. */
#ifndef RILL_MODEL_FIELD_H
#define RILL_MODEL_FIELD_H

#include "core/parallel.h"
#include "rill/types.h"

/* Flags of a field. */
enum {
    FIELD_SORT = 1,     /* part of the state: permuted with the particles; other fields are rebuilt in every step */
    FIELD_SHOW = 2,     /* has a public view */
    FIELD_INTERNAL = 4, /* follows from the rest of the state: not in snapshots */
    FIELD_CARRIED = 16, /* the user's: stays with a particle when it is moved, and when the method changes */
    FIELD_WIDENED = 8,  /* 64 bits, but 32 in snapshots of earlier builds */
    FIELD_RATE = 64,    /* a float whose rate of change the next step measures; negative: not after a jump */
    FIELD_FOLLOW = 32,  /* rebuilt in every step, but permuted too, because the next step reads it */
};

typedef struct field_def {
    const char *name, *unit, *doc;
    rill_scalar scalar;
    int components; /* scalars of an item that users see; 0: one for each dimension of the world */
    int width;      /* scalars of an item in memory; 0: one for each dimension of the world */
    unsigned flags;
} field_def;

typedef struct field {
    field_def def; /* with components and width resolved */
    size_t size;   /* of an item [bytes] */
    void *data;
    int spare_owner; /* the field, first of its size, into whose spare array this one is permuted; -1: never permuted */
    void *spare;     /* an array as large as `data` if this field is such an owner, otherwise NULL */
} field;

/* A definition with components and width resolved for a world of this dimension. */
static inline field_def field_resolve(field_def def, int dim) {
    if (def.components == 0) def.components = dim;
    if (def.width == 0) def.width = dim;
    return def;
}

/* to[k] = from[order[k]] for items of `size` bytes. */
void rill_field_permute(parallel *workers, void *to, const void *from, size_t size, const int32_t *order, int count);

#endif
