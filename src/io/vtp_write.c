/* SPDX-License-Identifier: MIT */
/* Frames as VTK XML PolyData: an XML header with single values and with rows for solids, bodies and joints; then all
   particle arrays as raw little-endian bytes, with a vertex cell for each particle and a line or polygon for each piece
   of cloth. */
#include "core/error.h"
#include "io/bytes.h"
#include "io/frame_parts.h"
#include "io/vtp.h"

#include <stdlib.h>
#include <string.h>

typedef struct vtp_writer {
    FILE *stream;
    const rill_frame *frame;
    const rill_frame_links *pieces[FRAME_PIECES]; /* NULL: there are none */
    const int32_t *places;                        /* of the particles in the file; NULL: their order in the arrays */
    uint64_t offset;                              /* of the next array in the appended data */
} vtp_writer;

static const char *type_name(rill_scalar scalar) {
    switch (scalar) {
    case RILL_SCALAR_UINT32:
        return "UInt32";
    case RILL_SCALAR_INT32:
        return "Int32";
    case RILL_SCALAR_UINT64:
        return "UInt64";
    case RILL_SCALAR_FLOAT:
        break;
    }
    return "Float32";
}

/* Size of an array in bytes; it is also written before the array. */
static uint64_t array_bytes(int rows, rill_scalar scalar, int components) {
    return (uint64_t)rows * (uint64_t)components * rill_scalar_size(scalar);
}

static void declare_rows(vtp_writer *writer, int rows, rill_scalar scalar, const char *name, const char *unit,
                         int components) {
    fprintf(writer->stream, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"", type_name(scalar), name,
            components);
    if (unit && *unit) fprintf(writer->stream, " unit=\"%s\"", unit);
    fprintf(writer->stream, " format=\"appended\" offset=\"%llu\"/>\n", (unsigned long long)writer->offset);
    writer->offset += 8 + array_bytes(rows, scalar, components);
}

/* Declares an array with a row for each particle. */
static void declare(vtp_writer *writer, rill_scalar scalar, const char *name, const char *unit, int components) {
    declare_rows(writer, writer->frame->count, scalar, name, unit, components);
}

static int piece_count(const vtp_writer *writer, frame_pieces kind) {
    return writer->pieces[kind] ? writer->pieces[kind]->count : 0;
}

static void declare_cells(vtp_writer *writer, const char *tag, int cells, int ends) {
    fprintf(writer->stream, "<%s>\n", tag);
    declare_rows(writer, cells * ends, RILL_SCALAR_INT32, "connectivity", NULL, 1);
    declare_rows(writer, cells, RILL_SCALAR_INT32, "offsets", NULL, 1);
    fprintf(writer->stream, "</%s>\n", tag);
}

static bool is_position(const rill_view *view) {
    return strcmp(view->name, "position") == 0;
}

static void begin_field(vtp_writer *writer, const char *type, const char *name, int components, int rows) {
    fprintf(writer->stream,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" NumberOfTuples=\"%d\" format=\"ascii\">",
            type, name, components, rows);
}

static void write_values(vtp_writer *writer) {
    for (int v = 0; v < FRAME_VALUES; v++) {
        double numbers[3];
        const int width = rill_frame_value_width((frame_value)v);
        rill_frame_value_get(writer->frame, (frame_value)v, numbers);
        begin_field(writer, v == FRAME_STEP ? "Int64" : "Float32", rill_frame_value_name((frame_value)v), width, 1);
        for (int k = 0; k < width; k++)
            fprintf(writer->stream, k ? " %.*g" : "%.*g", v == FRAME_STEP ? 17 : 9, numbers[k]);
        fputs("</DataArray>\n", writer->stream);
    }
}

static void write_tables(vtp_writer *writer) {
    for (int t = 0; t < FRAME_TABLES; t++) {
        const int rows = rill_frame_table_count(writer->frame, (frame_table)t),
                  width = rill_frame_table_width((frame_table)t);
        if (rows == 0) continue;
        begin_field(writer, "Float32", rill_frame_table_name((frame_table)t), width, rows);
        for (int k = 0; k < rows; k++) {
            float row[FRAME_ROW_MAX];
            rill_frame_table_row(writer->frame, (frame_table)t, k, row);
            for (int n = 0; n < width; n++) fprintf(writer->stream, n ? " %.9g" : "\n%.9g", (double)row[n]);
        }
        fputs("\n</DataArray>\n", writer->stream);
    }
}

static void write_head(vtp_writer *writer) {
    const rill_frame *frame = writer->frame;
    vtp_begin(writer->stream, frame->time);
    fprintf(writer->stream,
            "<DataArray type=\"Int32\" Name=\"dimension\" NumberOfTuples=\"1\" format=\"ascii\">%d</DataArray>\n",
            frame->dim);
    write_values(writer);
    write_tables(writer);
    vtp_piece(writer->stream, frame->count, frame->count, piece_count(writer, FRAME_SEGMENTS),
              piece_count(writer, FRAME_TRIANGLES));
    declare(writer, RILL_SCALAR_FLOAT, "Points", NULL, 3);
    fputs("</Points>\n<PointData>\n", writer->stream);
    for (int k = 0; k < frame->field_count; k++) {
        const rill_view *field = &frame->field[k];
        if (!is_position(field)) declare(writer, field->scalar, field->name, field->unit, io_field_width(field));
    }
    fputs("</PointData>\n", writer->stream);
    declare_cells(writer, "Verts", frame->count, 1);
    for (int kind = 0; kind < FRAME_PIECES; kind++)
        if (writer->pieces[kind])
            declare_cells(writer, kind == FRAME_SEGMENTS ? "Lines" : "Polys", writer->pieces[kind]->count,
                          writer->pieces[kind]->ends);
    fputs("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", writer->stream);
}

static void write_size(vtp_writer *writer, uint64_t bytes) {
    unsigned char size[8];
    io_put64(size, bytes);
    fwrite(size, 1, sizeof size, writer->stream);
}

static void write_field(vtp_writer *writer, const rill_view *field) {
    unsigned char bytes[IO_CHUNK], *next = bytes;
    const int width = io_field_width(field);
    const size_t size = rill_scalar_size(field->scalar);
    write_size(writer, array_bytes(writer->frame->count, field->scalar, width));
    for (int k = 0; k < writer->frame->count; k++)
        for (int c = 0; c < width; c++) {
            io_put(next, io_field_bits(writer->frame, field, k, c), size);
            next += size;
            if (next < bytes + IO_CHUNK) continue;
            fwrite(bytes, 1, IO_CHUNK, writer->stream);
            next = bytes;
        }
    fwrite(bytes, 1, (size_t)(next - bytes), writer->stream);
}

static void write_int(vtp_writer *writer, uint32_t value) {
    unsigned char bytes[4];
    io_put32(bytes, value);
    fwrite(bytes, 1, sizeof bytes, writer->stream);
}

/* Writes first, first + stride, ...: point numbers of the vertex cells, or the ends of cells. */
static void write_counting(vtp_writer *writer, int rows, uint32_t first, uint32_t stride) {
    write_size(writer, array_bytes(rows, RILL_SCALAR_INT32, 1));
    for (int k = 0; k < rows; k++) write_int(writer, first + stride * (uint32_t)k);
}

static void write_pieces(vtp_writer *writer, const rill_frame_links *l) {
    const int ends = l->count * l->ends;
    write_size(writer, array_bytes(ends, RILL_SCALAR_INT32, 1));
    for (int k = 0; k < ends; k++)
        write_int(writer, (uint32_t)(writer->places ? writer->places[l->particle[k]] : l->particle[k]));
    write_counting(writer, l->count, (uint32_t)l->ends, (uint32_t)l->ends);
}

static void write_frame(vtp_writer *writer, const rill_view *position) {
    write_head(writer);
    write_field(writer, position);
    for (int k = 0; k < writer->frame->field_count; k++)
        if (!is_position(&writer->frame->field[k])) write_field(writer, &writer->frame->field[k]);
    write_counting(writer, writer->frame->count, 0, 1);
    write_counting(writer, writer->frame->count, 1, 1);
    for (int kind = 0; kind < FRAME_PIECES; kind++)
        if (writer->pieces[kind]) write_pieces(writer, writer->pieces[kind]);
    vtp_end(writer->stream);
}

rill_status rill_io_write_vtp(const rill_frame *frame, const char *path, rill_error *error) {
    const rill_view *position = rill_frame_field(frame, "position");
    if (!position) return rill_fail(error, RILL_NOT_FOUND, "%s: this frame has no positions to write", path);
    bool ok;
    int32_t *places = rill_frame_file_places(frame, &ok);
    if (!ok) return rill_fail(error, RILL_MEMORY, "%s: no memory for the order of %d particles", path, frame->count);
    io_file file;
    rill_status status = rill_io_open(&file, path, error);
    if (status == RILL_OK) {
        vtp_writer writer = {.stream = file.stream, .frame = frame, .places = places};
        for (int kind = 0; kind < FRAME_PIECES; kind++)
            writer.pieces[kind] = rill_frame_pieces_of(frame, (frame_pieces)kind);
        write_frame(&writer, position);
        status = rill_io_commit(&file, error);
    }
    free(places);
    return status;
}
