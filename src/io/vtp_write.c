/* SPDX-License-Identifier: MIT */
/* Frames as VTK XML PolyData: an XML head with single values and with rows for solids, bodies and joints, then all
   particle arrays as raw little-endian bytes, one vertex cell a particle. */
#include "core/error.h"
#include "io/bytes.h"
#include "io/frame_parts.h"

#include <string.h>

typedef struct vtp_writer {
    FILE *stream;
    const rill_frame *frame;
    uint64_t offset; /* of the next array in the appended data */
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

/* Each array is preceded by its size. */
static uint64_t array_bytes(const rill_frame *frame, rill_scalar scalar, int components) {
    return (uint64_t)frame->count * (uint64_t)components * rill_scalar_size(scalar);
}

static void declare(vtp_writer *writer, rill_scalar scalar, const char *name, const char *unit, int components) {
    fprintf(writer->stream, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"", type_name(scalar), name,
            components);
    if (unit && *unit) fprintf(writer->stream, " unit=\"%s\"", unit);
    fprintf(writer->stream, " format=\"appended\" offset=\"%llu\"/>\n", (unsigned long long)writer->offset);
    writer->offset += 8 + array_bytes(writer->frame, scalar, components);
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
    fprintf(writer->stream,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
            "<PolyData>\n<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n"
            "<DataArray type=\"Int32\" Name=\"dimension\" NumberOfTuples=\"1\" format=\"ascii\">%d</DataArray>\n",
            frame->time, frame->dim);
    write_values(writer);
    write_tables(writer);
    fprintf(writer->stream,
            "</FieldData>\n"
            "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"0\">\n",
            frame->count, frame->count);
    fputs("<Points>\n", writer->stream);
    declare(writer, RILL_SCALAR_FLOAT, "Points", NULL, 3);
    fputs("</Points>\n<PointData>\n", writer->stream);
    for (int k = 0; k < frame->field_count; k++) {
        const rill_view *field = &frame->field[k];
        if (!is_position(field)) declare(writer, field->scalar, field->name, field->unit, io_field_width(field));
    }
    fputs("</PointData>\n<Verts>\n", writer->stream);
    declare(writer, RILL_SCALAR_INT32, "connectivity", NULL, 1);
    declare(writer, RILL_SCALAR_INT32, "offsets", NULL, 1);
    fputs("</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", writer->stream);
}

static void write_size(vtp_writer *writer, rill_scalar scalar, int components) {
    unsigned char size[8];
    io_put64(size, array_bytes(writer->frame, scalar, components));
    fwrite(size, 1, sizeof size, writer->stream);
}

static void write_field(vtp_writer *writer, const rill_view *field) {
    unsigned char bytes[IO_CHUNK], *next = bytes;
    const int width = io_field_width(field);
    const size_t size = rill_scalar_size(field->scalar);
    write_size(writer, field->scalar, width);
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

/* first, first + 1, ...: point numbers of the vertex cells, or where each cell ends. */
static void write_counting(vtp_writer *writer, uint32_t first) {
    unsigned char bytes[4];
    write_size(writer, RILL_SCALAR_INT32, 1);
    for (int k = 0; k < writer->frame->count; k++) {
        io_put32(bytes, first + (uint32_t)k);
        fwrite(bytes, 1, sizeof bytes, writer->stream);
    }
}

static void write_frame(vtp_writer *writer, const rill_view *position) {
    write_head(writer);
    write_field(writer, position);
    for (int k = 0; k < writer->frame->field_count; k++)
        if (!is_position(&writer->frame->field[k])) write_field(writer, &writer->frame->field[k]);
    write_counting(writer, 0);
    write_counting(writer, 1);
    fputs("\n</AppendedData>\n</VTKFile>\n", writer->stream);
}

rill_status rill_io_write_vtp(const rill_frame *frame, const char *path, rill_error *error) {
    const rill_view *position = rill_frame_field(frame, "position");
    if (!position) return rill_fail(error, RILL_NOT_FOUND, "%s: this frame has no positions to write", path);
    io_file file;
    TRY(rill_io_open(&file, path, error));
    write_frame(&(vtp_writer){.stream = file.stream, .frame = frame}, position);
    return rill_io_commit(&file, error);
}
