/* SPDX-License-Identifier: MIT */
/* Triangle meshes from files, and a cache of their distance fields on disk. */
#ifndef RILL_IO_MESH_FILE_H
#define RILL_IO_MESH_FILE_H

#include "geometry/mesh.h"
#include "rill/param.h"

/* All triangles of a file, in one piece. */
typedef struct io_mesh {
    float (*vertices)[3];
    int vertex_count;
    int32_t (*triangles)[3];
    int triangle_count;
} io_mesh;

/* Reads OBJ, PLY, STL, 3DS and whatever else Assimp reads; parts are put where the file's nodes have them. Checks the
   shape of the data, not of the surface: rill_mesh_check and rill_field_build do that. */
rill_status rill_io_read_mesh(const char *path, io_mesh *out, rill_error *error);
void rill_io_mesh_free(io_mesh *mesh);
mesh rill_io_mesh_view(const io_mesh *mesh);

/* A world's store of distance fields in `folder` (NULL: the user's cache folder), which must outlive the world. */
rill_cache rill_io_cache(const char *folder);

/* Triangles, three points each, as binary PLY: read back, they are the same to the last bit. */
rill_status rill_io_write_triangles(const rill_points *points, const char *path, rill_error *error);

#endif
