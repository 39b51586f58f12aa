/* SPDX-License-Identifier: MIT */
/* Tools shared by the readers of mesh files: words and numbers of a text, messages with line numbers, a growing
   mesh. */
#include "geometry/read/reader.h"

#include "core/decimal.h"
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

rill_status rill_mesh_reader_fail(const mesh_reader *r, rill_status status, const char *format, ...) {
    char what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const bool text = r->line > 0;
    return rill_fail(r->error, status, "%s: %s %lld: %s", r->name, text ? "line" : "byte",
                     text ? (long long)r->line : (long long)(r->at - r->begin), what);
}

rill_status rill_mesh_reader_cut_short(const mesh_reader *r, const char *what) {
    return rill_mesh_reader_fail(r, RILL_FORMAT, "the file is cut short: it ends before %s; copy or export it again",
                                 what);
}

static rill_status no_memory(const mesh_reader *r) {
    return rill_mesh_reader_fail(r, RILL_MEMORY, "not enough memory for the mesh; simplify it");
}

static rill_status too_many(const mesh_reader *r) {
    return rill_mesh_reader_fail(r, RILL_LIMIT, "more than %d vertices or triangles; simplify the mesh",
                                 MESH_MAX_TRIANGLES);
}

/* ---- text ---- */

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* Line ends may be CR, LF or CR LF. */
static const char *after_line_end(const mesh_reader *r, const char *at) {
    return at[0] == '\r' && r->end - at > 1 && at[1] == '\n' ? at + 2 : at + 1;
}

/* A backslash at the end of a line joins it to the next one. */
static bool is_continued(const mesh_reader *r, const char *at) {
    return r->continues && at[0] == '\\' && r->end - at > 1 && is_line_end(at[1]);
}

static void skip_blanks(mesh_reader *r) {
    while (r->at < r->end) {
        if (is_continued(r, r->at)) {
            r->at = after_line_end(r, r->at + 1);
            r->line++;
        } else if (is_blank(*r->at)) {
            r->at++;
        } else {
            return;
        }
    }
}

mesh_word rill_mesh_reader_word(mesh_reader *r) {
    skip_blanks(r);
    mesh_word word = {r->at, r->at};
    if (r->at < r->end && r->comment && *r->at == r->comment) return word;
    while (r->at < r->end && !is_blank(*r->at) && !is_line_end(*r->at) && !is_continued(r, r->at)) r->at++;
    word.end = r->at;
    return word;
}

bool rill_mesh_reader_skip_line(mesh_reader *r) {
    for (; r->at < r->end && !is_line_end(*r->at); r->at++) {
        if (!is_continued(r, r->at)) continue;
        r->at = after_line_end(r, r->at + 1) - 1;
        r->line++;
    }
    if (r->at == r->end) return false;
    r->at = after_line_end(r, r->at);
    r->line++;
    return true;
}

mesh_word rill_mesh_reader_next(mesh_reader *r) {
    mesh_word word = rill_mesh_reader_word(r);
    while (word_is_empty(word) && rill_mesh_reader_skip_line(r)) word = rill_mesh_reader_word(r);
    return word;
}

bool rill_mesh_reader_find(mesh_reader *r) {
    const mesh_word word = rill_mesh_reader_next(r);
    r->at = word.begin;
    return !word_is_empty(word);
}

bool rill_mesh_word_is(mesh_word word, const char *lower_case) {
    for (; word.begin < word.end && *lower_case; word.begin++, lower_case++) {
        const char c = *word.begin;
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != *lower_case) return false;
    }
    return word.begin == word.end && !*lower_case;
}

bool rill_mesh_word_integer(mesh_word word, int64_t *value) {
    const int64_t most = INT64_C(1) << 62;
    const bool negative = word.begin < word.end && *word.begin == '-';
    if (word.begin < word.end && (*word.begin == '-' || *word.begin == '+')) word.begin++;
    if (word_is_empty(word)) return false;
    int64_t number = 0;
    for (; word.begin < word.end; word.begin++) {
        if (!is_digit(*word.begin) || number > most / 10 - 1) return false;
        number = number * 10 + (*word.begin - '0');
    }
    *value = negative ? -number : number;
    return true;
}

bool rill_mesh_word_number(mesh_word word, double *value) {
    return rill_decimal_read(word.begin, word.end, value) == word.end && isfinite(*value);
}

/* ---- mesh ---- */

rill_status rill_mesh_reader_reserve(mesh_reader *r, int64_t vertices, int64_t triangles) {
    if (vertices > MESH_MAX_TRIANGLES || triangles > MESH_MAX_TRIANGLES) return too_many(r);
    return rill_owned_mesh_reserve(r->memory, r->mesh, (int)vertices, (int)triangles) ? RILL_OK : no_memory(r);
}

/* The new size of an array that has become too small: half as large again, up to the limit. */
static int64_t grown(int room) {
    const int64_t wanted = room + (int64_t)room / 2 + 64;
    return wanted < MESH_MAX_TRIANGLES || room >= MESH_MAX_TRIANGLES ? wanted : MESH_MAX_TRIANGLES;
}

rill_status rill_mesh_reader_vertex(mesh_reader *r, const double place[3]) {
    owned_mesh *mesh = r->mesh;
    for (int axis = 0; axis < 3; axis++)
        if (!(fabs(place[axis]) <= (double)MESH_MAX_COORDINATE))
            return rill_mesh_reader_fail(
                r, RILL_FORMAT,
                "vertex %d has %c = %g; expected a number from -%g to %g: scale the mesh to metres "
                "or remove the stray vertex",
                mesh->vertex_count, "xyz"[axis], place[axis], (double)MESH_MAX_COORDINATE, (double)MESH_MAX_COORDINATE);
    if (mesh->vertex_count == mesh->vertex_room) TRY(rill_mesh_reader_reserve(r, grown(mesh->vertex_room), 0));
    float *to = mesh->vertices[mesh->vertex_count++];
    for (int axis = 0; axis < 3; axis++) to[axis] = (float)place[axis];
    return RILL_OK;
}

rill_status rill_mesh_reader_vertex_text(mesh_reader *r, bool of_this_line) {
    double place[3];
    for (int axis = 0; axis < 3; axis++) {
        const mesh_word word = of_this_line ? rill_mesh_reader_word(r) : rill_mesh_reader_next(r);
        if (word_is_empty(word))
            return rill_mesh_reader_fail(r, RILL_FORMAT, "vertex %d has %d coordinates; expected three numbers",
                                         r->mesh->vertex_count, axis);
        if (!rill_mesh_word_number(word, &place[axis]))
            return rill_mesh_reader_fail(r, RILL_FORMAT, "%c of vertex %d is '%.*s'; expected a number", "xyz"[axis],
                                         r -> mesh -> vertex_count, word_shown(word), word.begin);
    }
    return rill_mesh_reader_vertex(r, place);
}

rill_status rill_mesh_reader_triangle(mesh_reader *r, int32_t a, int32_t b, int32_t c) {
    owned_mesh *mesh = r->mesh;
    if (mesh->triangle_count == mesh->triangle_room) TRY(rill_mesh_reader_reserve(r, 0, grown(mesh->triangle_room)));
    int32_t *to = mesh->triangles[mesh->triangle_count++];
    to[0] = a, to[1] = b, to[2] = c;
    return RILL_OK;
}

rill_status rill_mesh_reader_corner(mesh_reader *r, int64_t vertex) {
    if (r->corner_count >= MESH_MAX_TRIANGLES) return too_many(r);
    const size_t used = (size_t)r->corner_count * sizeof(int32_t);
    if (!rill_buffer_grow(r->memory, &r->corners, used + sizeof(int32_t), used)) return no_memory(r);
    ((int32_t *)r->corners.data)[r->corner_count++] = (int32_t)vertex;
    return RILL_OK;
}

rill_status rill_mesh_reader_polygon(mesh_reader *r) {
    const int count = r->corner_count;
    r->corner_count = 0;
    return count < 3 ? RILL_OK : rill_polygon_cut(r, r->corners.data, count);
}
