/* SPDX-License-Identifier: MIT */
/* Telling worlds apart by the blocks they were filled with (rill_world_difference has the rest). */
#ifndef RILL_API_COMPARE_H
#define RILL_API_COMPARE_H

#include "rill/world.h"

/* A digest of blocks goes on with another one. Parameters that have their default do not count, so that builds with
   more of them agree. */
uint64_t compare_digest(uint64_t digest, const rill_block_def *block);

#endif
