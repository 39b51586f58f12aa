/* SPDX-License-Identifier: MIT */
/* PLY (Turk 1994), as text or as binary numbers of either byte order: x, y and z of element `vertex` and the corners of
   element `face`. All other properties and elements are skipped. */
#include "core/error.h"
#include "geometry/read/ply_scalar.h"
#include "geometry/read/reader.h"

enum { MAX_ELEMENTS = 64, MAX_PROPERTIES = 1024 };

typedef enum ply_role { ROLE_NONE, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS } ply_role;

typedef struct ply_property {
    ply_type type; /* of the number, or of each number of a list */
    ply_type count_type;
    bool is_list;
    ply_role role;
} ply_property;

typedef enum ply_kind { KIND_OTHER, KIND_VERTEX, KIND_FACE, KIND_STRIPS } ply_kind;

typedef struct ply_element {
    ply_kind kind;
    int64_t count;
    int first, end; /* range of its properties */
} ply_element;

typedef enum ply_encoding { ENCODING_NONE, ENCODING_TEXT, ENCODING_LITTLE, ENCODING_BIG } ply_encoding;

typedef struct ply_head {
    ply_encoding encoding;
    ply_element elements[MAX_ELEMENTS];
    int element_count;
    ply_property properties[MAX_PROPERTIES];
    int property_count;
} ply_head;

bool rill_mesh_is_ply(const mesh_reader *r) {
    mesh_reader look = *r;
    return rill_mesh_word_is(rill_mesh_reader_word(&look), "ply");
}

/* ---- header ---- */

static rill_status read_format(mesh_reader *r, ply_head *head) {
    const mesh_word word = rill_mesh_reader_word(r);
    if (rill_mesh_word_is(word, "ascii"))
        head->encoding = ENCODING_TEXT;
    else if (rill_mesh_word_is(word, "binary_little_endian"))
        head->encoding = ENCODING_LITTLE;
    else if (rill_mesh_word_is(word, "binary_big_endian"))
        head->encoding = ENCODING_BIG;
    else
        return rill_mesh_reader_fail(r, RILL_FORMAT,
                                     "format '%.*s'; expected ascii, binary_little_endian or binary_big_endian",
                                     word_shown(word), word.begin);
    return RILL_OK;
}

static ply_kind kind_of(mesh_word name) {
    if (rill_mesh_word_is(name, "vertex")) return KIND_VERTEX;
    if (rill_mesh_word_is(name, "face")) return KIND_FACE;
    return rill_mesh_word_is(name, "tristrips") ? KIND_STRIPS : KIND_OTHER;
}

static rill_status read_element(mesh_reader *r, ply_head *head) {
    const mesh_word name = rill_mesh_reader_word(r), number = rill_mesh_reader_word(r);
    int64_t count;
    if (!rill_mesh_word_integer(number, &count) || count < 0)
        return rill_mesh_reader_fail(r, RILL_FORMAT, "'%.*s' elements of name '%.*s'; expected a count",
                                     word_shown(number), number.begin, word_shown(name), name.begin);
    if (head->element_count == MAX_ELEMENTS)
        return rill_mesh_reader_fail(r, RILL_LIMIT, "more than %d elements; export vertices and faces alone",
                                     MAX_ELEMENTS);
    head->elements[head->element_count++] =
        (ply_element){kind_of(name), count, head->property_count, head->property_count};
    return RILL_OK;
}

static ply_role role_of(ply_kind kind, bool is_list, mesh_word name) {
    if (kind == KIND_FACE && is_list)
        return rill_mesh_word_is(name, "vertex_indices") || rill_mesh_word_is(name, "vertex_index") ? ROLE_CORNERS
                                                                                                    : ROLE_NONE;
    if (kind != KIND_VERTEX || is_list) return ROLE_NONE;
    if (rill_mesh_word_is(name, "x")) return ROLE_X;
    if (rill_mesh_word_is(name, "y")) return ROLE_Y;
    return rill_mesh_word_is(name, "z") ? ROLE_Z : ROLE_NONE;
}

static rill_status read_type(mesh_reader *r, mesh_word word, bool whole, ply_type *type) {
    *type = rill_ply_type_of(word.begin, word.end);
    if (*type != PLY_TYPES && !(whole && (*type == PLY_FLOAT || *type == PLY_DOUBLE))) return RILL_OK;
    return rill_mesh_reader_fail(r, RILL_FORMAT, "a property of type '%.*s'; expected %s", word_shown(word), word.begin,
                                 whole ? "a whole number: uchar, int, uint"
                                       : "char, uchar, short, int, float, double, list");
}

static rill_status read_property(mesh_reader *r, ply_head *head) {
    if (head->element_count == 0) return rill_mesh_reader_fail(r, RILL_FORMAT, "a property before the first element");
    if (head->property_count == MAX_PROPERTIES)
        return rill_mesh_reader_fail(r, RILL_LIMIT, "more than %d properties; export fewer", MAX_PROPERTIES);
    ply_element *element = &head->elements[head->element_count - 1];
    ply_property property = {.is_list = false};
    mesh_word word = rill_mesh_reader_word(r);
    if (rill_mesh_word_is(word, "list")) {
        property.is_list = true;
        TRY(read_type(r, rill_mesh_reader_word(r), true, &property.count_type));
        word = rill_mesh_reader_word(r);
    }
    property.role = role_of(element->kind, property.is_list, rill_mesh_reader_word(r));
    TRY(read_type(r, word, property.role == ROLE_CORNERS, &property.type));
    head->properties[head->property_count++] = property;
    element->end = head->property_count;
    return RILL_OK;
}

static rill_status read_head_line(mesh_reader *r, mesh_word keyword, ply_head *head) {
    if (rill_mesh_word_is(keyword, "format")) return read_format(r, head);
    if (rill_mesh_word_is(keyword, "element")) return read_element(r, head);
    if (rill_mesh_word_is(keyword, "property")) return read_property(r, head);
    if (rill_mesh_word_is(keyword, "comment") || rill_mesh_word_is(keyword, "obj_info")) return RILL_OK;
    return rill_mesh_reader_fail(r, RILL_FORMAT,
                                 "'%.*s' in the header; expected element, property, comment or end_header",
                                 word_shown(keyword), keyword.begin);
}

/* The number of an element's properties with this role. */
static int count_role(const ply_head *head, const ply_element *element, ply_role role) {
    int count = 0;
    for (int p = element->first; p < element->end; p++) count += head->properties[p].role == role;
    return count;
}

static rill_status check_head(const mesh_reader *r, const ply_head *head) {
    int vertices = 0, faces = 0, strips = 0;
    for (int k = 0; k < head->element_count; k++) {
        const ply_element *e = &head->elements[k];
        vertices += e->kind == KIND_VERTEX, faces += e->kind == KIND_FACE, strips += e->kind == KIND_STRIPS;
        if (e->kind == KIND_VERTEX)
            for (ply_role role = ROLE_X; role <= ROLE_Z; role++)
                if (count_role(head, e, role) != 1)
                    return rill_mesh_reader_fail(r, RILL_FORMAT,
                                                 "the vertices have no %c, or several; expected x, y and z",
                                                 "xyz"[role - ROLE_X]);
        if (e->kind == KIND_FACE && count_role(head, e, ROLE_CORNERS) != 1)
            return rill_mesh_reader_fail(r, RILL_FORMAT,
                                         "the faces have no list vertex_indices, or several; expected one");
        if (e->kind == KIND_FACE && vertices == 0)
            return rill_mesh_reader_fail(r, RILL_FORMAT,
                                         "the faces come before the vertices; expected the vertices first");
    }
    if (vertices != 1 || faces > 1)
        return rill_mesh_reader_fail(r, RILL_FORMAT, "%d elements 'vertex' and %d 'face'; expected one of each",
                                     vertices, faces);
    if (faces == 0 && strips > 0)
        return rill_mesh_reader_fail(r, RILL_FORMAT, "its triangles are tristrips, which are not read; export faces");
    return RILL_OK;
}

/* Skips the line end after end_header. If lines end in CR alone, an LF after it is already the first byte of the
   data. */
static void enter_data(mesh_reader *r, const ply_head *head, bool cr_alone) {
    const char *before = r->at;
    (void)rill_mesh_reader_skip_line(r);
    if (cr_alone && r->at - before > 1 && r->at[-1] == '\n' && r->at[-2] == '\r') r->at--;
    if (head->encoding != ENCODING_TEXT) r->line = 0;
}

static rill_status read_head(mesh_reader *r, ply_head *head) {
    const mesh_word magic = rill_mesh_reader_word(r);
    if (!rill_mesh_word_is(magic, "ply"))
        return rill_mesh_reader_fail(r, RILL_FORMAT, "the file begins with '%.*s'; expected ply", word_shown(magic),
                                     magic.begin);
    const char *line_end = r->at;
    while (line_end < r->end && *line_end != '\n' && *line_end != '\r') line_end++;
    const bool cr_alone = r->end - line_end > 1 && line_end[0] == '\r' && line_end[1] != '\n';
    for (;;) {
        if (!rill_mesh_reader_skip_line(r))
            return rill_mesh_reader_fail(r, RILL_FORMAT,
                                         "the header of the PLY file has no end_header; export the mesh again");
        const mesh_word keyword = rill_mesh_reader_word(r);
        if (rill_mesh_word_is(keyword, "end_header")) break;
        if (!word_is_empty(keyword)) TRY(read_head_line(r, keyword, head));
    }
    if (head->encoding == ENCODING_NONE)
        return rill_mesh_reader_fail(r, RILL_FORMAT, "the header names no format; expected a line 'format ascii 1.0'");
    TRY(check_head(r, head));
    enter_data(r, head, cr_alone);
    return RILL_OK;
}

/* ---- data ---- */

/* Reads the next number of the file; `word` receives its spelling in a text file. */
static rill_status read_number(mesh_reader *r, const ply_head *head, ply_type type, double *value, mesh_word *word) {
    if (head->encoding == ENCODING_TEXT) {
        *word = rill_mesh_reader_next(r);
        if (word_is_empty(*word)) return rill_mesh_reader_cut_short(r, "the last number");
        if (rill_mesh_word_number(*word, value)) return RILL_OK;
        return rill_mesh_reader_fail(r, RILL_FORMAT, "'%.*s'; expected a number", word_shown(*word), word->begin);
    }
    const size_t size = rill_ply_size(type);
    if (reader_left(r) < size) return rill_mesh_reader_cut_short(r, "the last number");
    *value = rill_ply_value(type, (const unsigned char *)r->at, head->encoding == ENCODING_BIG);
    r->at += size;
    return RILL_OK;
}

static rill_status read_whole(mesh_reader *r, const ply_head *head, ply_type type, int64_t *value) {
    mesh_word word = {NULL, NULL};
    double number = 0.0;
    TRY(read_number(r, head, type, &number, &word));
    if (head->encoding != ENCODING_TEXT)
        *value = (int64_t)number;
    else if (!rill_mesh_word_integer(word, value))
        return rill_mesh_reader_fail(r, RILL_FORMAT, "'%.*s'; expected a whole number", word_shown(word), word.begin);
    return RILL_OK;
}

/* Unused properties may hold anything: normals that are "nan" are not rare. */
static rill_status skip_numbers(mesh_reader *r, const ply_head *head, ply_type type, int64_t count) {
    if (head->encoding == ENCODING_TEXT) {
        for (int64_t k = 0; k < count; k++)
            if (word_is_empty(rill_mesh_reader_next(r))) return rill_mesh_reader_cut_short(r, "the last number");
        return RILL_OK;
    }
    if ((uint64_t)count > reader_left(r) / rill_ply_size(type)) return rill_mesh_reader_cut_short(r, "the last number");
    r->at += (size_t)count * rill_ply_size(type);
    return RILL_OK;
}

static rill_status read_corners(mesh_reader *r, const ply_head *head, ply_type type, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        int64_t vertex;
        TRY(read_whole(r, head, type, &vertex));
        if (vertex < 0 || vertex >= r->mesh->vertex_count)
            return rill_mesh_reader_fail(r, RILL_FORMAT, "the face names vertex %lld; expected 0 to %d",
                                         (long long)vertex, r->mesh->vertex_count - 1);
        TRY(rill_mesh_reader_corner(r, vertex));
    }
    return rill_mesh_reader_polygon(r);
}

static rill_status read_list(mesh_reader *r, const ply_head *head, const ply_property *property) {
    int64_t count;
    TRY(read_whole(r, head, property->count_type, &count));
    if (count < 0)
        return rill_mesh_reader_fail(r, RILL_FORMAT, "a list of %lld numbers; expected a count", (long long)count);
    return property->role == ROLE_CORNERS ? read_corners(r, head, property->type, count)
                                          : skip_numbers(r, head, property->type, count);
}

static rill_status read_row(mesh_reader *r, const ply_head *head, const ply_element *element) {
    double place[3] = {0, 0, 0};
    mesh_word word;
    for (int p = element->first; p < element->end; p++) {
        const ply_property *property = &head->properties[p];
        if (property->is_list)
            TRY(read_list(r, head, property));
        else if (property->role == ROLE_NONE)
            TRY(skip_numbers(r, head, property->type, 1));
        else
            TRY(read_number(r, head, property->type, &place[property->role - ROLE_X], &word));
    }
    return element->kind == KIND_VERTEX ? rill_mesh_reader_vertex(r, place) : RILL_OK;
}

/* The least size of a row in bytes: in a text file, a digit and a blank for each number. */
static size_t least_size(const ply_head *head, const ply_element *element) {
    size_t size = 0;
    for (int p = element->first; p < element->end; p++) {
        const ply_property *property = &head->properties[p];
        size += head->encoding == ENCODING_TEXT
                    ? 2
                    : rill_ply_size(property->is_list ? property->count_type : property->type);
    }
    return size;
}

static rill_status read_rows(mesh_reader *r, const ply_head *head, const ply_element *element) {
    const size_t least = least_size(head, element);
    if (least == 0) return RILL_OK;
    /* the last blank of a text file may be missing */
    if ((uint64_t)element->count > (reader_left(r) + 1) / least)
        return rill_mesh_reader_fail(r, RILL_FORMAT,
                                     "the file is cut short: the header announces %lld %s of at least %zu bytes, but "
                                     "only %zu bytes follow; copy or export it again",
                                     (long long)element->count, element->kind == KIND_VERTEX ? "vertices" : "rows",
                                     least, reader_left(r));
    if (element->kind == KIND_VERTEX) TRY(rill_mesh_reader_reserve(r, element->count, 0));
    if (element->kind == KIND_FACE && element->count <= MESH_MAX_TRIANGLES)
        TRY(rill_mesh_reader_reserve(r, 0, element->count));
    for (int64_t k = 0; k < element->count; k++) TRY(read_row(r, head, element));
    return RILL_OK;
}

rill_status rill_mesh_read_ply(mesh_reader *r) {
    ply_head head = {.encoding = ENCODING_NONE};
    TRY(read_head(r, &head));
    for (int k = 0; k < head.element_count; k++) {
        TRY(read_rows(r, &head, &head.elements[k]));
        if (head.elements[k].kind == KIND_FACE) break;
    }
    return RILL_OK;
}
