/* SPDX-License-Identifier: MIT */
/* Just enough of 3DS to read the models of glmark2-data: nested chunks of vertices and faces. The files come from
   Debian, so that the only check is that reads stay inside the file. */
#ifndef RILL_TEST_GEOMETRY_MODEL_3DS_H
#define RILL_TEST_GEOMETRY_MODEL_3DS_H

#include "geometry/mesh.h"
#include "io/bytes.h"
#include "io/io.h"
#include "oracle/check.h"

#include <string.h>

enum { CHUNK_HEAD = 6, CHUNK_MAIN = 0x4d4d, CHUNK_EDITOR = 0x3d3d, CHUNK_OBJECT = 0x4000, CHUNK_MESH = 0x4100 };
enum { CHUNK_VERTICES = 0x4110, CHUNK_FACES = 0x4120 };

static inline int count_of(const unsigned char *at) {
    return at[0] | at[1] << 8;
}

static inline void add_vertices(memory *m, owned_mesh *mesh, const unsigned char *at) {
    const int count = count_of(at);
    assert_true(rill_owned_mesh_reserve(m, mesh, mesh->vertex_count + count, 0));
    for (int k = 0; k < 3 * count; k++) {
        const uint32_t bits = io_get32(at + 2 + 4 * k);
        memcpy(&mesh->vertices[mesh->vertex_count + k / 3][k % 3], &bits, sizeof bits);
    }
    mesh->vertex_count += count;
}

/* Each face has three corners and a word of flags. */
static inline void add_faces(memory *m, owned_mesh *mesh, const unsigned char *at, int first_vertex) {
    const int count = count_of(at);
    assert_true(rill_owned_mesh_reserve(m, mesh, 0, mesh->triangle_count + count));
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            mesh->triangles[mesh->triangle_count + k][c] = first_vertex + count_of(at + 2 + 8 * k + 2 * c);
    mesh->triangle_count += count;
}

static inline void read_3ds(memory *m, const char *path, owned_mesh *mesh) {
    void *bytes;
    size_t size;
    int first_vertex = 0;
    rill_error error = {RILL_OK, ""};
    *mesh = (owned_mesh){0};
    if (rill_io_read_whole(path, &bytes, &size, &error) != RILL_OK) fail_msg("%s", error.text);
    const unsigned char *at = bytes, *end = at + size;
    while (end - at > CHUNK_HEAD) {
        const int kind = count_of(at);
        const uint32_t length = io_get32(at + 2);
        assert_in_range(length, CHUNK_HEAD, end - at);
        const unsigned char *body = at + CHUNK_HEAD;
        if (kind == CHUNK_MAIN || kind == CHUNK_EDITOR || kind == CHUNK_MESH) {
            at = body;
        } else if (kind == CHUNK_OBJECT) {
            first_vertex = mesh->vertex_count;
            at = body + strlen((const char *)body) + 1;
        } else {
            if (kind == CHUNK_VERTICES) add_vertices(m, mesh, body);
            if (kind == CHUNK_FACES) add_faces(m, mesh, body, first_vertex);
            at += length;
        }
    }
    free(bytes);
}

#endif
