/* SPDX-License-Identifier: MIT */
/* Joints as rows. */
#ifndef RILL_RIGID_JOINTS_H
#define RILL_RIGID_JOINTS_H

#include "rigid/rows.h"

/* Checks a definition by its table and as a whole, but for the bodies it joins. */
rill_status rill_joint_check(const rill_world *world, const rill_joint_def *def, rill_error *error);
/* Notes how the bodies of the definition stand to each other. */
void rill_joint_start(rill_world *world, joint *j);
/* Gives a joint another definition, of the same kind and between the same places. */
void rill_joint_change(joint *j, const rill_joint_def *def);
/* Adds the rows of all joints. */
rill_status rill_joints_add_rows(rill_world *world, rows *r);
/* Notes loads and positions after the solve, and breaks what carries too much. */
void rill_joints_finish(rill_world *world, const rows *r);

#endif
