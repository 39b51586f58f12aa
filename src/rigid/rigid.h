/* SPDX-License-Identifier: MIT */
/* The bodies' part of a step. */
#ifndef RILL_RIGID_RIGID_H
#define RILL_RIGID_RIGID_H

#include "rigid/rows.h"

/* A call of the host that steps: what is told of it (contacts, the fluid's force) starts from nothing with its first
   step, and the host's forces act until its end. */
void rill_rigid_call_begin(rill_world *world);
/* Turns the forces of a call of so many seconds into pushes, which its steps give, or those of a later call. */
void rill_rigid_hold_forces(rill_world *world, double duration);
void rill_rigid_call_end(rill_world *world);
/* An impulse at a point on a body, from what rides on it: counts as the fluid's in the body's state, not in
   gauges of what particles do to its surface. Nothing happens without a body. */
void rill_rigid_push(rill_world *world, rill_body_id id, rill_vec impulse, rill_vec point);
/* Before the first impulse of a step of dt. */
void rill_rigid_begin(rill_world *world, double dt);
/* Gives the bodies the impulses that the fluid left on their surfaces in a step of dt: those of pressure before the
   bodies move, those of collisions after. */
void rill_rigid_receive(rill_world *world, double dt);
void rill_rigid_collided(rill_world *world);
/* The same where whoever solved for the bodies has given them these impulses already: they are only booked, and wake
   sleepers. */
void rill_rigid_solved(rill_world *world);
/* Memory for the next rill_rigid_step, before anything moves: a step that finds none has not happened. */
rill_status rill_rigid_reserve(rill_world *world, double dt);
/* The host's forces and gravity; contacts, joints and motors solved together; then the bodies move over dt. */
rill_status rill_rigid_step(rill_world *world, double dt);
/* The two halves of a step, for a method that sweeps the bodies' rows together with its own: the rows of joints and
   contacts, forces given, impulses of the last step not yet (rill_rows_warm_start); and what follows once the
   velocities are found. To the method, bodies asleep are walls. */
rill_status rill_rigid_start(rill_world *world, double dt, rows *r);
rill_status rill_rigid_finish(rill_world *world, double dt);
/* Longest step in which no body turns farther than rows, which are straight, can follow [s]. */
double rill_rigid_max_dt(const rill_world *world);
/* Places all solids: the surfaces of bodies where the bodies are, those of kinematic ones and other solids where their
   motion has them at `time`. */
rill_status rill_rigid_place(rill_world *world, double time);

#endif
