/* SPDX-License-Identifier: MIT */
/* Reads VTK XML PolyData in the form that vtp_write.c writes: raw appended data with 64-bit sizes. */
#include "core/error.h"
#include "io/bytes.h"
#include "io/frame_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct vtp_reader {
    const char *path;
    io_span head;     /* the XML before the data */
    io_span appended; /* the bytes after the underscore */
    frame_parts parts;
    const unsigned char *arrays[FRAME_FIELDS_MAX]; /* of the fields; they lie inside the file */
    const unsigned char *pieces[FRAME_PIECES];     /* particles of the pieces of cloth; they lie inside the file */
    rill_error *error;
} vtp_reader;

static rill_status fail(const vtp_reader *reader, const char *what) {
    return rill_fail(reader->error, RILL_FORMAT,
                     "%s: %s; expected a .vtp frame as written by this tool: write it again", reader->path, what);
}

/* Finds the text between the quotes of NAME="..." in a tag; false if the tag has no such attribute. */
static bool attribute(io_span tag, const char *name, io_span *value) {
    size_t length = strlen(name);
    for (const char *at; (at = rill_io_span_find(tag, name)); tag.begin = at + 1) {
        const char *quote = at + length;
        bool whole_word = at > tag.begin && (at[-1] == ' ' || at[-1] == '\n' || at[-1] == '\t');
        if (!whole_word || tag.end - quote < 2 || quote[0] != '=' || quote[1] != '"') continue;
        const char *end = memchr(quote + 2, '"', (size_t)(tag.end - quote - 2));
        if (!end) return false;
        *value = (io_span){quote + 2, end};
        return true;
    }
    return false;
}

static bool is(io_span text, const char *word) {
    return (size_t)(text.end - text.begin) == strlen(word) && memcmp(text.begin, word, strlen(word)) == 0;
}

/* Finds the next <NAME ...> from `*at` on and moves `*at` past it. */
static bool next_tag(io_span head, const char **at, const char *name, io_span *tag) {
    const char *begin = rill_io_span_find((io_span){*at, head.end}, name);
    if (!begin) return false;
    const char *end = memchr(begin, '>', (size_t)(head.end - begin));
    if (!end) return false;
    *tag = (io_span){begin, end};
    *at = end + 1;
    return true;
}

static rill_status split(vtp_reader *reader, const void *data, size_t size) {
    io_span whole = {data, (const char *)data + size}, value;
    io_span tail = {size > 64 ? whole.end - 64 : whole.begin, whole.end};
    if (!rill_io_span_find(tail, "</VTKFile>")) return fail(reader, "is cut short");
    const char *appended = rill_io_span_find(whole, "<AppendedData");
    if (!appended) return fail(reader, "has no appended data");
    reader->head = (io_span){whole.begin, appended};
    const char *close = memchr(appended, '>', (size_t)(whole.end - appended));
    const char *underscore = close ? memchr(close, '_', (size_t)(whole.end - close)) : NULL;
    if (!underscore) return fail(reader, "ends before its data");
    if (!attribute((io_span){appended, close}, "encoding", &value) || !is(value, "raw"))
        return fail(reader, "its appended data is not raw");
    reader->appended = (io_span){underscore + 1, whole.end};

    io_span tag;
    const char *at = reader->head.begin;
    if (!next_tag(reader->head, &at, "<VTKFile", &tag)) return fail(reader, "is not a VTK file");
    if (!attribute(tag, "type", &value) || !is(value, "PolyData")) return fail(reader, "is not PolyData");
    if (!attribute(tag, "byte_order", &value) || !is(value, "LittleEndian"))
        return fail(reader, "is not little-endian");
    if (!attribute(tag, "header_type", &value) || !is(value, "UInt64"))
        return fail(reader, "its header_type is not UInt64");
    if (attribute(tag, "compressor", &value)) return fail(reader, "is compressed");
    if (!next_tag(reader->head, &at, "<Piece", &tag) || !attribute(tag, "NumberOfPoints", &value))
        return fail(reader, "does not say how many points it has");
    uint64_t count;
    if (!rill_io_span_count(value, INT_MAX - 1, &count)) return fail(reader, "its number of points is invalid");
    reader->parts.count = (int)count;
    static const char *const counts[FRAME_PIECES] = {"NumberOfLines", "NumberOfPolys"};
    for (int kind = 0; kind < FRAME_PIECES; kind++) {
        uint64_t pieces = 0;
        if (attribute(tag, counts[kind], &value) && !rill_io_span_count(value, INT_MAX / 4, &pieces))
            return fail(reader, "its number of lines or polygons is invalid");
        reader->parts.pieces[kind] = (int)pieces;
    }
    return RILL_OK;
}

/* ---- arrays of particles ---- */

static bool scalar_of(io_span type, rill_scalar *scalar) {
    static const char *const names[] = {[RILL_SCALAR_FLOAT] = "Float32",
                                        [RILL_SCALAR_UINT32] = "UInt32",
                                        [RILL_SCALAR_INT32] = "Int32",
                                        [RILL_SCALAR_UINT64] = "UInt64"};
    for (int k = 0; k < (int)(sizeof names / sizeof *names); k++) {
        if (!is(type, names[k])) continue;
        *scalar = (rill_scalar)k;
        return true;
    }
    return false;
}

/* Finds the start of an array of `expected` bytes; all of it must lie inside the file. */
static rill_status locate(const vtp_reader *reader, io_span tag, uint64_t expected, const unsigned char **array) {
    io_span value;
    uint64_t offset, room = (uint64_t)(reader->appended.end - reader->appended.begin);
    if (!attribute(tag, "format", &value) || !is(value, "appended"))
        return fail(reader, "an array is not in the appended data");
    if (!attribute(tag, "offset", &value) || !rill_io_span_count(value, room, &offset) || room - offset < 8)
        return fail(reader, "an array starts past the end of the file");
    const unsigned char *start = (const unsigned char *)reader->appended.begin + offset;
    uint64_t bytes = io_get64(start);
    if (bytes != expected) return fail(reader, "an array has an unexpected size");
    if (bytes > room - offset - 8) return fail(reader, "an array ends past the end of the file");
    *array = start + 8;
    return RILL_OK;
}

/* Checks the types of the fields that pictures and surfaces read. */
static bool is_sound(const frame_field *field) {
    static const struct {
        const char *name;
        rill_scalar scalar;
        int components;
    } known[] = {{"position", RILL_SCALAR_FLOAT, 3}, {"velocity", RILL_SCALAR_FLOAT, 3},
                 {"density", RILL_SCALAR_FLOAT, 1},  {"pressure", RILL_SCALAR_FLOAT, 1},
                 {"id", RILL_SCALAR_UINT64, 1},      {"id", RILL_SCALAR_UINT32, 1}, /* in files of earlier versions */
                 {"fluid", RILL_SCALAR_UINT32, 1}};
    bool free = true;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(field->name, known[k].name) != 0) continue;
        if (field->scalar == known[k].scalar && field->components == known[k].components) return true;
        free = false;
    }
    return free;
}

static rill_status add_array(vtp_reader *reader, io_span tag, io_span name) {
    io_span type, unit, wide;
    rill_scalar scalar;
    uint64_t components = 1;
    if (!attribute(tag, "type", &type) || !scalar_of(type, &scalar))
        return fail(reader, "an array has an unexpected type");
    if (attribute(tag, "NumberOfComponents", &wide) && (!rill_io_span_count(wide, 64, &components) || components == 0))
        return fail(reader, "an array has an unexpected number of components");
    frame_field *field = rill_frame_parts_add(&reader->parts, name, scalar, (int)components);
    if (!field) return fail(reader, "has two arrays of one name, a name that is too long, or too many arrays");
    if (!is_sound(field)) return fail(reader, "an array has an unexpected type or number of components");
    if (attribute(tag, "unit", &unit) && (size_t)(unit.end - unit.begin) < sizeof field->unit)
        memcpy(field->unit, unit.begin, (size_t)(unit.end - unit.begin));
    return locate(reader, tag, (uint64_t)reader->parts.count * components * rill_scalar_size(scalar),
                  &reader->arrays[reader->parts.field_count - 1]);
}

/* The text between <NAME> and </NAME>, or empty if there is none. */
static io_span section(io_span head, const char *begin_tag, const char *end_tag) {
    const char *begin = rill_io_span_find(head, begin_tag);
    const char *end = begin ? rill_io_span_find((io_span){begin, head.end}, end_tag) : NULL;
    return end ? (io_span){begin, end} : (io_span){head.begin, head.begin};
}

static rill_status find_arrays(vtp_reader *reader) {
    static const char position[] = "position";
    const io_span points = section(reader->head, "<Points", "</Points>");
    const io_span data = section(reader->head, "<PointData", "</PointData>");
    const char *at = points.begin;
    io_span tag, name;
    if (!next_tag(points, &at, "<DataArray", &tag) || !attribute(tag, "Name", &name) || !is(name, "Points"))
        return fail(reader, "has no points");
    rill_status status = add_array(reader, tag, (io_span){position, position + strlen(position)});
    at = data.begin;
    while (status == RILL_OK && next_tag(data, &at, "<DataArray", &tag))
        if (attribute(tag, "Name", &name)) status = add_array(reader, tag, name);
    return status;
}

/* ---- pieces of cloth ---- */

/* Reads segments and triangles. This tool writes no other cells. */
static rill_status find_pieces(vtp_reader *reader, frame_pieces kind) {
    static const char *const tags[FRAME_PIECES][2] = {{"<Lines", "</Lines>"}, {"<Polys", "</Polys>"}};
    const io_span cells = section(reader->head, tags[kind][0], tags[kind][1]);
    const uint64_t count = (uint64_t)reader->parts.pieces[kind], ends = (uint64_t)frame_piece_ends(kind);
    const unsigned char *offsets = NULL;
    const char *at = cells.begin;
    io_span tag, name, type;
    while (count > 0 && next_tag(cells, &at, "<DataArray", &tag)) {
        if (!attribute(tag, "Name", &name) || !attribute(tag, "type", &type) || !is(type, "Int32")) continue;
        if (is(name, "connectivity")) TRY(locate(reader, tag, 4 * ends * count, &reader->pieces[kind]));
        if (is(name, "offsets")) TRY(locate(reader, tag, 4 * count, &offsets));
    }
    if (count > 0 && !(reader->pieces[kind] && offsets)) return fail(reader, "its lines or polygons are missing");
    for (uint64_t k = 0; k < count; k++)
        if (io_get32(offsets + 4 * k) != (uint32_t)(ends * (k + 1)))
            return fail(reader, "its lines are not of two points, or its polygons not of three");
    return RILL_OK;
}

static bool copy_pieces(const vtp_reader *reader, const rill_frame *frame) {
    for (int kind = 0; kind < FRAME_PIECES; kind++) {
        int32_t *to = rill_frame_pieces_room(frame, (frame_pieces)kind);
        const size_t ends = (size_t)frame_piece_ends((frame_pieces)kind) * (size_t)reader->parts.pieces[kind];
        for (size_t k = 0; to && k < ends; k++) to[k] = (int32_t)io_get32(reader->pieces[kind] + 4 * k);
    }
    return rill_frame_pieces_are_sound(frame);
}

/* ---- single values and tables ---- */

static void take_single(double *to, int width, const frame_numbers *numbers) {
    for (int k = 0; numbers->count == width && k < width; k++) to[k] = numbers->data[k];
}

static rill_status take_field(vtp_reader *reader, io_span name, io_span text) {
    frame_parts *parts = &reader->parts;
    for (int t = 0; t < FRAME_TABLES; t++) {
        if (!is(name, rill_frame_table_name((frame_table)t))) continue;
        return rill_frame_numbers_read(&parts->tables[t], text)
                   ? RILL_OK
                   : fail(reader, "has a table with entries that are not numbers");
    }
    frame_numbers numbers = {0};
    if (rill_frame_numbers_read(&numbers, text)) {
        if (is(name, "TimeValue")) take_single(&parts->time, 1, &numbers);
        if (is(name, "dimension")) take_single(&parts->dim, 1, &numbers);
        for (int v = 0; v < FRAME_VALUES; v++)
            if (is(name, rill_frame_value_name((frame_value)v)))
                take_single(parts->values[v], rill_frame_value_width((frame_value)v), &numbers);
    }
    free(numbers.data);
    return RILL_OK;
}

static rill_status read_fields(vtp_reader *reader) {
    const io_span fields = section(reader->head, "<FieldData", "</FieldData>");
    const char *at = fields.begin;
    io_span tag, name, format;
    rill_status status = RILL_OK;
    while (status == RILL_OK && next_tag(fields, &at, "<DataArray", &tag)) {
        const char *end = rill_io_span_find((io_span){at, fields.end}, "<");
        if (!attribute(tag, "Name", &name) || !attribute(tag, "format", &format) || !is(format, "ascii")) continue;
        status = take_field(reader, name, (io_span){at, end ? end : fields.end});
    }
    return status;
}

static void copy_arrays(const vtp_reader *reader, void *const data[FRAME_FIELDS_MAX]) {
    for (int f = 0; f < reader->parts.field_count; f++) {
        const frame_field *field = &reader->parts.fields[f];
        const size_t scalars = (size_t)field->components * (size_t)reader->parts.count;
        for (size_t k = 0; k < scalars; k++)
            if (field->scalar == RILL_SCALAR_UINT64)
                ((uint64_t *)data[f])[k] = io_get64(reader->arrays[f] + 8 * k);
            else
                ((uint32_t *)data[f])[k] = io_get32(reader->arrays[f] + 4 * k);
    }
}

rill_status rill_io_parse_vtp(const void *data, size_t size, const char *path, const io_run *run, rill_frame *frame,
                              rill_error *error) {
    vtp_reader reader = {.path = path, .parts = rill_frame_parts_begin(), .error = error};
    void *arrays[FRAME_FIELDS_MAX];
    rill_status status = split(&reader, data, size);
    if (status == RILL_OK) status = find_arrays(&reader);
    for (int kind = 0; kind < FRAME_PIECES && status == RILL_OK; kind++)
        status = find_pieces(&reader, (frame_pieces)kind);
    if (status == RILL_OK) status = read_fields(&reader);
    if (status == RILL_OK) status = rill_frame_parts_build(&reader.parts, path, run, frame, arrays, error);
    if (status == RILL_OK && !copy_pieces(&reader, frame))
        status = fail(&reader, "a line or polygon has points that do not exist");
    if (status == RILL_OK) {
        copy_arrays(&reader, arrays);
        rill_frame_guess_dim(frame);
    } else {
        rill_frame_free(frame);
    }
    rill_frame_parts_free(&reader.parts);
    return status;
}
