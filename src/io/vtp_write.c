/* SPDX-License-Identifier: MIT */
/* Frames as VTK XML PolyData: an XML head, then all arrays as raw little-endian bytes, one vertex cell a particle. */
#include "core/error.h"
#include "io/frame.h"
#include "io/io.h"

#include <string.h>

typedef struct vtp_writer {
    FILE *stream;
    const io_frame *frame;
    uint64_t offset; /* of the next array in the appended data */
} vtp_writer;

static const char *type_name(rill_scalar scalar) {
    switch (scalar) {
    case RILL_SCALAR_UINT32:
        return "UInt32";
    case RILL_SCALAR_INT32:
        return "Int32";
    case RILL_SCALAR_FLOAT:
        break;
    }
    return "Float32";
}

/* All scalars have four bytes; each array is preceded by its size. */
static uint64_t array_bytes(const io_frame *frame, int components) {
    return (uint64_t)frame->count * (uint64_t)components * 4;
}

static void declare(vtp_writer *writer, const char *type, const char *name, int components) {
    fprintf(writer->stream,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
            type, name, components, (unsigned long long)writer->offset);
    writer->offset += 8 + array_bytes(writer->frame, components);
}

static bool is_position(const rill_view *view) {
    return strcmp(view->name, "position") == 0;
}

static void write_head(vtp_writer *writer) {
    const io_frame *frame = writer->frame;
    fprintf(writer->stream,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
            "<PolyData>\n<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n"
            "<DataArray type=\"Float32\" Name=\"spacing\" NumberOfTuples=\"1\" format=\"ascii\">%.9g</DataArray>\n"
            "<DataArray type=\"Int32\" Name=\"dimension\" NumberOfTuples=\"1\" format=\"ascii\">%d</DataArray>\n"
            "</FieldData>\n"
            "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"0\">\n",
            frame->time, (double)frame->spacing, frame->dim, frame->count, frame->count);
    fputs("<Points>\n", writer->stream);
    declare(writer, "Float32", "Points", 3);
    fputs("</Points>\n<PointData>\n", writer->stream);
    for (int k = 0; k < rill_world_view_count(frame->world); k++) {
        rill_view view = rill_world_view_at(frame->world, k);
        if (!is_position(&view)) declare(writer, type_name(view.scalar), view.name, io_view_width(&view));
    }
    fputs("</PointData>\n<Verts>\n", writer->stream);
    declare(writer, "Int32", "connectivity", 1);
    declare(writer, "Int32", "offsets", 1);
    fputs("</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", writer->stream);
}

static void write_size(vtp_writer *writer, int components) {
    unsigned char size[8];
    io_put64(size, array_bytes(writer->frame, components));
    fwrite(size, 1, sizeof size, writer->stream);
}

static void write_view(vtp_writer *writer, const rill_view *view) {
    unsigned char bytes[IO_CHUNK * 3 * 4];
    int width = io_view_width(view), count = writer->frame->count;
    write_size(writer, width);
    for (int first = 0; first < count; first += IO_CHUNK) {
        int last = count - first < IO_CHUNK ? count : first + IO_CHUNK;
        unsigned char *next = bytes;
        for (int k = first; k < last; k++)
            for (int c = 0; c < width; c++, next += 4) io_put32(next, io_view_bits(view, writer->frame->order[k], c));
        fwrite(bytes, 1, (size_t)(next - bytes), writer->stream);
    }
}

/* first, first + 1, ...: point numbers of the vertex cells, or where each cell ends. */
static void write_counting(vtp_writer *writer, uint32_t first) {
    unsigned char bytes[4];
    write_size(writer, 1);
    for (int k = 0; k < writer->frame->count; k++) {
        io_put32(bytes, first + (uint32_t)k);
        fwrite(bytes, 1, sizeof bytes, writer->stream);
    }
}

static void write_frame(vtp_writer *writer, const rill_view *position) {
    write_head(writer);
    write_view(writer, position);
    for (int k = 0; k < rill_world_view_count(writer->frame->world); k++) {
        rill_view view = rill_world_view_at(writer->frame->world, k);
        if (!is_position(&view)) write_view(writer, &view);
    }
    write_counting(writer, 0);
    write_counting(writer, 1);
    fputs("\n</AppendedData>\n</VTKFile>\n", writer->stream);
}

rill_status io_write_vtp(const rill_world *world, const char *path, rill_error *error) {
    rill_view position;
    if (rill_world_view(world, "position", &position) != RILL_OK)
        return rill_fail(error, RILL_NOT_FOUND, "%s: this world has no positions to write", path);
    io_frame frame;
    rill_status status = io_frame_open(&frame, world, error);
    if (status != RILL_OK) return status;
    io_file file;
    status = io_open(&file, path, error);
    if (status == RILL_OK) {
        write_frame(&(vtp_writer){.stream = file.stream, .frame = &frame}, &position);
        status = io_commit(&file, error);
    }
    io_frame_close(&frame);
    return status;
}
