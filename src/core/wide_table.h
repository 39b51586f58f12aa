/* SPDX-License-Identifier: MIT */
/* For each set of lanes, the indices of its lanes in order, one byte each: the shuffles of wide_compress. */
#ifndef RILL_CORE_WIDE_TABLE_H
#define RILL_CORE_WIDE_TABLE_H

#include <stdint.h>

extern const uint64_t rill_wide_compress_table[256];
extern const uint32_t rill_wide_compress_half_table[16][4]; /* aligned as a quad */

#endif
