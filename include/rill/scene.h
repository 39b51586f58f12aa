/* SPDX-License-Identifier: MIT */
/* Scenes: worlds described in JSON with comments (docs/scenes.md). This header belongs to the shared library and the
   tool, not to the engine alone. A scene is owned by the caller, who frees it. */
#ifndef RILL_SCENE_H
#define RILL_SCENE_H

#include "rill/rill.h"

typedef struct rill_scene rill_scene;

/* ---- reading ----
   These return NULL on error. Messages have the form "FILE:LINE:COLUMN: key: what is wrong, what was expected". */

/* Reads a file, or a scene that rill_scene_list lists, by name; "-" is standard input. */
RILL_API rill_scene *rill_scene_load(const char *name_or_path, rill_error *error);
/* Reads a scene and applies assignments as rill_scene_set does. Variables can be set only here
   ("variables.NAME=VALUE"), because the scene's values are computed from them while it is read. */
RILL_API rill_scene *rill_scene_load_set(const char *name_or_path, const char *const *assignments, int count,
                                         rill_error *error);
/* Reads `size` bytes of text in memory; messages call it `label`. Files that it names are looked up relative to the
   working directory. */
RILL_API rill_scene *rill_scene_parse(const char *label, const char *text, size_t size, rill_error *error);
RILL_API void rill_scene_free(rill_scene *scene); /* accepts NULL */

/* ---- reading and changing values ---- */

RILL_API const char *rill_scene_name(const rill_scene *scene);
RILL_API const char *rill_scene_about(const rill_scene *scene); /* its description: lines of text, or "" */
/* Applies an assignment "KEY=VALUE". KEY is one of
     KEY               a parameter of the method in use;
     SECTION.KEY       of a section: world, run, picture, or a method's name;
          LIST.NAME.KEY     of an object, by name or number: fluids.water.viscosity, solids.tank.friction,
   gauges.0.length; LIST.NAME.METHOD.KEY, a row that a method adds to fluids, solids or bodies. Fails, with a message,
   if there is no such key or the value does not fit. */
RILL_API rill_status rill_scene_set(rill_scene *scene, const char *assignment, rill_error *error);
/* Makes the scene use another method. RILL_NOT_FOUND if there is no such method. */
RILL_API rill_status rill_scene_use_method(rill_scene *scene, const char *method, rill_error *error);
/* The definition of its world, owned by the scene. A host sets its hooks (allocator, tasks, cache) in it. */
RILL_API rill_world_def *rill_scene_world_def(rill_scene *scene);

/* ---- using ---- */

/* Builds a new world, owned by the caller, with everything that the scene describes. NULL on error. A negative
   `workers` or `simd` keeps the scene's value. */
RILL_API rill_world *rill_scene_build(const rill_scene *scene, int workers, int simd, rill_error *error);
/* Writes the scene as JSON with every value spelled out; read back, it gives the same world. `write` is called several
   times; if it returns false, writing stops with RILL_IO. `save` writes into a file. */
RILL_API rill_status rill_scene_write(const rill_scene *scene, rill_write_fn *write, void *context, rill_error *error);
RILL_API rill_status rill_scene_save(const rill_scene *scene, const char *path, rill_error *error);
/* Draws a frame into a PNG file, with the size, camera and colours of the scene. `look` is "particles", "surface" or
   "water". */
RILL_API rill_status rill_scene_draw(const rill_scene *scene, const rill_frame *frame, const char *look,
                                     const char *path, rill_error *error);

/* ---- scenes by name ---- */

typedef struct rill_scene_entry {
    char name[RILL_NAME_SIZE];
    char path[512];
} rill_scene_entry;
/* Lists the scenes in ./scenes, in $RILL_SCENES and among those that come with Rill, sorted by name. The caller frees
   `entries` with rill_scene_list_free. */
RILL_API rill_status rill_scene_list(rill_scene_entry **entries, int *count, rill_error *error);
RILL_API void rill_scene_list_free(rill_scene_entry *entries); /* accepts NULL */

#endif
