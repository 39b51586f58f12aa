/* SPDX-License-Identifier: MIT */
/* Bodies that give way to pressure while it is being solved for. If the solve took them for walls of prescribed motion,
   they would respond only a step later: water squeezed between them would press as hard as against immovable walls, and
   throw them apart.

   A body is expected to keep its velocity, with weight, contacts and joints in balance with the force F_last that the
   fluid exerted on it in the last step. Only the excess over F_last changes its velocity in the solve:
     v = v_body + dt M^-1 (F - F_last)
   at each contact. In a steady state that is no change; a growing force meets a body that gives way. The body gets all
   of F afterwards, as from any method. */
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
    vec velocity;   /* of the body's surface */
    float distance; /* of its wall; both as before it gives way */
    dvec arm;       /* from the body's centre of mass [m] */
} body_touch;

/* How a body gives way. */
typedef struct body_way {
    double touching;  /* mass of the particles that touch the body [kg] */
    double force[6];  /* force and torque of the pressure in the solve */
    double change[6]; /* of its velocity and spin, by the excess over the last step's force and torque */
} body_way;

typedef struct giving_way {
    rill_world *world;
    float dt;
    /* The force of a contact on its particle at the present state of the solve. */
    vec (*push)(const void *context, const body_touch *touch);
    const void *context;
    give_way_stage stage;
    body_touch *touches; /* NULL if no body can move */
    int32_t *starts;     /* of blocks of particles */
    int count;
    body_way *ways; /* by slot */
} giving_way;

/* Asks for the arrays. */
void rill_give_way_ask(giving_way *g, arena *a);
/* Before the first iteration of a solve: finds the touches. */
void rill_give_way_find(giving_way *g, give_way_stage stage);
/* Before each further iteration: bodies respond to the present pushes. */
void rill_give_way(giving_way *g);
/* rill_give_way for methods that solve for positions: moves the walls to where their bodies will be. */
void rill_give_way_move_walls(giving_way *g);
/* After the last iteration: keeps the pushes for the next step. */
void rill_give_way_keep(giving_way *g);

/* Change of the velocity of a touched surface in this solve. */
static inline vec give_way_speed(const giving_way *g, const body_touch *t) {
    const double *change = g->ways[t->body].change;
    const dvec more = dvec_add(dvec_load(change), dvec_cross(dvec_load(change + 3), t->arm));
    return vec_of((rill_vec){(float)more.x, (float)more.y, (float)more.z});
}

#endif
