/* SPDX-License-Identifier: MIT */
/* Links: values on pairs or small groups of particles (springs, bonds, edges and triangles of cloth). A method asks for
   sets of them in its table, as it asks for particle fields.

   A link names its particles by index, never a periodic image, in the order that the method gave, so that ends may have
   roles; in a mutual set they have none, and the lower index comes first. Links lie in the order of their particles: by
   the first one, then by the second, and so on. That order does not depend on threads or on how the links came about,
   and a loop over links reads particles as they lie in memory; the ids of particles would be as certain, but far from
   memory order. There are no two links with the same particles in the same order. */
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
    LINK_SAVE = 2,   /* part of the state; a set without it is empty after a snapshot was read */
    LINK_TOUCH = 4,  /* links_of may be asked, which costs as much again as the order of the links */
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
    int count;    /* links */
    int capacity; /* links that the fields have room for */
    int field_count;
    int grouped;   /* particles that `first` knows, 0: it is not valid */
    field *fields; /* first the particles of each link, then its values */
    /* Valid while the particles stay where they are. */
    buffer first;       /* int32 for each particle and one more: first link whose first particle it is */
    buffer touch;       /* LINK_TOUCH: int32, numbers of the links that a particle is part of, particle by particle */
    buffer touch_first; /* and int32 for each particle and one more: start in `touch` */
    buffer scratch;
} link_set;

/* The particles of each link are field 0; the values that a method asked for follow. */
#define LINK_FIELD_ENDS           0
#define LINK_VALUES(set, k, type) ((type *)(set)->fields[1 + (k)].data)

/* The ends of all links, one link's after another's; NULL if none were ever made. */
static inline int32_t *link_all_ends(const link_set *s) {
    return s->fields[LINK_FIELD_ENDS].data;
}

static inline int32_t *link_ends(const link_set *s, int link) {
    return link_all_ends(s) + (size_t)link * (size_t)s->def.ends;
}

/* ---- reading, in the loops of a method ---- */

/* All links that particle i is part of, at whatever end, in rising order: a loop that gathers from them writes only its
   own particle. Only in sets with LINK_TOUCH. */
static inline const int32_t *links_of(const link_set *s, int i, int *count) {
    const int32_t *first = s->touch_first.data;
    *count = first[i + 1] - first[i];
    return *count > 0 ? (const int32_t *)s->touch.data + first[i] : NULL;
}

/* The links [begin, end) whose first particle is i: a loop over particles may write their values. */
static inline void links_owned(const link_set *s, int i, int *begin, int *end) {
    const int32_t *first = s->first.data;
    *begin = first[i], *end = first[i + 1];
}

/* The link of the pair (i, j) in this order, or -1. Only in sets of pairs. */
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

/* The same in either order. */
static inline int links_find(const link_set *s, int i, int j) {
    const int link = links_find_ordered(s, i < j ? i : j, i < j ? j : i);
    return link >= 0 || s->def.flags & LINK_MUTUAL ? link : links_find_ordered(s, i < j ? j : i, i < j ? i : j);
}

/* ---- changing ---- */

/* Where a block of particles puts its new links. */
typedef struct link_writer link_writer;

/* Whether a link stays. May write its values. */
typedef bool link_keep_fn(const link_set *s, int link, void *context);
/* Adds links for the particles [begin, end), on any thread and, when room runs out, once more: it must not change
   anything but the links it adds. */
typedef void link_add_fn(int begin, int end, link_writer *writer, void *context);
/* A new link with values of zero: its number, to write its values to for the moment, or -1 if the loop will be run
   again with more room. A link that is there already, or that names a particle twice, is not added. */
int rill_link_add(link_writer *writer, const int32_t *ends);

/* Removes the links that `keep` does not want, then adds those of `add`, in parallel; either may be NULL. While `add`
   runs, the links that stay can be read and found, and those that go are not found. False if there is no memory: some
   links may be lost then. */
bool rill_links_change(link_set *s, memory *m, parallel *workers, int particles, link_keep_fn *keep, link_add_fn *add,
                       void *context);

/* ---- for those who keep the sets ---- */

bool rill_links_init(memory *m, link_set *s, const link_set_def *def, int dim);
void rill_links_free(memory *m, link_set *s);
/* Room for `count` links; existing contents are kept, all or nothing. */
bool rill_links_reserve(memory *m, link_set *s, int count);
/* Puts the first `rows` links into order, after `moved_to` has given each particle its new index (-1: gone; NULL: all
   are where they were). Links that lost a particle go. Room must have been reserved. */
void rill_links_order(link_set *s, parallel *workers, int rows, const int32_t *moved_to, int particles);
bool rill_links_reserve_order(memory *m, link_set *s, int rows, int particles);
/* Whether the links are such as rill_links_order leaves them, among so many particles. */
bool rill_links_are_sound(const link_set *s, int particles);

#endif
