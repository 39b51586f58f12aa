/* SPDX-License-Identifier: MIT */
/* Triangle meshes from bytes: detects the format, and checks what all formats must contain. */
#include "geometry/read/read.h"

#include "core/error.h"
#include "geometry/read/reader.h"

#include <string.h>

static const struct {
    const char *name, *ending;
    bool (*is)(const mesh_reader *r);
    rill_status (*read)(mesh_reader *r);
} formats[MESH_FORMATS] = {
    [MESH_FORMAT_NONE] = {"unknown", "", NULL, NULL},
    [MESH_FORMAT_PLY] = {"PLY", "ply", rill_mesh_is_ply, rill_mesh_read_ply},
    [MESH_FORMAT_STL] = {"STL", "stl", rill_mesh_is_stl, rill_mesh_read_stl},
    [MESH_FORMAT_OFF] = {"OFF", "off", rill_mesh_is_off, rill_mesh_read_off},
    [MESH_FORMAT_OBJ] = {"OBJ", "obj", NULL, rill_mesh_read_obj},
};

const char *rill_mesh_format_name(mesh_format format) {
    return formats[format].name;
}

/* Starts after the byte order mark that some programs put before UTF-8. */
static mesh_reader reader_at(const char *bytes, size_t size) {
    mesh_reader r = {.begin = bytes, .at = bytes, .end = bytes + size, .line = 1};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) r.at += 3;
    return r;
}

static mesh_word ending_of(const char *name) {
    const char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');
    const char *end = name + strlen(name);
    return dot && (!slash || dot > slash) ? (mesh_word){dot + 1, end} : (mesh_word){end, end};
}

/* OBJ files have no signature, so a name that ends in .stl outweighs a first word "s". */
static mesh_format format_of(const mesh_reader *r, const char *name) {
    for (int k = MESH_FORMAT_NONE + 1; k < MESH_FORMATS; k++)
        if (formats[k].is && formats[k].is(r)) return (mesh_format)k;
    for (int k = MESH_FORMAT_NONE + 1; k < MESH_FORMATS; k++)
        if (rill_mesh_word_is(ending_of(name), formats[k].ending)) return (mesh_format)k;
    return rill_mesh_is_obj(r) ? MESH_FORMAT_OBJ : MESH_FORMAT_NONE;
}

mesh_format rill_mesh_format_of(const void *bytes, size_t size, const char *name) {
    const mesh_reader r = reader_at(bytes, size);
    return size > 0 ? format_of(&r, name) : MESH_FORMAT_NONE;
}

static rill_status read_mesh(mesh_reader *r) {
    const mesh_format format = format_of(r, r->name);
    if (format == MESH_FORMAT_NONE)
        return rill_fail(
            r->error, RILL_FORMAT,
            "%s: is not an OBJ, PLY, STL or OFF mesh; open it in Blender and choose File > Export > Wavefront (.obj)",
            r->name);
    TRY(formats[format].read(r));
    if (r->mesh->triangle_count > 0 && r->mesh->vertex_count >= 3) return RILL_OK;
    return rill_fail(r->error, RILL_FORMAT,
                     "%s: there are no triangles in it (points and lines make no solid); export the surface", r->name);
}

rill_status rill_mesh_read(memory *m, const void *bytes, size_t size, const char *name, owned_mesh *out,
                           rill_error *error) {
    *out = (owned_mesh){0};
    if (size == 0) return rill_fail(error, RILL_FORMAT, "%s: the file is empty; export the mesh again", name);
    mesh_reader r = reader_at(bytes, size);
    r.memory = m, r.name = name, r.mesh = out, r.error = error;
    const rill_status status = read_mesh(&r);
    rill_buffer_free(m, &r.corners);
    rill_buffer_free(m, &r.work);
    if (status != RILL_OK) rill_owned_mesh_free(m, out);
    return status;
}
