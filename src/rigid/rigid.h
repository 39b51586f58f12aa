/* SPDX-License-Identifier: MIT */
/* The bodies' part of a step. */
#ifndef RILL_RIGID_RIGID_H
#define RILL_RIGID_RIGID_H

#include "rigid/rows.h"

/* Start and end of a call of the host that steps. At its first step, the reports about the call (contacts, the force of
   the fluid) are reset; at its end, the host's forces. */
void rill_rigid_call_begin(rill_world *world);
void rill_rigid_call_end(rill_world *world);
/* A call of the host that takes no step: nothing happened in it. */
void rill_rigid_no_step(rill_world *world);
/* Turns the host's forces into impulses, force times `duration` of the call [s]. The steps of this call, or of a later
   one, apply them. In a call that steps, its first step does this, so that it is undone if that step fails. */
void rill_rigid_hold_forces(rill_world *world, double duration);
/* Applies an impulse [N s] at a point on a body, from an emitter or sink attached to it. It counts as the fluid's in
   the body's state, but not in gauges, which measure what particles do to its surface. Does nothing if the handle is
   not valid. */
void rill_rigid_push(rill_world *world, rill_body_id id, rill_vec impulse, rill_vec point);
/* Call before the first impulse of a step of dt. */
void rill_rigid_begin(rill_world *world, double dt);
/* Applies to the bodies the impulses that the fluid gave to their surfaces in a step of dt: `receive` those of
   pressure, before the bodies move; `collided` those of collisions, after. */
void rill_rigid_receive(rill_world *world, double dt);
void rill_rigid_collided(rill_world *world);
/* As rill_rigid_receive, for methods whose solver has applied these impulses already: it only adds them to the body's
   state, and wakes sleeping bodies. */
void rill_rigid_solved(rill_world *world);
/* Reserves the memory of the next rill_rigid_step before anything moves, so that a step that lacks memory leaves the
   world as it was. */
rill_status rill_rigid_reserve(rill_world *world, double dt);
/* Applies gravity and the host's forces, solves contacts, joints and motors together, and moves the bodies over dt. */
rill_status rill_rigid_step(rill_world *world, double dt);
/* The two halves of rill_rigid_step, for a method that sweeps the bodies' rows together with its own. `start` makes the
   rows of joints and contacts and applies the forces, but not the impulses of the last step (rill_rows_warm_start).
   `finish` moves the bodies with the velocities that were found. To the method, sleeping bodies are walls. */
rill_status rill_rigid_start(rill_world *world, double dt, rows *r);
rill_status rill_rigid_finish(rill_world *world, double dt);
/* Longest step in which no body rotates by more than TURN_MAX of rigid.c [s]: rows are linear, rotations are not. */
double rill_rigid_max_dt(const rill_world *world);
/* Updates the poses of all solids: surfaces of bodies take the pose of their body; kinematic bodies and solids of their
   own follow their motion at `time`. */
rill_status rill_rigid_place(rill_world *world, double time);

#endif
