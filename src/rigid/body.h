/* SPDX-License-Identifier: MIT */
/* Rigid bodies: mass from shape, motion, and the surface that follows. */
#ifndef RILL_RIGID_BODY_H
#define RILL_RIGID_BODY_H

#include "core/dvec.h"
#include "model/world_state.h"

/* Fills in everything that follows from the definition and the models of its surface. An error if the shape has no
   volume. */
rill_status rill_body_start(rill_world *world, body *b);

/* Inverse mass times a linear, and inverse inertia times an angular vector. */
dvec rill_body_mass_linear(const rill_world *world, const body *b, dvec a);
dvec rill_body_mass_angular(const rill_world *world, const body *b, dvec a);
/* Inertia times an angular velocity. */
dvec rill_body_spin(const body *b, dvec w);

/* Turns a direction of the body as it was added to where it points now, and back. */
dvec rill_body_turn(const body *b, dvec a);
dvec rill_body_turn_back(const body *b, dvec a);
dvec rill_body_velocity_at(const body *b, dvec point);

/* Moves with its velocity over dt; a body free of torques keeps its angular momentum. */
void rill_body_move(body *b, double dt);
/* Gives the surface the body's pose; a kinematic body goes where its surface's motion has it at `time`. */
void rill_body_place(rill_world *world, body *b, double time);

#endif
