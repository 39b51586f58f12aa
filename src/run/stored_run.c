/* SPDX-License-Identifier: MIT */
/* Writes the shapes of a run into its folder and reads them back. */
#include "run/stored_run.h"

#include "core/error.h"
#include "io/mesh_file.h"
#include "scene/meshes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "shapes.json"

/* ---- writing ---- */

/* State while shapes are written one by one: the number of the next mesh file. */
typedef struct mesh_writer {
    const char *folder;
    int next;
    rill_error *error;
} mesh_writer;

/* Stores the triangles of a mesh that was read from a file. */
static rill_status store_mesh(mesh_writer *w, rill_shape *shape) {
    char path[1100];
    if (shape->kind != RILL_MESH || !*shape->file) return RILL_OK;
    snprintf(path, sizeof path, "%s/shapes", w->folder);
    rill_status status = rill_io_make_directory(path, w->error);
    snprintf(shape->file, sizeof shape->file, "shapes/%d.ply", w->next++);
    snprintf(path, sizeof path, "%s/%.200s", w->folder, shape->file);
    if (status == RILL_OK) status = rill_io_write_triangles(&shape->points, path, w->error);
    shape->points = (rill_points){0};
    return status;
}

/* `parts` receives a copy of a compound's parts, since the originals belong to the frame's world. */
static rill_status store_shape(mesh_writer *w, rill_shape *shape, rill_shape **parts) {
    rill_status status = store_mesh(w, shape);
    if (status != RILL_OK || shape->parts.count == 0) return status;
    const size_t size = (size_t)shape->parts.count * sizeof **parts;
    *parts = malloc(size);
    if (!*parts) return rill_fail(w->error, RILL_MEMORY, "out of memory for the parts of a shape");
    memcpy(*parts, shape->parts.data, size);
    shape->parts.data = *parts;
    for (int k = 0; status == RILL_OK && k < shape->parts.count; k++) status = store_mesh(w, &(*parts)[k]);
    return status;
}

static rill_status write_scene(const scene *s, const char *folder, rill_error *error) {
    char path[1100];
    snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
    return rill_scene_save(s, path, error);
}

/* Removes from emitters and gauges the names of objects that are not stored. */
static void forget_names(scene *stored) {
    for (int k = 0; k < stored->emitter_count; k++) stored->emitters[k].body_name[0] = '\0';
    for (int k = 0; k < stored->gauge_count; k++) {
        rill_gauge_def *gauge = &stored->gauges[k];
        gauge->body_name[0] = gauge->joint_name[0] = gauge->cloth_name[0] = gauge->pin_name[0] = '\0';
    }
}

/* Writes the scene with the shapes of solids and bodies as solids, numbered as in frames, and without the objects that
   only a run needs. Its file name is always the same, so the scene's name is stored as `about`. Emitters and gauges are
   kept for their kinds and places. */
static rill_status write_reduced(const scene *s, const char *folder, rill_solid_def *solids, int solid_count,
                                 rill_error *error) {
    char about[RILL_NAME_SIZE];
    scene stored = *s;
    memcpy(about, s->name, sizeof about);
    stored.about = about;
    stored.block_count = stored.body_count = stored.joint_count = stored.sink_count = stored.method_count = 0;
    stored.cloth_count = stored.pin_count = stored.event_count = 0;
    stored.solids = solids, stored.solid_count = solid_count;
    stored.sections = NULL; /* they belong to other solids, and no method will run */
    const size_t emitters_size = (size_t)s->emitter_count * sizeof *s->emitters;
    const size_t gauges_size = (size_t)s->gauge_count * sizeof *s->gauges;
    stored.emitters = malloc(emitters_size + 1), stored.gauges = malloc(gauges_size + 1);
    rill_status status = RILL_OK;
    if (stored.emitters && stored.gauges) {
        if (emitters_size > 0) memcpy(stored.emitters, s->emitters, emitters_size);
        if (gauges_size > 0) memcpy(stored.gauges, s->gauges, gauges_size);
        forget_names(&stored);
        status = write_scene(&stored, folder, error);
    } else {
        status = rill_fail(error, RILL_MEMORY, "out of memory for %d emitters and %d gauges", s->emitter_count,
                           s->gauge_count);
    }
    free(stored.emitters);
    free(stored.gauges);
    return status;
}

bool rill_stored_run_knows_more(const char *folder, const rill_frame *frame) {
    char path[1100];
    int missing = 0;
    snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
    for (int k = 0; k < frame->shape_count; k++) missing += !frame->shape[k];
    return missing > 0 && access(path, F_OK) == 0;
}

rill_status rill_stored_run_write(const char *folder, const scene *s, const rill_frame *frame, rill_error *error) {
    const size_t count = (size_t)frame->shape_count;
    rill_solid_def *solids = calloc(count + 1, sizeof *solids);
    rill_shape **parts = calloc(count + 1, sizeof *parts);
    mesh_writer meshes = {.folder = folder, .error = error};
    rill_status status = RILL_OK;
    if (!solids || !parts) status = rill_fail(error, RILL_MEMORY, "out of memory for %d shapes", frame->shape_count);
    for (size_t k = 0; solids && k < count; k++) solids[k] = rill_solid_def_default();
    for (int k = 0; status == RILL_OK && k < frame->solid_count; k++) {
        const int shape = frame->solid[k].shape;
        memcpy(solids[shape].name, frame->solid[k].name, sizeof solids[shape].name);
        solids[shape].shape = *frame->shape[shape];
        status = store_shape(&meshes, &solids[shape].shape, &parts[shape]);
    }
    if (status == RILL_OK) status = write_reduced(s, folder, solids, frame->shape_count, error);
    for (size_t k = 0; parts && k < count; k++) free(parts[k]);
    free(parts);
    free(solids);
    return status;
}

/* ---- reading ---- */

static rill_status make_set(stored_run *run, rill_error *error) {
    const scene *s = run->scene;
    const rill_cache cache = rill_io_cache(NULL);
    const size_t count = (size_t)s->solid_count;
    rill_shape *shapes = calloc(count + 1, sizeof *shapes);
    const rill_shape **list = calloc(count + 1, sizeof *list);
    rill_status status = RILL_OK;
    if (!shapes || !list) status = rill_fail(error, RILL_MEMORY, "out of memory for %d shapes", s->solid_count);
    for (int k = 0; status == RILL_OK && k < s->solid_count; k++) {
        shapes[k] = s->solids[k].shape, list[k] = &shapes[k];
        status = rill_scene_read_meshes(s, &shapes[k], error);
    }
    if (status == RILL_OK) {
        run->shapes = rill_shape_set_create(s->world.dim, s->world.spacing, list, s->solid_count, &cache, error);
        if (!run->shapes) status = RILL_INVALID;
    }
    for (int k = 0; shapes && list && k < s->solid_count && list[k]; k++)
        rill_scene_free_meshes(&s->solids[k].shape, &shapes[k]);
    free(shapes);
    free(list);
    return status;
}

rill_status rill_stored_run_read(stored_run *run, const char *folder, rill_error *error) {
    char path[1300];
    *run = (stored_run){0};
    snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
    if (access(path, F_OK) != 0) return rill_fail(error, RILL_NOT_FOUND, "%s does not exist", path);
    run->scene = rill_scene_load(path, error);
    if (!run->scene) return RILL_FORMAT;
    scene *s = run->scene;
    if (s->about) snprintf(s->name, sizeof s->name, "%.*s", (int)sizeof s->name - 1, s->about);
    run->common = (io_run){.fluids = s->fluids,
                           .fluid_count = s->fluid_count,
                           .emitters = s->emitters,
                           .emitter_count = s->emitter_count,
                           .gauges = s->gauges,
                           .gauge_count = s->gauge_count};
    const rill_status status = make_set(run, error);
    if (status == RILL_OK) run->common.shapes = run->shapes, run->common.solids = s->solids;
    return status;
}

void rill_stored_run_free(stored_run *run) {
    rill_shape_set_destroy(run->shapes);
    if (run->scene) rill_scene_free(run->scene);
    *run = (stored_run){0};
}
