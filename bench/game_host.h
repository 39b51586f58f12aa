/* SPDX-License-Identifier: MIT */
/* The least engine that can host bodies: it keeps places and velocities, and moves bodies as Rill foresees them,
   contacts included. What it costs is next to nothing, so that a level with its bodies shows the price of being hosted.
 */
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

/* Adds the body of a box in 2D, where it stands. */
rill_status game_host_add(game_host *host, rill_world *w, const rill_body_def *def, rill_body_id *id);
rill_status game_host_remove(game_host *host, rill_world *w, rill_body_id id);
/* Sends a kinematic body to a pose that it reaches after this time. */
void game_host_move_to(game_host *host, rill_body_id id, const rill_pose *pose, double seconds);
/* As rill_world_advance_at_most, with the bodies of the host. */
rill_status game_host_advance(game_host *host, rill_world *w, double duration, int most, double *advanced);

#endif
