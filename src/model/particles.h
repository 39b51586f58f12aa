/* SPDX-License-Identifier: MIT */
/* The particle arrays. One field table describes them all; adding, removing, sorting, output and snapshots read the
   table and know no field by name. Arrays are flat and by field; the first index after the particles themselves may
   hold halo copies (periodic images) and one far-away null particle that pads neighbour lists. */
#ifndef RILL_MODEL_PARTICLES_H
#define RILL_MODEL_PARTICLES_H

#include "core/alloc.h"
#include "core/parallel.h"
#include "rill/types.h"

/* What is done with a field. */
enum {
    FIELD_SORT = 1, /* part of the state: permuted with the particles; the others are made anew in every step */
    FIELD_SHOW = 2, /* has a public view */
};

typedef struct field_def {
    const char *name, *unit, *doc;
    rill_scalar scalar;
    int components; /* that mean something to a user; 0: as many as the world has dimensions */
    int width;      /* scalars kept for each particle; 0: as many as the world has dimensions */
    unsigned flags;
} field_def;

/* Fields that every method has. A method's own follow from FIELD_METHOD on. */
typedef enum field_id {
    FIELD_PLACE, /* position and mass, a quad: see sim/dim.h */
    FIELD_VELOCITY,
    FIELD_DENSITY,
    FIELD_PRESSURE,
    FIELD_ID,
    FIELD_FLUID,
    FIELD_METHOD
} field_id;

typedef struct field {
    field_def def; /* components and width resolved */
    size_t size;   /* bytes for each particle */
    void *data;
    int spare_owner; /* field whose spare array this one is permuted into: the first of its size; -1: never permuted */
    void *spare;     /* as large as `data` if this field is such an owner, otherwise NULL */
} field;

typedef struct particles {
    int count;    /* particles */
    int capacity; /* points each array has room for, null particle included */
    int dim;
    uint32_t next_id;
    int field_count;
    field *fields;
    /* Hash table from ids to positions in the arrays, built when asked for: int32, position plus 1, 0 where empty. */
    buffer by_id;
    int by_id_bits; /* the table has 2^bits entries */
    bool by_id_valid;
} particles;

/* False if there is no memory for the field table. */
bool particles_init(memory *m, particles *p, int dim, const field_def *method_fields, int method_field_count);
void particles_free(memory *m, particles *p);
/* Room for `points` particles, halo copies included, and the null particle. Existing contents are kept. */
bool particles_reserve(memory *m, particles *p, int points);
/* The same with room to spare when the arrays must grow: for numbers that rise or waver from step to step. */
bool particles_grow(memory *m, particles *p, int points);
/* Appends `count` particles with zeroed fields and fresh ids; room must have been reserved. Returns the first index. */
int particles_append(particles *p, int count);
/* Keeps the particles with keep[i] != 0, in order. Returns how many went. */
int particles_keep(particles *p, const uint8_t *keep);
/* Removes one particle; the last one takes its place. */
void particles_remove(particles *p, int index);
/* Brings every FIELD_SORT field into the order new[k] = old[order[k]]. */
void particles_permute(particles *p, parallel *workers, const int32_t *order);
/* Index of an id, or -1. Builds a look-up table when particles have moved since the last call; -2 if there is no memory
   for it. */
int particles_index_of(memory *m, particles *p, uint32_t id);
rill_view particles_view(const particles *p, int field);

#endif
