/* SPDX-License-Identifier: MIT */
/* Going on from a snapshot. */
#ifndef RILL_RUN_RESUME_H
#define RILL_RUN_RESUME_H

#include "io/io.h"
#include "scene/scene.h"

/* Loads the snapshot and makes sure that the scene is the one it was made from: a changed value would silently have no
   effect. Gauges only look on, and are the scene's. */
rill_world *rill_run_resume(const char *path, const scene *s, rill_error *error);

#endif
