/* SPDX-License-Identifier: MIT */
/* Sweeps over rows in the plane. */
#ifndef RILL_RIGID_ROWS_PLANE_H
#define RILL_RIGID_ROWS_PLANE_H

#include "rigid/rows.h"

/* As rill_rows_solve, bit for bit, in a third of the time; false, and nothing done, without memory. 2D worlds only. */
bool rill_rows_solve_plane(rows *r, int most, double tolerance);

#endif
