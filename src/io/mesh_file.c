/* SPDX-License-Identifier: MIT */
/* Reads and writes triangle meshes as files. */
#include "io/mesh_file.h"

#include "core/error.h"
#include "geometry/read/read.h"
#include "io/bytes.h"
#include "io/io.h"

#include <stdlib.h>
#include <string.h>

rill_status rill_io_read_mesh(memory *m, const char *path, owned_mesh *out, rill_error *error) {
    char *bytes;
    size_t size;
    *out = (owned_mesh){0};
    TRY(rill_io_read_at_most(path, IO_MESH_MAX, &bytes, &size, error));
    const rill_status status = rill_mesh_read(m, bytes, size, path, out, error);
    free(bytes);
    return status;
}

rill_status rill_io_write_triangles(const rill_points *points, const char *path, rill_error *error) {
    io_file file;
    TRY(rill_io_open(&file, path, error));
    fprintf(file.stream,
            "ply\nformat binary_little_endian 1.0\ncomment rill %s\nelement vertex %d\nproperty float x\n"
            "property float y\nproperty float z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
            rill_version(), points->count, points->count / 3);
    for (int k = 0; k < points->count; k++) {
        unsigned char bytes[12];
        uint32_t words[3];
        memcpy(words, &points->data[k], sizeof words);
        for (int c = 0; c < 3; c++) io_put32(bytes + 4 * c, words[c]);
        fwrite(bytes, 1, sizeof bytes, file.stream);
    }
    for (int k = 0; k + 2 < points->count; k += 3) {
        unsigned char bytes[13] = {3};
        for (int c = 0; c < 3; c++) io_put32(bytes + 1 + 4 * c, (uint32_t)(k + c));
        fwrite(bytes, 1, sizeof bytes, file.stream);
    }
    return rill_io_commit(&file, error);
}
