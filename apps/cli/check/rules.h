/* SPDX-License-Identifier: MIT */
/* The rules by which `rill check` judges a scene. */
#ifndef RILL_CLI_CHECK_RULES_H
#define RILL_CLI_CHECK_RULES_H

#include "apps/cli/check/findings.h"
#include "run/run.h"

/* A scene's world before its first step; particle ids tell which block a particle came from. */
typedef struct check_world {
    const scene *scene;
    const run_plan *plan;
    rill_world *world;
    int *block_end; /* block b has the ids from block_end[b - 1] (or 0) to below block_end[b] */
} check_world;

int check_block_of(const check_world *check, rill_particle_id id);

/* Compares the volume of a box with that of the particles it was filled with. */
void check_volume(const check_world *check, int block, int64_t particles, findings *f);
/* Blocks that overlap or are too near to each other. */
void check_overlaps(const check_world *check, findings *f);
/* Single objects and numbers. */
void check_objects(const check_world *check, findings *f);
void check_times(const check_world *check, findings *f);
/* Settings without an effect. */
void check_idle(const check_world *check, findings *f);
/* Whether the steps of a trial were stable. `bound` is the least stable bound of all, `too_long` the largest ratio of a
   step to its own bound. */
void check_step(const check_world *check, double bound, double too_long, findings *f);

#endif
