/* SPDX-License-Identifier: MIT */
/* A frame is one moment of a run as a plain value: particles with all their fields, fluids, solids, bodies, joints,
   emitters, gauges, and links between particles. Surfaces, pictures and files take frames and nothing else, so a frame
   of a world and one that was read from a file are the same to them; a host may also fill one itself.

   Frames come in two kinds. A borrowed frame (rill_frame_of_world) points at the particle arrays and shapes of a world
   and is valid until the next call that changes that world. An owned frame (rill_frame_copy, or a file's) holds
   everything itself except the shapes: these belong to a rill_shape_set, made once for a run, which must outlive it.
   Both kinds are freed with rill_frame_free. */
#ifndef RILL_FRAME_H
#define RILL_FRAME_H

#include "rill/world.h"

/* The shapes of a run, with the data from which distances are computed. */
typedef struct rill_shape_set rill_shape_set;

typedef struct rill_frame_solid {
    char name[RILL_NAME_SIZE];
    int32_t shape;            /* number among the frame's shapes */
    int32_t body;             /* number of the body whose surface it is; -1: none */
    rill_transform transform; /* from the place where its shape was added to its present place */
} rill_frame_solid;

typedef struct rill_frame_body {
    char name[RILL_NAME_SIZE];
    int32_t kind;  /* rill_body_kind */
    int32_t solid; /* number of its surface */
    rill_body_state state;
} rill_frame_body;

typedef struct rill_frame_joint {
    char name[RILL_NAME_SIZE];
    int32_t kind;                /* rill_joint_kind */
    int32_t a, b;                /* numbers of the bodies; b is -1 for the world */
    rill_vec anchor_a, anchor_b; /* where they are [m] */
    bool broken;
} rill_frame_joint;

/* A set of links between particles, such as springs or bonds, with their values. */
typedef struct rill_frame_links {
    const char *name, *doc;
    int32_t ends; /* particles of a link: 2 to 4 */
    int32_t count;
    const int32_t *particle; /* `ends` for each link: where its particles are in the arrays, whatever `order` says */
    const rill_view *value;  /* arrays with a row for each link */
    int32_t value_count;
} rill_frame_links;

typedef struct rill_frame {
    int32_t dim;                        /* 2 or 3 */
    int64_t step;                       /* -1: unknown */
    double time;                        /* [s]; negative: unknown */
    float spacing, support;             /* dx and h [m]; 0: unknown */
    rill_vec gravity;                   /* [m/s^2] */
    rill_vec periodic, periodic_origin; /* as in rill_world_def [m] */
    rill_vec origin;                    /* the point from which all places here are measured [m] */

    int32_t count;        /* particles */
    const int32_t *order; /* the k-th particle of the frame is order[k] of the arrays; NULL: it is the k-th there too */
    const rill_view *field; /* every array that particles have, those of the method included; `position` is one */
    int32_t field_count;

    const rill_fluid_def *fluid; /* what the field `fluid` counts */
    int32_t fluid_count;
    const rill_shape *const *shape; /* NULL where a solid was removed: the others keep their numbers */
    int32_t shape_count;
    const rill_frame_solid *solid; /* surfaces of bodies included */
    int32_t solid_count;
    const rill_frame_body *body;
    int32_t body_count;
    const rill_frame_joint *joint;
    int32_t joint_count;
    const rill_emitter_def *emitter;
    int32_t emitter_count;
    const rill_gauge_def *gauge;
    int32_t gauge_count;
    const rill_frame_links *links;
    int32_t links_count; /* sets */

    const rill_world *world;      /* whose frame this is, if it is borrowed */
    const rill_shape_set *shapes; /* that `shape` points into, if it is owned; or NULL */
    rill_allocator allocator;     /* host hook; zero: built-in. Set it before the frame is first filled */
    void *room;                   /* of the arrays that belong to the frame */
    size_t room_size;
} rill_frame;

/* The world as it is now, borrowed. `frame` is zero or was filled before; its memory is used again, so frames of a
   steady world allocate nothing. */
RILL_API rill_status rill_frame_of_world(rill_frame *frame, const rill_world *world, rill_error *error);
/* The world as it was at `time`, borrowed too: between the beginning and the end of its last step, positions,
   velocities and bodies are interpolated; pressures, densities and all other fields are those of that
   step. A time outside the step gives its beginning or its end. Solids answer as of that moment
   (rill_world_solid_distance and its like) until the world is asked for something else. For a host that lets a world
   follow its clock (rill_world_advance) `time` is stats.time - stats.lead. */
RILL_API rill_status rill_frame_of_world_at(rill_frame *frame, rill_world *world, double time, rill_error *error);
/* A copy that is owned, particles in the order of `from`. `shapes` holds the shapes of `from` in their order
   (rill_shape_set_create); NULL: the copy has no solids and no bodies. */
RILL_API rill_status rill_frame_copy(rill_frame *frame, const rill_frame *from, const rill_shape_set *shapes,
                                     rill_error *error);
/* The order of ids, which does not change while particles are sorted; files and pictures use it. */
RILL_API rill_status rill_frame_order_by_id(rill_frame *frame, rill_error *error);
RILL_API void rill_frame_free(rill_frame *frame); /* leaves it zero */

/* The field of this name, or NULL. */
RILL_API const rill_view *rill_frame_field(const rill_frame *frame, const char *name);
/* Values of the k-th particle: components that the field does not have are 0, a field that is NULL has none. */
RILL_API float rill_frame_number(const rill_frame *frame, const rill_view *field, int k);
RILL_API rill_vec rill_frame_vec(const rill_frame *frame, const rill_view *field, int k);
RILL_API uint64_t rill_frame_uint(const rill_frame *frame, const rill_view *field, int k);

/* The shape of the k-th solid where it was added, and the signed distance from a point to the solid where it is
   (negative inside) with the normal out of it, which may be NULL. Distances may be asked from several threads. A solid
   whose shape cannot be measured is infinitely far away. */
RILL_API const rill_shape *rill_frame_shape(const rill_frame *frame, int solid);
RILL_API float rill_frame_distance(const rill_frame *frame, int solid, rill_vec point, rill_vec *normal);

/* ---- shapes of a run ---- */
/* Copies of shapes, for owned frames; where one is NULL, its number stays free. `spacing` is that of the run: distance
   fields are made for it, through `cache` if that is not NULL. NULL on error. */
RILL_API rill_shape_set *rill_shape_set_create(int dim, float spacing, const rill_shape *const *shapes, int count,
                                               const rill_cache *cache, rill_error *error);
RILL_API void rill_shape_set_destroy(rill_shape_set *set); /* NULL is fine */
RILL_API int rill_shape_set_count(const rill_shape_set *set);
RILL_API const rill_shape *rill_shape_set_at(const rill_shape_set *set, int index); /* NULL past the end */
/* Signed distance from a point to a shape that `transform` has moved from where it was added. */
RILL_API rill_status rill_shape_set_distance(const rill_shape_set *set, int index, const rill_transform *transform,
                                             rill_vec point, float *distance, rill_vec *normal);

/* The surface of a shape, to be drawn: line pieces in 2D, triangles in 3D. */
typedef struct rill_shape_surface {
    int32_t corners; /* of a cell: 2 for line pieces, 3 for triangles, counter-clockwise seen from outside the solid */
    int32_t point_count, cell_count;
    rill_vec *point; /* as the shape was added [m] */
    int32_t *cell;   /* `corners` point numbers each */
} rill_shape_surface;

/* `detail` is the length of edges on round parts [m]; 0: 48 edges around. Shapes without an end (a
   half-space) give no cells, a sheet gives its middle. Free it in any case. */
RILL_API rill_status rill_shape_surface_make(const rill_shape *shape, int dim, double detail,
                                             rill_shape_surface *surface, rill_error *error);
RILL_API void rill_shape_surface_free(rill_shape_surface *surface);

/* A point or a direction of a shape moved by a transform, and the inverse. */
static inline rill_vec rill_transform_direction(const rill_transform *t, rill_vec d) {
    rill_vec to;
    to.x = t->turn[0][0] * d.x + t->turn[0][1] * d.y + t->turn[0][2] * d.z;
    to.y = t->turn[1][0] * d.x + t->turn[1][1] * d.y + t->turn[1][2] * d.z;
    to.z = t->turn[2][0] * d.x + t->turn[2][1] * d.y + t->turn[2][2] * d.z;
    return to;
}

static inline rill_vec rill_transform_direction_back(const rill_transform *t, rill_vec d) {
    rill_vec to;
    to.x = t->turn[0][0] * d.x + t->turn[1][0] * d.y + t->turn[2][0] * d.z;
    to.y = t->turn[0][1] * d.x + t->turn[1][1] * d.y + t->turn[2][1] * d.z;
    to.z = t->turn[0][2] * d.x + t->turn[1][2] * d.y + t->turn[2][2] * d.z;
    return to;
}

static inline rill_vec rill_transform_point(const rill_transform *t, rill_vec p) {
    rill_vec to = rill_transform_direction(t, p);
    to.x += t->shift.x, to.y += t->shift.y, to.z += t->shift.z;
    return to;
}

static inline rill_vec rill_transform_point_back(const rill_transform *t, rill_vec p) {
    p.x -= t->shift.x, p.y -= t->shift.y, p.z -= t->shift.z;
    return rill_transform_direction_back(t, p);
}

#endif
