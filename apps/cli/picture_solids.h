/* SPDX-License-Identifier: MIT */
/* A scene's solids without its fluid, brought to the time of a frame: what a picture of stored particles needs. */
#ifndef RILL_CLI_PICTURE_SOLIDS_H
#define RILL_CLI_PICTURE_SOLIDS_H

#include "scene/scene.h"

/* NULL if it cannot be built. */
rill_world *picture_solids_build(const scene *s, rill_error *error);
/* Later times only; earlier ones leave the solids where they are. */
rill_status picture_solids_move(rill_world *solids, double time);
/* Puts bodies where FOLDER/bodies.csv of a run has them at `time`; without it they stay as the scene begins. */
void picture_solids_bodies(rill_world *solids, const char *folder, double time);

#endif
