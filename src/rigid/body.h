/* SPDX-License-Identifier: MIT */
/* Rigid bodies: mass from shape, motion, and the pose of the surface. */
#ifndef RILL_RIGID_BODY_H
#define RILL_RIGID_BODY_H

#include "core/dvec.h"
#include "model/world_state.h"

/* Sets mass, inertia and start pose from the definition and the models of its surface. RILL_INVALID if the shape has no
   volume. */
rill_status rill_body_start(rill_world *world, body *b);

/* Inverse mass times an impulse, and inverse inertia times an angular impulse: the change of velocity. */
dvec rill_body_mass_linear(const rill_world *world, const body *b, dvec a);
dvec rill_body_mass_angular(const rill_world *world, const body *b, dvec a);
/* Inertia times an angular velocity: the angular momentum. */
dvec rill_body_spin(const body *b, dvec w);

/* Rotates a direction from the body's frame, in which it was added, into the world's, and back. */
dvec rill_body_turn(const body *b, dvec a);
dvec rill_body_turn_back(const body *b, dvec a);
dvec rill_body_velocity_at(const body *b, dvec point);

/* Inverts a regular matrix. */
void rill_body_invert(double out[3][3], const double m[3][3]);
/* The rotation that a host gave: the angle in 2D, the quaternion in 3D; a quaternion of zeros is no rotation. */
quat rill_body_turn_of(const rill_world *world, float angle, const float quaternion[4]);
/* Writes the body's pose as the pose of its surface. */
void rill_body_pose(const body *b, pose *p);

/* Moves a body with its velocities over dt; its angular momentum stays constant. */
void rill_body_move(body *b, double dt);
/* Gives the surface the pose of the body, which is where it is at `time`. */
void rill_body_show(const rill_world *world, const body *b, double time);
/* Gives the surface the body's pose. A kinematic body is first moved to where the host or its prescribed motion puts it
   at `time`. */
void rill_body_place(rill_world *world, body *b, double time);

/* Whether the body's definition prescribes a motion. */
bool rill_body_has_motion(const body *b);
/* Puts a body into a pose at once; in 2D, z and the quaternion do not count. A kinematic body rests there. */
void rill_body_put(rill_world *world, body *b, const rill_pose *pose);
/* For kinematic bodies: keeps moving with these velocities; goes to a pose in the next step. */
void rill_body_drive(rill_world *world, body *b, dvec v, dvec w);
void rill_body_send(const rill_world *world, body *b, const rill_pose *pose);
/* At the start of a step: kinematic bodies with a goal start moving so as to reach it in `duration`; those that have
   reached theirs come to rest. */
void rill_bodies_set_off(rill_world *world, double duration);

/* Whether a joint holds the body. It is then part of a machine, and overlaps with other parts are intended. */
static inline bool body_is_jointed(const rill_world *w, int slot_index) {
    FOR_ALIVE(w, joint, j) if (!j->broken && (j->a == slot_index || j->b == slot_index)) return true;
    return false;
}

#endif
