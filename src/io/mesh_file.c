/* SPDX-License-Identifier: MIT */
/* Triangle meshes from files, read by Assimp. */
#include "io/mesh_file.h"

#include "core/error.h"
#include "io/bytes.h"
#include "io/file.h"
#include "io/io.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Nodes may hang below each other; a file that goes deeper than this is not meant well. */
#define MAX_NODE_DEPTH 200

/* Walks the tree of nodes twice: to count, and to copy. */
typedef struct collector {
    const struct aiScene *scene;
    int64_t vertices, triangles;
    io_mesh *out; /* NULL: only count */
} collector;

/* ---- one mesh ---- */

static float determinant(const struct aiMatrix4x4 *t) {
    return t->a1 * (t->b2 * t->c3 - t->b3 * t->c2) - t->a2 * (t->b1 * t->c3 - t->b3 * t->c1) +
           t->a3 * (t->b1 * t->c2 - t->b2 * t->c1);
}

static void copy_mesh(collector *c, const struct aiMesh *part, const struct aiMatrix4x4 *t) {
    const int32_t first = (int32_t)c->vertices;
    const bool mirrored = determinant(t) < 0.0f;
    for (unsigned v = 0; v < part->mNumVertices; v++) {
        struct aiVector3D x = part->mVertices[v];
        aiTransformVecByMatrix4(&x, t);
        float *to = c->out->vertices[c->vertices + v];
        to[0] = x.x, to[1] = x.y, to[2] = x.z;
    }
    int64_t triangle = c->triangles;
    for (unsigned f = 0; f < part->mNumFaces; f++) {
        if (part->mFaces[f].mNumIndices != 3) continue;
        const unsigned *index = part->mFaces[f].mIndices;
        int32_t *to = c->out->triangles[triangle++];
        to[0] = first + (int32_t)index[0];
        to[1] = first + (int32_t)index[mirrored ? 2 : 1];
        to[2] = first + (int32_t)index[mirrored ? 1 : 2];
    }
}

static void add_mesh(collector *c, const struct aiMesh *part, const struct aiMatrix4x4 *t) {
    int64_t triangles = 0;
    for (unsigned f = 0; f < part->mNumFaces; f++) triangles += part->mFaces[f].mNumIndices == 3;
    if (triangles == 0) return;
    if (c->out) copy_mesh(c, part, t);
    c->vertices += part->mNumVertices;
    c->triangles += triangles;
}

/* ---- the tree of nodes ---- */

static rill_status add_node(collector *c, const struct aiNode *node, const struct aiMatrix4x4 *above, int depth) {
    if (depth > MAX_NODE_DEPTH) return RILL_LIMIT;
    struct aiMatrix4x4 here = *above;
    aiMultiplyMatrix4(&here, &node->mTransformation);
    for (unsigned k = 0; k < node->mNumMeshes; k++) add_mesh(c, c->scene->mMeshes[node->mMeshes[k]], &here);
    if (c->vertices > MESH_MAX_TRIANGLES || c->triangles > MESH_MAX_TRIANGLES) return RILL_LIMIT;
    rill_status status = RILL_OK;
    for (unsigned k = 0; k < node->mNumChildren && status == RILL_OK; k++)
        status = add_node(c, node->mChildren[k], &here, depth + 1);
    return status;
}

static rill_status collect(const struct aiScene *scene, io_mesh *out, rill_error *error, const char *path) {
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    collector count = {.scene = scene};
    if (add_node(&count, scene->mRootNode, &identity, 0) != RILL_OK)
        return rill_fail(error, RILL_LIMIT,
                         "%s: more than %d vertices or triangles, or parts nested deeper than %d; simplify the mesh",
                         path, MESH_MAX_TRIANGLES, MAX_NODE_DEPTH);
    if (count.triangles == 0)
        return rill_fail(error, RILL_FORMAT,
                         "%s: there are no triangles in it (points and lines make no solid); export the surface", path);
    out->vertices = malloc((size_t)count.vertices * sizeof *out->vertices);
    out->triangles = malloc((size_t)count.triangles * sizeof *out->triangles);
    if (!out->vertices || !out->triangles) {
        rill_io_mesh_free(out);
        return rill_fail(error, RILL_MEMORY, "%s: not enough memory for %lld triangles; simplify the mesh", path,
                         (long long)count.triangles);
    }
    out->vertex_count = (int)count.vertices, out->triangle_count = (int)count.triangles;
    collector copy = {.scene = scene, .out = out};
    return add_node(&copy, scene->mRootNode, &identity, 0);
}

/* ---- the file ---- */

/* Headers of PLY files are a few hundred bytes long. */
#define MAX_PLY_HEADER 65536

/* Assimp looks for the end of a PLY header for ever if there is none. */
static bool lacks_ply_end(const char *head) {
    return strncmp(head, "ply", 3) == 0 && !strstr(head, "\nend_header\n") && !strstr(head, "\nend_header\r");
}

/* Assimp's own words for a missing file are poor, and it would wait for a pipe. */
static rill_status check_readable(const char *path, rill_error *error) {
    char head[MAX_PLY_HEADER + 1];
    const int descriptor = rill_io_open_input(path, error);
    if (descriptor < 0) return RILL_IO;
    const ssize_t size = read(descriptor, head, MAX_PLY_HEADER);
    const int reason = size < 0 ? errno : 0;
    close(descriptor);
    if (reason) return rill_io_fail(error, reason, "read", path);
    if (size == 0) return rill_fail(error, RILL_FORMAT, "%s: the file is empty; export the mesh again", path);
    head[size] = '\0';
    if (lacks_ply_end(head))
        return rill_fail(error, RILL_FORMAT, "%s: the PLY header has no end_header; export the mesh again", path);
    return RILL_OK;
}

static const struct aiScene *import(const char *path) {
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (!properties) return NULL;
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    /* only places matter */
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_RVC_FLAGS,
                               aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                   aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                   aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS);
    /* validated before the other steps look up what damaged files may name */
    const unsigned steps =
        aiProcess_ValidateDataStructure | aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_RemoveComponent;
    const struct aiScene *scene = aiImportFileExWithProperties(path, steps, NULL, properties);
    aiReleasePropertyStore(properties);
    return scene;
}

rill_status rill_io_read_mesh(const char *path, io_mesh *out, rill_error *error) {
    *out = (io_mesh){0};
    rill_status status = check_readable(path, error);
    if (status != RILL_OK) return status;
    const struct aiScene *scene = import(path);
    if (!scene)
        return rill_fail(
            error, RILL_FORMAT,
            "%s: cannot read the mesh: %.300s; give OBJ, PLY, STL, 3DS or another format that Assimp reads", path,
            aiGetErrorString());
    status = scene->mRootNode ? collect(scene, out, error, path)
                              : rill_fail(error, RILL_FORMAT, "%s: there is no mesh in it", path);
    aiReleaseImport(scene);
    return status;
}

void rill_io_mesh_free(io_mesh *mesh) {
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (io_mesh){0};
}

mesh rill_io_mesh_view(const io_mesh *owned) {
    return (mesh){(const float(*)[3])owned->vertices, owned->vertex_count, (const int32_t(*)[3])owned->triangles,
                  owned->triangle_count};
}

rill_status rill_io_write_triangles(const rill_points *points, const char *path, rill_error *error) {
    io_file file;
    TRY(rill_io_open(&file, path, error));
    fprintf(file.stream,
            "ply\nformat binary_little_endian 1.0\ncomment rill %s\nelement vertex %d\nproperty float x\n"
            "property float y\nproperty float z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
            rill_version(), points->count, points->count / 3);
    for (int k = 0; k < points->count; k++) {
        unsigned char bytes[12];
        uint32_t words[3];
        memcpy(words, &points->data[k], sizeof words);
        for (int c = 0; c < 3; c++) io_put32(bytes + 4 * c, words[c]);
        fwrite(bytes, 1, sizeof bytes, file.stream);
    }
    for (int k = 0; k + 2 < points->count; k += 3) {
        unsigned char bytes[13] = {3};
        for (int c = 0; c < 3; c++) io_put32(bytes + 1 + 4 * c, (uint32_t)(k + c));
        fwrite(bytes, 1, sizeof bytes, file.stream);
    }
    return rill_io_commit(&file, error);
}
