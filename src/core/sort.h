/* SPDX-License-Identifier: MIT */
/* A stable sort that allocates nothing. qsort promises neither, so that the order of equal items would depend on the C
   library. */
#ifndef RILL_CORE_SORT_H
#define RILL_CORE_SORT_H

#include <stddef.h>

/* `compare` as for qsort. Items have at most a few hundred bytes; `items` may be NULL if there are none. */
void rill_sort_items(void *items, int count, size_t size, int (*compare)(const void *, const void *));

#endif
