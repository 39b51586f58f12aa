/* SPDX-License-Identifier: MIT */
/* STL, as text or binary. Every triangle has corners of its own; rill_mesh_clean merges those at the same place.
   Normals are skipped, since the order of the corners implies them. */
#include "core/error.h"
#include "geometry/read/ply_scalar.h"
#include "geometry/read/reader.h"

#include <string.h>

/* A header of 80 bytes and a count; then for each triangle a normal, three corners and two more bytes. */
enum { COUNT_AT = 80, FIRST_AT = 84, TRIANGLE_SIZE = 50, CORNERS_AT = 12 };

/* A zero byte among the first LOOK_AT bytes means that the file is binary. */
enum { LOOK_AT = 512 };

static uint64_t triangles_told(const mesh_reader *r) {
    return (uint64_t)rill_ply_value(PLY_UINT32, (const unsigned char *)r->at + COUNT_AT, false);
}

static bool has_exact_size(const mesh_reader *r) {
    return reader_left(r) >= FIRST_AT && reader_left(r) - FIRST_AT == triangles_told(r) * TRIANGLE_SIZE;
}

/* "solid" at the start is not enough: many programs begin binary files with it too. */
static bool is_text(const mesh_reader *r) {
    mesh_reader look = *r;
    const size_t size = reader_left(r) < LOOK_AT ? reader_left(r) : LOOK_AT;
    return rill_mesh_word_is(rill_mesh_reader_next(&look), "solid") && !memchr(r->at, 0, size) && !has_exact_size(r);
}

bool rill_mesh_is_stl(const mesh_reader *r) {
    return has_exact_size(r) || is_text(r);
}

/* ---- binary ---- */

static rill_status read_triangle(mesh_reader *r) {
    const int first = r->mesh->vertex_count;
    for (int c = 0; c < 3; c++) {
        double place[3];
        for (int axis = 0; axis < 3; axis++) {
            const char *at = r->at + CORNERS_AT + sizeof(float) * (size_t)(3 * c + axis);
            place[axis] = rill_ply_value(PLY_FLOAT, (const unsigned char *)at, false);
        }
        TRY(rill_mesh_reader_vertex(r, place));
    }
    r->at += TRIANGLE_SIZE;
    return rill_mesh_reader_triangle(r, first, first + 1, first + 2);
}

static rill_status read_binary(mesh_reader *r) {
    r->line = 0;
    if (reader_left(r) < FIRST_AT)
        return rill_mesh_reader_fail(r, RILL_FORMAT,
                                     "%zu bytes are not an STL file; expected 'solid' or at least %d bytes",
                                     reader_left(r), FIRST_AT);
    const uint64_t count = triangles_told(r);
    r->at += FIRST_AT;
    if (count > reader_left(r) / TRIANGLE_SIZE)
        return rill_mesh_reader_fail(
            r, RILL_FORMAT,
            "the file is cut short: the header announces %llu triangles, but only %zu follow; copy or export it again",
            (unsigned long long)count, reader_left(r) / TRIANGLE_SIZE);
    TRY(rill_mesh_reader_reserve(r, 3 * (int64_t)count, (int64_t)count));
    for (uint64_t k = 0; k < count; k++) TRY(read_triangle(r));
    return RILL_OK;
}

/* ---- text ---- */

/* Reads from "outer loop" to "endloop". */
static rill_status read_loop(mesh_reader *r) {
    for (;;) {
        const mesh_word word = rill_mesh_reader_next(r);
        if (word_is_empty(word)) return rill_mesh_reader_cut_short(r, "endloop");
        if (rill_mesh_word_is(word, "endloop")) break;
        if (!rill_mesh_word_is(word, "vertex"))
            return rill_mesh_reader_fail(r, RILL_FORMAT, "'%.*s'; expected vertex or endloop", word_shown(word),
                                         word.begin);
        TRY(rill_mesh_reader_corner(r, r->mesh->vertex_count));
        TRY(rill_mesh_reader_vertex_text(r, false));
    }
    if (r->corner_count < 3)
        return rill_mesh_reader_fail(r, RILL_FORMAT, "a facet of %d corners; expected three", r->corner_count);
    return rill_mesh_reader_polygon(r);
}

static rill_status expect(mesh_reader *r, const char *word) {
    const mesh_word found = rill_mesh_reader_next(r);
    if (rill_mesh_word_is(found, word)) return RILL_OK;
    if (word_is_empty(found)) return rill_mesh_reader_cut_short(r, word);
    return rill_mesh_reader_fail(r, RILL_FORMAT, "'%.*s'; expected %s", word_shown(found), found.begin, word);
}

/* Reads the rest of a facet, after the word "facet". */
static rill_status read_facet(mesh_reader *r) {
    TRY(expect(r, "normal"));
    for (int axis = 0; axis < 3; axis++) (void)rill_mesh_reader_next(r);
    TRY(expect(r, "outer"));
    TRY(expect(r, "loop"));
    TRY(read_loop(r));
    return expect(r, "endfacet");
}

/* The name of a solid is the rest of its line and may contain any words. */
static rill_status read_text(mesh_reader *r) {
    bool open = false;
    for (mesh_word word = rill_mesh_reader_next(r); !word_is_empty(word); word = rill_mesh_reader_next(r)) {
        if (rill_mesh_word_is(word, "facet") && open) {
            TRY(read_facet(r));
        } else if (rill_mesh_word_is(word, open ? "endsolid" : "solid")) {
            open = !open;
            (void)rill_mesh_reader_skip_line(r);
        } else {
            return rill_mesh_reader_fail(r, RILL_FORMAT, "'%.*s'; expected %s", word_shown(word), word.begin,
                                         open ? "facet or endsolid" : "solid");
        }
    }
    return open ? rill_mesh_reader_cut_short(r, "endsolid") : RILL_OK;
}

rill_status rill_mesh_read_stl(mesh_reader *r) {
    return is_text(r) ? read_text(r) : read_binary(r);
}
