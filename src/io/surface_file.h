/* SPDX-License-Identifier: MIT */
/* Surfaces as files for other programs: triangles in 3D, lines in 2D, with normals, velocities and fluids. */
#ifndef RILL_IO_SURFACE_FILE_H
#define RILL_IO_SURFACE_FILE_H

#include "rill/surface.h"

typedef enum io_surface_format {
    IO_SURFACE_PLY, /* binary; velocities as vx vy vz */
    IO_SURFACE_OBJ, /* text; no velocities, for the format has no place for them */
    IO_SURFACE_VTP, /* VTK PolyData, raw appended data */
    IO_SURFACE_GLB, /* binary glTF 2.0; velocities as _VELOCITY */
    IO_SURFACE_FORMATS
} io_surface_format;

/* "ply", "obj", "vtp", "glb": names and file endings. */
const char *rill_io_surface_ending(io_surface_format format);
rill_status rill_io_write_surface(const rill_surface_mesh *mesh, double time, io_surface_format format,
                                  const char *path, rill_error *error);

#endif
