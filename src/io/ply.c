/* SPDX-License-Identifier: MIT */
/* Frames as binary PLY, written and read: one vertex a particle, one property a scalar. */
#include "core/error.h"
#include "io/frame.h"
#include "io/io.h"
#include "io/parse.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */
static const char *type_name(rill_scalar scalar) {
    switch (scalar) {
    case RILL_SCALAR_UINT32:
        return "uint";
    case RILL_SCALAR_INT32:
        return "int";
    case RILL_SCALAR_FLOAT:
        break;
    }
    return "float";
}

/* Positions are x y z and velocities vx vy vz, as other programs know them; any other vector is NAME_x and so on. */
static void write_properties(FILE *stream, const rill_view *view) {
    const char *type = type_name(view->scalar);
    for (int c = 0; c < io_view_width(view); c++) {
        if (strcmp(view->name, "position") == 0) {
            fprintf(stream, "property %s %c\n", type, "xyz"[c]);
        } else if (strcmp(view->name, "velocity") == 0) {
            fprintf(stream, "property %s v%c\n", type, "xyz"[c]);
        } else if (view->components > 1) {
            fprintf(stream, "property %s %s_%c\n", type, view->name, "xyz"[c]);
        } else {
            fprintf(stream, "property %s %s\n", type, view->name);
        }
    }
}

static void write_frame(FILE *stream, const io_frame *frame, const rill_view *views, int view_count,
                        unsigned char *row) {
    fprintf(stream,
            "ply\nformat binary_little_endian 1.0\ncomment rill %s\ncomment time %.17g\ncomment dim %d\n"
            "comment spacing %.9g\nelement vertex %d\n",
            rill_version(), frame->time, frame->dim, (double)frame->spacing, frame->count);
    for (int v = 0; v < view_count; v++) write_properties(stream, &views[v]);
    fputs("end_header\n", stream);
    for (int k = 0; k < frame->count; k++) {
        unsigned char *next = row;
        for (int v = 0; v < view_count; v++)
            for (int c = 0; c < io_view_width(&views[v]); c++, next += 4)
                io_put32(next, io_view_bits(&views[v], frame->order[k], c));
        fwrite(row, 1, (size_t)(next - row), stream);
    }
}

rill_status io_write_ply(const rill_world *world, const char *path, rill_error *error) {
    io_frame frame;
    rill_status status = io_frame_open(&frame, world, error);
    if (status != RILL_OK) return status;
    int view_count = rill_world_view_count(world);
    rill_view *views = malloc(((size_t)view_count + 1) * sizeof *views);
    unsigned char *row = malloc(((size_t)view_count + 1) * 3 * 4);
    io_file file;
    if (!views || !row) {
        status = rill_fail(error, RILL_MEMORY, "%s: not enough memory to write a frame", path);
    } else {
        for (int v = 0; v < view_count; v++) views[v] = rill_world_view_at(world, v);
        status = io_open(&file, path, error);
    }
    if (status == RILL_OK) {
        write_frame(file.stream, &frame, views, view_count, row);
        status = io_commit(&file, error);
    }
    free(row);
    free(views);
    io_frame_close(&frame);
    return status;
}

/* ---- reading ---- */
typedef enum ply_type {
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT,
    PLY_DOUBLE
} ply_type;

/* What this project reads of a vertex. */
typedef enum ply_field {
    PLY_X,
    PLY_Y,
    PLY_Z,
    PLY_VX,
    PLY_VY,
    PLY_VZ,
    PLY_DENSITY,
    PLY_PRESSURE,
    PLY_ID,
    PLY_FLUID,
    PLY_FIELD_COUNT
} ply_field;

typedef struct ply_reader {
    const char *path;
    rill_error *error;
    int line;
    uint64_t count;
    bool in_vertex, seen_vertex, seen_other, little_endian;
    size_t row; /* bytes of a vertex */
    bool has[PLY_FIELD_COUNT];
    size_t offset[PLY_FIELD_COUNT];
    ply_type type[PLY_FIELD_COUNT];
    double time, spacing, dim;
} ply_reader;

static rill_status fail(const ply_reader *reader, const char *what) {
    return rill_fail(reader->error, RILL_FORMAT,
                     "%s: line %d: %s; expected a binary little-endian .ply frame as written by this tool",
                     reader->path, reader->line, what);
}

/* Takes the next word of a line off its front. */
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

static bool find_type(io_span word, ply_type *type, size_t *bytes) {
    static const struct {
        const char *name, *other_name;
        size_t bytes;
    } known[] = {[PLY_INT8] = {"char", "int8", 1},      [PLY_UINT8] = {"uchar", "uint8", 1},
                 [PLY_INT16] = {"short", "int16", 2},   [PLY_UINT16] = {"ushort", "uint16", 2},
                 [PLY_INT32] = {"int", "int32", 4},     [PLY_UINT32] = {"uint", "uint32", 4},
                 [PLY_FLOAT] = {"float", "float32", 4}, [PLY_DOUBLE] = {"double", "float64", 8}};
    for (int k = 0; k < (int)(sizeof known / sizeof *known); k++) {
        if (!is(word, known[k].name) && !is(word, known[k].other_name)) continue;
        *type = (ply_type)k;
        *bytes = known[k].bytes;
        return true;
    }
    return false;
}

static rill_status read_property(ply_reader *reader, io_span line) {
    static const char *const names[PLY_FIELD_COUNT] = {"x",  "y",       "z",        "vx", "vy",
                                                       "vz", "density", "pressure", "id", "fluid"};
    ply_type type;
    size_t bytes;
    if (!find_type(next_word(&line), &type, &bytes)) return fail(reader, "a vertex property of unknown or list type");
    io_span name = next_word(&line);
    for (int f = 0; f < PLY_FIELD_COUNT; f++) {
        if (!is(name, names[f])) continue;
        if (reader->has[f]) return fail(reader, "a property that was there before");
        reader->has[f] = true;
        reader->type[f] = type;
        reader->offset[f] = reader->row;
    }
    reader->row += bytes;
    return RILL_OK;
}

static rill_status read_element(ply_reader *reader, io_span line) {
    reader->in_vertex = is(next_word(&line), "vertex");
    if (!reader->in_vertex) {
        reader->seen_other = true;
        return RILL_OK;
    }
    if (reader->seen_vertex || reader->seen_other) return fail(reader, "vertices must come first, and once");
    reader->seen_vertex = true;
    if (!io_span_count(next_word(&line), INT_MAX - 1, &reader->count))
        return fail(reader, "the number of vertices makes no sense");
    return RILL_OK;
}

static void read_comment(ply_reader *reader, io_span line) {
    io_span word = next_word(&line);
    if (is(word, "time")) (void)io_span_number(line, &reader->time);
    if (is(word, "spacing")) (void)io_span_number(line, &reader->spacing);
    if (is(word, "dim")) (void)io_span_number(line, &reader->dim);
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

/* Reads up to end_header and leaves `body` at the data. */
static rill_status read_head(ply_reader *reader, io_span *body) {
    for (;;) {
        const char *newline = memchr(body->begin, '\n', (size_t)(body->end - body->begin));
        reader->line++;
        if (!newline) return fail(reader, "the head has no end_header");
        io_span line = {body->begin, newline};
        if (line.end > line.begin && line.end[-1] == '\r') line.end--;
        body->begin = newline + 1;
        if (is(line, "end_header")) break;
        rill_status status = read_line(reader, line);
        if (status != RILL_OK) return status;
    }
    if (!reader->little_endian) return fail(reader, "the head names no format");
    if (!reader->seen_vertex) return fail(reader, "the head names no vertices");
    if (!reader->has[PLY_X] || !reader->has[PLY_Y]) return fail(reader, "the vertices have no x and y");
    if (reader->count > (uint64_t)(body->end - body->begin) / reader->row)
        return fail(reader, "the file is cut short: fewer bytes follow than its vertices need");
    return RILL_OK;
}

static double read_scalar(const ply_reader *reader, const unsigned char *row, ply_field field) {
    if (!reader->has[field]) return 0.0;
    const unsigned char *bytes = row + reader->offset[field];
    uint32_t bits;
    uint64_t long_bits;
    float single;
    double number;
    switch (reader->type[field]) {
    case PLY_INT8:
        return bytes[0] < 128 ? bytes[0] : bytes[0] - 256;
    case PLY_UINT8:
        return bytes[0];
    case PLY_INT16:
        return (bytes[0] | bytes[1] << 8) - (bytes[1] < 128 ? 0 : 65536);
    case PLY_UINT16:
        return bytes[0] | bytes[1] << 8;
    case PLY_INT32:
        return (double)io_get32(bytes) - (bytes[3] < 128 ? 0.0 : 4294967296.0);
    case PLY_UINT32:
        return io_get32(bytes);
    case PLY_FLOAT:
        bits = io_get32(bytes);
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    case PLY_DOUBLE:
        long_bits = io_get64(bytes);
        memcpy(&number, &long_bits, sizeof number);
        return number;
    }
    return 0.0;
}

/* Casts that would leave the range of the type are undefined in C, so such numbers become "not a number" and 0. */
static float to_float(double value) {
    return value >= -3.4e38 && value <= 3.4e38 ? (float)value : NAN;
}

static uint32_t to_id(double value) {
    return value >= 0.0 && value <= (double)UINT32_MAX ? (uint32_t)value : 0;
}

static void read_rows(const ply_reader *reader, const unsigned char *row, io_particles *particles) {
    for (int k = 0; k < particles->count; k++, row += reader->row) {
        float value[PLY_FIELD_COUNT];
        for (int f = 0; f < PLY_FIELD_COUNT; f++) value[f] = to_float(read_scalar(reader, row, (ply_field)f));
        particles->position[k] = (rill_vec){value[PLY_X], value[PLY_Y], value[PLY_Z]};
        particles->velocity[k] = (rill_vec){value[PLY_VX], value[PLY_VY], value[PLY_VZ]};
        if (particles->density) particles->density[k] = value[PLY_DENSITY];
        if (particles->pressure) particles->pressure[k] = value[PLY_PRESSURE];
        if (reader->has[PLY_ID]) particles->id[k] = to_id(read_scalar(reader, row, PLY_ID));
        particles->fluid[k] = to_id(read_scalar(reader, row, PLY_FLUID));
    }
}

rill_status io_parse_ply(const void *data, size_t size, const char *path, io_particles *particles, rill_error *error) {
    *particles = (io_particles){.time = -1.0};
    ply_reader reader = {.path = path, .error = error, .time = -1.0};
    io_span body = {data, (const char *)data + size};
    rill_status status = read_head(&reader, &body);
    if (status == RILL_OK)
        status = io_particles_allocate(particles, (int)reader.count, reader.has[PLY_DENSITY], reader.has[PLY_PRESSURE],
                                       error);
    if (status != RILL_OK) return status;
    read_rows(&reader, (const unsigned char *)body.begin, particles);
    particles->dim = reader.dim == 2.0 || reader.dim == 3.0 ? (int)reader.dim : io_particles_guess_dim(particles);
    particles->time = reader.time;
    particles->spacing = reader.spacing > 0.0 && reader.spacing < 1e30 ? (float)reader.spacing : 0.0f;
    return RILL_OK;
}
