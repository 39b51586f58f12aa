/* SPDX-License-Identifier: MIT */
/* Definitions shared by writing and reading a snapshot. Its layout: the head, the chunks (api/chunk.h), and a checksum
   of all bytes before. */
#ifndef RILL_API_SNAPSHOT_H
#define RILL_API_SNAPSHOT_H

#include "api/archive.h"

#define SNAPSHOT_MAGIC   "RILLSNAP"
#define SNAPSHOT_VERSION 2u

typedef struct snapshot_head {
    char magic[8];
    uint32_t version;
    uint32_t byte_order; /* 1 if read in the byte order in which it was written */
    char writer[16];     /* version of the library that wrote it */
    uint64_t size;       /* of the chunks */
} snapshot_head;
#define SNAPSHOT_HEAD_SIZE 40

/* Chunks besides those of the pools (api/world_layout.h). Each pool whose objects have shapes has a second chunk for
   the parts of its compounds, such as "solids.parts". Each set of links of the method has a chunk too. */
#define CHUNK_WORLD     "world"
#define CHUNK_METHOD    "method"
#define CHUNK_STATE     "state"
#define CHUNK_TOUCHES   "touches"
#define CHUNK_CONTACTS  "contacts"
#define CHUNK_PARTICLES "particles"
#define CHUNK_PARTS     "%s.parts"
#define CHUNK_LINKS     "links."

#endif
