/* SPDX-License-Identifier: MIT */
/* Bodies and solids as geometry, and the motion of bodies as a table. */
#ifndef RILL_IO_BODIES_H
#define RILL_IO_BODIES_H

#include "io/io.h"

/* The surfaces of all solids and bodies where they are, as VTK PolyData: lines in 2D, triangles in 3D. Cells carry
   the number of their solid and of their body (from 0; -1: none); points carry the velocity of the surface. */
rill_status rill_io_write_surfaces_vtp(const rill_frame *frame, const char *path, rill_error *error);
/* The surface of one body in its own frame, the centre of mass at the origin and turned as it was added, as Wavefront
   OBJ. A row of the motion table brings it to where it is: turned by its angle or quaternion, then moved. */
rill_status rill_io_write_body_obj(const rill_frame *frame, int body, const char *path, rill_error *error);

/* A table with a row for each body and time: time, place, turn, velocities, and what the fluid does to it. */
io_csv *rill_io_motion_open(const char *path, int dim, double keep_until, rill_error *error);
rill_status rill_io_motion_rows(io_csv *csv, const rill_frame *frame, rill_error *error);

#endif
