/* SPDX-License-Identifier: MIT */
/* VTK XML PolyData read back, in the form that vtp_write.c gives it: raw appended data behind 64-bit sizes. */
#include "core/error.h"
#include "io/frame.h"
#include "io/parse.h"

#include <limits.h>
#include <string.h>

/* Where an array of the file lies: checked against the size of the file. NULL: the file has none. */
typedef struct vtp_arrays {
    const unsigned char *position, *velocity, *density, *pressure, *id, *fluid;
} vtp_arrays;

typedef struct vtp_reader {
    const char *path;
    io_span head;     /* the XML before the data */
    io_span appended; /* the bytes after the underscore */
    uint64_t count;
    rill_error *error;
} vtp_reader;

static rill_status fail(const vtp_reader *reader, const char *what) {
    return rill_fail(reader->error, RILL_FORMAT,
                     "%s: %s; expected a .vtp frame as written by this tool: write it again", reader->path, what);
}

/* The text between the quotes of NAME="..." in a tag; false if the tag has no such attribute. */
static bool attribute(io_span tag, const char *name, io_span *value) {
    size_t length = strlen(name);
    for (const char *at; (at = io_span_find(tag, name)); tag.begin = at + 1) {
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

/* Finds the next <NAME ...> from `*at` on and moves `*at` behind it. */
static bool next_tag(io_span head, const char **at, const char *name, io_span *tag) {
    const char *begin = io_span_find((io_span){*at, head.end}, name);
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
    if (!io_span_find(tail, "</VTKFile>")) return fail(reader, "is cut short");
    const char *appended = io_span_find(whole, "<AppendedData");
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
    if (!next_tag(reader->head, &at, "<VTKFile", &tag)) return fail(reader, "is no VTK file");
    if (!attribute(tag, "type", &value) || !is(value, "PolyData")) return fail(reader, "is not PolyData");
    if (!attribute(tag, "byte_order", &value) || !is(value, "LittleEndian"))
        return fail(reader, "is not little-endian");
    if (!attribute(tag, "header_type", &value) || !is(value, "UInt64"))
        return fail(reader, "its header_type is not UInt64");
    if (attribute(tag, "compressor", &value)) return fail(reader, "is compressed");
    if (!next_tag(reader->head, &at, "<Piece", &tag) || !attribute(tag, "NumberOfPoints", &value))
        return fail(reader, "does not say how many points it has");
    if (!io_span_count(value, INT_MAX - 1, &reader->count)) return fail(reader, "its number of points makes no sense");
    return RILL_OK;
}

/* Checks that the tag describes `components` scalars of `type` for every particle, all of them inside the file. */
static rill_status locate(const vtp_reader *reader, io_span tag, const char *type, unsigned components,
                          const unsigned char **array) {
    io_span value;
    uint64_t offset, wide = 1, room = (uint64_t)(reader->appended.end - reader->appended.begin);
    if (!attribute(tag, "type", &value) || !is(value, type)) return fail(reader, "an array has an unexpected type");
    if (attribute(tag, "NumberOfComponents", &value) && !io_span_count(value, 3, &wide)) wide = 0;
    if (wide != components) return fail(reader, "an array has an unexpected number of components");
    if (!attribute(tag, "format", &value) || !is(value, "appended"))
        return fail(reader, "an array is not in the appended data");
    if (!attribute(tag, "offset", &value) || !io_span_count(value, room, &offset) || room - offset < 8)
        return fail(reader, "an array starts past the end of the file");
    const unsigned char *start = (const unsigned char *)reader->appended.begin + offset;
    uint64_t bytes = io_get64(start);
    if (bytes != reader->count * components * 4) return fail(reader, "an array has an unexpected size");
    if (bytes > room - offset - 8) return fail(reader, "an array ends past the end of the file");
    *array = start + 8;
    return RILL_OK;
}

static rill_status locate_all(const vtp_reader *reader, vtp_arrays *arrays) {
    const struct {
        const char *name, *type;
        unsigned components;
        const unsigned char **array;
    } wanted[] = {{"Points", "Float32", 3, &arrays->position},
                  {"velocity", "Float32", 3, &arrays->velocity},
                  {"density", "Float32", 1, &arrays->density},
                  {"pressure", "Float32", 1, &arrays->pressure},
                  {"id", "UInt32", 1, &arrays->id},
                  {"fluid", "UInt32", 1, &arrays->fluid}};
    const char *at = reader->head.begin;
    io_span tag, name;
    while (next_tag(reader->head, &at, "<DataArray", &tag)) {
        if (!attribute(tag, "Name", &name)) continue;
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
            if (!is(name, wanted[k].name)) continue;
            rill_status status = locate(reader, tag, wanted[k].type, wanted[k].components, wanted[k].array);
            if (status != RILL_OK) return status;
        }
    }
    return arrays->position ? RILL_OK : fail(reader, "has no points");
}

/* A number of the field data; `otherwise` if the file does not tell. */
static double field_number(const vtp_reader *reader, const char *field, double otherwise) {
    const char *at = reader->head.begin;
    io_span tag, name, format;
    double value;
    while (next_tag(reader->head, &at, "<DataArray", &tag)) {
        if (!attribute(tag, "Name", &name) || !is(name, field)) continue;
        if (!attribute(tag, "format", &format) || !is(format, "ascii")) continue;
        if (io_span_number((io_span){at, reader->head.end}, &value)) return value;
    }
    return otherwise;
}

static float float_at(const unsigned char *array, size_t index) {
    uint32_t bits = io_get32(array + 4 * index);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static rill_vec vec_at(const unsigned char *array, size_t index) {
    return (rill_vec){float_at(array, 3 * index), float_at(array, 3 * index + 1), float_at(array, 3 * index + 2)};
}

static void copy_arrays(const vtp_arrays *arrays, io_particles *particles) {
    for (size_t k = 0; k < (size_t)particles->count; k++) {
        particles->position[k] = vec_at(arrays->position, k);
        if (arrays->velocity) particles->velocity[k] = vec_at(arrays->velocity, k);
        if (arrays->density) particles->density[k] = float_at(arrays->density, k);
        if (arrays->pressure) particles->pressure[k] = float_at(arrays->pressure, k);
        if (arrays->id) particles->id[k] = io_get32(arrays->id + 4 * k);
        if (arrays->fluid) particles->fluid[k] = io_get32(arrays->fluid + 4 * k);
    }
}

rill_status io_parse_vtp(const void *data, size_t size, const char *path, io_particles *particles, rill_error *error) {
    *particles = (io_particles){.time = -1.0};
    vtp_reader reader = {.path = path, .error = error};
    vtp_arrays arrays = {NULL, NULL, NULL, NULL, NULL, NULL};
    rill_status status = split(&reader, data, size);
    if (status == RILL_OK) status = locate_all(&reader, &arrays);
    if (status == RILL_OK)
        status =
            io_particles_allocate(particles, (int)reader.count, arrays.density != NULL, arrays.pressure != NULL, error);
    if (status != RILL_OK) return status;
    copy_arrays(&arrays, particles);
    double dim = field_number(&reader, "dimension", 0.0);
    particles->dim = dim == 2.0 || dim == 3.0 ? (int)dim : io_particles_guess_dim(particles);
    particles->time = field_number(&reader, "TimeValue", -1.0);
    double spacing = field_number(&reader, "spacing", 0.0);
    particles->spacing = spacing > 0.0 && spacing < 1e30 ? (float)spacing : 0.0f;
    return RILL_OK;
}
