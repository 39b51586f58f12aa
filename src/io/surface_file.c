/* SPDX-License-Identifier: MIT */
/* Writers of surface meshes. All numbers are little-endian on any machine. */
#include "io/surface_file.h"

#include "core/error.h"
#include "io/bytes.h"
#include "io/io.h"
#include "io/vtp.h"

#include <math.h>
#include <string.h>

const char *rill_io_surface_ending(rill_surface_format format) {
    static const char *const endings[RILL_SURFACE_FORMATS] = {"ply", "obj", "vtp", "glb"};
    return endings[format];
}

static void put_int(FILE *stream, uint32_t value) {
    unsigned char bytes[4];
    io_put32(bytes, value);
    fwrite(bytes, 1, sizeof bytes, stream);
}

static void put_float(FILE *stream, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_int(stream, bits);
}

static void put_vec(FILE *stream, rill_vec v) {
    put_float(stream, v.x), put_float(stream, v.y), put_float(stream, v.z);
}

static void put_vecs(FILE *stream, const rill_vec *v, int count) {
    for (int k = 0; k < count; k++) put_vec(stream, v[k]);
}

static int index_count(const rill_surface_mesh *mesh) {
    return mesh->dim * mesh->element_count;
}

static void put_color(FILE *stream, rill_vec c) {
    const float parts[3] = {c.x, c.y, c.z};
    for (int k = 0; k < 3; k++) fputc((int)(fminf(fmaxf(parts[k], 0.0f), 1.0f) * 255.0f + 0.5f), stream);
}

/* ---- PLY ---- */

static void write_ply(FILE *stream, const rill_surface_mesh *mesh, double time) {
    fprintf(stream,
            "ply\nformat binary_little_endian 1.0\ncomment rill %s surface\ncomment time %.17g\nelement vertex %d\n"
            "property float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\n"
            "property float nz\nproperty float vx\nproperty float vy\nproperty float vz\nproperty uint fluid\n",
            rill_version(), time, mesh->vertex_count);
    if (mesh->color) fputs("property uchar red\nproperty uchar green\nproperty uchar blue\n", stream);
    if (mesh->dim == 3)
        fprintf(stream, "element face %d\nproperty list uchar int vertex_indices\n", mesh->element_count);
    else
        fprintf(stream, "element edge %d\nproperty int vertex1\nproperty int vertex2\n", mesh->element_count);
    fputs("end_header\n", stream);
    for (int v = 0; v < mesh->vertex_count; v++) {
        put_vec(stream, mesh->position[v]), put_vec(stream, mesh->normal[v]), put_vec(stream, mesh->velocity[v]);
        put_int(stream, mesh->fluid[v]);
        if (mesh->color) put_color(stream, mesh->color[v]);
    }
    for (int k = 0; k < index_count(mesh); k++) {
        if (mesh->dim == 3 && k % 3 == 0) fputc(3, stream);
        put_int(stream, (uint32_t)mesh->index[k]);
    }
}

/* ---- OBJ ---- */

static void write_obj(FILE *stream, const rill_surface_mesh *mesh, double time) {
    fprintf(stream, "# rill %s surface, t = %.9g s, SI units\no surface\n", rill_version(), time);
    for (int v = 0; v < mesh->vertex_count; v++) {
        const rill_vec p = mesh->position[v];
        fprintf(stream, "v %.9g %.9g %.9g", (double)p.x, (double)p.y, (double)p.z);
        if (mesh->color) {
            const rill_vec c = mesh->color[v];
            fprintf(stream, " %.4f %.4f %.4f", (double)c.x, (double)c.y, (double)c.z);
        }
        fputc('\n', stream);
    }
    for (int v = 0; v < mesh->vertex_count; v++) {
        const rill_vec n = mesh->normal[v];
        fprintf(stream, "vn %.5f %.5f %.5f\n", (double)n.x, (double)n.y, (double)n.z);
    }
    for (int e = 0; e < mesh->element_count; e++) {
        const int32_t *i = mesh->index + (size_t)mesh->dim * (size_t)e;
        if (mesh->dim == 2)
            fprintf(stream, "l %d %d\n", i[0] + 1, i[1] + 1);
        else
            fprintf(stream, "f %d//%d %d//%d %d//%d\n", i[0] + 1, i[0] + 1, i[1] + 1, i[1] + 1, i[2] + 1, i[2] + 1);
    }
}

/* ---- VTP ---- */

typedef struct vtp_layout {
    FILE *stream;
    uint64_t offset;
} vtp_layout;

static void declare(vtp_layout *layout, const char *type, const char *name, int components, int count) {
    fprintf(layout->stream,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
            type, name, components, (unsigned long long)layout->offset);
    layout->offset += 8 + 4 * (uint64_t)components * (uint64_t)count;
}

static void put_size(FILE *stream, int scalars) {
    unsigned char bytes[8];
    io_put64(bytes, 4 * (uint64_t)scalars);
    fwrite(bytes, 1, sizeof bytes, stream);
}

static void declare_cells(vtp_layout *layout, const char *tag, int dim, int elements) {
    fprintf(layout->stream, "<%s>\n", tag);
    declare(layout, "Int32", "connectivity", 1, dim * elements);
    declare(layout, "Int32", "offsets", 1, elements);
    fprintf(layout->stream, "</%s>\n", tag);
}

static void write_vtp(FILE *stream, const rill_surface_mesh *mesh, double time) {
    vtp_layout layout = {stream, 0};
    const int vertices = mesh->vertex_count, elements = mesh->element_count;
    vtp_begin(stream, time);
    vtp_piece(stream, vertices, 0, mesh->dim == 2 ? elements : 0, mesh->dim == 3 ? elements : 0);
    declare(&layout, "Float32", "Points", 3, vertices);
    fputs("</Points>\n<PointData Normals=\"normal\" Vectors=\"velocity\">\n", stream);
    declare(&layout, "Float32", "normal", 3, vertices);
    declare(&layout, "Float32", "velocity", 3, vertices);
    declare(&layout, "UInt32", "fluid", 1, vertices);
    if (mesh->color) declare(&layout, "Float32", "color", 3, vertices);
    fputs("</PointData>\n", stream);
    declare_cells(&layout, mesh->dim == 2 ? "Lines" : "Polys", mesh->dim, elements);
    fputs("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", stream);
    put_size(stream, 3 * vertices), put_vecs(stream, mesh->position, vertices);
    put_size(stream, 3 * vertices), put_vecs(stream, mesh->normal, vertices);
    put_size(stream, 3 * vertices), put_vecs(stream, mesh->velocity, vertices);
    put_size(stream, vertices);
    for (int v = 0; v < vertices; v++) put_int(stream, mesh->fluid[v]);
    if (mesh->color) put_size(stream, 3 * vertices), put_vecs(stream, mesh->color, vertices);
    put_size(stream, index_count(mesh));
    for (int k = 0; k < index_count(mesh); k++) put_int(stream, (uint32_t)mesh->index[k]);
    put_size(stream, elements);
    for (int e = 1; e <= elements; e++) put_int(stream, (uint32_t)(mesh->dim * e));
    vtp_end(stream);
}

/* ---- GLB ---- */

static void bounds(const rill_surface_mesh *mesh, rill_vec *low, rill_vec *high) {
    *low = *high = mesh->vertex_count ? mesh->position[0] : (rill_vec){0, 0, 0};
    for (int v = 1; v < mesh->vertex_count; v++) {
        const rill_vec p = mesh->position[v];
        *low = (rill_vec){fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z)};
        *high = (rill_vec){fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z)};
    }
}

/* Number of vector arrays: positions, normals, velocities, and colours if there are any. Indices follow them. */
static unsigned glb_vectors(const rill_surface_mesh *mesh) {
    return mesh->color ? 4 : 3;
}

/* glTF's colours are linear. */
static float to_linear(float c) {
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

/* Up is y in glTF, z in a 3D scene and y in a 2D scene: the node rotates a 3D scene. */
static int write_glb_json(const rill_surface_mesh *mesh, char *text, size_t size) {
    const unsigned v = (unsigned)mesh->vertex_count, i = (unsigned)index_count(mesh), vec = 12 * v;
    const unsigned vectors = glb_vectors(mesh);
    char view[96] = "", accessor[96] = "";
    if (mesh->color) {
        snprintf(view, sizeof view, ",{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u,\"target\":34962}", 3 * vec,
                 vec);
        snprintf(accessor, sizeof accessor, ",{\"bufferView\":4,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}",
                 v);
    }
    rill_vec low, high;
    bounds(mesh, &low, &high);
    if (v == 0) return snprintf(text, size, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{}]}");
    return snprintf(
        text, size,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"rill %s\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"mesh\":0%s}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,"
        "\"_VELOCITY\":2%s},\"indices\":3,\"mode\":%d,\"material\":0}]}],\"materials\":[{\"name\":\"water\","
        "\"pbrMetallicRoughness\":{\"baseColorFactor\":[%s],\"metallicFactor\":0,"
        "\"roughnessFactor\":0.05},\"alphaMode\":\"BLEND\"}],\"buffers\":[{\"byteLength\":%u}],\"bufferViews\":["
        "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%u,\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u,\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u,\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u,\"target\":34963}%s],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\",\"min\":[%.9g,%.9g,%.9g],"
        "\"max\":[%.9g,%.9g,%.9g]},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},"
        "{\"bufferView\":2,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},"
        "{\"bufferView\":3,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"}%s]}",
        rill_version(), mesh->dim == 3 ? ",\"rotation\":[-0.70710678,0,0,0.70710678]" : "",
        mesh->color ? ",\"COLOR_0\":4" : "", mesh->dim == 3 ? 4 : 1, mesh->color ? "1,1,1,1" : "0.1,0.35,0.6,0.8",
        vectors * vec + 4 * i, vec, vec, vec, 2 * vec, vec, vectors * vec, 4 * i, view, v, (double)low.x, (double)low.y,
        (double)low.z, (double)high.x, (double)high.y, (double)high.z, v, v, i, accessor);
}

static rill_status write_glb(FILE *stream, const rill_surface_mesh *mesh, const char *path, rill_error *error) {
    char json[2800];
    const uint64_t data =
        12 * (uint64_t)glb_vectors(mesh) * (uint64_t)mesh->vertex_count + 4 * (uint64_t)index_count(mesh);
    if (data > UINT32_MAX - 4096)
        return rill_fail(error, RILL_LIMIT, "%s: a .glb holds at most 4 GB; use .ply or a coarser cell", path);
    int length = write_glb_json(mesh, json, sizeof json);
    while (length % 4) json[length++] = ' ';
    const bool filled = mesh->vertex_count > 0;
    put_int(stream, 0x46546C67), put_int(stream, 2);
    put_int(stream, (uint32_t)(12 + 8 + length) + (filled ? 8 + (uint32_t)data : 0));
    put_int(stream, (uint32_t)length), put_int(stream, 0x4E4F534A);
    fwrite(json, 1, (size_t)length, stream);
    if (!filled) return RILL_OK;
    put_int(stream, (uint32_t)data), put_int(stream, 0x004E4942);
    put_vecs(stream, mesh->position, mesh->vertex_count);
    put_vecs(stream, mesh->normal, mesh->vertex_count);
    put_vecs(stream, mesh->velocity, mesh->vertex_count);
    for (int v = 0; mesh->color && v < mesh->vertex_count; v++) {
        const rill_vec c = mesh->color[v];
        put_vec(stream, (rill_vec){to_linear(c.x), to_linear(c.y), to_linear(c.z)});
    }
    for (int k = 0; k < index_count(mesh); k++) put_int(stream, (uint32_t)mesh->index[k]);
    return RILL_OK;
}

rill_status rill_io_write_surface(const rill_surface_mesh *mesh, double time, rill_surface_format format,
                                  const char *path, rill_error *error) {
    io_file file;
    rill_status status = rill_io_open(&file, path, error);
    if (status != RILL_OK) return status;
    switch (format) {
    case RILL_SURFACE_OBJ:
        write_obj(file.stream, mesh, time);
        break;
    case RILL_SURFACE_VTP:
        write_vtp(file.stream, mesh, time);
        break;
    case RILL_SURFACE_GLB:
        status = write_glb(file.stream, mesh, path, error);
        break;
    default:
        write_ply(file.stream, mesh, time);
    }
    if (status == RILL_OK) return rill_io_commit(&file, error);
    rill_io_abandon(&file);
    return status;
}
