/* SPDX-License-Identifier: MIT */
/* Which compiled form of src/sim a world runs on. */
#ifndef RILL_API_SIMD_H
#define RILL_API_SIMD_H

#include "model/world_state.h"

/* The table for a dimension and width; NULL if this build or this processor has not got it. */
const sim_operations_table *rill_simd_operations(int dim, rill_simd width);

#endif
