/* SPDX-License-Identifier: MIT */
/* Telling worlds apart by what they were made of: definitions, not state. */
#ifndef RILL_API_COMPARE_H
#define RILL_API_COMPARE_H

#include "rill/world.h"

typedef struct world_difference {
    char key[4 * RILL_NAME_SIZE]; /* as in --set: "fluids.water.viscosity" */
    char first[200], second[200]; /* its values */
} world_difference;

/* The first difference of two worlds' definitions that results depend on; gauges are compared apart. */
bool compare_worlds(const rill_world *first, const rill_world *second, world_difference *difference);
bool compare_gauges(const rill_world *first, const rill_world *second, world_difference *difference);
/* Gives a world the gauges of another instead of its own. */
rill_status compare_take_gauges(rill_world *world, const rill_world *from);
/* A digest of blocks goes on with another one. Parameters that have their default do not count, so that builds with
   more of them agree. */
uint64_t compare_digest(uint64_t digest, const rill_block_def *block);

#endif
