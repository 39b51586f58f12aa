/* SPDX-License-Identifier: MIT */
/* Draws a picture of each frame of a run into DIR/pictures. Must be listed before the snapshots. */
#ifndef RILL_RUN_PICTURES_H
#define RILL_RUN_PICTURES_H

#include "picture/picture.h"
#include "run/folder.h"

typedef struct run_pictures {
    const run_folder *folder; /* set */
    run_claim claim;          /* of DIR/pictures */
    picture_def def;          /* the same view and range of colours for all frames */
} run_pictures;
run_observer rill_run_pictures_observer(run_pictures *pictures);

#endif
