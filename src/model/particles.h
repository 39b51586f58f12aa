/* SPDX-License-Identifier: MIT */
/* The particle arrays. One table of fields describes them all; adding, removing, sorting, output and snapshots follow
   it and know no field by name. There is one array for each field. Behind the particles an array may hold copies of
   them (periodic images) and one null particle far away, which pads neighbour lists. */
#ifndef RILL_MODEL_PARTICLES_H
#define RILL_MODEL_PARTICLES_H

#include "core/alloc.h"
#include "core/parallel.h"
#include "model/links.h"

/* Fields that all methods have. Those of the method in use follow from FIELD_METHOD on. */
typedef enum field_id {
    FIELD_PLACE, /* position and mass, a quad: see sim/dim.h */
    FIELD_VELOCITY,
    FIELD_DENSITY,
    FIELD_PRESSURE,
    FIELD_ID,
    FIELD_FLUID,
    FIELD_METHOD
} field_id;

/* Fields that a world has from their first use on (rill/game.h). They are zero for new particles. */
typedef enum extra_field {
    EXTRA_GROUP,
    EXTRA_COLOUR,
    EXTRA_USER_DATA,
    EXTRA_LIFE,
    EXTRA_AREAS, /* bits: the areas in which the particle was after the last substep */
    EXTRA_PIN,   /* cloth: slot plus 1 of the pin that holds the particle */
    EXTRA_ANCHOR,
    EXTRA_COUNT
} extra_field;

typedef struct particles {
    int count;    /* particles */
    int capacity; /* points for which each array has room, null particle included */
    int dim;
    rill_particle_id next_id;
    int field_count;
    field *fields;
    int extra[EXTRA_COUNT]; /* indices of these fields; 0: not there */
    int link_field;         /* index of the field that holds the numbers used by links; 0: there are no links */

    /* Hash table from ids to indices, built when needed: int32, index plus 1; 0: empty. */
    buffer by_id;
    int by_id_bits; /* the table has 2^bits entries */
    bool by_id_valid;

    /* Links refer to a particle by its known number: the index that it had when the links were last updated.
     * `link_field` holds this number plus 1; 0: the particle is newer. `moved_to` has the present index for each known
     * number; -1: removed. */
    link_set *link_sets;
    int link_set_count; /* 0: there is no link_field either */
    buffer moved_to;
    int moved_count;
    bool links_stale; /* particles have moved or been removed since the links were last updated */
} particles;

/* Makes the tables of fields and link sets, without particles; false if there is no memory. */
bool rill_particles_init(memory *m, particles *p, int dim, const field_def *method_fields, int method_field_count,
                         const link_set_def *links, int link_set_count);
void rill_particles_free(memory *m, particles *p);
/* Adds an extra field of zeros unless it exists; false if there is no memory. */
bool rill_particles_use(memory *m, particles *p, extra_field which);
const char *rill_particles_extra_name(extra_field which);
/* Adds empty sets of links unless there are any; false if there is no memory. */
bool rill_particles_use_links(memory *m, particles *p, const link_set_def *links, int count);
/* The values of an extra field; NULL if the world does not have it. */
static inline void *particles_extra(const particles *p, extra_field which) {
    return p->extra[which] > 0 ? p->fields[p->extra[which]].data : NULL;
}
/* Reserves room for `points` particles, periodic images included, and the null particle. Existing contents are kept. */
bool rill_particles_reserve(memory *m, particles *p, int points);
/* As rill_particles_reserve, with room to spare if the arrays must grow: for numbers that rise or vary from step to
   step. */
bool rill_particles_grow(memory *m, particles *p, int points);
/* Appends `count` particles with zeroed fields and fresh ids; room must have been reserved. Returns the first index. */
int rill_particles_append(particles *p, int count);
/* Removes all particles but those with keep[i] != 0, whose order stays. Returns the number removed. */
int rill_particles_keep(particles *p, const uint8_t *keep);
/* Removes one particle; the last one takes its place. */
void rill_particles_remove(particles *p, int index);
/* Removes the particles with these ids. Returns their number; -1 with nothing removed if there is no memory. The result
   does not depend on the order of the ids. */
int rill_particles_remove_all(memory *m, particles *p, const rill_particle_id *ids, int count);
/* Permutes every FIELD_SORT and FIELD_FOLLOW field: new[k] = old[order[k]]. */
void rill_particles_permute(particles *p, parallel *workers, const int32_t *order);
/* The index of an id, or -1. Builds a look-up table if particles have moved since the last call; -2 if there is no
   memory for it. */
int rill_particles_index_of(memory *m, particles *p, rill_particle_id id);
/* Reserves that table for so many particles; false if there is no memory. */
bool rill_particles_reserve_look_up(memory *m, particles *p, int count);
/* Updates the links to the present indices of their particles, the only function that does so, and removes links of
   removed particles. False, with nothing changed, if there is no memory. */
bool rill_particles_settle_links(memory *m, particles *p, parallel *workers);
/* Declares that the indices in the links are the present ones, after links were read. False if there is no memory. */
bool rill_particles_adopt_links(memory *m, particles *p, parallel *workers);
/* The present index of the particle with a known number; -1: removed. */
static inline int32_t particles_linked(const particles *p, int32_t known) {
    return ((const int32_t *)p->moved_to.data)[known];
}
/* The present indices of a link's particles; false if one of them was removed, and so the link. */
bool rill_particles_link_ends(const particles *p, const link_set *set, int link, int32_t ends[LINK_ENDS_MAX]);
rill_view rill_particles_view(const particles *p, int field);

#endif
