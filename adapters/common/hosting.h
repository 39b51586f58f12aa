/* SPDX-License-Identifier: MIT */
/* Parts shared by all adapters: the table of an engine's bodies and Rill's bodies for them, and the steps of the fluid
   between two steps of an engine. Independent of any engine. */
#ifndef RILL_ADAPTERS_HOSTING_H
#define RILL_ADAPTERS_HOSTING_H

#include <rill/rill.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most parts of a compound shape. */
#define HOSTING_PARTS_MAX 64

/* A body of an engine, and Rill's body for it. */
typedef struct hosting_link {
    void *body;           /* the engine's body; NULL: the entry is free */
    uint64_t shape_stamp; /* changes when the shape changes */
    rill_body_id id;
    bool seen; /* found by the adapter in this step */
    double impulse[3], moment[3];
    bool wake;
    double before[3]; /* for the adapter's own use */
} hosting_link;

/* A joint of an engine between bodies that Rill knows, and Rill's joint for it. */
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
    int most;           /* most steps of the fluid in one call; 0: no limit */
    rill_status status; /* of the first call to Rill that failed in this step */
} hosting;

/* A hash of bytes, continued from `stamp`: adapters recognise shapes by it. */
uint64_t hosting_stamp(uint64_t stamp, const void *bytes, size_t size);

/* Makes `part` a polygon with these corners, which must exist as long as the part is used. A rectangle along the axes
   becomes a box: it is the most common polygon, and Rill computes distances to boxes faster. */
void hosting_polygon(rill_shape *part, const rill_vec *corners, int count);
/* Makes `part` a convex polygon that is wider by `radius` on all sides. Arcs become chords of an eighth of pi at most,
   which lie inside them by at most 2 % of the radius. A rectangle along the axes stays a box with sharp corners if the
   radius is less than a quarter of `spacing`: particles would not notice the difference. `room` receives the corners,
   and must exist as long as the part is used. */
void hosting_rounded(rill_shape *part, const rill_vec *corners, int count, float radius, float spacing, rill_vec *room);
/* Most corners of a rounded polygon. */
#define HOSTING_ROUNDED(corners) (2 * (corners) + 17)

/* The functions that an adapter provides for a step of the fluid. */
typedef struct hosting_calls {
    void *engine;
    /* Fills in the engine's state of a body. */
    void (*tell)(void *engine, const hosting_link *link, rill_hosted_state *state);
    /* Applies the impulse and moment of the link to the engine's body; the engine's next step is one of dt. */
    void (*react)(void *engine, const hosting_link *link, double dt);
    /* Steps the engine by dt, after every substep of the fluid; NULL: the caller steps it once, after all substeps. */
    void (*step)(void *engine, double dt);
} hosting_calls;

hosting hosting_of(rill_world *world);
/* Removes all bodies of the table from Rill, and clears the table. */
void hosting_free(hosting *h);

/* Begins a step: marks all bodies and joints as not seen. */
void hosting_begin(hosting *h);
hosting_link *hosting_find(hosting *h, const void *body);
/* The entry of a body, or NULL if Rill does not know it with a shape of this stamp: then it is removed. */
hosting_link *hosting_find_shaped(hosting *h, const void *body, uint64_t stamp);
/* Adds a body of the engine by the parts of its shape. NULL if there are none, or on failure, which sets the status. */
hosting_link *hosting_add(hosting *h, void *body, uint64_t stamp, const rill_body_def *surface, const rill_shape *parts,
                          int count, const rill_hosted_state *state);
void hosting_remove(hosting *h, const void *body);
/* Tells Rill the states of all bodies: before joints are added, and before the fluid's step. */
void hosting_tell(hosting *h, const hosting_calls *calls);
/* Declares a joint of the engine in Rill's terms, in every step. It is added the first time, its motor is kept up to
   date, and it is removed after a step without it. */
void hosting_join(hosting *h, void *joint, const rill_joint_def *def);
/* Removes bodies that were not seen; joints are removed in the next step. */
void hosting_end(hosting *h);

/* The status of a step whose dt is not positive: 0, of a paused game, changes nothing; others are refused. */
rill_status hosting_no_step(double dt);
/* The fluid's step, and the reactions; with calls->step the engine steps after every substep of the fluid. */
rill_status hosting_step(hosting *h, double dt, const hosting_calls *calls);

/* The number of steps that the fluid would take in dt: for engines that must know it in advance. */
int hosting_substeps(const hosting *h, double dt);

/* The box in which an adapter looks for bodies: the fluid's, extended by a particle's support and the way of the
   fastest particle in dt. False: there is no fluid. */
bool hosting_box(const hosting *h, double dt, rill_vec *min, rill_vec *max);

#ifdef __cplusplus
}
#endif
#endif
