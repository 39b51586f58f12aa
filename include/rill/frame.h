/* SPDX-License-Identifier: MIT */
/* A frame is one moment of a run as a plain value: particles with all their fields, fluids, solids, bodies, joints,
   emitters, gauges, and links between particles. Surfaces, pictures and files take frames and nothing else. So a frame
   of a world and a frame read from a file are the same to them, and a host may fill a frame itself.

   A borrowed frame (rill_frame_of_world) points to the particle arrays and shapes of a world and is valid until the
   next call that changes that world. An owned frame (rill_frame_copy, rill_io_read_frame) holds everything itself
   except the shapes. These belong to a rill_shape_set, made once for a run, which must outlive the frame. Frames of
   both kinds are freed with rill_frame_free. */
#ifndef RILL_FRAME_H
#define RILL_FRAME_H

#include "rill/world.h"

/* The shapes of a run, with the data that distances are computed from. */
typedef struct rill_shape_set rill_shape_set;

typedef struct rill_frame_solid {
    char name[RILL_NAME_SIZE];
    int32_t shape;            /* index of its shape in the frame */
    int32_t body;             /* index of the body whose surface it is; -1: none */
    rill_transform transform; /* from where its shape was added to where it is now */
} rill_frame_solid;

typedef struct rill_frame_body {
    char name[RILL_NAME_SIZE];
    int32_t kind;  /* rill_body_kind */
    int32_t solid; /* index of its surface among the frame's solids */
    rill_body_state state;
} rill_frame_body;

typedef struct rill_frame_joint {
    char name[RILL_NAME_SIZE];
    int32_t kind;                /* rill_joint_kind */
    int32_t a, b;                /* indices of the bodies; b is -1 for the world */
    rill_vec anchor_a, anchor_b; /* where the anchors are now [m] */
    bool broken;
} rill_frame_joint;

/* A set of links between particles, such as springs or bonds, with their values. */
typedef struct rill_frame_links {
    const char *name, *doc;
    int32_t ends; /* particles that each link connects: 2 to 4 */
    int32_t count;
    const int32_t *particle; /* `ends` indices for each link, into the particle arrays (not into `order`) */
    const rill_view *value;  /* arrays with one row for each link */
    int32_t value_count;
} rill_frame_links;

typedef struct rill_frame {
    int32_t dim;                        /* 2 or 3 */
    int64_t step;                       /* -1: unknown */
    double time;                        /* [s]; negative: unknown */
    float spacing, support;             /* dx and h [m]; 0: unknown */
    rill_vec gravity;                   /* [m/s^2] */
    rill_vec periodic, periodic_origin; /* as in rill_world_def [m] */
    rill_vec origin;                    /* point from which all positions here are measured [m] */

    int32_t count;          /* particles */
    const int32_t *order;   /* particle k of the frame has index order[k] in the arrays; NULL: index k */
    const rill_view *field; /* all arrays of particles, also those of the method; `position` is one of them */
    int32_t field_count;

    const rill_fluid_def *fluid; /* the field `fluid` is an index into these */
    int32_t fluid_count;
    const rill_shape *const *shape; /* NULL where a solid was removed, so that the others keep their indices */
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
    int32_t links_count; /* number of sets */

    const rill_world *world;      /* the world of a borrowed frame; NULL if the frame is owned */
    const rill_shape_set *shapes; /* the shapes of an owned frame; or NULL */
    rill_allocator allocator;     /* hook of the host; zero: built-in. Set it before the frame is first filled */
    void *room;                   /* memory of the arrays that belong to the frame */
    size_t room_size;
} rill_frame;

/* Fills `frame` with the world as it is now, borrowed. `frame` must be zero or filled before; its memory is used again,
   so that frames of a steady world allocate nothing. RILL_MEMORY: there is not enough; the frame is then empty. */
RILL_API rill_status rill_frame_of_world(rill_frame *frame, const rill_world *world, rill_error *error);
/* Fills `frame` with the world as it was at `time` [s], borrowed. Between the start and the end of the last step,
   positions, velocities and bodies are interpolated; pressures, densities and all other fields are those of that step.
   A time outside the step gives its start or its end. A body that was put somewhere since the step
   (rill_world_body_set_pose) is shown there; particles that were moved since are shown on the way. Until the world is
   asked for something else, its solids are those of that time too (rill_world_solid_distance and others). For a host
   that uses rill_world_advance, the time of its clock is stats.time - stats.lead. */
RILL_API rill_status rill_frame_of_world_at(rill_frame *frame, rill_world *world, double time, rill_error *error);
/* Fills `frame` with an owned copy of `from`, particles in its order. `shapes` holds the shapes of `from` in their
   order (rill_shape_set_create) and must outlive the copy; NULL: the copy has no solids, bodies or joints. */
RILL_API rill_status rill_frame_copy(rill_frame *frame, const rill_frame *from, const rill_shape_set *shapes,
                                     rill_error *error);
/* Puts the particles of the frame into the order of their ids, which does not change when the world sorts its
   particles. Files and pictures use this order. RILL_NOT_FOUND: the particles have no ids. */
RILL_API rill_status rill_frame_order_by_id(rill_frame *frame, rill_error *error);
RILL_API void rill_frame_free(rill_frame *frame); /* leaves it zero; accepts NULL */

/* The field of this name, or NULL. Valid as long as the frame. */
RILL_API const rill_view *rill_frame_field(const rill_frame *frame, const char *name);
/* The value of particle k of the frame: of a float field as a number or a vector, of an integer field as an unsigned
   integer. Components that the field does not have are 0; all are if `field` is NULL. */
RILL_API float rill_frame_number(const rill_frame *frame, const rill_view *field, int k);
RILL_API rill_vec rill_frame_vec(const rill_frame *frame, const rill_view *field, int k);
RILL_API uint64_t rill_frame_uint(const rill_frame *frame, const rill_view *field, int k);

/* The shape of a solid, by its index in the frame, where it was added; and the signed distance [m] from a point to the
   solid where it is now, negative inside. `normal` receives the outward unit normal and may be NULL. The distance is
   infinite if the shape cannot be measured. Several threads may ask for distances at the same time. */
RILL_API const rill_shape *rill_frame_shape(const rill_frame *frame, int solid);
RILL_API float rill_frame_distance(const rill_frame *frame, int solid, rill_vec point, rill_vec *normal);

/* ---- shapes of a run ---- */
/* Creates a set of copies of shapes, for owned frames. Where a pointer is NULL, its index stays free. `spacing` [m] is
   that of the run: it decides the resolution of distance fields, which are read from and saved to `cache` unless that
   is NULL. The caller owns the set. NULL on error. */
RILL_API rill_shape_set *rill_shape_set_create(int dim, float spacing, const rill_shape *const *shapes, int count,
                                               const rill_cache *cache, rill_error *error);
RILL_API void rill_shape_set_destroy(rill_shape_set *set); /* accepts NULL */
RILL_API int rill_shape_set_count(const rill_shape_set *set);
RILL_API const rill_shape *rill_shape_set_at(const rill_shape_set *set, int index); /* NULL past the end */
/* Sets `distance` [m] to the signed distance from a point to a shape that `transform` has moved from where it was
   added, negative inside, and `normal`, which may be NULL, to the outward unit normal. */
RILL_API rill_status rill_shape_set_distance(const rill_shape_set *set, int index, const rill_transform *transform,
                                             rill_vec point, float *distance, rill_vec *normal);

/* The surface of a shape as line segments in 2D or triangles in 3D, for drawing. */
typedef struct rill_shape_surface {
    int32_t
        corners; /* points of a cell: 2 of a segment, 3 of a triangle, counter-clockwise seen from outside the solid */
    int32_t point_count, cell_count;
    rill_vec *point; /* where the shape was added [m] */
    int32_t *cell;   /* `corners` indices of points for each cell */
} rill_shape_surface;

/* Makes the surface of a shape. `detail` is the length of edges on round parts [m]; 0: 48 edges around the smallest of
   them. A half-space gives no cells, because it has no end; a sheet gives its middle surface. Free the surface also
   after an error. */
RILL_API rill_status rill_shape_surface_make(const rill_shape *shape, int dim, double detail,
                                             rill_shape_surface *surface, rill_error *error);
RILL_API void rill_shape_surface_free(rill_shape_surface *surface);

/* A direction or a point moved by a transform, and moved back. */
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
