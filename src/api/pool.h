/* SPDX-License-Identifier: MIT */
/* Pools of objects behind handles with an age. */
#ifndef RILL_API_POOL_H
#define RILL_API_POOL_H

#include "model/world_state.h"

/* Takes the lowest free slot and sets `index` to it. The object is zero except for its slot, which is alive and has a
   new age. NULL if there is no memory. */
void *rill_pool_take(memory *m, pool *p, size_t size, uint32_t *index);
/* Frees the slot of an object. */
void rill_pool_drop(pool *p, size_t size, void *object);
/* Rebuilds the list of living objects after slots were written directly; false if there is no memory. */
bool rill_pool_list_living(memory *m, pool *p, size_t size);
void rill_pool_free(memory *m, pool *p);
/* The k-th living object, or NULL. */
void *rill_pool_at(const pool *p, size_t size, int k);

#endif
