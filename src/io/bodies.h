/* SPDX-License-Identifier: MIT */
/* Surfaces of bodies and solids, and a table of the bodies' motion. */
#ifndef RILL_IO_BODIES_H
#define RILL_IO_BODIES_H

#include "io/io.h"

/* Writes the surfaces of all solids and bodies at their present places, as VTK PolyData: lines in 2D, triangles in 3D.
   Cells carry the numbers of their solid and body (from 0; -1: none); points carry the velocity of the surface. */
rill_status rill_io_write_surfaces_vtp(const rill_frame *frame, const char *path, rill_error *error);
/* Writes the surface of one body as Wavefront OBJ, in the body's frame: the centre of mass is at the origin, the
   orientation is that at creation. A row of the motion table gives its place: first rotate it by the angle or
   quaternion, then translate it. */
rill_status rill_io_write_body_obj(const rill_frame *frame, int body, const char *path, rill_error *error);

/* Opens a table with a row for each body and time: time, place, orientation, velocities, and the fluid's force and
   torque. */
io_csv *rill_io_motion_open(const char *path, int dim, double keep_until, rill_error *error);
rill_status rill_io_motion_rows(io_csv *csv, const rill_frame *frame, rill_error *error);

#endif
