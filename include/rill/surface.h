/* SPDX-License-Identifier: MIT */
/* The surface of a fluid: closed triangle meshes in 3D, closed contours in 2D, from a frame, a world or arrays. A
   rill_surface keeps its memory between frames; it is used from one thread at a time and works with several itself.
   The same input gives the same bits on any number of threads. */
#ifndef RILL_SURFACE_H
#define RILL_SURFACE_H

#include "rill/frame.h"

/* The function whose level set is the surface. */
typedef enum rill_surface_field {
    RILL_SURFACE_DISTANCE,   /* sqrt(sum (1 - r/h)^2): behaves like a distance (Clavet, Beaudoin & Poulin 2005, 13) */
    RILL_SURFACE_DENSITY,    /* sum V W(r): each particle weighs the volume that its neighbours leave to it */
    RILL_SURFACE_ANISOTROPIC /* sum V W(r) with kernels stretched along the fluid (Yu & Turk 2013): smooth and flat */
} rill_surface_field;

typedef struct rill_surface_def {
    int32_t field;     /* rill_surface_field */
    float radius;      /* of a particle's kernel, in particle spacings */
    float cell;        /* edge of the grid's cells, in particle spacings */
    float level;       /* of the field; 0: such that a flat surface lies half a spacing outside the last particles */
    int32_t smoothing; /* rounds of smoothing that keeps the volume (Taubin 1995) */
    bool droplets;     /* lone particles show as balls of a particle's volume; otherwise they may vanish */
    bool walls;        /* of a frame: the mesh ends exactly at them */
    float overlap;     /* depth of the mesh in walls, in particle spacings: for renderers */
    int32_t fluid;     /* number of the only fluid that counts; -1: all of them together */
    int32_t workers;   /* threads; 0: all cores */
    /* Not in the table: host hooks; zero means built-in. */
    rill_allocator allocator;
    rill_tasks tasks;
    uint32_t cookie; /* set by rill_surface_def_default */
} rill_surface_def;

RILL_API rill_surface_def rill_surface_def_default(void);
/* One row for each member above the hooks. */
RILL_API const rill_table *rill_surface_table(void);

/* Signed distance of the k-th wall (negative inside the wall) and its unit normal. Called from several threads. */
typedef float rill_surface_wall_fn(int wall, rill_vec point, rill_vec *normal, void *context);

/* Particles as arrays. Those whose position is not finite, or farther away than a million cells, are left out. */
typedef struct rill_surface_particles {
    int32_t dim; /* 2 or 3 */
    int32_t count;
    const rill_vec *position; /* [m] */
    const rill_vec *velocity; /* [m/s], or NULL */
    const rill_vec *color;    /* red, green, blue, 0 to 1, or any three numbers to interpolate; or NULL */
    const uint32_t *fluid;    /* or NULL */
    float spacing;            /* of the particles at rest [m] */
    rill_vec periodic;        /* period along each axis [m], 0: open; the surface is closed at the periodic faces */
    rill_vec periodic_origin; /* [m] */
    int32_t wall_count;       /* 0: none */
    rill_surface_wall_fn *wall;
    void *wall_context;
} rill_surface_particles;

/* Valid until the next call with the same rill_surface. In 3D three indices a triangle, counterclockwise seen from
   outside; in 2D two indices a segment, with the fluid on its left. */
typedef struct rill_surface_mesh {
    int32_t dim;
    int32_t vertex_count;
    int32_t element_count;
    const rill_vec *position;
    const rill_vec *normal;   /* unit, out of the fluid */
    const rill_vec *velocity; /* of the fluid there [m/s] */
    const rill_vec *color;    /* mean of the particles nearby, or NULL if they have none */
    const uint32_t *fluid;    /* the fluid of most particles there */
    const int32_t *index;     /* dim for each element */
    double volume;            /* enclosed [m^3]; in 2D of a plane one metre thick */
    double area;              /* [m^2] */
    int32_t left_out;         /* particles */
    int32_t lone_count;       /* particles that are drops of their own, of the anisotropic field only */
    const int32_t *lone;      /* their numbers */
    size_t bytes;             /* held by the rill_surface */
} rill_surface_mesh;

typedef struct rill_surface rill_surface;

RILL_API rill_surface *rill_surface_create(const rill_surface_def *def, rill_error *error); /* NULL on error */
RILL_API void rill_surface_destroy(rill_surface *surface);                                  /* NULL is fine */
/* Nothing to mesh gives an empty mesh and RILL_OK. */
RILL_API rill_status rill_surface_of_particles(rill_surface *surface, const rill_surface_particles *particles,
                                               rill_surface_mesh *mesh, rill_error *error);
/* `color` has a value for each of the frame's particles, or is NULL. */
RILL_API rill_status rill_surface_of_frame(rill_surface *surface, const rill_frame *frame, const rill_vec *color,
                                           rill_surface_mesh *mesh, rill_error *error);
RILL_API rill_status rill_surface_of_world(rill_surface *surface, const rill_world *world, rill_surface_mesh *mesh,
                                           rill_error *error);

#endif
