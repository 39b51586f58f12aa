/* SPDX-License-Identifier: MIT */
/* The bodies' part of a step. */
#ifndef RILL_RIGID_RIGID_H
#define RILL_RIGID_RIGID_H

#include "model/world_state.h"

/* Before the first impulse of a step of dt. */
void rigid_begin(rill_world *world, double dt);
/* Gives the bodies the impulses that the fluid left on their surfaces in a step of dt. Called twice in a step: for the
   pressure before the bodies move, and for collisions after. */
void rigid_receive(rill_world *world, double dt);
/* Memory for the next rigid_step, before anything moves: a step that finds none has not happened. */
rill_status rigid_reserve(rill_world *world, double dt);
/* The host's forces and gravity; contacts, joints and motors solved together; then the bodies move over dt. */
rill_status rigid_step(rill_world *world, double dt);
/* Brings the surfaces to where the bodies are; kinematic ones to where their motion has them at `time`. */
void rigid_place(rill_world *world, double time);

#endif
