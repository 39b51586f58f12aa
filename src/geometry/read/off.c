/* SPDX-License-Identifier: MIT */
/* OFF (Geomview's text form): counts, then a line for each vertex and a line for each face. Colours, normals and
   texture coordinates (COFF, NOFF, STOFF) follow the coordinates on a line and are skipped. */
#include "core/error.h"
#include "geometry/read/reader.h"

static bool takes(mesh_word *word, const char *prefix) {
    const char *at = word->begin;
    for (; *prefix; prefix++, at++)
        if (at == word->end || *at != *prefix) return false;
    word->begin = at;
    return true;
}

/* The first word without the prefixes for values that follow a vertex. */
static mesh_word kind_of(mesh_word word) {
    (void)(takes(&word, "ST") || takes(&word, "st"));
    (void)(takes(&word, "C") || takes(&word, "c"));
    (void)takes(&word, "N");
    return word;
}

/* "off", also with the prefixes 4 and n for points of four or n dimensions, which read_magic refuses by name. */
static bool is_any_off(mesh_word kind) {
    (void)takes(&kind, "4");
    (void)takes(&kind, "n");
    return rill_mesh_word_is(kind, "off");
}

bool rill_mesh_is_off(const mesh_reader *r) {
    mesh_reader look = *r;
    look.comment = '#';
    return is_any_off(kind_of(rill_mesh_reader_next(&look)));
}

static rill_status read_magic(mesh_reader *r) {
    const mesh_word word = rill_mesh_reader_next(r);
    if (!rill_mesh_word_is(kind_of(word), "off"))
        return rill_mesh_reader_fail(r, RILL_FORMAT, "the file begins with '%.*s'; expected OFF, COFF, NOFF or STOFF",
                                     word_shown(word), word.begin);
    mesh_reader look = *r;
    if (rill_mesh_word_is(rill_mesh_reader_word(&look), "binary"))
        return rill_mesh_reader_fail(r, RILL_FORMAT, "OFF BINARY is not read; export OFF as text, or PLY");
    return RILL_OK;
}

/* Reads a count of things that take at least `least` bytes each. */
static rill_status read_count(mesh_reader *r, const char *things, size_t least, int64_t *count) {
    const mesh_word word = rill_mesh_reader_next(r);
    if (!rill_mesh_word_integer(word, count) || *count < 0)
        return rill_mesh_reader_fail(r, RILL_FORMAT, "the number of %s is '%.*s'; expected a count", things,
                                     word_shown(word), word.begin);
    if ((uint64_t)*count > (reader_left(r) + 1) / least)
        return rill_mesh_reader_fail(
            r, RILL_FORMAT,
            "the file is cut short: it announces %lld %s, but only %zu bytes follow; copy or export it again",
            (long long)*count, things, reader_left(r));
    return RILL_OK;
}

static rill_status read_vertices(mesh_reader *r, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        if (!rill_mesh_reader_find(r)) return rill_mesh_reader_cut_short(r, "the last vertex");
        TRY(rill_mesh_reader_vertex_text(r, true));
        (void)rill_mesh_reader_skip_line(r);
    }
    return RILL_OK;
}

static rill_status read_face(mesh_reader *r) {
    int64_t corners, vertex;
    const mesh_word number = rill_mesh_reader_next(r);
    if (word_is_empty(number)) return rill_mesh_reader_cut_short(r, "the last face");
    if (!rill_mesh_word_integer(number, &corners) || corners < 0)
        return rill_mesh_reader_fail(r, RILL_FORMAT, "a face of '%.*s' corners; expected their number",
                                     word_shown(number), number.begin);
    for (int64_t k = 0; k < corners; k++) {
        const mesh_word word = rill_mesh_reader_word(r);
        if (!rill_mesh_word_integer(word, &vertex) || vertex < 0 || vertex >= r->mesh->vertex_count)
            return rill_mesh_reader_fail(r, RILL_FORMAT, "the face names vertex '%.*s'; expected 0 to %d",
                                         word_shown(word), word.begin, r->mesh->vertex_count - 1);
        TRY(rill_mesh_reader_corner(r, vertex));
    }
    (void)rill_mesh_reader_skip_line(r);
    return rill_mesh_reader_polygon(r);
}

rill_status rill_mesh_read_off(mesh_reader *r) {
    int64_t vertices, faces;
    r->comment = '#';
    TRY(read_magic(r));
    TRY(read_count(r, "vertices", sizeof "0 0 0", &vertices));
    TRY(read_count(r, "faces", sizeof "0", &faces));
    (void)rill_mesh_reader_skip_line(r); /* the number of edges, which is optional */
    TRY(rill_mesh_reader_reserve(r, vertices, 0));
    TRY(read_vertices(r, vertices));
    for (int64_t k = 0; k < faces; k++) TRY(read_face(r));
    return RILL_OK;
}
