/* SPDX-License-Identifier: MIT */
/* The rules that `rill check` holds a scene to. */
#ifndef RILL_CLI_CHECK_RULES_H
#define RILL_CLI_CHECK_RULES_H

#include "apps/cli/check/findings.h"
#include "run/run.h"

/* A scene's world before its first step; particle ids tell which block a particle came from. */
typedef struct check_world {
    const scene *scene;
    const run_plan *plan;
    rill_world *world;
    int *block_end; /* ids below block_end[b], and not of an earlier block, belong to block b */
} check_world;

int check_block_of(const check_world *check, rill_particle_id id);

/* A box that was filled with so many particles: what became of its volume. */
void check_volume(const check_world *check, int block, int64_t particles, findings *f);
/* Fluid against fluid, and fluid against solids. */
void check_overlaps(const check_world *check, findings *f);
/* Objects one by one, times and numbers. */
void check_objects(const check_world *check, findings *f);
void check_times(const check_world *check, findings *f);
/* Settings that do nothing. */
void check_idle(const check_world *check, findings *f);
/* Of steps that were tried: are they stable? `bound` is the longest that always was, `too_long` the greatest ratio of a
   step to its own bound. */
void check_step(const check_world *check, double bound, double too_long, findings *f);

#endif
