/* SPDX-License-Identifier: MIT */
/* Hosted bodies: the reports of an engine about its bodies, and the reactions of the fluid (rill/hosted.h). */
#ifndef RILL_RIGID_HOST_H
#define RILL_RIGID_HOST_H

#include "core/dvec.h"
#include "model/world_state.h"
#include "rill/hosted.h"

/* Makes the body hosted, with the masses, pose and velocities of a state that has been checked. */
void rill_host_take(rill_world *world, body *b, const rill_hosted_state *state);
/* At the start of a step: turns the velocities that the engine foretold for its end into accelerations over
   `duration`. */
void rill_host_set_off(body *b, double duration);
/* Adds dt times gravity, or times the foretold accelerations, to the velocities of a body. */
void rill_host_fall(const rill_world *world, const body *b, double dt, dvec *v, dvec *spin);
/* At the start of a call or of an interleaved step: reactions are summed from zero. */
void rill_host_begin_step(rill_world *world);
/* The reaction that the engine has not been given yet. */
rill_reaction rill_host_reaction(const body *b);

#endif
