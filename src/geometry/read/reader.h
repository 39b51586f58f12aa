/* SPDX-License-Identifier: MIT */
/* Tools shared by the readers of mesh files: words and numbers of a text, messages with line numbers, a growing
   mesh. */
#ifndef RILL_GEOMETRY_READER_H
#define RILL_GEOMETRY_READER_H

#include "core/error.h"
#include "geometry/mesh.h"

typedef struct mesh_reader {
    memory *memory;
    const char *name;       /* of the file, for messages */
    const char *begin, *at; /* first byte of the file; the next byte to read */
    const char *end;        /* one past the last byte */
    char comment;           /* starts a comment that lasts to the end of its line; 0: no comments */
    bool continues;         /* a backslash at its end joins a line to the next */
    int64_t line;           /* line of `at`, counted from 1; 0 in binary data */
    owned_mesh *mesh;
    buffer corners; /* int32_t: vertices of the current polygon */
    buffer work;    /* scratch for cutting the polygon */
    int corner_count;
    int64_t tests; /* tests so far for cutting polygons that are not convex */
    rill_error *error;
} mesh_reader;

/* A piece of the file's text. */
typedef struct mesh_word {
    const char *begin, *end;
} mesh_word;

/* "FILE: line 7: ...", or "FILE: byte 700: ..." in binary data. */
rill_status rill_mesh_reader_fail(const mesh_reader *r, rill_status status, const char *format, ...)
    __attribute__((format(RILL_PRINTF, 3, 4)));

/* Reports that the file ends before `what`. */
rill_status rill_mesh_reader_cut_short(const mesh_reader *r, const char *what);

static inline size_t reader_left(const mesh_reader *r) {
    return (size_t)(r->end - r->at);
}

static inline bool word_is_empty(mesh_word word) {
    return word.begin == word.end;
}

/* Length for "%.*s" in a message: a long word is shown in part. */
static inline int word_shown(mesh_word word) {
    return word.end - word.begin < 40 ? (int)(word.end - word.begin) : 40;
}

/* ---- text ---- */
/* The next word of this line; an empty one at its end. */
mesh_word rill_mesh_reader_word(mesh_reader *r);
/* The next word of this line or a later one; an empty one at the end of the file. */
mesh_word rill_mesh_reader_next(mesh_reader *r);
/* Moves to the first word of this line or a later one without reading it; false at the end of the file. */
bool rill_mesh_reader_find(mesh_reader *r);
/* Moves to the start of the next line; false at the end of the file. */
bool rill_mesh_reader_skip_line(mesh_reader *r);
/* Ignores case. */
bool rill_mesh_word_is(mesh_word word, const char *lower_case);
/* An integer, with or without a sign; false for anything else, or beyond +-2^62. */
bool rill_mesh_word_integer(mesh_word word, int64_t *value);
/* A number; false for anything else, including "nan" and "inf". */
bool rill_mesh_word_number(mesh_word word, double *value);

/* ---- mesh ---- */
/* Reserves room for this many vertices and triangles. The mesh also grows without it. */
rill_status rill_mesh_reader_reserve(mesh_reader *r, int64_t vertices, int64_t triangles);
rill_status rill_mesh_reader_vertex(mesh_reader *r, const double place[3]);
/* Adds the next three words as a vertex; `of_this_line`: they must be on this line. */
rill_status rill_mesh_reader_vertex_text(mesh_reader *r, bool of_this_line);
/* Adds a corner to the current polygon. The vertex must exist. */
rill_status rill_mesh_reader_corner(mesh_reader *r, int64_t vertex);
/* Adds the triangles of the current polygon and starts another. A polygon of one or two corners is a point or a line
   and adds nothing. */
rill_status rill_mesh_reader_polygon(mesh_reader *r);
/* Adds the triangles of a polygon of at least three corners. */
rill_status rill_polygon_cut(mesh_reader *r, const int32_t *corners, int count);
rill_status rill_mesh_reader_triangle(mesh_reader *r, int32_t a, int32_t b, int32_t c);

/* ---- formats ---- */
rill_status rill_mesh_read_obj(mesh_reader *r);
rill_status rill_mesh_read_ply(mesh_reader *r);
rill_status rill_mesh_read_stl(mesh_reader *r);
rill_status rill_mesh_read_off(mesh_reader *r);
/* Do the bytes look like this format? */
bool rill_mesh_is_ply(const mesh_reader *r);
bool rill_mesh_is_stl(const mesh_reader *r);
bool rill_mesh_is_off(const mesh_reader *r);
bool rill_mesh_is_obj(const mesh_reader *r);

#endif
