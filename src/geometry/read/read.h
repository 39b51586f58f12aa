/* SPDX-License-Identifier: MIT */
/* Triangle meshes from the bytes of OBJ, PLY, STL and OFF files. Nothing in the bytes is trusted: every count, index
   and coordinate is checked, the time is linear in the size, and the memory a small multiple of it. No other file is
   opened, whatever files the bytes name. */
#ifndef RILL_GEOMETRY_READ_H
#define RILL_GEOMETRY_READ_H

#include "geometry/mesh.h"

typedef enum mesh_format {
    MESH_FORMAT_NONE,
    MESH_FORMAT_PLY,
    MESH_FORMAT_STL,
    MESH_FORMAT_OFF,
    MESH_FORMAT_OBJ,
    MESH_FORMATS
} mesh_format;

/* The format, detected from the bytes, or from the ending of `name` if they are ambiguous. */
mesh_format rill_mesh_format_of(const void *bytes, size_t size, const char *name);
/* "OBJ" and so on. */
const char *rill_mesh_format_name(mesh_format format);

/* Reads all triangles of a file in its order; polygons are cut into triangles. `name` is the file's name, for messages
   and rill_mesh_format_of. The mesh passes rill_mesh_check; on error it is empty. */
rill_status rill_mesh_read(memory *m, const void *bytes, size_t size, const char *name, owned_mesh *out,
                           rill_error *error);

#endif
