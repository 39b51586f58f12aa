/* SPDX-License-Identifier: MIT */
/* Telling blocks apart, which leave nothing but particles behind; rill_world_differs tells worlds apart. */
#ifndef RILL_API_COMPARE_H
#define RILL_API_COMPARE_H

#include "rill/world.h"

/* A digest of blocks goes on with another one. Parameters that have their default do not count, so that builds with
   more of them agree. */
uint64_t rill_compare_digest(uint64_t digest, const rill_block_def *block);

#endif
