/* SPDX-License-Identifier: MIT */
/* A scene's solids without its fluid, brought to the time of a frame: what a picture of stored particles needs. */
#ifndef RILL_CLI_PICTURE_SOLIDS_H
#define RILL_CLI_PICTURE_SOLIDS_H

#include "scene/scene.h"

/* NULL if it cannot be built. */
rill_world *picture_solids_build(const scene *s, rill_error *error);
/* Later times only; earlier ones leave the solids where they are. */
rill_status picture_solids_move(rill_world *solids, double time);

#endif
