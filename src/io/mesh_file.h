/* SPDX-License-Identifier: MIT */
/* Triangle meshes from files, and their distance fields with a cache on disk. */
#ifndef RILL_IO_MESH_FILE_H
#define RILL_IO_MESH_FILE_H

#include "geometry/field.h"

/* All triangles of a file, in one piece. */
typedef struct io_mesh {
    float (*vertices)[3];
    int vertex_count;
    int32_t (*triangles)[3];
    int triangle_count;
} io_mesh;

/* Reads OBJ, PLY, STL, 3DS and whatever else Assimp reads; parts are put where the file's nodes have them. Checks the
   shape of the data, not of the surface: mesh_check and field_build do that. */
rill_status io_read_mesh(const char *path, io_mesh *out, rill_error *error);
void io_mesh_free(io_mesh *mesh);
mesh io_mesh_view(const io_mesh *mesh);

/* The field of a mesh, kept in the folder `cache` (created if needed; NULL: no cache) under a name made from the
   content of the mesh and the options. A damaged entry is built anew, and a cache that cannot be written is no error.
 */
distance_field *io_cached_field(memory *m, parallel *workers, const mesh *input, const field_options *options,
                                const char *cache, rill_error *error);
/* Both in one, with the file's name in the message. */
distance_field *io_load_field(memory *m, parallel *workers, const char *path, const field_options *options,
                              const char *cache, rill_error *error);

#endif
