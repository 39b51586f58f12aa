/* SPDX-License-Identifier: MIT */
/* The surface of a fluid: closed triangle meshes in 3D, closed contours in 2D, made from a frame, a world or arrays. A
   rill_surface keeps its memory from call to call. It is used from one thread at a time, and uses several itself. The
   same input gives the same bits on any number of threads. */
#ifndef RILL_SURFACE_H
#define RILL_SURFACE_H

#include "rill/frame.h"

/* The function whose level set is the surface. */
typedef enum rill_surface_field {
    RILL_SURFACE_DISTANCE, /* sqrt(sum (1 - r/h)^2): behaves like a distance (Clavet, Beaudoin & Poulin 2005, eq. 13) */
    RILL_SURFACE_DENSITY,  /* sum V W(r): V is the volume that a particle's neighbours leave to it */
    RILL_SURFACE_ANISOTROPIC /* sum V W(r) with kernels stretched along the fluid (Yu & Turk 2013): smooth and flat */
} rill_surface_field;

typedef struct rill_surface_def {
    int32_t field;     /* rill_surface_field */
    float radius;      /* radius of a particle's kernel, in particle spacings */
    float cell;        /* edge of a grid cell, in particle spacings */
    float level;       /* value of the field at the surface; 0: half a spacing outside the last particles, where flat */
    int32_t smoothing; /* rounds of smoothing that keeps the volume (Taubin 1995) */
    bool droplets;     /* lone particles become balls of a particle's volume; otherwise they may vanish */
    bool walls;        /* of frames and worlds: the mesh ends exactly at solids */
    float overlap;     /* depth of the mesh in walls, in particle spacings; 0 shows as air between them in renderers */
    int32_t fluid;     /* index of the only fluid that is meshed; -1: all of them together */
    int32_t workers;   /* threads; 0: all cores */

    /* Hooks of the host, not in the table; zero: built-in. */
    rill_allocator allocator;
    rill_tasks tasks;
    uint32_t cookie; /* set by rill_surface_def_default */
} rill_surface_def;

RILL_API rill_surface_def rill_surface_def_default(void);
/* The table of rill_surface_def: one row for each member above the hooks. Static data. */
RILL_API const rill_table *rill_surface_table(void);

/* Returns the signed distance [m] from a point to a wall, negative inside it, and sets `normal` to the outward unit
   normal. Called from several threads at a time. */
typedef float rill_surface_wall_fn(int wall, rill_vec point, rill_vec *normal, void *context);

/* Particles as arrays, owned by the caller. Particles whose position is not finite, or farther away than a million
   cells, are left out. */
typedef struct rill_surface_particles {
    int32_t dim; /* 2 or 3 */
    int32_t count;
    const rill_vec *position; /* [m] */
    const rill_vec *velocity; /* [m/s], or NULL */
    const rill_vec *color;    /* red, green, blue from 0 to 1, or any three numbers to interpolate; or NULL */
    const uint32_t *fluid;    /* index of each particle's fluid, or NULL */
    float spacing;            /* of the particles at rest [m] */
    rill_vec periodic;        /* period along each axis [m], 0: open; the surface is closed at the periodic faces */
    rill_vec periodic_origin; /* [m] */
    int32_t wall_count;       /* 0: none */
    rill_surface_wall_fn *wall;
    void *wall_context;
} rill_surface_particles;

/* A mesh, valid until the next call with the same rill_surface, which owns the arrays. In 3D an element is a triangle
   of three indices, counter-clockwise seen from outside the fluid; in 2D it is a segment of two indices with the fluid
   on its left. */
typedef struct rill_surface_mesh {
    int32_t dim;
    int32_t vertex_count;
    int32_t element_count;
    const rill_vec *position;
    const rill_vec *normal;   /* of unit length, out of the fluid */
    const rill_vec *velocity; /* of the fluid there [m/s] */
    const rill_vec *color;    /* mean of the particles nearby, or NULL if particles have no colour */
    const uint32_t *fluid;    /* the fluid of most particles nearby */
    const int32_t *index;     /* of vertices, dim for each element */
    double volume;            /* enclosed [m^3]; in 2D of a plane one metre thick */
    double area;              /* [m^2] */
    int32_t left_out;         /* number of particles left out */
    int32_t lone_count;       /* number of particles that are drops of their own; anisotropic field only */
    const int32_t *lone;      /* their indices */
    size_t bytes;             /* memory that the rill_surface holds */
} rill_surface_mesh;

typedef struct rill_surface rill_surface;

/* Creates a surface maker, owned by the caller. NULL on error. */
RILL_API rill_surface *rill_surface_create(const rill_surface_def *def, rill_error *error);
RILL_API void rill_surface_destroy(rill_surface *surface); /* accepts NULL */
/* Makes the mesh of particles. Without particles the mesh is empty and the call returns RILL_OK. */
RILL_API rill_status rill_surface_of_particles(rill_surface *surface, const rill_surface_particles *particles,
                                               rill_surface_mesh *mesh, rill_error *error);
/* Makes the mesh of a frame. `color` has a value for each particle, in the order of the frame, or is NULL. */
RILL_API rill_status rill_surface_of_frame(rill_surface *surface, const rill_frame *frame, const rill_vec *color,
                                           rill_surface_mesh *mesh, rill_error *error);
/* Makes the mesh of a world as it is now. */
RILL_API rill_status rill_surface_of_world(rill_surface *surface, const rill_world *world, rill_surface_mesh *mesh,
                                           rill_error *error);

#endif
