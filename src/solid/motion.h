/* SPDX-License-Identifier: MIT */
/* Prescribed motion of solids and kinematic bodies: a formula, keyframes, or the sum of both. */
#ifndef RILL_SOLID_MOTION_H
#define RILL_SOLID_MOTION_H

#include "model/world_state.h"

/* Checks what the parameter table cannot: times of keyframes rise, and each list has a value for each time. */
rill_status rill_motion_check(const rill_motion *motion, rill_error *error);
/* The pose of the solid at `time`, and its velocities: the exact derivatives of the pose. */
void rill_motion_at(const rill_motion *motion, int dim, double time, pose *pose);

#endif
