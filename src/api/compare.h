/* SPDX-License-Identifier: MIT */
/* A digest of blocks, by which rill_world_differs compares them: a world keeps no block, only its particles. */
#ifndef RILL_API_COMPARE_H
#define RILL_API_COMPARE_H

#include "rill/world.h"

/* Adds a block to a digest. Parameters with their default do not count, so that builds with more parameters get the
   same digest. */
uint64_t rill_compare_digest(uint64_t digest, const rill_block_def *block);

#endif
