/* SPDX-License-Identifier: MIT */
/* The particle arrays. One field table describes them all; adding, removing, sorting, output and snapshots read the
   table and know no field by name. Arrays are flat and by field; the first index after the particles themselves may
   hold halo copies (periodic images) and one far-away null particle that pads neighbour lists. */
#ifndef RILL_MODEL_PARTICLES_H
#define RILL_MODEL_PARTICLES_H

#include "core/alloc.h"
#include "core/parallel.h"
#include "model/links.h"

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

/* Fields that a world has once somebody uses them (rill/game.h); all zeros for a particle that is new. */
typedef enum extra_field {
    EXTRA_GROUP,
    EXTRA_COLOUR,
    EXTRA_USER_DATA,
    EXTRA_LIFE,
    EXTRA_AREAS, /* bits: in which areas it was after the last substep */
    EXTRA_PIN,   /* of a cloth: number of the pin that holds it, plus 1 */
    EXTRA_ANCHOR,
    EXTRA_COUNT
} extra_field;

typedef struct particles {
    int count;    /* particles */
    int capacity; /* points each array has room for, null particle included */
    int dim;
    rill_particle_id next_id;
    int field_count;
    field *fields;
    int extra[EXTRA_COUNT]; /* numbers of these fields; 0: not there */
    int link_field;         /* number of the field that links know particles by; 0: there are no links */
    /* Hash table from ids to positions in the arrays, built when asked for: int32, position plus 1, 0 where empty. */
    buffer by_id;
    int by_id_bits; /* the table has 2^bits entries */
    bool by_id_valid;
    /* Links know a particle by the index that it had when they last followed. `link_field` holds that number plus 1,
       0 for a particle that is new since; `moved_to` has the index of now for each of these numbers, -1: gone. */
    link_set *link_sets;
    int link_set_count; /* 0: the field is not there */
    buffer moved_to;
    int moved_count;
    bool links_stale; /* particles have moved or gone since the links last followed */
} particles;

/* False if there is no memory for the tables of fields and link sets. */
bool rill_particles_init(memory *m, particles *p, int dim, const field_def *method_fields, int method_field_count,
                         const link_set_def *links, int link_set_count);
void rill_particles_free(memory *m, particles *p);
/* Gives all particles an extra field of zeros, if they have none; false without memory. */
bool rill_particles_use(memory *m, particles *p, extra_field which);
const char *rill_particles_extra_name(extra_field which);
/* Gives the particles empty sets of links, if they have none; false without memory. */
bool rill_particles_use_links(memory *m, particles *p, const link_set_def *links, int count);
/* Its values, or NULL. */
static inline void *particles_extra(const particles *p, extra_field which) {
    return p->extra[which] > 0 ? p->fields[p->extra[which]].data : NULL;
}
/* Room for `points` particles, halo copies included, and the null particle. Existing contents are kept. */
bool rill_particles_reserve(memory *m, particles *p, int points);
/* The same with room to spare when the arrays must grow: for numbers that rise or waver from step to step. */
bool rill_particles_grow(memory *m, particles *p, int points);
/* Appends `count` particles with zeroed fields and fresh ids; room must have been reserved. Returns the first index. */
int rill_particles_append(particles *p, int count);
/* Keeps the particles with keep[i] != 0, in order. Returns how many went. */
int rill_particles_keep(particles *p, const uint8_t *keep);
/* Removes one particle; the last one takes its place. */
void rill_particles_remove(particles *p, int index);
/* Removes the particles of these ids and returns how many there were; -1 and nothing removed if there is no memory.
   The result depends on the particles and the ids alone, and not on the order of the ids. */
int rill_particles_remove_all(memory *m, particles *p, const rill_particle_id *ids, int count);
/* Brings every FIELD_SORT and FIELD_FOLLOW field into the order new[k] = old[order[k]]. */
void rill_particles_permute(particles *p, parallel *workers, const int32_t *order);
/* Index of an id, or -1. Builds a look-up table when particles have moved since the last call; -2 if there is no memory
   for it. */
int rill_particles_index_of(memory *m, particles *p, rill_particle_id id);
/* Room for that table with so many particles. */
bool rill_particles_reserve_look_up(memory *m, particles *p, int count);
/* Lets the links follow their particles to where they are now: the one place where that is done. Links of particles
   that are gone go too. False if there is no memory; nothing has changed then. */
bool rill_particles_settle_links(memory *m, particles *p, parallel *workers);
/* Takes the numbers in the links for the indices of now: after links were read. False if there is no memory. */
bool rill_particles_adopt_links(memory *m, particles *p, parallel *workers);
/* Where a particle is now that links know as `known`; -1: gone. */
static inline int32_t particles_linked(const particles *p, int32_t known) {
    return ((const int32_t *)p->moved_to.data)[known];
}
/* The particles of a link as they are now; false if one is gone and the link with it. */
bool rill_particles_link_ends(const particles *p, const link_set *set, int link, int32_t ends[LINK_ENDS_MAX]);
rill_view rill_particles_view(const particles *p, int field);

#endif
