/* SPDX-License-Identifier: MIT */
/* Joints as rows. */
#ifndef RILL_RIGID_JOINTS_H
#define RILL_RIGID_JOINTS_H

#include "rigid/rows.h"

/* Finds the bodies and notes how they stand to each other. */
rill_status rill_joint_start(rill_world *world, joint *j);
/* Adds the rows of all joints. */
rill_status rill_joints_add_rows(rill_world *world, rows *r);
/* Notes loads and positions after the solve, and breaks what carries too much. */
void rill_joints_finish(rill_world *world, const rows *r);

#endif
