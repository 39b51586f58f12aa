/* SPDX-License-Identifier: MIT */
/* Chooses the compiled variant of src/sim that a world runs on. */
#ifndef RILL_API_DISPATCH_H
#define RILL_API_DISPATCH_H

#include "model/world_state.h"

/* The table for a dimension and SIMD width; NULL if this build or this processor does not have it. */
const sim_operations_table *rill_simd_operations(int dim, rill_simd width);

#endif
