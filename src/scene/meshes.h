/* SPDX-License-Identifier: MIT */
/* Files that a scene names: where they lie, and meshes. */
#ifndef RILL_SCENE_MESHES_H
#define RILL_SCENE_MESHES_H

#include "scene/scene.h"

#define SCENE_PATH_SIZE 1024

/* Finds a file next to the scene, or in the working directory. */
bool rill_scene_find_near(const scene *s, const char *file, char path[SCENE_PATH_SIZE]);
/* Gives a copy of a scene's shape, and its parts, the triangles of the files they name. */
rill_status rill_scene_read_meshes(const scene *s, rill_shape *shape, rill_error *error);
/* Files next to the scene get their full names, so that the scene finds them also when it is written elsewhere. */
void rill_scene_fix_files(scene *s);
/* Frees what was read, also after an error: `was` is the shape before. */
void rill_scene_free_meshes(const rill_shape *was, rill_shape *now);

#endif
