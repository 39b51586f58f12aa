/* SPDX-License-Identifier: MIT */
/* Solids move by prescription, so an empty world is carried to any time by a single step. */
#include "picture_solids.h"

rill_world *picture_solids_build(const scene *s, rill_error *error) {
    scene empty = *s;
    empty.block_count = empty.emitter_count = empty.sink_count = empty.gauge_count = 0;
    return scene_build(&empty, 1, -1, error);
}

rill_status picture_solids_move(rill_world *solids, double time) {
    double left = time - rill_world_stats(solids)->time;
    return left > 0 ? rill_world_step(solids, left) : RILL_OK;
}
