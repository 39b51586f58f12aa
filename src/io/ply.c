/* SPDX-License-Identifier: MIT */
/* Frames as binary PLY, written and read: a vertex for each particle, with a property for each scalar; an edge or a
   face for each piece of cloth. Everything else of a frame is written as comments. */
#include "core/error.h"
#include "geometry/read/ply_scalar.h"
#include "io/bytes.h"
#include "io/frame_parts.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The header lines of pieces of cloth. If the header lists any other elements after the vertices, pieces are not
   read. */
#define PLY_EDGES        "element edge"
#define PLY_EDGE_ENDS    "property int vertex1\nproperty int vertex2\n"
#define PLY_FACES        "element face"
#define PLY_FACE_CORNERS "property list uchar int vertex_indices\n"

/* ---- writing ---- */

/* A field to be written. PLY has no 64-bit integers: they are written as `uint` if all values in the file fit,
   otherwise as `double`, which is exact up to 2^53. */
typedef struct ply_column {
    const rill_view *field;
    const char *type;
    bool is_double; /* the values are 64-bit integers */
} ply_column;

static bool all_fit_32_bits(const rill_frame *frame, const rill_view *field) {
    uint64_t all = 0;
    for (int k = 0; k < frame->count; k++)
        for (int c = 0; c < field->components; c++) all |= io_field_bits(frame, field, k, c);
    return all <= UINT32_MAX;
}

static ply_column column_of(const rill_frame *frame, const rill_view *field) {
    ply_column column = {.field = field, .type = "float"};
    column.is_double = field->scalar == RILL_SCALAR_UINT64 && !all_fit_32_bits(frame, field);
    if (field->scalar == RILL_SCALAR_UINT32 || field->scalar == RILL_SCALAR_UINT64) column.type = "uint";
    if (field->scalar == RILL_SCALAR_INT32) column.type = "int";
    if (column.is_double) column.type = "double";
    return column;
}

static void write_value(FILE *stream, const rill_frame *frame, const ply_column *column, int k, int component) {
    unsigned char bytes[8];
    uint64_t bits = io_field_bits(frame, column->field, k, component);
    const double number = (double)bits;
    if (column->is_double) memcpy(&bits, &number, sizeof bits);
    const size_t size = column->is_double ? 8 : 4;
    io_put(bytes, bits, size);
    fwrite(bytes, 1, size, stream);
}

/* Positions are called x y z and velocities vx vy vz, as other programs expect. Components of other vectors are NAME_x
   and so on; with more than three components they are NAME_0, NAME_1, ... */
static void write_properties(FILE *stream, const ply_column *column) {
    const rill_view *field = column->field;
    const char *type = column->type;
    const int width = io_field_width(field);
    for (int c = 0; c < width; c++) {
        if (strcmp(field->name, "position") == 0) {
            fprintf(stream, "property %s %c\n", type, "xyz"[c]);
        } else if (strcmp(field->name, "velocity") == 0) {
            fprintf(stream, "property %s v%c\n", type, "xyz"[c]);
        } else if (width > 3) {
            fprintf(stream, "property %s %s_%d\n", type, field->name, c);
        } else if (width > 1) {
            fprintf(stream, "property %s %s_%c\n", type, field->name, "xyz"[c]);
        } else {
            fprintf(stream, "property %s %s\n", type, field->name);
        }
    }
}

static void write_comments(FILE *stream, const rill_frame *frame) {
    fprintf(stream, "comment rill %s\ncomment time %.17g\ncomment dim %d\n", rill_version(), frame->time, frame->dim);
    for (int v = 0; v < FRAME_VALUES; v++) {
        double numbers[3];
        rill_frame_value_get(frame, (frame_value)v, numbers);
        fprintf(stream, "comment %s", rill_frame_value_name((frame_value)v));
        for (int k = 0; k < rill_frame_value_width((frame_value)v); k++)
            fprintf(stream, " %.*g", v == FRAME_STEP ? 17 : 9, numbers[k]);
        fputc('\n', stream);
    }
    for (int t = 0; t < FRAME_TABLES; t++)
        for (int k = 0; k < rill_frame_table_count(frame, (frame_table)t); k++) {
            float row[FRAME_ROW_MAX];
            rill_frame_table_row(frame, (frame_table)t, k, row);
            fprintf(stream, "comment %s", rill_frame_table_name((frame_table)t));
            for (int n = 0; n < rill_frame_table_width((frame_table)t); n++) fprintf(stream, " %.9g", (double)row[n]);
            fputc('\n', stream);
        }
}

/* Edges have two properties, as the PLY format specifies; faces have a list, which every program reads. */
static void declare_pieces(FILE *stream, const rill_frame_links *const pieces[FRAME_PIECES]) {
    if (pieces[FRAME_SEGMENTS]) fprintf(stream, PLY_EDGES " %d\n" PLY_EDGE_ENDS, pieces[FRAME_SEGMENTS]->count);
    if (pieces[FRAME_TRIANGLES]) fprintf(stream, PLY_FACES " %d\n" PLY_FACE_CORNERS, pieces[FRAME_TRIANGLES]->count);
}

static void write_pieces(FILE *stream, const rill_frame_links *l, const int32_t *places) {
    for (int k = 0; l && k < l->count; k++) {
        if (l->ends == 3) fputc(3, stream);
        for (int c = 0; c < l->ends; c++) {
            unsigned char bytes[4];
            const int32_t i = l->particle[(size_t)l->ends * (size_t)k + (size_t)c];
            io_put32(bytes, (uint32_t)(places ? places[i] : i));
            fwrite(bytes, 1, sizeof bytes, stream);
        }
    }
}

static void write_frame(FILE *stream, const rill_frame *frame, const ply_column *columns, const int32_t *places) {
    const rill_frame_links *pieces[FRAME_PIECES];
    for (int kind = 0; kind < FRAME_PIECES; kind++) pieces[kind] = rill_frame_pieces_of(frame, (frame_pieces)kind);
    fputs("ply\nformat binary_little_endian 1.0\n", stream);
    write_comments(stream, frame);
    fprintf(stream, "element vertex %d\n", frame->count);
    for (int f = 0; f < frame->field_count; f++) write_properties(stream, &columns[f]);
    declare_pieces(stream, pieces);
    fputs("end_header\n", stream);
    for (int k = 0; k < frame->count; k++)
        for (int f = 0; f < frame->field_count; f++)
            for (int c = 0; c < io_field_width(&frame->field[f]); c++) write_value(stream, frame, &columns[f], k, c);
    for (int kind = 0; kind < FRAME_PIECES; kind++) write_pieces(stream, pieces[kind], places);
}

rill_status rill_io_write_ply(const rill_frame *frame, const char *path, rill_error *error) {
    io_file file;
    ply_column columns[FRAME_FIELDS_MAX];
    if (frame->field_count > FRAME_FIELDS_MAX)
        return rill_fail(error, RILL_LIMIT, "%s: a file has room for %d fields, this frame has %d", path,
                         FRAME_FIELDS_MAX, (int)frame->field_count);
    for (int f = 0; f < frame->field_count; f++) columns[f] = column_of(frame, &frame->field[f]);
    bool ok;
    int32_t *places = rill_frame_file_places(frame, &ok);
    if (!ok) return rill_fail(error, RILL_MEMORY, "%s: no memory for the order of %d particles", path, frame->count);
    rill_status status = rill_io_open(&file, path, error);
    if (status == RILL_OK) {
        write_frame(file.stream, frame, columns, places);
        status = rill_io_commit(&file, error);
    }
    free(places);
    return status;
}

/* ---- reading ---- */
/* A scalar property of the vertices. */
typedef struct ply_property {
    io_span name;
    ply_type type;
    size_t offset;
} ply_property;
#define PROPERTIES_MAX 256

typedef struct ply_reader {
    const char *path;
    rill_error *error;
    int line;
    bool in_vertex, seen_vertex, seen_other, little_endian;
    const char *at, *others; /* the current line; the line of the first element after the vertices */
    size_t row;              /* bytes per vertex */
    ply_property properties[PROPERTIES_MAX];
    int property_count;
    int first[FRAME_FIELDS_MAX]; /* first property of each field */
    frame_parts parts;
} ply_reader;

static rill_status fail(const ply_reader *reader, const char *what) {
    return rill_fail(reader->error, RILL_FORMAT,
                     "%s: line %d: %s; expected a binary little-endian .ply frame as written by this tool",
                     reader->path, reader->line, what);
}

/* Removes the next word from the front of a line. */
static io_span next_word(io_span *line) {
    while (line->begin < line->end && (*line->begin == ' ' || *line->begin == '\t')) line->begin++;
    io_span word = {line->begin, line->begin};
    while (word.end < line->end && *word.end != ' ' && *word.end != '\t') word.end++;
    line->begin = word.end;
    return word;
}

static bool is(io_span text, const char *word) {
    return (size_t)(text.end - text.begin) == strlen(word) && memcmp(text.begin, word, strlen(word)) == 0;
}

static rill_status read_property(ply_reader *reader, io_span line) {
    const io_span word = next_word(&line);
    const ply_type type = rill_ply_type_of(word.begin, word.end);
    if (type == PLY_TYPES) return fail(reader, "a vertex property of unknown or list type");
    if (reader->property_count == PROPERTIES_MAX) return fail(reader, "the vertices have too many properties");
    reader->properties[reader->property_count++] = (ply_property){next_word(&line), type, reader->row};
    reader->row += rill_ply_size(type);
    return RILL_OK;
}

/* ---- properties to fields ---- */

static bool same(io_span a, io_span b) {
    const size_t length = (size_t)(a.end - a.begin);
    return length == (size_t)(b.end - b.begin) && memcmp(a.begin, b.begin, length) == 0;
}

/* Splits NAME_x or NAME_0 into a name and a component; -1 if it is not the name of a component. */
static int component_of(io_span property, io_span *name) {
    static const char axes[] = "xyz";
    uint64_t number;
    *name = property;
    for (const char *c = property.end; c > property.begin + 1; c--) {
        const io_span suffix = {c, property.end};
        if (c[-1] != '_' || c == property.end) continue;
        const char *axis = suffix.end - suffix.begin == 1 ? strchr(axes, *suffix.begin) : NULL;
        if (!axis && !rill_io_span_count(suffix, 63, &number)) return -1;
        name->end = c - 1;
        return axis ? (int)(axis - axes) : (int)number;
    }
    return -1;
}

static bool is_letter(const ply_property *p, const char *prefix, int axis) {
    const char name[] = {prefix[0] ? prefix[0] : "xyz"[axis], prefix[0] ? "xyz"[axis] : '\0', '\0'};
    return is(p->name, name);
}

/* Returns how many properties from `first` on are components of one field, and the field's name. */
static int field_at(const ply_reader *reader, int first, io_span *name) {
    static const char position[] = "position", velocity[] = "velocity";
    const ply_property *p = &reader->properties[first];
    const int left = reader->property_count - first;
    for (int v = 0; v < 2; v++) {
        int n = 0;
        while (n < 3 && n < left && is_letter(&p[n], v ? "v" : "", n)) n++;
        const char *word = v ? velocity : position;
        *name = (io_span){word, word + strlen(word)};
        if (n > 0) return n;
    }
    int n = 0;
    for (io_span base; n < left && component_of(p[n].name, &base) == n && (n == 0 || same(base, *name)); n++)
        *name = base;
    if (n > 1) return n;
    *name = p->name;
    return 1;
}

static rill_scalar scalar_of(const ply_property *p, io_span name) {
    if (is(name, "id")) return RILL_SCALAR_UINT64;
    if (is(name, "fluid")) return RILL_SCALAR_UINT32;
    const bool real = p->type == PLY_FLOAT || p->type == PLY_DOUBLE || is(name, "position") || is(name, "velocity") ||
                      is(name, "density") || is(name, "pressure");
    if (real) return RILL_SCALAR_FLOAT;
    return p->type == PLY_UINT32 ? RILL_SCALAR_UINT32 : RILL_SCALAR_INT32;
}

static rill_status make_fields(ply_reader *reader) {
    for (int k = 0, n; k < reader->property_count; k += n) {
        io_span name;
        n = field_at(reader, k, &name);
        reader->first[reader->parts.field_count < FRAME_FIELDS_MAX ? reader->parts.field_count : 0] = k;
        if (!rill_frame_parts_add(&reader->parts, name, scalar_of(&reader->properties[k], name), n))
            return fail(reader, "a repeated property, a name that is too long, or too many properties");
    }
    for (int f = 0; f < reader->parts.field_count; f++)
        if (strcmp(reader->parts.fields[f].name, "position") == 0 && reader->parts.fields[f].components > 1)
            return RILL_OK;
    return fail(reader, "the vertices have no x and y");
}

static rill_status read_element(ply_reader *reader, io_span line) {
    reader->in_vertex = is(next_word(&line), "vertex");
    if (!reader->in_vertex) {
        if (!reader->seen_other) reader->others = reader->at;
        reader->seen_other = true;
        return RILL_OK;
    }
    if (reader->seen_vertex || reader->seen_other) return fail(reader, "vertices must come first, and once");
    reader->seen_vertex = true;
    uint64_t count;
    if (!rill_io_span_count(next_word(&line), INT_MAX - 1, &count))
        return fail(reader, "the number of vertices is invalid");
    reader->parts.count = (int)count;
    return RILL_OK;
}

static void take_single(double *to, int width, io_span text) {
    frame_numbers numbers = {0};
    const bool fine = rill_frame_numbers_read(&numbers, text) && numbers.count == width;
    for (int k = 0; fine && k < width; k++) to[k] = numbers.data[k];
    free(numbers.data);
}

static void read_comment(ply_reader *reader, io_span line) {
    io_span word = next_word(&line);
    if (is(word, "time")) take_single(&reader->parts.time, 1, line);
    if (is(word, "dim")) take_single(&reader->parts.dim, 1, line);
    for (int v = 0; v < FRAME_VALUES; v++)
        if (is(word, rill_frame_value_name((frame_value)v)))
            take_single(reader->parts.values[v], rill_frame_value_width((frame_value)v), line);
    for (int t = 0; t < FRAME_TABLES; t++) {
        if (!is(word, rill_frame_table_name((frame_table)t))) continue;
        frame_numbers *table = &reader->parts.tables[t];
        const int before = table->count;
        if (!rill_frame_numbers_read(table, line)) table->count = before; /* a comment of another program */
        if (table->count - before != rill_frame_table_width((frame_table)t)) table->count = before;
    }
}

static rill_status read_line(ply_reader *reader, io_span line) {
    io_span word = next_word(&line);
    if (is(word, "format")) {
        reader->little_endian = is(next_word(&line), "binary_little_endian");
        return reader->little_endian ? RILL_OK : fail(reader, "the format is not binary_little_endian");
    }
    if (is(word, "element")) return read_element(reader, line);
    if (is(word, "property")) return reader->in_vertex ? read_property(reader, line) : RILL_OK;
    if (is(word, "comment")) read_comment(reader, line);
    return RILL_OK;
}

/* Removes a text from the front of a span if it begins with it. */
static bool take_text(io_span *from, const char *text) {
    const size_t length = strlen(text);
    if ((size_t)(from->end - from->begin) < length || memcmp(from->begin, text, length) != 0) return false;
    from->begin += length;
    return true;
}

/* Reads "element NAME COUNT" and its properties. */
static bool take_pieces(io_span *head, const char *element, const char *properties, int *count) {
    io_span rest = *head;
    uint64_t number;
    if (!take_text(&rest, element)) return false;
    const char *newline = memchr(rest.begin, '\n', (size_t)(rest.end - rest.begin));
    if (!newline) return false;
    io_span line = {rest.begin, newline};
    if (!rill_io_span_count(next_word(&line), INT_MAX / 4, &number)) return false;
    rest.begin = newline + 1;
    if (!take_text(&rest, properties)) return false;
    *head = rest, *count = (int)number;
    return true;
}

/* Elements in any other form than this tool writes come from another program and are ignored. */
static void read_pieces_head(ply_reader *reader, io_span head) {
    int *pieces = reader->parts.pieces;
    take_pieces(&head, PLY_EDGES, PLY_EDGE_ENDS, &pieces[FRAME_SEGMENTS]);
    take_pieces(&head, PLY_FACES, PLY_FACE_CORNERS, &pieces[FRAME_TRIANGLES]);
    if (head.begin < head.end) pieces[FRAME_SEGMENTS] = pieces[FRAME_TRIANGLES] = 0;
}

/* Reads up to end_header and leaves `body` at the start of the data. */
static rill_status read_head(ply_reader *reader, io_span *body) {
    for (;;) {
        const char *newline = memchr(body->begin, '\n', (size_t)(body->end - body->begin));
        reader->line++;
        if (!newline) return fail(reader, "the header has no end_header");
        io_span line = {body->begin, newline};
        reader->at = body->begin;
        if (line.end > line.begin && line.end[-1] == '\r') line.end--;
        body->begin = newline + 1;
        if (is(line, "end_header")) break;
        rill_status status = read_line(reader, line);
        if (status != RILL_OK) return status;
    }
    if (!reader->little_endian) return fail(reader, "the header names no format");
    if (!reader->seen_vertex) return fail(reader, "the header names no vertices");
    TRY(make_fields(reader));
    if (reader->others) read_pieces_head(reader, (io_span){reader->others, reader->at});
    if ((uint64_t)reader->parts.count > (uint64_t)(body->end - body->begin) / reader->row)
        return fail(reader, "the file is cut short: fewer bytes follow than its vertices need");
    return RILL_OK;
}

/* In C, casting a number out of the type's range is undefined, so such numbers become NAN or 0. */
static uint32_t bits_of(double value, rill_scalar scalar) {
    uint32_t bits = 0;
    if (scalar == RILL_SCALAR_FLOAT) {
        const float single = value >= -3.4e38 && value <= 3.4e38 ? (float)value : NAN;
        memcpy(&bits, &single, sizeof bits);
    } else if (scalar == RILL_SCALAR_UINT32) {
        bits = value >= 0.0 && value <= (double)UINT32_MAX ? (uint32_t)value : 0;
    } else {
        bits = value >= (double)INT32_MIN && value <= (double)INT32_MAX ? (uint32_t)(int32_t)value : 0;
    }
    return bits;
}

/* Ids of another program may be negative, or larger than the integers that a double holds exactly: they become 0. */
static uint64_t id_of(double value) {
    return value >= 0.0 && value <= 0x1p53 ? (uint64_t)value : 0;
}

static void read_rows(const ply_reader *reader, const unsigned char *rows, void *const data[FRAME_FIELDS_MAX]) {
    for (int f = 0; f < reader->parts.field_count; f++) {
        const frame_field *field = &reader->parts.fields[f];
        size_t n = 0;
        for (int k = 0; k < reader->parts.count; k++)
            for (int c = 0; c < field->components; c++, n++) {
                const ply_property *property = &reader->properties[reader->first[f] + c];
                const unsigned char *bytes = rows + (size_t)k * reader->row + property->offset;
                const double value = rill_ply_value(property->type, bytes, false);
                if (field->scalar == RILL_SCALAR_UINT64)
                    ((uint64_t *)data[f])[n] = id_of(value);
                else
                    ((uint32_t *)data[f])[n] = bits_of(value, field->scalar);
            }
    }
}

/* Bytes of a piece: an edge is two numbers, a face is a count and three numbers. */
static size_t piece_bytes(frame_pieces kind) {
    return kind == FRAME_SEGMENTS ? 8 : 13;
}

static bool read_pieces(const ply_reader *reader, const rill_frame *frame, io_span from) {
    for (int kind = 0; kind < FRAME_PIECES; kind++) {
        const int ends = frame_piece_ends((frame_pieces)kind);
        const size_t each = piece_bytes((frame_pieces)kind), count = (size_t)reader->parts.pieces[kind];
        if (count > (size_t)(from.end - from.begin) / each) return false;
        int32_t *to = rill_frame_pieces_room(frame, (frame_pieces)kind);
        for (size_t k = 0; k < count; k++, from.begin += each) {
            const unsigned char *bytes = (const unsigned char *)from.begin;
            if (kind == FRAME_TRIANGLES && *bytes++ != 3) return false;
            for (int c = 0; c < ends; c++) *to++ = (int32_t)io_get32(bytes + 4 * c);
        }
    }
    return rill_frame_pieces_are_sound(frame);
}

/* Checks that the file is long enough for its pieces, before memory is allocated for them. */
static rill_status check_pieces(const ply_reader *reader, io_span body) {
    uint64_t bytes = (uint64_t)reader->parts.count * reader->row;
    for (int kind = 0; kind < FRAME_PIECES; kind++)
        bytes += piece_bytes((frame_pieces)kind) * (uint64_t)reader->parts.pieces[kind];
    if (bytes <= (uint64_t)(body.end - body.begin)) return RILL_OK;
    return fail(reader, "the file is cut short: fewer bytes follow than its edges and faces need");
}

rill_status rill_io_parse_ply(const void *data, size_t size, const char *path, const io_run *run, rill_frame *frame,
                              rill_error *error) {
    ply_reader reader = {.path = path, .error = error, .parts = rill_frame_parts_begin()};
    io_span body = {data, (const char *)data + size};
    void *arrays[FRAME_FIELDS_MAX];
    rill_status status = read_head(&reader, &body);
    if (status == RILL_OK) status = check_pieces(&reader, body);
    if (status == RILL_OK) status = rill_frame_parts_build(&reader.parts, path, run, frame, arrays, error);
    if (status == RILL_OK) {
        const io_span pieces = {body.begin + (size_t)reader.parts.count * reader.row, body.end};
        if (!read_pieces(&reader, frame, pieces))
            status = fail(&reader, "an edge or face has vertices that do not exist");
    }
    if (status == RILL_OK) {
        read_rows(&reader, (const unsigned char *)body.begin, arrays);
        rill_frame_guess_dim(frame);
    } else {
        rill_frame_free(frame);
    }
    rill_frame_parts_free(&reader.parts);
    return status;
}
