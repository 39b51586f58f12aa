/* SPDX-License-Identifier: MIT */
/* Definitions shared by writing and reading a snapshot. Layout: the head, chunks (api/chunk.h), checksum of everything
 * before. */
#ifndef RILL_API_SNAPSHOT_H
#define RILL_API_SNAPSHOT_H

#include "api/archive.h"

#define SNAPSHOT_MAGIC   "RILLSNAP"
#define SNAPSHOT_VERSION 2u

typedef struct snapshot_head {
    char magic[8];
    uint32_t version;
    uint32_t byte_order; /* 1 where the bytes are in the order that is expected */
    char writer[16];     /* version of the library that wrote it */
    uint64_t size;       /* of the chunks */
} snapshot_head;
#define SNAPSHOT_HEAD_SIZE 40

/* Chunks beside those of the pools (api/world_layout.h). The parts of compounds are in one of their own for each pool
   whose objects have shapes: "solids.parts". So is every set of links of the method. */
#define CHUNK_WORLD     "world"
#define CHUNK_METHOD    "method"
#define CHUNK_STATE     "state"
#define CHUNK_TOUCHES   "touches"
#define CHUNK_CONTACTS  "contacts"
#define CHUNK_PARTICLES "particles"
#define CHUNK_PARTS     "%s.parts"
#define CHUNK_LINKS     "links."

#endif
