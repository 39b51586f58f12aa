/* SPDX-License-Identifier: MIT */
/* The members of a world as rows: snapshots and comparisons follow these descriptions. A new member of the state needs
   one line in world_layout.c; a new parameter needs none, because its table is used. */
#ifndef RILL_API_WORLD_LAYOUT_H
#define RILL_API_WORLD_LAYOUT_H

#include "api/rows.h"
#include "model/world_state.h"

typedef struct pool_layout {
    const char *name; /* of the pool's chunk, and of its list in scenes */
    size_t pool;      /* offset in the world */
    size_t size;      /* of an object */
    size_t name_at;   /* offset of the object's name */
    size_t shape_at;  /* offset of its shape; 0: none */
    int most;         /* objects in one snapshot */
    bool optional;    /* a world without such objects has no chunk, like snapshots of earlier builds */

    /* First the slot, then the definition's tables, last the state. */
    const row_part *parts;
    int part_count;
} pool_layout;
#define POOL_PARTS_MAX 6

typedef enum pool_kind {
    POOL_FLUIDS,
    POOL_SOLIDS,
    POOL_BODIES,
    POOL_JOINTS,
    POOL_GROUPS,
    POOL_EMITTERS,
    POOL_SINKS,
    POOL_CLOTHS,
    POOL_PINS,
    POOL_GAUGES,
    POOL_AREAS,
    POOL_COUNT
} pool_kind;

/* Pools in the order in which they are read: none refers to a later one. */
extern const pool_layout rill_pool_layouts[POOL_COUNT];
pool *rill_pool_of(const pool_layout *layout, rill_world *world);
/* The parts of the rows in a pool of this world: those of the layout and, after the slot, the rows that the method
   adds. Returns their number. */
int rill_pool_parts(const pool_layout *layout, const rill_world *world, row_part parts[POOL_PARTS_MAX]);
row_set rill_pool_rows(const pool_layout *layout, const rill_world *world);

/* The rows of a block, which leaves particles but no object. */
#define PARTS_OF_BLOCK 2
extern const row_part rill_block_parts[PARTS_OF_BLOCK];

/* A part of a compound and the slot of the object that owns it. */
typedef struct part_row {
    int32_t owner;
    rill_shape shape;
} part_row;
#define PARTS_OF_PART 2
extern const row_part rill_part_row_parts[PARTS_OF_PART];

extern const row_part rill_world_state_part, rill_contact_memory_part, rill_contact_part;
row_part rill_world_def_part(void);
row_part rill_method_part(const rill_world *world);
/* A particle field as a column. */
row_value rill_field_value(const field *f);

#endif
