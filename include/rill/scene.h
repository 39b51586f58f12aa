/* SPDX-License-Identifier: MIT */
/* Scenes: worlds described in JSON with comments (docs/scenes.md). Part of the shared library and of the tool,
   not of the engine alone. */
#ifndef RILL_SCENE_H
#define RILL_SCENE_H

#include "rill/rill.h"

typedef struct rill_scene rill_scene;

/* ---- reading ----
   NULL on error. Messages read "FILE:LINE:COLUMN: key: what is wrong, what was expected". */

/* A file, or a name that rill_scene_list lists; "-" is standard input. */
RILL_API rill_scene *rill_scene_load(const char *name_or_path, rill_error *error);
/* Loads a scene with assignments as for rill_scene_set. Variables can be set here only ("variables.NAME=VALUE"),
   because the scene is computed from them while it is read. */
RILL_API rill_scene *rill_scene_load_set(const char *name_or_path, const char *const *assignments, int count,
                                         rill_error *error);
/* A text in memory; messages call it `label`. Files that it names are looked for in the working directory. */
RILL_API rill_scene *rill_scene_parse(const char *label, const char *text, size_t size, rill_error *error);
RILL_API void rill_scene_free(rill_scene *scene); /* NULL is fine */

/* ---- reading and changing values ---- */

RILL_API const char *rill_scene_name(const rill_scene *scene);
RILL_API const char *rill_scene_about(const rill_scene *scene); /* lines of text, or "" */
/* "KEY=VALUE". KEY is a key of the method in use, or SECTION.KEY with section world, run, picture or a method's name,
   or LIST.NAME.KEY such as fluids.water.viscosity, solids.tank.friction, gauges.0.length (by name or number), or
   LIST.NAME.METHOD.KEY for the rows that a method adds to fluids, solids and bodies. */
RILL_API rill_status rill_scene_set(rill_scene *scene, const char *assignment, rill_error *error);
RILL_API rill_status rill_scene_use_method(rill_scene *scene, const char *method, rill_error *error);
/* The definition of its world: the place for a host's hooks (allocator, tasks, cache). */
RILL_API rill_world_def *rill_scene_world_def(rill_scene *scene);

/* ---- using ---- */

/* The world with everything in it, or NULL. `workers` < 0 and `simd` < 0 keep the scene's. */
RILL_API rill_world *rill_scene_build(const rill_scene *scene, int workers, int simd, rill_error *error);
/* The scene as JSON with every value written out, which reads back to the same world. `write` is called several times;
   a false return stops it with RILL_IO. */
RILL_API rill_status rill_scene_write(const rill_scene *scene, rill_write_fn *write, void *context, rill_error *error);
RILL_API rill_status rill_scene_save(const rill_scene *scene, const char *path, rill_error *error); /* into a file */
/* A PNG of a frame with the scene's size, camera and colours. `look` is "particles", "surface" or "water". */
RILL_API rill_status rill_scene_draw(const rill_scene *scene, const rill_frame *frame, const char *look,
                                     const char *path, rill_error *error);

/* ---- scenes by name ---- */

typedef struct rill_scene_entry {
    char name[RILL_NAME_SIZE];
    char path[512];
} rill_scene_entry;
/* Scenes in ./scenes, in $RILL_SCENES and among those that come with Rill, by name. */
RILL_API rill_status rill_scene_list(rill_scene_entry **entries, int *count, rill_error *error);
RILL_API void rill_scene_list_free(rill_scene_entry *entries); /* NULL is fine */

#endif
