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
    int room; /* least capacity of the arrays: that of the particle arrays, so that both grow together */
    int point_count;
    bool dense;         /* a table of all cells of the bounding box; false: a sorted list of the occupied ones */
    int32_t low[DIM];   /* coordinates of the first cell of the table, its empty border included */
    int32_t size[DIM];  /* cells along each axis of the table, border included */
    buffer cell_of;     /* int32 for each point: its cell in the table, while sorting */
    buffer counts;      /* int32: histogram of each chunk of points */
    buffer start;       /* int32 for each cell and one more: first point of the cell in sorted order */
    buffer order;       /* int32 for each place in sorted order: the point that belongs there */
    buffer order_spare; /* for the sparse sort */
    buffer coordinates; /* int32[DIM] for each occupied cell of a sparse grid */
    int occupied;       /* cells in `coordinates` */
} grid;

/* The points nearer than h to each particle, without the particle itself; every list is padded to a multiple of WIDE
   with the null particle. Order: cells by (z, y, x), and within a cell the order of the points in memory. */
typedef struct lists {
    buffer first; /* uint32 for each particle: start of its list, in units of WIDE entries */
    buffer count; /* int32 for each particle: its neighbours, without padding */
    buffer index; /* int32: all lists */
    buffer scratch;
    const uint8_t *wanted; /* for each particle: whether it gets a list; NULL: all do */
    int room;              /* least capacity of the arrays by particle, as in grid */
    size_t candidate_room; /* candidates of a neighbourhood that scratch must hold; 0: the default */
    int64_t pairs;         /* sum of the counts */
    int max_count;
} lists;

/* Images: copies of the particles near the faces of a periodic box, placed beyond the opposite face. They follow the
   particles in every array: indices [count, count + halo.count). */
typedef struct halo {
    int count;
    buffer source; /* int32 for each image: the particle that it copies */
} halo;

/* A piece of a solid near a particle. With map walls it is the plane that touches the solid at the point nearest to the
   particle; the other kinds of wall (world.walls) make points of it. It adds `scale` times a value tabulated by
   distance (wall_integrals) to a sum over the kernel. */
typedef struct wall_contact {
    int32_t solid;  /* slot in world->solids */
    float distance; /* from the particle's centre to the wall, negative inside the solid */
    float scale;    /* 1 for a plane, less where the solid curves away; a volume for points */
    vec normal;     /* out of the solid */
    vec velocity;   /* of the wall's surface at the nearest point */
    vec force;      /* of the wall on the particle [N], written by the method; the solid gets the reaction */
    float held;     /* part of `force` along the normal that only keeps the particle off: no pressure [N] */
    float in_seam;  /* share of a collision that the pressure of a seam stands for (boundary/seam.h) */
    bool no_slip;
} wall_contact;

/* Most contacts of one particle; beyond that, those of the last slots of solids are left out. */
#define CONTACTS_MAX 96

typedef struct contacts {
    int count;
    float ahead;      /* walls are placed as they will be after this time [s] */
    float slack;      /* how much nearer a wall may come within that time [m] */
    buffer items;     /* wall_contact, ordered by particle */
    buffer first;     /* int32 for each particle and one more */
    buffer block_sum; /* int32 for each block of particles */
} contacts;

/* The integrals of a kernel over the solid beyond a flat wall, by the distance to it; see boundary/wall_integrals.c. */
#define WALL_INTEGRALS_SIZE 64
typedef struct wall_integrals {
    float h;
    bool additive; /* contacts are points, whose values add up; otherwise they are planes that may intersect */
    float value[WALL_INTEGRALS_SIZE + 1];          /* of W: share of the kernel that lies in the solid */
    float gradient[WALL_INTEGRALS_SIZE + 1];       /* of grad W, along the normal (negative) [1/m] */
    float moment_normal[WALL_INTEGRALS_SIZE + 1];  /* of (W'/r) s^2, s along the normal: -1/2 at a wall */
    float moment_tangent[WALL_INTEGRALS_SIZE + 1]; /* of (W'/r) s^2, s along the wall */
    float laplacian[WALL_INTEGRALS_SIZE + 1];
    float laplacian_depth[WALL_INTEGRALS_SIZE + 1]; /* of L times the depth behind the wall */
} wall_integrals;

/* Neighbours for surface tension, whose kernel reaches farther than a method's. */
typedef struct surface_search {
    grid grid;
    lists lists;
    buffer edge, wanted; /* uint8 for each point: whether it may lie at a surface; whether it is near one that may */
    buffer scratch;
} surface_search;

/* A particle with a prescribed velocity: inside an emitter's nozzle, or of a group of kind wall. */
typedef struct held_particle {
    int32_t index;
    vec x;             /* before the move */
    vec v;             /* of the jet or the wall */
    rill_body_id body; /* that carries the nozzle; none for walls */
} held_particle;

/* The state at the start of the last step: pointers into the copy of sim/undo.c, in the particle order of that time. */
typedef struct last_step {
    bool known; /* false after a failed step, and in a world that was just loaded */
    double time;
    double dt; /* of the last substep before that step */
    int count, body_count, gauge_count;
    const place *places;
    const vec *velocities;
    const rill_particle_id *ids;
    const body *bodies;
    const gauge *gauges;
} last_step;

/* The world's own state, set aside while it shows a moment between two steps (sim/look.c). */
typedef struct look {
    double own_time;
    void *own_places, *own_velocities;
    buffer places, velocities; /* at the moment shown */
    buffer bodies;             /* body: copies of the world's own */
} look;

typedef struct sim {
    const method *method;
    int fluid_count; /* particles of fluids; a step sorts them before those of other phases */
    grid grid;
    lists lists;
    halo halo;
    contacts contacts;
    float reach; /* distance within which images and walls matter: the support, or more if a force reaches farther */
    surface_search surface;
    buffer viscous;     /* arrays of force/implicit_viscosity.c */
    buffer scratch;     /* of the method, valid within a step */
    buffer block_stats; /* impulses on the solids: by contact, later by block of particles */
    buffer starts;      /* int32: where each block of particles writes its part of a list */
    buffer keep;        /* uint8 for each particle: 0 if it is to be removed */
    buffer held;        /* held_particle: those with a prescribed velocity */
    int held_count;
    /* Of sim/cloth, valid within a step: its job, its rows, pairs of points and pieces, and middles of the pieces. */
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

/* Particle fields by their C type. */
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

/* Number of fluid particles. They are the first ones, once a step has sorted them. */
static inline int fluid_count(const rill_world *w) {
    return w->cloths.living_count > 0 ? sim_of(w)->fluid_count : w->particles.count;
}
static inline bool is_fluid(const rill_world *w, int i) {
    return phase_is_fluid(fluids_of(w)[i]);
}

/* A difference of two positions, shortened by whole periods along each periodic axis. */
static inline vec nearest_image(const rill_world *w, vec d) {
    const float *period = &w->def.periodic.x;
    for (int axis = 0; axis < DIM; axis++)
        if (period[axis] > 0.0f) (&d.x)[axis] -= period[axis] * rintf(vec_get(d, axis) / period[axis]);
    return d;
}

static inline cloth *cloth_of(const rill_world *w, int i) {
    return &POOL_ITEMS(w, cloth)[fluids_of(w)[i] - WORLD_FLUIDS_MAX];
}

/* The cloth's thickness [m]; by default a tenth of its spacing. */
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

/* Number of contacts that there is memory for. It grows rarely, while the number of contacts changes in every step. */
static inline size_t contacts_room(const rill_world *w) {
    return sim_of(w)->contacts.items.size / sizeof(wall_contact);
}

/* The walls near particle i. */
static inline wall_contact *contacts_of(const contacts *c, int i, int *count) {
    const int32_t *first = c->first.data;
    *count = first[i + 1] - first[i];
    return *count > 0 ? (wall_contact *)c->items.data + first[i] : NULL;
}

/* Whether any of `count` particles from i on has a wall contact. Most particles are far from walls, and a branch for
   each of them could not be predicted. */
static inline bool any_at_wall(const contacts *c, int i, int count) {
    const int32_t *first = c->first.data;
    return first[i + count] > first[i];
}

/* Particles that a worker takes at a time in a neighbour loop. */
#define LOOP_GRAIN 256

/* The only sums and maxima over particles. Blocks are added in a fixed order, so that results do not depend on
   threads. */
static inline totals world_totals(const rill_world *w, totals_fn *fn, void *context) {
    return rill_reduce_totals(w->workers, w->particles.count, REDUCE_BLOCK, fn, context);
}
static inline double world_sum(const rill_world *w, part_fn *fn, void *context) {
    return rill_reduce_sum(w->workers, w->particles.count, REDUCE_BLOCK, fn, context);
}
static inline double world_max(const rill_world *w, part_fn *fn, void *context) {
    return rill_reduce_max(w->workers, w->particles.count, REDUCE_BLOCK, fn, context);
}
/* world_totals for neighbour loops, whose blocks are smaller. */
static inline totals world_loop_totals(const rill_world *w, totals_fn *fn, void *context) {
    return rill_reduce_totals(w->workers, w->particles.count, LOOP_GRAIN, fn, context);
}

#endif
