/* SPDX-License-Identifier: MIT */
/* Data that a world needs to step, beyond its state: rebuilt in every step or grown as needed, never saved. */
#ifndef RILL_SIM_SIM_H
#define RILL_SIM_SIM_H

#include "core/reduce.h"
#include "model/world_state.h"
#include "sim/dim.h"

typedef struct method method;

/* Cells of edge h, ordered by (z, y, x); see neighbours/grid.c. */
typedef struct grid {
    float cell, inverse_cell;
    int room; /* points that arrays are made for at least: what grows with the particles grows when they do */
    int point_count;
    bool dense;         /* a table of all cells of the bounding box; otherwise a sorted list of the occupied ones */
    int32_t low[DIM];   /* coordinates of the first cell of the table, its empty border included */
    int32_t size[DIM];  /* cells along each axis of the table, border included */
    buffer cell_of;     /* int32 for each point: its cell in the table, while sorting */
    buffer counts;      /* int32: histogram of each chunk of points */
    buffer start;       /* int32 for each cell and one more: first point of the cell in sorted order */
    buffer order;       /* int32 for each point: the point that comes here in sorted order */
    buffer order_spare; /* for the sparse sort */
    buffer coordinates; /* int32[DIM] for each occupied cell of a sparse grid */
    int occupied;       /* cells in `coordinates` */
} grid;

/* For each particle the points nearer than h, itself left out, padded to a multiple of WIDE with the null particle.
   Order: cells by (z, y, x), points of a cell as they lie in memory. */
typedef struct lists {
    buffer first; /* uint32 for each particle: start of its list, in units of WIDE entries */
    buffer count; /* int32 for each particle: neighbours, padding left out */
    buffer index; /* int32: all lists */
    buffer scratch;
    const uint8_t *wanted; /* of each particle: whether it gets a list; NULL: all do */
    int room;              /* particles that arrays are made for at least, as in grid */
    size_t candidate_room; /* points of a neighbourhood that scratch must hold; 0: no more than usual */
    int64_t pairs;         /* sum of the counts */
    int max_count;
} lists;

/* Copies of particles near the faces of a periodic box, behind the opposite face. They follow the particles in every
   array: indices [count, count + halo.count). */
typedef struct halo {
    int count;
    buffer source; /* int32: the particle each is a copy of */
} halo;

/* A piece of a solid near a particle. With map walls it is a plane that touches the solid where it is nearest; other
   kinds of wall (world.walls) put other pieces here. Its part of a sum over the kernel is `scale` times a table
   by the distance (wall_integrals). */
typedef struct wall_contact {
    int32_t solid;  /* slot in world->solids */
    float distance; /* from the particle's centre to the wall, negative inside the solid */
    float scale;    /* 1 for a plane, less where the solid curves away */
    vec normal;     /* out of the solid */
    vec velocity;   /* of the wall's surface there */
    vec force;      /* of this wall on the particle in this step [N]: methods write it, the solid gets the reaction */
    float held;     /* part of it, along the normal, that only keeps the particle off and is no pressure [N] */
    float in_seam;  /* share of it that counts as pressure in a seam between a body and another solid */
    bool no_slip;
} wall_contact;

/* Most pieces near one particle; more are left out, those of the last solids first. */
#define CONTACTS_MAX 96

typedef struct contacts {
    int count;
    float ahead;      /* walls are as they will be after this time [s] */
    float slack;      /* what they may come nearer by until then [m] */
    buffer items;     /* contact, ordered by particle */
    buffer first;     /* int32 for each particle and one more */
    buffer block_sum; /* int32 for each block of particles */
} contacts;

/* The integrals of a kernel over the solid beyond a flat wall, by the distance to it; see boundary/wall_integrals.c. */
#define WALL_INTEGRALS_SIZE 64
typedef struct wall_integrals {
    float h;
    bool additive;                           /* contacts add up; otherwise they are planes that may cross */
    float value[WALL_INTEGRALS_SIZE + 1];    /* of W: share of the kernel that lies in the solid */
    float gradient[WALL_INTEGRALS_SIZE + 1]; /* of grad W, along the normal (negative) [1/m] */
    float moment_normal[WALL_INTEGRALS_SIZE +
                        1]; /* of (W'/r) s^2, s along the normal: -1/2 at a wall, -1 inside the solid */
    float moment_tangent[WALL_INTEGRALS_SIZE + 1]; /* of (W'/r) s^2, s along the wall */
    float laplacian[WALL_INTEGRALS_SIZE + 1];
    float laplacian_depth[WALL_INTEGRALS_SIZE + 1]; /* of L times the depth below the wall */
} wall_integrals;

/* Neighbours for surface tension, whose kernel reaches farther than a method's. */
typedef struct surface_search {
    grid grid;
    lists lists;
    buffer edge, wanted; /* uint8 for each point: may lie at a surface; is near one that may */
    buffer scratch;
} surface_search;

/* A particle inside an emitter's nozzle, which moves as the nozzle says. */
typedef struct held_particle {
    int32_t index;
    vec x;             /* before the move */
    vec v;             /* of the jet */
    rill_body_id body; /* that the nozzle rides on */
} held_particle;

/* Where the last step began: parts of the copy that it kept (sim/undo.c), in the order that particles had then. */
typedef struct last_step {
    bool known; /* not after a step that failed, or in a world that was loaded */
    double time;
    double dt; /* of the substep before it */
    int count, body_count, gauge_count;
    const place *places;
    const vec *velocities;
    const rill_particle_id *ids;
    const body *bodies;
    const gauge *gauges;
} last_step;

/* The world's own state while it is looked at in a moment between two steps (sim/look.c). */
typedef struct look {
    double own_time;
    void *own_places, *own_velocities;
    buffer places, velocities; /* of the moment */
    buffer bodies;             /* body: as they were */
} look;

typedef struct sim {
    const method *method;
    int fluid_count; /* particles of fluids, which come before those of other phases: from the sort of a step on */
    grid grid;
    lists lists;
    halo halo;
    contacts contacts;
    float reach; /* how far away periodic images and walls matter: the support, or farther if a force looks so far */
    surface_search surface;
    buffer viscous;     /* arrays of force/implicit_viscosity.c */
    buffer scratch;     /* the method's, for the time of a step */
    buffer block_stats; /* impulses on the solids from each contact, then from each block of particles */
    buffer starts;      /* int32: where each block of particles begins to write a list */
    buffer keep;        /* uint8 for each particle: what sinks leave */
    buffer held;        /* held_particle: inside the nozzles of emitters */
    int held_count;
    /* Of sim/cloth, for the time of a step: its job, rows, contacts, and pieces of cloth by cell. */
    buffer cloth_step, cloth, cloth_pairs, cloth_pieces;
    grid cloth_grid;
    buffer seam; /* scratch of boundary/seam.c */
    buffer undo; /* the state at the start of a step (sim/undo.c) */
    last_step last_step;
    look look;
    buffer method_data; /* what the method derives from its parameters (method->derived_size bytes) */
} sim;

static inline sim *sim_of(const rill_world *world) {
    return world->sim;
}

/* The fields by their C type. */
#define FIELD_AS(world, field, type) ((type *)(world)->particles.fields[field].data)
static inline place *places_of(const rill_world *w) {
    return FIELD_AS(w, FIELD_PLACE, place);
}
static inline vec *velocities_of(const rill_world *w) {
    return FIELD_AS(w, FIELD_VELOCITY, vec);
}
static inline float *densities_of(const rill_world *w) {
    return FIELD_AS(w, FIELD_DENSITY, float);
}
static inline float *pressures_of(const rill_world *w) {
    return FIELD_AS(w, FIELD_PRESSURE, float);
}
static inline rill_particle_id *ids_of(const rill_world *w) {
    return FIELD_AS(w, FIELD_ID, rill_particle_id);
}
static inline uint32_t *fluids_of(const rill_world *w) {
    return FIELD_AS(w, FIELD_FLUID, uint32_t);
}

/* Particles of fluids: the first ones, once a step has sorted them. */
static inline int fluid_count(const rill_world *w) {
    return w->cloths.living_count > 0 ? sim_of(w)->fluid_count : w->particles.count;
}
static inline bool is_fluid(const rill_world *w, int i) {
    return phase_is_fluid(fluids_of(w)[i]);
}
static inline cloth *cloth_of(const rill_world *w, int i) {
    return &POOL_ITEMS(w, cloth)[fluids_of(w)[i] - WORLD_FLUIDS_MAX];
}

/* Thickness in use. */
static inline float cloth_thickness(const rill_world *w, const cloth *c) {
    const float spacing = c->def.spacing > 0.0f ? c->def.spacing : w->def.spacing;
    return c->def.thickness > 0.0f ? c->def.thickness : 0.1f * spacing;
}

/* The list of particle i. */
static inline const int32_t *list_of(const lists *l, int i) {
    if (!l->index.data) return NULL; /* no particle has a neighbour */
    return (const int32_t *)l->index.data + (size_t)((const uint32_t *)l->first.data)[i] * WIDE;
}
static inline int list_count(const lists *l, int i) {
    return ((const int32_t *)l->count.data)[i];
}

/* Contacts that there is memory for: it grows rarely, while their number changes in every step. */
static inline size_t contacts_room(const rill_world *w) {
    return sim_of(w)->contacts.items.size / sizeof(wall_contact);
}

/* The walls near particle i. */
static inline wall_contact *contacts_of(const contacts *c, int i, int *count) {
    const int32_t *first = c->first.data;
    *count = first[i + 1] - first[i];
    return *count > 0 ? (wall_contact *)c->items.data + first[i] : NULL;
}

/* One test for `count` particles from i on: most are far from walls, and a branch for each could not be predicted. */
static inline bool any_at_wall(const contacts *c, int i, int count) {
    const int32_t *first = c->first.data;
    return first[i + count] > first[i];
}

/* Particles a worker takes at a time in a neighbour loop. */
#define LOOP_GRAIN 256

/* Sums and maxima over all particles: the only ones there are. */
static inline totals world_totals(const rill_world *w, totals_fn *fn, void *context) {
    return rill_reduce_totals(w->workers, w->particles.count, REDUCE_BLOCK, fn, context);
}
static inline double world_sum(const rill_world *w, part_fn *fn, void *context) {
    return rill_reduce_sum(w->workers, w->particles.count, REDUCE_BLOCK, fn, context);
}
static inline double world_max(const rill_world *w, part_fn *fn, void *context) {
    return rill_reduce_max(w->workers, w->particles.count, REDUCE_BLOCK, fn, context);
}
/* The same in a neighbour loop, whose blocks are smaller. */
static inline totals world_loop_totals(const rill_world *w, totals_fn *fn, void *context) {
    return rill_reduce_totals(w->workers, w->particles.count, LOOP_GRAIN, fn, context);
}

#endif
