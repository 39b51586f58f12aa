/* SPDX-License-Identifier: MIT */
/* The solver of rows for 2D worlds. */
#ifndef RILL_RIGID_ROWS_PLANE_H
#define RILL_RIGID_ROWS_PLANE_H

#include "rigid/rows.h"

/* As rill_rows_solve, bit for bit, in a third of the time; 2D worlds only. False, with nothing done, if there is no
   memory. */
bool rill_rows_solve_plane(rows *r, int most, double tolerance);

#endif
