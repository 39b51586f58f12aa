/* SPDX-License-Identifier: MIT */
/* Hosted bodies: the reports of an engine about its bodies, and the reactions of the fluid (rill/hosted.h). */
#ifndef RILL_RIGID_HOST_H
#define RILL_RIGID_HOST_H

#include "core/dvec.h"
#include "model/world_state.h"
#include "rill/hosted.h"

/* Gives a body the masses, place and velocities of a state that was checked, and the engine the body. */
void rill_host_take(rill_world *world, body *b, const rill_hosted_state *state);
/* At the beginning of a step: what was foretold for its end, as accelerations over `duration`. */
void rill_host_set_off(body *b, double duration);
/* Adds to the velocities of a body what gravity, or the engine that foretold them, does in dt. */
void rill_host_fall(const rill_world *world, const body *b, double dt, dvec *v, dvec *spin);
/* A new call begins: reactions are summed from zero. */
void rill_host_begin_step(rill_world *world);
rill_reaction rill_host_reaction(const body *b);

#endif
