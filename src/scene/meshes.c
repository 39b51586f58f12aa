/* SPDX-License-Identifier: MIT */
/* Finds mesh files that a scene names, and reads their triangles as points. */
#include "scene/meshes.h"

#include "core/error.h"
#include "io/mesh_file.h"
#include "scene/layout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Models of Debian's package glmark2-data. */
#define SYSTEM_MODELS "/usr/share/glmark2/models"

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool try_folder(const char *folder, int folder_length, const char *file, char path[SCENE_PATH_SIZE]) {
    const int length =
        snprintf(path, SCENE_PATH_SIZE, "%.*s%s%s", folder_length, folder, folder_length > 0 ? "/" : "", file);
    return length > 0 && length < SCENE_PATH_SIZE && is_file(path);
}

bool rill_scene_find_near(const scene *s, const char *file, char path[SCENE_PATH_SIZE]) {
    const char *slash = strrchr(s->path, '/');
    if (file[0] == '/') return try_folder("", 0, file, path);
    return try_folder(s->path, slash ? (int)(slash - s->path) : 0, file, path) || try_folder("", 0, file, path);
}

/* Looks next to the scene, in the working directory, in $RILL_MODELS, and among the system's models. */
static bool find(const scene *s, const char *file, char path[SCENE_PATH_SIZE]) {
    const char *models = getenv("RILL_MODELS");
    if (file[0] == '/') return try_folder("", 0, file, path);
    return rill_scene_find_near(s, file, path) ||
           (models && *models && try_folder(models, (int)strlen(models), file, path)) ||
           try_folder(SYSTEM_MODELS, (int)strlen(SYSTEM_MODELS), file, path);
}

static void fix_file(const scene *s, char file[RILL_FILE_SIZE]) {
    char path[SCENE_PATH_SIZE];
    const char *slash = strrchr(s->path, '/');
    if (!*file || file[0] == '/') return;
    if (!try_folder(s->path, slash ? (int)(slash - s->path) : 0, file, path)) return;
    char *full = realpath(path, NULL);
    if (full && strlen(full) < RILL_FILE_SIZE) memcpy(file, full, strlen(full) + 1);
    free(full);
}

static void fix_shape(const scene *s, rill_shape *shape) {
    if (shape->kind == RILL_MESH) fix_file(s, shape->file);
}

void rill_scene_fix_files(scene *s) {
    for (int k = 0; k < s->block_count; k++) fix_file(s, s->blocks[k].frame);
    for (int k = 0; k < LAYOUT_LIST_COUNT; k++) {
        const layout_list list = rill_layout_list_at(k);
        const size_t offset = rill_layout_shape_offset(&list);
        for (int item = 0; offset > 0 && item < rill_layout_count(s, &list); item++) {
            rill_shape *shape = (rill_shape *)(void *)((char *)rill_layout_item(s, &list, item) + offset), *parts;
            fix_shape(s, shape);
            memcpy(&parts, &shape->parts.data, sizeof parts); /* not const: the scene owns them */
            for (int part = 0; part < shape->parts.count; part++) fix_shape(s, &parts[part]);
        }
    }
}

static rill_status read_triangles(const char *path, rill_points *out, rill_error *error) {
    memory m;
    owned_mesh data;
    rill_memory_init(&m, NULL);
    TRY(rill_io_read_mesh(&m, path, &data, error));
    rill_vec *points = malloc(sizeof *points * 3 * (size_t)data.triangle_count);
    for (int t = 0; points && t < data.triangle_count; t++)
        for (int c = 0; c < 3; c++) {
            const float *p = data.vertices[data.triangles[t][c]];
            points[3 * t + c] = (rill_vec){p[0], p[1], p[2]};
        }
    *out = (rill_points){points, 3 * data.triangle_count};
    rill_owned_mesh_free(&m, &data);
    return points ? RILL_OK : rill_fail(error, RILL_MEMORY, "%s: no memory for its triangles", path);
}

static bool wants_file(const rill_shape *shape) {
    return shape->kind == RILL_MESH && *shape->file && shape->points.count == 0;
}

static rill_status read_shape(const scene *s, rill_shape *shape, rill_error *error) {
    char path[SCENE_PATH_SIZE];
    if (find(s, shape->file, path)) return read_triangles(path, &shape->points, error);
    return rill_fail(
        error, RILL_NOT_FOUND,
        "file: no mesh '%s' next to the scene, in the working directory, in $RILL_MODELS or in " SYSTEM_MODELS
        "; expected a file (on Debian, glmark2-data brings bunny.obj)",
        shape->file);
}

rill_status rill_scene_read_meshes(const scene *s, rill_shape *shape, rill_error *error) {
    if (wants_file(shape)) return read_shape(s, shape, error);
    bool any = false;
    for (int k = 0; k < shape->parts.count; k++) any = any || wants_file(&shape->parts.data[k]);
    if (!any) return RILL_OK;
    const size_t size = sizeof(rill_shape) * (size_t)shape->parts.count;
    rill_shape *parts = malloc(size);
    if (!parts) return rill_fail(error, RILL_MEMORY, "no memory for %d parts", shape->parts.count);
    memcpy(parts, shape->parts.data, size);
    shape->parts.data = parts;
    rill_status status = RILL_OK;
    for (int k = 0; k < shape->parts.count && status == RILL_OK; k++)
        if (wants_file(&parts[k])) status = read_shape(s, &parts[k], error);
    return status;
}

static void free_points(const rill_shape *was, const rill_shape *now) {
    void *data;
    memcpy(&data, &now->points.data, sizeof data);
    if (now->points.data != was->points.data) free(data);
}

void rill_scene_free_meshes(const rill_shape *was, rill_shape *now) {
    free_points(was, now);
    if (now->parts.data == was->parts.data) return;
    for (int k = 0; k < now->parts.count; k++) free_points(&was->parts.data[k], &now->parts.data[k]);
    void *data;
    memcpy(&data, &now->parts.data, sizeof data);
    free(data);
}
