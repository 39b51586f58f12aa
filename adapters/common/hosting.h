/* SPDX-License-Identifier: MIT */
/* Parts shared by all adapters: which body of an engine is which body of Rill, and the steps of the fluid between two
   steps of an engine. Knows of no engine. */
#ifndef RILL_ADAPTERS_HOSTING_H
#define RILL_ADAPTERS_HOSTING_H

#include <rill/rill.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of a compound shape at most, and joints of an engine's body that are told of. */
#define HOSTING_PARTS_MAX 64

/* A body of an engine that Rill knows. */
typedef struct hosting_link {
    void *body;           /* the engine's; NULL: a free place of the table */
    uint64_t shape_stamp; /* by which the adapter tells that the shape has changed */
    rill_body_id id;
    bool seen; /* in this step */
    double impulse[3], moment[3];
    bool wake;
    double before[3]; /* an adapter's own */
} hosting_link;

/* A joint of an engine that holds bodies which Rill knows, and Rill's joint that stands for it. */
typedef struct hosting_joint {
    void *joint;
    rill_joint_id id;
    bool seen;
    bool motor;
    float motor_speed, motor_force;
} hosting_joint;

typedef struct hosting {
    rill_world *world;
    hosting_link *links; /* a hash table by `body` */
    int capacity, count;
    hosting_joint *joints;
    int joint_capacity, joint_count;
    int most;           /* steps of the fluid in one call; 0: as many as it takes */
    rill_status status; /* of the first call to Rill that failed in this step */
} hosting;

/* A hash of bytes, on top of another one: by which adapters know a shape. */
uint64_t hosting_stamp(uint64_t stamp, const void *bytes, size_t size);

/* Makes `part` the polygon of these corners, which must stay until it was used: a box if it is one along the axes, for
   these are the most common and Rill finds distances to them faster. */
void hosting_polygon(rill_shape *part, const rill_vec *corners, int count);
/* The same for a convex polygon that is wider by `radius` all around. Its round corners are polygons whose edges turn
   by an eighth of pi at most: these lie inside the arcs by at most 2 % of the radius. A box whose radius is less than a
   quarter of `spacing`, which no particle notices, stays a box, and keeps its corners. `room` takes the corners, and
   must stay until the part was used. */
void hosting_rounded(rill_shape *part, const rill_vec *corners, int count, float radius, float spacing, rill_vec *room);
/* Corners of a rounded polygon at most. */
#define HOSTING_ROUNDED(corners) (2 * (corners) + 17)

/* The adapter's part of a step of the fluid. */
typedef struct hosting_calls {
    void *engine;
    /* Fills in what the engine knows of a body. */
    void (*tell)(void *engine, const hosting_link *link, rill_hosted_state *state);
    /* Gives the engine's body the impulse and moment of the link; the engine's next step is one of dt. */
    void (*react)(void *engine, const hosting_link *link, double dt);
    /* Steps the engine by dt, with every substep of the fluid; NULL: the caller does that, once, when all are taken. */
    void (*step)(void *engine, double dt);
} hosting_calls;

hosting hosting_of(rill_world *world);
/* Takes all bodies of the table out of Rill, and forgets them. */
void hosting_free(hosting *h);

/* Begins a step: nobody has been seen. */
void hosting_begin(hosting *h);
hosting_link *hosting_find(hosting *h, const void *body);
/* The body if Rill knows it with the shape of this stamp; NULL and forgotten if not. */
hosting_link *hosting_find_shaped(hosting *h, const void *body, uint64_t stamp);
/* Registers a body of the engine by the parts of its shape; NULL if there are none, or if Rill refuses it, and the
   status says so. */
hosting_link *hosting_add(hosting *h, void *body, uint64_t stamp, const rill_body_def *surface, const rill_shape *parts,
                          int count, const rill_hosted_state *state);
void hosting_remove(hosting *h, const void *body);
/* Tells Rill of all bodies: before joints are added, and before the fluid's step. */
void hosting_tell(hosting *h, const hosting_calls *calls);
/* A joint of the engine, as Rill would have it; it is added once, its motor follows, and it goes when it is not seen
   any more. */
void hosting_join(hosting *h, void *joint, const rill_joint_def *def);
/* Removes bodies that were not seen; joints go with the next step. */
void hosting_end(hosting *h);

/* The status of a step that is not longer than 0: a paused game takes steps of 0, which change nothing; others are
   refused. */
rill_status hosting_no_step(double dt);
/* The fluid's step, and the reactions; with calls->step the engine steps with every substep of the fluid. */
rill_status hosting_step(hosting *h, double dt, const hosting_calls *calls);

/* Steps that the fluid would cut dt into: for engines that must know before the fluid does. */
int hosting_substeps(const hosting *h, double dt);

/* The box in which an engine looks for bodies: around the fluid, wider by what a particle and the fastest of them reach
   in dt. False: there is no fluid. */
bool hosting_box(const hosting *h, double dt, rill_vec *min, rill_vec *max);

#ifdef __cplusplus
}
#endif
#endif
