/* SPDX-License-Identifier: MIT */
/* Prescribed motion of solids and kinematic bodies: a formula, keyframes, or both on top of each other. */
#ifndef RILL_SOLID_MOTION_H
#define RILL_SOLID_MOTION_H

#include "model/world_state.h"

/* A check that the table cannot make: times of keyframes rise, and each list has a value for each of them. */
rill_status rill_motion_check(const rill_motion *motion, rill_error *error);
/* Where the motion has its solid at `time`, and how fast it is there: the velocities are the exact derivatives. */
void rill_motion_at(const rill_motion *motion, int dim, double time, pose *pose);

#endif
