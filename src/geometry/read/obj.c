/* SPDX-License-Identifier: MIT */
/* Wavefront OBJ: `v` and `f` lines. Everything else is skipped (normals, texture coordinates, groups, materials and
   their files). */
#include "core/error.h"
#include "geometry/read/reader.h"

static void begin(mesh_reader *r) {
    r->comment = '#';
    r->continues = true;
}

bool rill_mesh_is_obj(const mesh_reader *r) {
    static const char *const keywords[] = {"v", "vt", "vn", "vp", "f", "o", "g", "s", "l", "p", "mtllib", "usemtl"};
    mesh_reader look = *r;
    begin(&look);
    const mesh_word word = rill_mesh_reader_next(&look);
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (rill_mesh_word_is(word, keywords[k])) return true;
    return false;
}

/* A corner is "7", "7/1", "7//3" or "7/1/3"; only the vertex is used. Negative numbers count back from the latest
   vertex. */
static rill_status read_corner(mesh_reader *r, mesh_word word, int64_t vertices_so_far) {
    mesh_word index = {word.begin, word.begin};
    while (index.end < word.end && *index.end != '/') index.end++;
    int64_t number;
    if (!rill_mesh_word_integer(index, &number))
        return rill_mesh_reader_fail(r, RILL_FORMAT, "the face has a corner '%.*s'; expected the number of a vertex",
                                     word_shown(word), word.begin);
    const int64_t vertex = number < 0 ? vertices_so_far + number : number - 1;
    if (vertex < 0 || vertex >= r->mesh->vertex_count)
        return rill_mesh_reader_fail(r, RILL_FORMAT,
                                     "the face names vertex %lld; expected 1 to %d, or -1 and below to count back",
                                     (long long)number, r->mesh->vertex_count);
    return rill_mesh_reader_corner(r, vertex);
}

static rill_status read_face(mesh_reader *r, int64_t vertices_so_far) {
    for (mesh_word word = rill_mesh_reader_word(r); !word_is_empty(word); word = rill_mesh_reader_word(r))
        TRY(read_corner(r, word, vertices_so_far));
    return rill_mesh_reader_polygon(r);
}

static rill_status read_vertices(mesh_reader *r) {
    do {
        if (rill_mesh_word_is(rill_mesh_reader_word(r), "v")) TRY(rill_mesh_reader_vertex_text(r, true));
    } while (rill_mesh_reader_skip_line(r));
    return RILL_OK;
}

static rill_status read_faces(mesh_reader *r) {
    int64_t vertices_so_far = 0;
    do {
        const mesh_word keyword = rill_mesh_reader_word(r);
        vertices_so_far += rill_mesh_word_is(keyword, "v");
        if (rill_mesh_word_is(keyword, "f") || rill_mesh_word_is(keyword, "fo")) TRY(read_face(r, vertices_so_far));
    } while (rill_mesh_reader_skip_line(r));
    return RILL_OK;
}

/* Two passes over the file: a face may refer to vertices that come later. */
rill_status rill_mesh_read_obj(mesh_reader *r) {
    const char *start = r->at;
    begin(r);
    TRY(read_vertices(r));
    r->at = start, r->line = 1;
    return read_faces(r);
}
