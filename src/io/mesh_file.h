/* SPDX-License-Identifier: MIT */
/* Triangle meshes in files. */
#ifndef RILL_IO_MESH_FILE_H
#define RILL_IO_MESH_FILE_H

#include "geometry/mesh.h"
#include "rill/io.h"

/* The largest mesh file in bytes: about twenty million triangles as text. */
#define IO_MESH_MAX ((size_t)2 << 30)

/* Reads OBJ, PLY, STL and OFF. Checks the data but not the surface, which rill_field_build does. On error the mesh is
   empty. */
rill_status rill_io_read_mesh(memory *m, const char *path, owned_mesh *out, rill_error *error);

/* Writes triangles of three points each as binary PLY. Reading them back gives the same bits. */
rill_status rill_io_write_triangles(const rill_points *points, const char *path, rill_error *error);

#endif
