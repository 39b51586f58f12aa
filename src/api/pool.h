/* SPDX-License-Identifier: MIT */
/* Pools of objects with handles that know their age. */
#ifndef RILL_API_POOL_H
#define RILL_API_POOL_H

#include "model/world_state.h"

/* The lowest free slot, zeroed but for its age and marked alive; NULL without memory. Sets *index. */
void *rill_pool_take(memory *m, pool *p, size_t size, uint32_t *index);
/* Ends the life of an object of the pool. */
void rill_pool_drop(pool *p, size_t size, void *object);
/* Lists the living again, after slots were written directly; false without memory. */
bool rill_pool_list_living(memory *m, pool *p, size_t size);
void rill_pool_free(memory *m, pool *p);
/* The k-th living object, or NULL. */
void *rill_pool_at(const pool *p, size_t size, int k);

#endif
