/* SPDX-License-Identifier: MIT */
/* Triangle meshes from files. */
#ifndef RILL_IO_MESH_FILE_H
#define RILL_IO_MESH_FILE_H

#include "geometry/mesh.h"
#include "rill/io.h"

/* The most bytes of a mesh file: some twenty million triangles as text. */
#define IO_MESH_MAX ((size_t)2 << 30)

/* Reads OBJ, PLY, STL and OFF. Checks the shape of the data, not of the surface: rill_field_build does that. On error
   the mesh is empty. */
rill_status rill_io_read_mesh(memory *m, const char *path, owned_mesh *out, rill_error *error);

/* Triangles, three points each, as binary PLY: read back, they are the same to the last bit. */
rill_status rill_io_write_triangles(const rill_points *points, const char *path, rill_error *error);

#endif
