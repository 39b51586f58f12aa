/* SPDX-License-Identifier: MIT */
/* Links: values on pairs or small groups of particles (springs, bonds, edges and triangles of cloth). A method asks for
   sets of them in its table, as it asks for particle fields.

   A link refers to its particles by index, never to a periodic image. Its ends are in the order that the method gave,
   so that they may have roles; in a mutual set they have none, and the lower index comes first. Links are sorted by
   their particles: by the first, then by the second, and so on. This order does not depend on threads or on the history
   of the links, and a loop over links reads particles in memory order. (The order of ids would be as well defined, but
   far from memory order.) No two links have the same particles in the same order. */
#ifndef RILL_MODEL_LINKS_H
#define RILL_MODEL_LINKS_H

#include "core/alloc.h"
#include "model/field.h"

#define LINK_ENDS_MAX 4
/* Links or particles that a worker takes at a time. */
#define LINK_GRAIN 2048

/* Flags of a set. */
enum {
    LINK_SHOW = 1,   /* part of frames */
    LINK_SAVE = 2,   /* part of the state; a set without this flag is empty in a loaded world */
    LINK_TOUCH = 4,  /* links_of may be used; this costs as much again as sorting the links */
    LINK_MUTUAL = 8, /* ends have no roles: the lower index comes first, (a, b) and (b, a) are the same link */
};

typedef struct link_set_def {
    const char *name, *doc;
    int ends; /* particles of a link: 2 to LINK_ENDS_MAX */
    const field_def *values;
    int value_count;
    unsigned flags;
} link_set_def;

typedef struct link_set {
    link_set_def def;
    int count;    /* number of links */
    int capacity; /* links for which the fields have room */
    int field_count;
    int grouped;   /* number of particles in `first`; 0: it is not valid */
    field *fields; /* first the particles of each link, then its values */

    /* Valid until particles move in the arrays. */
    buffer first;       /* int32, for each particle and one more: the first link that has it as first particle */
    buffer touch;       /* LINK_TOUCH: int32, for each particle the indices of its links */
    buffer touch_first; /* int32, for each particle and one more: start of its links in `touch` */
    buffer scratch;
} link_set;

/* Field 0 has the particles of each link; the values of the method follow. */
#define LINK_FIELD_ENDS           0
#define LINK_VALUES(set, k, type) ((type *)(set)->fields[1 + (k)].data)

/* The ends of all links, link by link; NULL if there never was a link. */
static inline int32_t *link_all_ends(const link_set *s) {
    return s->fields[LINK_FIELD_ENDS].data;
}

static inline int32_t *link_ends(const link_set *s, int link) {
    return link_all_ends(s) + (size_t)link * (size_t)s->def.ends;
}

/* ---- reading, in the loops of a method ---- */

/* The links of particle i, at any end, in rising order. A loop that gathers from them writes only to its own particle.
   Only for sets with LINK_TOUCH. */
static inline const int32_t *links_of(const link_set *s, int i, int *count) {
    const int32_t *first = s->touch_first.data;
    *count = first[i + 1] - first[i];
    return *count > 0 ? (const int32_t *)s->touch.data + first[i] : NULL;
}

/* The links [begin, end) whose first particle is i. A loop over particles may write their values. */
static inline void links_owned(const link_set *s, int i, int *begin, int *end) {
    const int32_t *first = s->first.data;
    *begin = first[i], *end = first[i + 1];
}

/* The link of the pair (i, j) in this order, or -1. Only for sets of pairs. */
static inline int links_find_ordered(const link_set *s, int i, int j) {
    int begin, end;
    links_owned(s, i, &begin, &end);
    const int stop = end;
    while (begin < end) {
        const int middle = begin + (end - begin) / 2;
        if (link_ends(s, middle)[1] < j)
            begin = middle + 1;
        else
            end = middle;
    }
    if (begin == stop) return -1;
    const int32_t *ends = link_ends(s, begin);
    return ends[0] == i && ends[1] == j ? begin : -1;
}

/* The link of the pair (i, j) in either order, or -1. Only for sets of pairs. */
static inline int links_find(const link_set *s, int i, int j) {
    const int link = links_find_ordered(s, i < j ? i : j, i < j ? j : i);
    return link >= 0 || s->def.flags & LINK_MUTUAL ? link : links_find_ordered(s, i < j ? j : i, i < j ? i : j);
}

/* ---- changing ---- */

/* Receives the new links of a block of particles. */
typedef struct link_writer link_writer;

/* Whether a link stays. May change its values. */
typedef bool link_keep_fn(const link_set *s, int link, void *context);
/* Adds links for the particles [begin, end). Runs on any thread, and again if room runs out: it must not change
   anything but the links that it adds. */
typedef void link_add_fn(int begin, int end, link_writer *writer, void *context);
/* Adds a link with values of zero. Returns its index, for writing its values right away, or -1 if the loop will run
   again with more room. A link that exists already, or that has a particle twice, is dropped later. */
int rill_link_add(link_writer *writer, const int32_t *ends);

/* Removes the links for which `keep` returns false, then adds those of `add`, in parallel; either may be NULL. While
   `add` runs, the remaining links can be read and found, and removed ones are not found. False if there is no memory;
   some links may then be lost. */
bool rill_links_change(link_set *s, memory *m, parallel *workers, int particles, link_keep_fn *keep, link_add_fn *add,
                       void *context);

/* ---- for model/particles.c, which owns the sets ---- */

bool rill_links_init(memory *m, link_set *s, const link_set_def *def, int dim);
void rill_links_free(memory *m, link_set *s);
/* Reserves room for `count` links and keeps existing ones; false, with nothing changed, if there is no memory. */
bool rill_links_reserve(memory *m, link_set *s, int count);
/* Sorts the first `rows` links, after each particle has moved to the index `moved_to` (-1: removed; NULL: none has
   moved). Links that lost a particle are removed. Memory must have been reserved (rill_links_reserve_order). */
void rill_links_order(link_set *s, parallel *workers, int rows, const int32_t *moved_to, int particles);
bool rill_links_reserve_order(memory *m, link_set *s, int rows, int particles);
/* Whether the links are sorted and valid for so many particles, as rill_links_order leaves them. */
bool rill_links_are_sound(const link_set *s, int particles);

#endif
