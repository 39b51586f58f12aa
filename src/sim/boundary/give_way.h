/* SPDX-License-Identifier: MIT */
/* Bodies that give way to the pressure that is being solved for. Taken for walls of prescribed motion they would answer
   only a step later: water that they squeeze presses as hard as an immovable wall asks for, and throws them apart.

   A body is expected to move on as it does, with weight, contacts and joints in balance with the force F_last by which
   the fluid pressed it in the last step. Only what the fluid presses beyond that changes its velocity in the solve:
     v = v_body + dt M^-1 (F - F_last)
   at each contact. In a steady state that is no change; a force that grows meets a body that gives way. The body gets
   all of F afterwards, as from any method. */
#ifndef RILL_SIM_BOUNDARY_GIVE_WAY_H
#define RILL_SIM_BOUNDARY_GIVE_WAY_H

#include "core/arena.h"
#include "sim/boundary/contact_body.h"

/* One name for each compilation, as in sim/dim_names.h. */
#define rill_give_way_ask        SIM_NAME(rill_give_way_ask)
#define rill_give_way_find       SIM_NAME(rill_give_way_find)
#define rill_give_way            SIM_NAME(rill_give_way)
#define rill_give_way_keep       SIM_NAME(rill_give_way_keep)
#define rill_give_way_move_walls SIM_NAME(rill_give_way_move_walls)

/* The solves of a step, each with its own forces on bodies. */
typedef enum give_way_stage { GIVE_WAY_DENSITY, GIVE_WAY_DIVERGENCE } give_way_stage;

/* A contact of a particle with a body that can move. */
typedef struct body_touch {
    int32_t contact, body, particle;
    vec velocity;   /* of the body's surface, */
    float distance; /* and the distance of its wall, before it gives way */
    dvec arm;       /* from the body's centre of mass [m] */
} body_touch;

/* How a body gives way. */
typedef struct body_way {
    double touching;  /* mass of the particles that touch it [kg] */
    double force[6];  /* force and torque of the pressure that is being solved for */
    double change[6]; /* of its velocity and spin by what that differs from the last step's */
} body_way;

typedef struct giving_way {
    rill_world *world;
    float dt;
    /* The force of a contact on its particle, as the solve has it now. */
    vec (*push)(const void *context, const body_touch *touch);
    const void *context;
    give_way_stage stage;
    body_touch *touches; /* NULL: there are no bodies that can move */
    int32_t *starts;     /* of blocks of particles */
    int count;
    body_way *ways; /* by slot */
} giving_way;

/* Asks for the arrays. */
void rill_give_way_ask(giving_way *g, arena *a);
/* Before the first iteration of a solve: finds who touches what. */
void rill_give_way_find(giving_way *g, give_way_stage stage);
/* Before each further one: bodies answer the pushes as they are now. */
void rill_give_way(giving_way *g);
/* The same for methods that solve for places: walls go where their bodies will be. */
void rill_give_way_move_walls(giving_way *g);
/* After the last: remembers the pushes for the next step. */
void rill_give_way_keep(giving_way *g);

/* By how much a touched surface has become faster. */
static inline vec give_way_speed(const giving_way *g, const body_touch *t) {
    const double *change = g->ways[t->body].change;
    const dvec more = dvec_add(dvec_load(change), dvec_cross(dvec_load(change + 3), t->arm));
    return vec_of((rill_vec){(float)more.x, (float)more.y, (float)more.z});
}

#endif
