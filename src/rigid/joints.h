/* SPDX-License-Identifier: MIT */
/* Joints, as rows of the bodies' solver. */
#ifndef RILL_RIGID_JOINTS_H
#define RILL_RIGID_JOINTS_H

#include "rigid/rows.h"

/* Checks a definition by its table and as a whole, without the bodies that it refers to. */
rill_status rill_joint_check(const rill_world *world, const rill_joint_def *def, rill_error *error);
/* Sets up a joint from its definition and the present poses of its bodies. */
void rill_joint_start(rill_world *world, joint *j);
/* Gives a joint another definition of the same kind, with the same bodies and anchors. */
void rill_joint_change(joint *j, const rill_joint_def *def);
/* Adds the rows of all joints. */
rill_status rill_joints_add_rows(rill_world *world, rows *r);
/* After the solve: updates loads and positions, and breaks joints with too large a load. */
void rill_joints_finish(rill_world *world, const rows *r);

#endif
