/* SPDX-License-Identifier: MIT */
/* Resumes a run from a snapshot. */
#ifndef RILL_RUN_RESUME_H
#define RILL_RUN_RESUME_H

#include "io/io.h"
#include "scene/scene.h"

/* Loads the snapshot and checks that it was made from this scene, since a changed value would silently have no effect.
   Gauges do not affect the run, so those of the scene are used. */
rill_world *rill_run_resume(const char *path, const scene *s, rill_error *error);

#endif
