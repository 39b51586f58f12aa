/* SPDX-License-Identifier: MIT */
/* Finds the files that a scene names, and reads meshes. */
#ifndef RILL_SCENE_MESHES_H
#define RILL_SCENE_MESHES_H

#include "scene/scene.h"

#define SCENE_PATH_SIZE 1024

/* Finds a file next to the scene, or in the working directory. */
bool rill_scene_find_near(const scene *s, const char *file, char path[SCENE_PATH_SIZE]);
/* Adds the triangles of the files named by a copy of a scene's shape and by its parts. */
rill_status rill_scene_read_meshes(const scene *s, rill_shape *shape, rill_error *error);
/* Replaces the names of files next to the scene by full paths, so that a scene written to another folder still finds
   them. */
void rill_scene_fix_files(scene *s);
/* Frees what rill_scene_read_meshes allocated, also after an error; `was` is the original shape. */
void rill_scene_free_meshes(const rill_shape *was, rill_shape *now);

#endif
