/* SPDX-License-Identifier: MIT */
/* A minimal engine that hosts bodies: it keeps positions and velocities, and moves bodies as Rill predicts, contacts
   included. Its own cost is negligible, so that a level with its bodies shows the cost of hosting. */
#ifndef RILL_BENCH_GAME_HOST_H
#define RILL_BENCH_GAME_HOST_H

#include "rill/rill.h"

#define GAME_HOST_MAX 64

typedef struct game_host_body {
    rill_body_id id;
    rill_hosted_state state;
} game_host_body;

typedef struct game_host {
    game_host_body bodies[GAME_HOST_MAX];
    int count;
} game_host;

/* Adds a box in 2D as a hosted body, where its definition says. */
rill_status game_host_add(game_host *host, rill_world *w, const rill_body_def *def, rill_body_id *id);
rill_status game_host_remove(game_host *host, rill_world *w, rill_body_id id);
/* Moves a kinematic body to a pose, which it reaches after this time. */
void game_host_move_to(game_host *host, rill_body_id id, const rill_pose *pose, double seconds);
/* Does the same as rill_world_advance_at_most, with the bodies of the host. */
rill_status game_host_advance(game_host *host, rill_world *w, double duration, int most, double *advanced);

#endif
