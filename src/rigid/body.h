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

/* The inverse of a matrix that has one. */
void rill_body_invert(double out[3][3], const double m[3][3]);
/* The turn that a host means: by the angle in 2D, by the quaternion in 3D, of which zeros are no turn. */
quat rill_body_turn_of(const rill_world *world, float angle, const float quaternion[4]);
/* The pose of its surface. */
void rill_body_pose(const body *b, pose *p);

/* Moves with its velocity over dt; a body free of torques keeps its angular momentum. */
void rill_body_move(body *b, double dt);
/* Gives the surface the body's pose; a kinematic body goes where the host or its surface's motion has it at `time`. */
void rill_body_place(rill_world *world, body *b, double time);

/* Whether a motion is prescribed for it. */
bool rill_body_has_motion(const body *b);
/* Puts it where it is told to be, in the pose of the world's dimension; a kinematic body rests there. */
void rill_body_put(rill_world *world, body *b, const rill_pose *pose);
/* Of a kinematic body: moves on with these velocities; goes to a pose in the next step. */
void rill_body_drive(rill_world *world, body *b, dvec v, dvec w);
void rill_body_send(const rill_world *world, body *b, const rill_pose *pose);
/* At the beginning of a step: kinematic bodies with a goal set off to be there in `duration`, those that have arrived
   rest. */
void rill_bodies_set_off(rill_world *world, double duration);

/* Whether a joint holds a body: it is a part of a machine then, whose place is meant. */
static inline bool body_is_jointed(const rill_world *w, int slot_index) {
    FOR_ALIVE(w, joint, j) if (!j->broken && (j->a == slot_index || j->b == slot_index)) return true;
    return false;
}

#endif
